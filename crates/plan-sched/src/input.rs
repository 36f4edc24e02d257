//! What can happen to a plan while it runs. What a step may take in which phase is decided in `sched`.

use alloc::string::String;
use plan_model::StepIdx;

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The gate let the step pass (or nothing had to be asked): answers [`Effect::Ask`](crate::Effect::Ask).
    Admitted {
        /// The step.
        step: StepIdx,
    },
    /// The gate refused the step: answers [`Effect::Ask`](crate::Effect::Ask). Final for the step (ruling 22).
    Refused {
        /// The step.
        step: StepIdx,
        /// The refusal; it becomes the step's error as it is.
        error: String,
    },
    /// An attempt ended: answers [`Effect::Dispatch`](crate::Effect::Dispatch).
    Finished {
        /// The step.
        step: StepIdx,
        /// How it ended.
        outcome: Outcome,
    },
    /// The task running the plan was cancelled. A second one is dropped.
    Cancel,
}

/// How an attempt ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It passed.
    Passed {
        /// Its output text.
        output: Option<String>,
    },
    /// It failed.
    Failed {
        /// Its output text.
        output: Option<String>,
        /// Why.
        error: String,
    },
    /// A capsule step's sub-capsule was ended because the task was cancelled. Only a capsule step can end
    /// so, and only after [`Input::Cancel`].
    Ended,
}

/// An input that does not fit the phase its step is in: a mistake of the driver. It changed nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("cannot take `{input}` for step `{id}`, which is {phase}")]
pub struct UnexpectedInput {
    /// The step.
    pub step: StepIdx,
    /// The step's id; `#` and its number from 1 when the plan has no such step.
    pub id: String,
    /// What came: `admitted`, `refused`, `finished` or `ended`.
    pub input: &'static str,
    /// What the step is doing instead, such as `waiting for a slot`.
    pub phase: &'static str,
}
