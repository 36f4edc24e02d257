//! The command's exit statuses, in one table.

use crate::result::{PlanResult, ResultStatus};

/// How the command ends (spec: The command).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// The plan completed; `check` found no fault.
    Completed,
    /// The plan ran and did not complete, or the run broke.
    NotCompleted,
    /// Refused before anything ran.
    Refused,
    /// The plan was cancelled.
    Canceled,
}

impl Exit {
    /// Returns the status for the shell: 0, 1, 2 or 130.
    pub const fn status(self) -> u8 {
        match self {
            Self::Completed => 0,
            Self::NotCompleted => 1,
            Self::Refused => 2,
            Self::Canceled => 130,
        }
    }

    /// Returns what a run ends with whose trace could not be closed: it cannot be called complete.
    pub const fn or_not_completed(self) -> Self {
        match self {
            Self::Completed => Self::NotCompleted,
            Self::NotCompleted | Self::Refused | Self::Canceled => self,
        }
    }

    /// Returns how a run with this result ends.
    pub fn of(result: &PlanResult) -> Self {
        match result.status {
            _ if result.refused => Self::Refused,
            ResultStatus::Passed => Self::Completed,
            ResultStatus::Failed if result.report.canceled => Self::Canceled,
            ResultStatus::Failed | ResultStatus::Error => Self::NotCompleted,
        }
    }
}
