//! What `submit-plan` returns, and its summary sentence. Who settles what is the scheduler's.

use serde::{Deserialize, Serialize};

use crate::Status;

/// What `submit-plan` returns (spec: The report).
///
/// Serialises with exactly these keys in this order; an absent value is written as `null`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The plan's own id; `""` when it could not be read.
    pub plan_id: String,
    /// Whether every step settled without stopping the plan.
    pub completed: bool,
    /// Whether the plan stopped because its task was cancelled.
    pub canceled: bool,
    /// The step that stopped the plan.
    pub failed_step: Option<String>,
    /// One entry per settled step, in the order they settled.
    pub steps: Vec<StepReport>,
}

/// One settled step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepReport {
    /// Its id.
    pub step_id: String,
    /// How it settled.
    pub status: Status,
    /// Its output text, `None` when it produced none.
    pub output: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
}

/// How many entries of a report have each status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Steps that passed.
    pub succeeded: usize,
    /// Steps that failed.
    pub failed: usize,
    /// Steps that were skipped.
    pub skipped: usize,
}

/// Stands for the plan where the report names a step (ruling 28).
pub(crate) const PLAN: &str = "plan";

impl StepReport {
    /// Returns the entry of a failed step.
    pub(crate) fn failed(step_id: &str, error: String) -> Self {
        Self {
            step_id: step_id.to_owned(),
            status: Status::Failed,
            output: None,
            error: Some(error),
        }
    }
}

impl Report {
    /// Returns the report of a plan that failed as a whole, for no step of its own: one entry `plan` (ruling 28).
    pub fn of_failed_plan(plan_id: impl Into<String>, error: impl Into<String>) -> Self {
        let mut report = Self {
            plan_id: plan_id.into(),
            completed: false,
            canceled: false,
            failed_step: None,
            steps: Vec::new(),
        };
        report.fail(error);
        report
    }

    /// Adds an entry `plan`: what ran broke, and not by a step's own failure (ruling 28). The step that had stopped
    /// the plan before stays the one that did.
    pub fn fail(&mut self, error: impl Into<String>) {
        self.completed = false;
        self.steps.push(StepReport::failed(PLAN, error.into()));
        self.failed_step.get_or_insert_with(|| PLAN.to_owned());
    }

    /// Returns the report as compact JSON, the data of the tool result.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a report is plain data and has string keys")
    }

    /// Counts the entries by status.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for step in &self.steps {
            match step.status {
                Status::Success => counts.succeeded += 1,
                Status::Failed => counts.failed += 1,
                Status::Skipped => counts.skipped += 1,
            }
        }
        counts
    }

    /// Returns the summary sentence (spec: The report). `N` counts the entries (ruling 29).
    pub fn summary(&self) -> String {
        let counts = self.counts();
        let fate = if self.canceled { " was cancelled" } else { "" };
        format!(
            "Plan '{}'{fate}: {} steps, {} succeeded, {} failed, {} skipped",
            self.plan_id,
            self.steps.len(),
            counts.succeeded,
            counts.failed,
            counts.skipped
        )
    }
}

/// The error of a step that a cancel kept from running (spec: When the task is cancelled).
pub const CANCELED_BEFORE_RUN: &str =
    "the task running this plan was cancelled before this step ran";

/// The error of a capsule step whose sub-capsule a cancel ended (spec: When the task is cancelled).
pub const CANCELED_WITH_CAPSULE: &str =
    "the task running this plan was cancelled; this step's sub-capsule was ended with it";
