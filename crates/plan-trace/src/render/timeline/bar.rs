//! What is drawn of one step, and of one delegation: when it waited, when it ran.

use crate::pair::{DelegationRun, Standing, StepRun};

/// A step on the axis.
#[derive(Debug, Clone)]
pub(super) struct Bar<'r> {
    pub(super) step: StepRun<'r>,
    /// When its last dependency settled, or the plan began, in unix milliseconds; none when one had not settled, or
    /// when that is not told.
    pub(super) ready_ms: Option<u64>,
    /// What is drawn of it.
    pub(super) drawn: Drawn,
    /// Whether it is on the critical path.
    pub(super) is_critical: bool,
}

/// What is drawn of a step, in unix milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Drawn {
    /// It was dispatched and settled: from its first dispatch to its end, all attempts and what lay between them.
    Ran { begin_ms: u64, end_ms: u64 },
    /// It was dispatched and no line says how it settled.
    Open { begin_ms: u64, end_ms: u64 },
    /// It settled and was never dispatched.
    Settled { at_ms: u64 },
    /// It is ready and waits to be dispatched, in a run still going on.
    Waits { until_ms: u64 },
    /// It never ran, or its lines do not say when.
    Nothing,
}

impl Bar<'_> {
    /// Returns from when to when it was ready and not dispatched; none when it did not wait.
    pub(super) fn waited(&self) -> Option<(u64, u64)> {
        let until = match self.drawn {
            Drawn::Ran { begin_ms, .. } | Drawn::Open { begin_ms, .. } => begin_ms,
            Drawn::Settled { at_ms } => at_ms,
            Drawn::Waits { until_ms } => until_ms,
            Drawn::Nothing => return None,
        };
        let ready = self.ready_ms?;
        (ready < until).then_some((ready, until))
    }

    /// Returns from when to when it is drawn as running or settled.
    pub(super) fn stretch(&self) -> Option<(u64, u64)> {
        match self.drawn {
            Drawn::Ran { begin_ms, end_ms } | Drawn::Open { begin_ms, end_ms } => {
                Some((begin_ms, end_ms))
            }
            Drawn::Settled { at_ms } => Some((at_ms, at_ms)),
            Drawn::Waits { .. } | Drawn::Nothing => None,
        }
    }

    /// Returns after how many dispatches it settled.
    pub(super) fn attempts(&self) -> u64 {
        match self.step.standing() {
            Standing::Settled(settled) => settled.attempts,
            Standing::Unsettled => 1,
            Standing::NotRun => 0,
        }
    }

    /// Returns what its row is sorted by: what began first stands first, what never did last.
    pub(super) fn order(&self) -> u64 {
        let waits = self.waited().map(|(_, until)| until);
        let begin = self.stretch().map(|(begin, _)| begin);
        begin.or(waits).unwrap_or(u64::MAX)
    }
}

/// A delegation on the axis.
#[derive(Debug, Clone, Copy)]
pub(super) struct Delegated<'r> {
    pub(super) run: &'r DelegationRun,
    /// From when to when, in unix milliseconds; none when its lines do not say.
    pub(super) stretch: Option<(u64, u64)>,
}

impl<'r> Delegated<'r> {
    pub(super) fn of(run: &'r DelegationRun) -> Self {
        let told = match (&run.end, run.ended_ms) {
            (Some(end), Some(ended_ms)) => {
                Some((ended_ms.saturating_sub(end.duration_ms), ended_ms))
            }
            _ => run.at_ms.map(|at_ms| (at_ms, at_ms)),
        };
        Self { run, stretch: told }
    }

    /// Returns how it ended, in a word.
    pub(super) fn outcome(&self, is_going_on: bool) -> &'r str {
        match &self.run.end {
            Some(end) => end.outcome.name(),
            None if is_going_on => "in flight",
            None => "no end",
        }
    }
}
