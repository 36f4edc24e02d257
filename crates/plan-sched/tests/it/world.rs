//! Plans for the tests: a description both the crate (through JSON) and the oracle (directly) can read.

use plan_model::{Kind, OnError, Plan, PlanDoc};
use plan_sched::Limits;
use std::{fmt::Write as _, num::NonZeroUsize, sync::Arc};

/// One plan, described and checked.
#[derive(Debug)]
pub(crate) struct World {
    pub(crate) steps: Vec<StepShape>,
    /// The steps' ids, in file order.
    pub(crate) ids: Vec<String>,
    pub(crate) limits: Limits,
    pub(crate) plan: Arc<Plan>,
}

/// One step, described.
#[derive(Debug, Clone)]
pub(crate) struct StepShape {
    pub(crate) kind: Kind,
    pub(crate) depends_on: Vec<usize>,
    pub(crate) on_error: OnError,
    pub(crate) retries: u32,
    pub(crate) condition: Condition,
    pub(crate) input: InputShape,
}

/// What an `if` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Condition {
    /// There is none.
    Absent,
    /// Every side equal, joined by `&&`.
    All(Vec<Side>),
    /// Any side equal, joined by `||`.
    Any(Vec<Side>),
}

/// One comparison for equality.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Side {
    /// `'a' == 'a'`.
    True,
    /// `'a' == 'b'`.
    False,
    /// `$s<n>.status == '<word>'`.
    Status(usize, &'static str),
    /// `$s<n>.output == '<text>'`.
    Output(usize, &'static str),
}

/// What an `input` says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InputShape {
    /// There is none (for a capsule, which must have one: a literal text).
    Plain,
    /// It is one reference.
    Reference(Reading),
    /// It is an object that holds references (for a capsule: an objective that is the first of them).
    Object(Vec<Reading>),
}

/// A reference.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    Status(usize),
    Output(usize),
}

/// The task text of a capsule step without a reference.
pub(crate) const TASK: &str = "task";

impl World {
    pub(crate) fn new(steps: Vec<StepShape>, limits: Limits) -> Self {
        let json = json(&steps);
        let checked = PlanDoc::read(json.clone().into_bytes()).check(None);
        let plan = match checked.plan {
            Ok(plan) => Arc::new(plan),
            Err(refused) => panic!("the tests wrote a plan that is refused: {refused:?}\n{json}"),
        };
        Self {
            ids: (0..steps.len()).map(id).collect(),
            steps,
            limits,
            plan,
        }
    }

    pub(crate) fn limit(&self, kind: Kind) -> usize {
        match kind {
            Kind::Tool => 1,
            Kind::Shell => self.limits.shell.get(),
            Kind::Capsule => self.limits.capsule.get(),
        }
    }
}

/// Makes limits; both must be over 0.
pub(crate) fn limits(shell: usize, capsule: usize) -> Limits {
    Limits {
        shell: NonZeroUsize::new(shell).expect("over 0"),
        capsule: NonZeroUsize::new(capsule).expect("over 0"),
    }
}

/// The limits an embedder gets by default (ruling 19).
pub(crate) fn default_limits() -> Limits {
    limits(64, 4)
}

fn id(step: usize) -> String {
    format!("s{step}")
}

pub(crate) fn on_error_word(on_error: OnError) -> &'static str {
    match on_error {
        OnError::Fail => "fail",
        OnError::Skip => "skip",
        OnError::Continue => "continue",
    }
}

fn json(steps: &[StepShape]) -> String {
    let mut json = String::from(r#"{"id":"p","steps":["#);
    for (index, step) in steps.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let action = match step.kind {
            Kind::Tool => "tool",
            Kind::Shell => "shell",
            Kind::Capsule => "capsule",
        };
        let _ = write!(json, r#"{comma}{{"id":"{}","{action}":"x""#, id(index));
        if !step.depends_on.is_empty() {
            let names: Vec<_> = step
                .depends_on
                .iter()
                .map(|&on| format!("\"{}\"", id(on)))
                .collect();
            let _ = write!(json, r#","depends_on":[{}]"#, names.join(","));
        }
        if step.on_error != OnError::Fail {
            let _ = write!(json, r#","on_error":"{}""#, on_error_word(step.on_error));
        }
        if step.retries > 0 {
            let _ = write!(json, r#","retries":{}"#, step.retries);
        }
        if let Some(condition) = condition_text(&step.condition) {
            let _ = write!(json, r#","if":"{condition}""#);
        }
        if let Some(input) = input_json(step) {
            let _ = write!(json, r#","input":{input}"#);
        }
        json.push('}');
    }
    json.push_str("]}");
    json
}

fn condition_text(condition: &Condition) -> Option<String> {
    let side = |side: &Side| match side {
        Side::True => "'a' == 'a'".to_owned(),
        Side::False => "'a' == 'b'".to_owned(),
        Side::Status(step, word) => format!("${}.status == '{word}'", id(*step)),
        Side::Output(step, text) => format!("${}.output == '{text}'", id(*step)),
    };
    match condition {
        Condition::Absent => None,
        Condition::All(sides) => Some(sides.iter().map(side).collect::<Vec<_>>().join(" && ")),
        Condition::Any(sides) => Some(sides.iter().map(side).collect::<Vec<_>>().join(" || ")),
    }
}

fn input_json(step: &StepShape) -> Option<String> {
    let reading = |reading: &Reading| match reading {
        Reading::Status(step) => format!("\"${}.status\"", id(*step)),
        Reading::Output(step) => format!("\"${}.output\"", id(*step)),
    };
    match (&step.input, step.kind) {
        (InputShape::Plain, Kind::Capsule) => Some(format!("\"{TASK}\"")),
        (InputShape::Plain, Kind::Tool | Kind::Shell) => None,
        (InputShape::Reference(one), Kind::Tool | Kind::Shell | Kind::Capsule) => {
            Some(reading(one))
        }
        (InputShape::Object(all), Kind::Capsule) => {
            Some(format!(r#"{{ "objective": {} }}"#, reading(&all[0])))
        }
        (InputShape::Object(all), Kind::Tool | Kind::Shell) => {
            let all: Vec<_> = all.iter().map(reading).collect();
            Some(format!(r#"{{ "log": [ {} ], "n": 1.0 }}"#, all.join(", ")))
        }
    }
}
