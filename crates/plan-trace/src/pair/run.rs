//! One session as its trace tells it.

use super::{delegation::DelegationRun, first::First, plan::PlanRun};
use crate::{
    record::{CallDenied, Event, ProtectedPathDenied, SessionEnd, SessionStart, TaskCanceled},
    text::Text,
};

/// A session: what ran in it, and how it ended. [`Run::read`] makes one of a trace.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The session; none in a trace that does not say.
    pub session_id: Option<Text<'static>>,
    /// Its `session_start`; none in a trace without one.
    pub start: Option<SessionStart<'static>>,
    /// When the first line was written, in unix milliseconds.
    pub started_ms: Option<u64>,
    /// Its `session_end`; none when it was killed, or goes on.
    pub end: Option<SessionEnd<'static>>,
    /// Whether its spawner went away.
    pub has_lost_spawner: bool,
    /// The plans, in the order they began.
    pub plans: Vec<PlanRun>,
    /// The delegations, in the order they began.
    pub delegations: First<DelegationRun>,
    /// The calls that hooks refused.
    pub denials: First<Denial>,
    /// The calls that would have written a protected path.
    pub protections: First<Protection>,
    /// The tasks that were cancelled.
    pub canceled: First<Canceled>,
    /// The last line that this version knows.
    pub last: Option<LastLine>,
    /// The number of the torn last line, from 1, if there is one.
    pub torn: Option<u64>,
}

/// A call that a hook refused.
#[derive(Debug, Clone)]
pub struct Denial {
    /// The line of the trace, from 1.
    pub line: u64,
    /// When, in unix milliseconds.
    pub at_ms: Option<u64>,
    /// What the line says.
    pub record: CallDenied<'static>,
}

/// A call that would have written a protected path.
#[derive(Debug, Clone)]
pub struct Protection {
    /// The line of the trace, from 1.
    pub line: u64,
    /// When, in unix milliseconds.
    pub at_ms: Option<u64>,
    /// What the line says.
    pub record: ProtectedPathDenied<'static>,
}

/// A task that was cancelled.
#[derive(Debug, Clone)]
pub struct Canceled {
    /// The line of the trace, from 1.
    pub line: u64,
    /// When, in unix milliseconds.
    pub at_ms: Option<u64>,
    /// What the line says.
    pub record: TaskCanceled<'static>,
}

/// The last line of a trace.
#[derive(Debug, Clone)]
pub struct LastLine {
    /// Its number, from 1.
    pub line: u64,
    /// What kind of line it is.
    pub event: Event,
    /// When it was written, in unix milliseconds.
    pub at_ms: Option<u64>,
    /// The step it is about.
    pub step_id: Option<String>,
}

impl Run {
    /// Returns how long the session took, or the time from its first line to its last.
    pub fn duration_ms(&self) -> Option<u64> {
        if let Some(end) = &self.end {
            return Some(end.duration_ms);
        }
        let last = self.last.as_ref()?.at_ms?;
        Some(last.saturating_sub(self.started_ms?))
    }
}
