//! What a stop and a cancel mean for a step in each phase. What becomes of steps that still run is left to
//! `settle`.

use crate::{
    Sched,
    phase::{Phase, StepResult},
    settle::Course,
};
use alloc::borrow::Cow;
use plan_model::{CANCELED_BEFORE_RUN, Kind, Status, StepIdx};

/// Why nothing is dispatched any more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Halt {
    /// A step stopped the plan (ruling 21).
    Stop,
    /// The task was cancelled (ruling 27).
    Cancel,
}

/// What a halt does to one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It runs to its own end, or has ended.
    Untouched,
    /// It runs until its sub-capsule has been ended.
    EndCapsule,
    /// It never runs and is absent from the report.
    Withdraw,
    /// It never runs and settles skipped.
    SkipCanceled,
    /// It settles with the failure of its last attempt: the retry it waited for is not dispatched.
    LastFailure,
}

/// The decision table of a halt.
fn fate(halt: Halt, phase: Phase, kind: Kind, attempts: u32) -> Fate {
    match phase {
        Phase::Blocked | Phase::Unlocked | Phase::Ready => never_dispatched(halt),
        Phase::Asked | Phase::Admitted => match attempts {
            0 => never_dispatched(halt),
            _ => Fate::LastFailure,
        },
        Phase::Retrying => Fate::LastFailure,
        Phase::Running => match (halt, kind) {
            (Halt::Cancel, Kind::Capsule) => Fate::EndCapsule,
            (Halt::Cancel, Kind::Tool | Kind::Shell)
            | (Halt::Stop, Kind::Tool | Kind::Shell | Kind::Capsule) => Fate::Untouched,
        },
        Phase::Withdrawn | Phase::Settled(_) => Fate::Untouched,
    }
}

fn never_dispatched(halt: Halt) -> Fate {
    match halt {
        Halt::Stop => Fate::Withdraw,
        Halt::Cancel => Fate::SkipCanceled,
    }
}

impl Sched {
    /// Takes in that the task was cancelled. The first cause wins: a plan that a step had stopped stays so,
    /// and one in which every step has settled is not touched.
    pub(crate) fn cancel(&mut self) {
        self.course = match self.course {
            Course::Going if self.board.settled().len() == self.board.len() => return,
            Course::Going => Course::Canceled,
            Course::Stopped { by } => Course::StoppedThenCanceled { by },
            Course::Canceled | Course::StoppedThenCanceled { .. } => return,
        };
        self.halt(Halt::Cancel);
    }

    /// Ends all choosing and settles in file order what will not be dispatched. The course is set before.
    pub(crate) fn halt(&mut self, halt: Halt) {
        self.board.close();
        for step in self.plan.indices() {
            let Some(phase) = self.board.phase(step) else {
                continue;
            };
            match fate(
                halt,
                phase,
                self.board.kind(step),
                self.board.attempts(step),
            ) {
                Fate::Untouched => continue,
                Fate::EndCapsule => {
                    self.to_end.push_back(step);
                    continue;
                }
                Fate::Withdraw => self.board.set_phase(step, Phase::Withdrawn),
                Fate::SkipCanceled => self.skip_canceled(step),
                Fate::LastFailure => self.settle_failed(step),
            }
            if phase == Phase::Asked {
                self.answers_to_drop.insert(step);
            }
        }
    }

    fn skip_canceled(&mut self, step: StepIdx) {
        *self.board.result_mut(step) = StepResult {
            output: None,
            error: Some(Cow::Borrowed(CANCELED_BEFORE_RUN)),
        };
        self.board.set_phase(step, Phase::Settled(Status::Skipped));
    }
}
