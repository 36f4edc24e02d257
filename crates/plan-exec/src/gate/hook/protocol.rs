//! What is said to a hook's program and what it may answer, as JSON (spec: Policy hooks).
//!
//! An answer is read strictly: what is not understood is no "no objection".

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, IgnoredAny, MapAccess, Visitor},
};
use serde_json::value::RawValue;

use super::policy::{HookAnswer, HookCall};
use crate::{
    output::{end_of, without_trailing_newlines},
    process::Exit,
};

/// Returns what is written to the program's standard input: one line.
pub(super) fn question(call: &HookCall<'_>) -> Result<Vec<u8>, String> {
    let event = call.event().name();
    let mut line = match *call {
        HookCall::Tool { name, input } => {
            // Compact, so that the whole is one line whatever white space the input was written with.
            let input = serde_json::from_str::<&RawValue>(input)
                .map(|raw| plan_model::compact(raw.get()))
                .and_then(RawValue::from_string)
                .map_err(|error| format!("the call's input is no JSON: {error}"))?;
            let question = ToolQuestion {
                event,
                tool: name,
                input: &input,
            };
            serde_json::to_vec(&question)
        }
        HookCall::Shell {
            program,
            command,
            argv,
            script,
        } => serde_json::to_vec(&ShellQuestion {
            event,
            program,
            command,
            argv,
            script,
        }),
    }
    .expect("texts can be written as JSON");
    line.push(b'\n');
    Ok(line)
}

#[derive(Serialize)]
struct ToolQuestion<'a> {
    event: &'a str,
    tool: &'a str,
    input: &'a RawValue,
}

#[derive(Serialize)]
struct ShellQuestion<'a> {
    event: &'a str,
    program: &'a str,
    command: &'a str,
    argv: &'a [String],
    /// `null` where there is none, so that a reader need not ask whether the key is there.
    script: Option<&'a str>,
}

/// Returns what the program answered: a clean denial counts whatever the exit status, `{}` only with 0.
pub(super) fn answer(stdout: &[u8], exit: Exit, stderr: &str) -> HookAnswer {
    match (read(stdout), exit.passed()) {
        (Ok(Some(reason)), _) => HookAnswer::Denied { reason },
        (Ok(None), true) => HookAnswer::NoObjection,
        (Err(what), true) => HookAnswer::Failed { what },
        (Ok(None) | Err(_), false) => HookAnswer::Failed {
            what: failure(exit, stderr),
        },
    }
}

fn failure(exit: Exit, stderr: &str) -> String {
    let said = end_of(without_trailing_newlines(stderr), STDERR_BYTES);
    if said.trim().is_empty() {
        return exit.to_string();
    }
    format!("{exit}, after it wrote to standard error: {said}")
}

/// Reads an answer; `None` for no objection.
fn read(stdout: &[u8]) -> Result<Option<String>, String> {
    if stdout.iter().all(u8::is_ascii_whitespace) {
        return Err(format!("it wrote nothing; {EXPECTED}"));
    }
    let answer: Answer = serde_json::from_slice(stdout)
        .map_err(|error| format!("what it wrote was not understood: {error}; {EXPECTED}"))?;
    Ok(answer.deny)
}

struct Answer {
    deny: Option<String>,
}

impl<'de> Deserialize<'de> for Answer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(AnswerVisitor)
    }
}

struct AnswerVisitor;

impl<'de> Visitor<'de> for AnswerVisitor {
    type Value = Answer;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Answer, A::Error> {
        let mut deny = None;
        while let Some(key) = map.next_key::<String>()? {
            if key != "deny" {
                // Read to its end, so that a fault of syntax in it is told first.
                map.next_value::<IgnoredAny>()?;
                let shown: String = key.chars().take(SHOWN_CHARACTERS).collect();
                return Err(A::Error::custom(format_args!("unknown key `{shown}`")));
            }
            let reason = map.next_value::<String>()?;
            if deny.replace(reason).is_some() {
                return Err(A::Error::duplicate_field("deny"));
            }
        }
        Ok(Answer { deny })
    }
}

const EXPECTED: &str =
    "a hook writes `{}` for no objection, or `{\"deny\": \"<reason>\"}`, and nothing else";

/// The most a refusal shows of a hook's standard error, in bytes: its end is enough to see what broke.
const STDERR_BYTES: usize = 2048;

/// The most a refusal shows of a key.
const SHOWN_CHARACTERS: usize = 60;

#[cfg(test)]
mod tests {
    use super::{Exit, HookAnswer, answer};

    fn answered(stdout: &[u8]) -> HookAnswer {
        answer(stdout, Exit::Code(0), "")
    }

    /// spec: Policy hooks; no damage to a denial makes it a "no objection".
    #[test]
    fn no_damage_to_a_denial_lets_a_call_go_on() {
        let denial = br#"{"deny": "no"}"#;
        for at in 0..denial.len() {
            for byte in 0..=u8::MAX {
                let mut damaged = denial.to_vec();
                damaged[at] = byte;
                assert_ne!(answered(&damaged), HookAnswer::NoObjection, "{damaged:?}");
            }
            assert_ne!(answered(&denial[..at]), HookAnswer::NoObjection, "{at}");
        }
    }

    /// spec: Bad input; an answer may be as deep as it is long, and is refused.
    #[test]
    fn a_deep_answer_is_refused() {
        for start in [r#"{"deny": "#, r#"{"x": "#, ""] {
            for open in ["[", r#"{"deny": "#] {
                let deep = format!("{start}{}", open.repeat(60_000 / open.len()));
                assert!(matches!(
                    answered(deep.as_bytes()),
                    HookAnswer::Failed { .. }
                ));
            }
        }
    }
}
