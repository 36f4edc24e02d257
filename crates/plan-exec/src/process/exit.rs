//! How a process ended, and the words for it.

use std::{fmt, time::Duration};

use nix::sys::signal::Signal;
use rustix::process::WaitIdStatus;

use crate::contain::ReachedLimit;
use crate::output::{ERROR_BYTES, end_of, without_trailing_newlines};

/// A leader's exit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// It exited with this code.
    Code(i32),
    /// This signal killed it.
    Signal(i32),
    /// Another part of this process waited for it, so nobody knows.
    Unknown,
    /// What watched over it for this process was killed, so nobody knows.
    Unwatched,
    /// It was sent SIGKILL and has still not gone: the kernel holds it.
    Stuck,
}

impl Exit {
    pub(super) fn from_status(status: &WaitIdStatus) -> Self {
        match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Self::Code(code),
            (None, Some(signal)) => Self::Signal(signal),
            (None, None) => Self::Unknown,
        }
    }

    /// Returns whether it says that all went well.
    pub(crate) const fn passed(self) -> bool {
        matches!(self, Self::Code(0))
    }
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Code(code) => write!(f, "exit code {code}"),
            Self::Signal(number) => match Signal::try_from(*number) {
                Ok(signal) => write!(f, "killed by signal {number} ({})", signal.as_str()),
                Err(_) => write!(f, "killed by signal {number}"),
            },
            Self::Unknown => f.write_str(
                "its exit status is unknown: something else in this process waited for it",
            ),
            Self::Unwatched => {
                f.write_str("its exit status is unknown: what watched over it was killed")
            }
            Self::Stuck => f.write_str("it was sent SIGKILL and has not gone"),
        }
    }
}

/// What ended a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// The program itself.
    Own(Exit),
    /// Its bound (ruling 33).
    Bound(Duration),
    /// It wrote more than it may; what that means is told by whoever bounds it.
    Flood,
    /// A second signal (ruling 27).
    Killed,
}

impl Ending {
    /// Returns how the program exited, if it ended by itself.
    pub(crate) const fn exit(self) -> Option<Exit> {
        match self {
            Self::Own(exit) => Some(exit),
            Self::Bound(_) | Self::Flood | Self::Killed => None,
        }
    }

    /// Returns the error of a run that failed: what the program wrote to standard error, without trailing
    /// newlines, or how it exited when that is nothing (ruling 23). One that was ended from outside, or ran into
    /// the `limit`, says so first.
    pub(crate) fn failure(self, stderr: &str, limit: Option<ReachedLimit>) -> Option<String> {
        let said = without_trailing_newlines(stderr);
        let cause = match (self, limit) {
            (Self::Own(Exit::Code(0)), _) => return None,
            (Self::Own(_), Some(limit)) => limit.to_string(),
            (Self::Own(exit), None) if said.is_empty() => return Some(exit.to_string()),
            (Self::Own(_), None) => return Some(said.to_owned()),
            (Self::Bound(bound), _) => {
                format!(
                    "ran past its bound of {} of wall-clock time and was ended",
                    Spelled(bound)
                )
            }
            (Self::Flood, _) => "wrote more than it may and was ended".into(),
            (Self::Killed, _) => KILLED.into(),
        };
        if said.is_empty() {
            return Some(cause);
        }
        let room = ERROR_BYTES - cause.len() - 1;
        Some(format!("{cause}\n{}", end_of(said, room)))
    }
}

/// A duration in its largest whole unit.
pub(crate) struct Spelled(pub(crate) Duration);

impl fmt::Display for Spelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        match (seconds, self.0.subsec_millis()) {
            (1.., 0) if seconds.is_multiple_of(3600) => write!(f, "{} h", seconds / 3600),
            (1.., 0) if seconds.is_multiple_of(60) => write!(f, "{} min", seconds / 60),
            (1.., 0) => write!(f, "{seconds} s"),
            _ => write!(f, "{} ms", self.0.as_millis()),
        }
    }
}

/// The error of a step that a repeated cancel killed (ruling 27).
pub(super) const KILLED: &str = "was killed: a repeated cancel ends everything that still runs";
