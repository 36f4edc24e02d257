//! How an attempt ended, refusals and retries left to others.

use crate::contain::ReachedLimit;

/// How an attempt ended, as an executor saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Passed, failed or ended by a cancel.
    pub verdict: Verdict,
    /// The output text; `None` when it produced none.
    pub output: Option<String>,
    /// The tool's `state_effect` metadata, for the trace.
    pub state_effect: Option<String>,
    /// The tool's `resource_id` metadata, for the trace.
    pub resource_id: Option<String>,
}

/// Whether an attempt passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It passed.
    Passed,
    /// It failed, and why.
    Failed(String),
    /// The task was cancelled and the sub-capsule ended with it.
    Ended,
}

impl Outcome {
    /// Returns the outcome of an attempt that failed before it produced anything.
    pub fn failed(error: impl Into<String>) -> Self {
        Self {
            verdict: Verdict::Failed(error.into()),
            output: None,
            state_effect: None,
            resource_id: None,
        }
    }

    /// Names the limit that a failed attempt ran into, before its own error.
    pub(crate) fn failed_on(self, limit: ReachedLimit) -> Self {
        let verdict = match self.verdict {
            Verdict::Failed(error) => Verdict::Failed(format!("{limit}\n{error}")),
            verdict @ (Verdict::Passed | Verdict::Ended) => verdict,
        };
        Self { verdict, ..self }
    }
}
