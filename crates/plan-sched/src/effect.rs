//! What the scheduler wants done. Doing it is left to the driver.

use alloc::string::String;
use plan_model::StepIdx;

/// What the driver is to do.
#[must_use]
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Effect {
    /// Put this attempt to the gate, then answer [`Input::Admitted`](crate::Input::Admitted) or
    /// [`Input::Refused`](crate::Input::Refused). With no gate, and for a capsule step, answer `Admitted` at
    /// once. The step holds its slot meanwhile. An answer that comes after a stop or a cancel is dropped by
    /// the scheduler, which does not wait for it either.
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
    /// End the sub-capsule of this capsule step, which was dispatched and has not finished: the task was
    /// cancelled. Answered by [`Input::Finished`](crate::Input::Finished), with
    /// [`Outcome::Ended`](crate::Outcome::Ended) unless it finished by itself first.
    EndCapsule {
        /// The step.
        step: StepIdx,
    },
    /// The step settled: write its line. Read it with [`Sched::settled`](crate::Sched::settled).
    Settled {
        /// The step.
        step: StepIdx,
    },
    /// Every step that will settle has settled. Given for ever after.
    Finished,
    /// Nothing to do until the next input.
    Idle,
}
