//! Which step of a plan runs next: a pure state machine. No clock, no I/O, no threads.
#![no_std]

extern crate alloc;

use alloc::{string::String, sync::Arc};
use core::num::NonZeroUsize;
use plan_model::{Plan, Report, Status, StepIdx};

/// How many steps of a kind may be in flight at once (ruling 19). Tools: always one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Shell steps at once.
    pub shell: NonZeroUsize,
    /// Capsule steps at once.
    pub capsule: NonZeroUsize,
}

/// What happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// The gate let the step pass (or nothing had to be asked): answers [`Effect::Ask`].
    Admitted {
        /// The step.
        step: StepIdx,
    },
    /// The gate refused the step: answers [`Effect::Ask`]. Final for the step (ruling 22).
    Refused {
        /// The step.
        step: StepIdx,
        /// The refusal.
        error: String,
    },
    /// An attempt ended: answers [`Effect::Dispatch`].
    Finished {
        /// The step.
        step: StepIdx,
        /// How it ended.
        outcome: Outcome,
    },
    /// The task running the plan was cancelled.
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
    /// A capsule step's sub-capsule was ended because the task was cancelled.
    Ended,
}

/// What the driver is to do.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Put this attempt to the gate, then answer [`Input::Admitted`] or [`Input::Refused`]. With no gate, and
    /// for a capsule step, answer `Admitted` at once. The step holds its slot meanwhile. An answer that comes
    /// after a stop or a cancel is dropped by the scheduler.
    Ask {
        /// The step.
        step: StepIdx,
        /// The attempt, from 1.
        attempt: u32,
        /// The resolved input: JSON text for a tool, task text for a capsule, empty for a shell step.
        input: String,
    },
    /// Start the attempt just admitted, with the input `Ask` gave.
    Dispatch {
        /// The step.
        step: StepIdx,
        /// The attempt, from 1.
        attempt: u32,
    },
    /// End the sub-capsule of this capsule step: the task was cancelled.
    EndCapsule {
        /// The step.
        step: StepIdx,
    },
    /// The step settled: write its line. Read it with [`Sched::settled`].
    Settled {
        /// The step.
        step: StepIdx,
    },
    /// Every step that will settle has settled. Given for ever after.
    Finished,
    /// Nothing to do until the next input.
    Idle,
}

/// One settled step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled<'s> {
    /// After `on_error`.
    pub status: Status,
    /// Its output text.
    pub output: Option<&'s str>,
    /// Why it failed.
    pub error: Option<&'s str>,
    /// How many times it was dispatched.
    pub attempts: u32,
}

/// The scheduler of one plan.
#[derive(Debug)]
pub struct Sched {
    _plan: Arc<Plan>,
}

/// An input that does not fit the phase its step is in: a mistake of the driver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnexpectedInput {
    /// The step.
    pub step: StepIdx,
}

impl Sched {
    /// Makes the scheduler of `plan`.
    pub fn new(plan: Arc<Plan>, limits: Limits) -> Self {
        let _ = limits;
        Self { _plan: plan }
    }
    /// Takes in what happened.
    pub fn handle(&mut self, input: Input) -> Result<(), UnexpectedInput> {
        let _ = input;
        todo!()
    }
    /// Gives the next thing to do; call until [`Effect::Idle`] or [`Effect::Finished`].
    pub fn poll_effect(&mut self) -> Effect {
        todo!()
    }
    /// Returns how `step` settled, `None` when it has not.
    pub fn settled(&self, step: StepIdx) -> Option<Settled<'_>> {
        let _ = step;
        todo!()
    }
    /// Returns how many steps wait for a slot, are in flight (asked or dispatched) and have settled.
    pub fn progress(&self) -> Progress {
        todo!()
    }
    /// Returns the report of what has settled, in settle order.
    pub fn into_report(self) -> Report {
        todo!()
    }
}

/// Where the plan stands, for a live view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Steps whose dependencies have settled and that wait for a slot.
    pub ready: usize,
    /// Steps asked about or dispatched and not ended.
    pub in_flight: usize,
    /// Steps that settled.
    pub settled: usize,
}
