//! What has settled: one step, and the report in settle order (spec: The report). The summary is left to
//! plan-model.

use crate::{Sched, phase::Phase, settle::Course};
use alloc::string::String;
use plan_model::{Report, Status, StepIdx, StepReport};

/// One settled step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settled<'s> {
    /// After `on_error`.
    pub status: Status,
    /// Its output text.
    pub output: Option<&'s str>,
    /// Why it failed, or why a cancel kept it from running.
    pub error: Option<&'s str>,
    /// How many times it was dispatched (ruling 22).
    pub attempts: u32,
}

impl Sched {
    /// Returns how `step` settled, `None` when it has not.
    pub fn settled(&self, step: StepIdx) -> Option<Settled<'_>> {
        let Some(Phase::Settled(status)) = self.board.phase(step) else {
            return None;
        };
        let result = self.board.result(step);
        Some(Settled {
            status,
            output: result.output.as_deref(),
            error: result.error.as_deref(),
            attempts: self.board.attempts(step),
        })
    }

    /// Returns the report of what has settled, in settle order. Complete after
    /// [`Effect::Finished`](crate::Effect::Finished); before, `completed` is false.
    pub fn into_report(self) -> Report {
        let id = |step| String::from(self.plan.step(step).id());
        let (completed, failed_step) = match self.course {
            Course::Going => (self.board.settled().len() == self.board.len(), None),
            Course::Stopped { by } | Course::StoppedThenCanceled { by } => (false, Some(id(by))),
            Course::Canceled => (false, None),
        };
        Report {
            plan_id: self.plan.id().into(),
            completed,
            canceled: self.course == Course::Canceled,
            failed_step,
            steps: self
                .board
                .into_settled()
                .map(|(step, status, result)| StepReport {
                    step_id: self.plan.step(step).id().into(),
                    status,
                    output: result.output.map(String::from),
                    error: result.error.map(String::from),
                })
                .collect(),
        }
    }
}
