//! How a step settles and what its failure does to the plan: retries, then `on_error`, then the plan
//! (spec: Failure). What a stop does to the other steps is left to `cancel`.

use crate::{
    Sched,
    cancel::Halt,
    phase::{Phase, StepResult},
};
use alloc::{borrow::Cow, string::String};
use plan_model::{CANCELED_WITH_CAPSULE, OnError, Status, StepIdx};

/// What has become of the plan. The first cause wins (ruling 27).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Course {
    /// Steps are dispatched.
    Going,
    /// A step stopped the plan.
    Stopped {
        /// The step.
        by: StepIdx,
    },
    /// A step stopped the plan, then the task was cancelled while the last steps finished.
    StoppedThenCanceled {
        /// The step.
        by: StepIdx,
    },
    /// The task was cancelled.
    Canceled,
}

impl Course {
    pub(crate) const fn task_is_canceled(self) -> bool {
        match self {
            Self::Going | Self::Stopped { .. } => false,
            Self::StoppedThenCanceled { .. } | Self::Canceled => true,
        }
    }
}

/// How a step that failed for good settles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Verdict {
    status: Status,
    /// Whether it stops the plan.
    stops: bool,
}

/// The decision table of a step that will not be tried again.
fn verdict(course: Course, on_error: OnError) -> Verdict {
    let status = |status| Verdict {
        status,
        stops: false,
    };
    match (course, on_error) {
        (Course::Going, OnError::Fail) => Verdict {
            status: Status::Failed,
            stops: true,
        },
        // A stopped plan cannot stop again: the first step stays the one that did (ruling 21).
        (Course::Stopped { .. }, OnError::Fail) => status(Status::Failed),
        (Course::Going | Course::Stopped { .. }, OnError::Skip) => status(Status::Skipped),
        (Course::Going | Course::Stopped { .. }, OnError::Continue) => status(Status::Failed),
        // spec: When the task is cancelled. No policy is applied once the task is cancelled.
        (
            Course::StoppedThenCanceled { .. } | Course::Canceled,
            OnError::Fail | OnError::Skip | OnError::Continue,
        ) => status(Status::Failed),
    }
}

impl Sched {
    /// Settles a step whose attempt passed.
    pub(crate) fn pass(&mut self, step: StepIdx, output: Option<String>) {
        *self.board.result_mut(step) = StepResult {
            output: output.map(String::into_boxed_str),
            error: None,
        };
        self.settle(step, Status::Success);
    }

    /// Settles a step whose condition is false: it failed at nothing.
    pub(crate) fn skip(&mut self, step: StepIdx) {
        self.settle(step, Status::Skipped);
    }

    /// Takes in a failed attempt: it is tried again, or that was the last one (ruling 22).
    pub(crate) fn attempt_failed(&mut self, step: StepIdx, output: Option<String>, error: String) {
        *self.board.result_mut(step) = StepResult {
            output: output.map(String::into_boxed_str),
            error: Some(Cow::Owned(error)),
        };
        // `retries: 2` allows the attempts 1 to 3.
        let attempts_left = self.board.attempts(step) <= self.plan.step(step).retries();
        if self.course == Course::Going && attempts_left {
            self.board.set_phase(step, Phase::Retrying);
        } else {
            self.settle_failed(step);
        }
    }

    /// Settles a step that failed without an attempt of its own: refused, or unresolvable. Trying again would
    /// not help it, so retries do not apply (ruling 22).
    pub(crate) fn fail(&mut self, step: StepIdx, error: String) {
        *self.board.result_mut(step) = StepResult {
            output: None,
            error: Some(Cow::Owned(error)),
        };
        self.settle_failed(step);
    }

    /// Settles a capsule step whose sub-capsule was ended with the task.
    pub(crate) fn end_with_task(&mut self, step: StepIdx) {
        *self.board.result_mut(step) = StepResult {
            output: None,
            error: Some(Cow::Borrowed(CANCELED_WITH_CAPSULE)),
        };
        self.settle_failed(step);
    }

    /// Settles a step with the failure already written down as its result.
    pub(crate) fn settle_failed(&mut self, step: StepIdx) {
        let verdict = verdict(self.course, self.plan.step(step).on_error());
        if !verdict.stops {
            return self.settle(step, verdict.status);
        }
        // The stop first, so that nothing is unlocked; the step itself settles ahead of those it takes along.
        self.course = Course::Stopped { by: step };
        self.settle(step, verdict.status);
        self.halt(Halt::Stop);
    }

    fn settle(&mut self, step: StepIdx, status: Status) {
        self.board.set_phase(step, Phase::Settled(status));
        if self.course == Course::Going {
            self.board.unlock_dependents(&self.plan, step);
        }
    }
}
