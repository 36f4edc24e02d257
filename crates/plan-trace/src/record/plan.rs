//! The lines of a plan: `plan_start`, `plan_step_start`, `plan_step`, `plan_end`.

use std::fmt;

use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::{self, SeqAccess, Visitor},
    ser::SerializeSeq,
};

use crate::{
    json::Json,
    owned::{IntoOwned, into_owned},
    text::Text,
    word::{PlanOutcome, StepKind, StepStatus},
};

/// A plan begins. Hangs off the session.
///
/// Written once the text has a plan's shape, before the rest of validation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct PlanStart<'a> {
    /// The plan's id.
    pub plan_id: Text<'a>,
    /// How many steps it declares.
    pub step_count: u64,
    /// The steps in file order.
    #[serde(default)]
    pub steps: Steps<'a>,
}
into_owned!(PlanStart {
    plan_id,
    step_count,
    steps
});

/// A step as declared.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"), expecting = "a step")]
pub struct PlannedStep<'a> {
    /// Its id.
    pub step_id: Text<'a>,
    /// Its kind.
    pub kind: StepKind<'a>,
    /// The ids it waits for.
    #[serde(default)]
    pub depends_on: Vec<Text<'a>>,
    /// Whether it has an `if`.
    #[serde(default)]
    pub has_condition: bool,
}
into_owned!(PlannedStep {
    step_id,
    kind,
    depends_on,
    has_condition
});

/// Hands the steps of a plan to a function, one after another from the first, each time it is called.
pub type StepSource<'a> = dyn Fn(&mut dyn FnMut(&PlannedStep<'_>)) + Sync + 'a;

/// The steps of a `plan_start`.
#[derive(Clone)]
pub enum Steps<'a> {
    /// All at once.
    Listed(Vec<PlannedStep<'a>>),
    /// One after another as the line is written, so that a plan of a million steps is not held twice.
    Streamed(&'a StepSource<'a>),
    /// As read: gone through once already, and taken apart again each time they are asked for.
    Read(StepsText<'a>),
}

/// The text of a list of steps that was read.
#[derive(Clone)]
pub struct StepsText<'a>(Json<'a>);

impl<'a> Steps<'a> {
    /// Hands each step in file order to `take`.
    pub fn for_each(&self, take: &mut dyn FnMut(&PlannedStep<'_>)) {
        match self {
            Self::Listed(steps) => steps.iter().for_each(take),
            Self::Streamed(source) => source(take),
            Self::Read(StepsText(list)) => {
                each(list.as_str(), take).expect("the list was gone through when it was read");
            }
        }
    }

    /// Returns the steps in file order, all at once.
    pub fn into_vec(self) -> Vec<PlannedStep<'a>> {
        match self {
            Self::Listed(steps) => steps,
            Self::Streamed(_) | Self::Read(_) => {
                let mut steps = Vec::new();
                self.for_each(&mut |step| steps.push(step.clone().into_owned()));
                steps
            }
        }
    }
}

impl Default for Steps<'_> {
    fn default() -> Self {
        Self::Listed(Vec::new())
    }
}

impl IntoOwned for Steps<'_> {
    type Owned = Steps<'static>;
    fn into_owned(self) -> Steps<'static> {
        Steps::Listed(self.into_vec().into_owned())
    }
}

impl PartialEq for Steps<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Listed(one), Self::Listed(other)) => one == other,
            (Self::Listed(_) | Self::Streamed(_) | Self::Read(_), _) => {
                self.clone().into_vec() == other.clone().into_vec()
            }
        }
    }
}

impl fmt::Debug for Steps<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut list = f.debug_list();
        self.for_each(&mut |step| {
            list.entry(step);
        });
        list.finish()
    }
}

impl fmt::Debug for StepsText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Listed(steps) => serializer.collect_seq(steps),
            Self::Streamed(_) | Self::Read(_) => {
                let mut list = serializer.serialize_seq(None)?;
                let mut outcome = Ok(());
                self.for_each(&mut |step| {
                    if outcome.is_ok() {
                        outcome = list.serialize_element(step);
                    }
                });
                outcome?;
                list.end()
            }
        }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Steps<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let list = Json::deserialize(deserializer)?;
        each(list.as_str(), &mut |_| {}).map_err(|error| {
            let text = error.to_string();
            // The place is one within the list, which says nothing.
            let place = format!(" at line {} column {}", error.line(), error.column());
            de::Error::custom(text.strip_suffix(&place).unwrap_or(&text))
        })?;
        Ok(Self::Read(StepsText(list)))
    }
}

/// Reads a list of steps and hands each to `take`, holding one at a time.
fn each(list: &str, take: &mut dyn FnMut(&PlannedStep<'_>)) -> serde_json::Result<()> {
    struct Each<'t>(&'t mut dyn FnMut(&PlannedStep<'_>));

    impl<'de> Visitor<'de> for Each<'_> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a list of steps")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut steps: A) -> Result<(), A::Error> {
            while let Some(step) = steps.next_element::<PlannedStep<'de>>()? {
                (self.0)(&step);
            }
            Ok(())
        }
    }

    serde_json::Deserializer::from_str(list).deserialize_seq(Each(take))
}

/// A step is dispatched for the first time, after the gate let it pass. Hangs off its `plan_start`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct PlanStepStart<'a> {
    /// The plan's id.
    #[serde(default)]
    pub plan_id: Text<'a>,
    /// The step's id.
    pub step_id: Text<'a>,
    /// Its kind.
    pub kind: StepKind<'a>,
    /// The ids it waited for.
    #[serde(default)]
    pub depends_on: Vec<Text<'a>>,
}
into_owned!(PlanStepStart {
    plan_id,
    step_id,
    kind,
    depends_on
});

/// A step settled. Hangs off its `plan_start`; written in settle order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct PlanStep<'a> {
    /// The plan's id.
    pub plan_id: Text<'a>,
    /// The step's id.
    pub step_id: Text<'a>,
    /// Its kind.
    pub kind: StepKind<'a>,
    /// How it settled, after `on_error`.
    pub status: StepStatus<'a>,
    /// How many times it was dispatched.
    #[serde(default)]
    pub attempts: u64,
    /// All its attempts together; 0 when it was never dispatched.
    #[serde(default)]
    pub duration_ms: u64,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<Text<'a>>,
    /// A tool step's input as dispatched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input: Option<Json<'a>>,
    /// The tool's `state_effect`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub state_effect: Option<Text<'a>>,
    /// The tool's `resource_id`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource_id: Option<Text<'a>>,
}
into_owned!(PlanStep {
    plan_id,
    step_id,
    kind,
    status,
    attempts,
    duration_ms,
    error,
    input,
    state_effect,
    resource_id
});

/// A plan ended. Hangs off its `plan_start`, or off the session when the text never parsed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct PlanEnd<'a> {
    /// The plan's id, `""` when it could not be read.
    pub plan_id: Text<'a>,
    /// How it ended.
    pub outcome: PlanOutcome<'a>,
    /// The step that stopped it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed_step: Option<Text<'a>>,
    /// How many steps it declares, 0 when not read.
    #[serde(default)]
    pub steps_total: u64,
    /// How many steps settled `success`.
    #[serde(default)]
    pub steps_succeeded: u64,
    /// How many steps settled `failed`.
    #[serde(default)]
    pub steps_failed: u64,
    /// How many steps settled `skipped`.
    #[serde(default)]
    pub steps_skipped: u64,
    /// How long it took.
    #[serde(default)]
    pub duration_ms: u64,
    /// Why it ended, when no step's own failure ended it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Text<'a>>,
}
into_owned!(PlanEnd {
    plan_id,
    outcome,
    failed_step,
    steps_total,
    steps_succeeded,
    steps_failed,
    steps_skipped,
    duration_ms,
    reason
});
