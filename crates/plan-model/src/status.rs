//! The three words a settled step can have.

use serde::{Deserialize, Serialize};

/// How a step settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It ran and passed.
    Success,
    /// It failed.
    Failed,
    /// Its condition was false, it failed under `on_error: skip`, or a cancel came first.
    Skipped,
}

impl Status {
    /// Returns the word the report, the trace and `$<id>.status` use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}
