//! The arguments of `submit-plan`: `{"plan": {...}}`, and what a model sends instead (ruling 4).

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use crate::result::Warning;

/// A call's plan, as text.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) plan: String,
    pub(crate) warnings: Vec<Warning>,
}

/// Why the arguments hold no plan. One sentence, with the place and what to send.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ArgumentFault {
    #[error(
        "the arguments of `submit-plan` are not a JSON object with a `plan`: {0}; send \
         {{\"plan\": {{\"id\": \"...\", \"steps\": [...]}}}}"
    )]
    Unreadable(serde_json::Error),
    #[error(
        "the arguments of `submit-plan` have no `plan`; send {{\"plan\": {{\"id\": \"...\", \"steps\": [...]}}}}"
    )]
    Missing,
    #[error("the arguments of `submit-plan` give `plan` twice; send one plan per call")]
    Twice,
}

/// Finds the plan in the arguments of a call.
pub(crate) fn plan_text(arguments: &str) -> Result<Call, ArgumentFault> {
    let found: Arguments<'_> =
        serde_json::from_str(arguments).map_err(ArgumentFault::Unreadable)?;
    let mut warnings: Vec<_> = found.unknown.iter().map(|key| unknown(key)).collect();
    let raw = match found.plan {
        Found::Missing => return Err(ArgumentFault::Missing),
        Found::Twice => return Err(ArgumentFault::Twice),
        Found::Once(raw) => raw,
    };
    // A model often sends the object as a string of JSON.
    if let Ok(plan) = serde_json::from_str::<String>(raw) {
        warnings.push(Warning::Call {
            message: "`plan` was a string of JSON, and was read as the plan it holds".to_owned(),
            hint: "send the object itself: {\"plan\": {...}}".to_owned(),
        });
        return Ok(Call { plan, warnings });
    }
    let plan = raw.to_owned();
    Ok(Call { plan, warnings })
}

fn unknown(key: &str) -> Warning {
    Warning::Call {
        message: format!("`submit-plan` does not know the argument `{key}`, and it was left out"),
        hint: "`plan` is its only argument".to_owned(),
    }
}

struct Arguments<'a> {
    plan: Found<'a>,
    unknown: Vec<String>,
}

enum Found<'a> {
    Missing,
    Once(&'a str),
    Twice,
}

impl<'de> Deserialize<'de> for Arguments<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ArgumentsVisitor)
    }
}

struct ArgumentsVisitor;

impl<'de> Visitor<'de> for ArgumentsVisitor {
    type Value = Arguments<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with a `plan`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Arguments {
            plan: Found::Missing,
            unknown: Vec::new(),
        };
        while let Some(key) = map.next_key::<String>()? {
            let value: &'de RawValue = map.next_value()?;
            if key == "plan" {
                found.plan = match found.plan {
                    Found::Missing => Found::Once(value.get()),
                    Found::Once(_) | Found::Twice => Found::Twice,
                };
            } else {
                found.unknown.push(key);
            }
        }
        Ok(found)
    }
}
