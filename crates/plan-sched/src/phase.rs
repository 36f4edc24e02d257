//! A step's phase and the one function that may change it. Why it changes is left to the callers.

use crate::ready::{Limits, Ready};
use alloc::{borrow::Cow, boxed::Box, vec::Vec};
use plan_model::{Kind, Plan, Status, StepIdx};

/// Where a step stands.
///
/// ```text
///   Blocked -> Unlocked -> Ready -> Asked -> Admitted -> Running -> Settled
///                                     ^                     |
///                                     +------ Retrying <----+
/// ```
///
/// From each of them a step may settle or be withdrawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// A dependency has not settled.
    Blocked,
    /// Its dependencies have settled; its condition has not been looked at.
    Unlocked,
    /// It will run when its kind has a free slot.
    Ready,
    /// The gate is being asked about its next attempt.
    Asked,
    /// The gate let it pass; nobody has been told to start it yet.
    Admitted,
    /// An attempt is running.
    Running,
    /// An attempt failed; it will run again when its kind has a free slot.
    Retrying,
    /// A stop came before it was dispatched: it is absent from the report.
    Withdrawn,
    /// It settled.
    Settled(Status),
}

impl Phase {
    /// Says what a step in this phase is doing, for `UnexpectedInput`.
    pub(crate) const fn words(self) -> &'static str {
        match self {
            Self::Blocked => "waiting for its dependencies",
            Self::Unlocked => "waiting for its condition to be looked at",
            Self::Ready => "waiting for a slot",
            Self::Asked => "being asked about",
            Self::Admitted => "admitted and not dispatched yet",
            Self::Running => "running",
            Self::Retrying => "waiting for a slot to be tried again",
            Self::Withdrawn => "never to run, because the plan stopped",
            Self::Settled(_) => "settled",
        }
    }
}

/// The phases of all steps and everything derived from them.
#[derive(Debug, Clone)]
pub(crate) struct Board {
    rows: Vec<Row>,
    ready: Ready,
    settled: Vec<StepIdx>,
}

/// What is known of one step.
#[derive(Debug, Clone)]
struct Row {
    phase: Phase,
    kind: Kind,
    /// Dependencies that have not settled.
    unsettled: u32,
    /// Dispatches so far.
    attempts: u32,
    result: StepResult,
}

/// What a step's last attempt gave, or why there was none.
#[derive(Debug, Clone, Default)]
pub(crate) struct StepResult {
    pub(crate) output: Option<Box<str>>,
    pub(crate) error: Option<Cow<'static, str>>,
}

impl Board {
    /// Makes the board of a plan in which nothing has happened.
    pub(crate) fn new(plan: &Plan, limits: Limits) -> Self {
        let rows = plan
            .indices()
            .map(|step| Row {
                phase: Phase::Blocked,
                kind: plan.step(step).kind(),
                unsettled: u32::try_from(plan.dependencies(step).len())
                    .expect("dependencies are distinct steps, which a `StepIdx` can number"),
                attempts: 0,
                result: StepResult::default(),
            })
            .collect();
        let mut board = Self {
            rows,
            ready: Ready::new(plan.len(), limits),
            settled: Vec::new(),
        };
        for step in plan.indices() {
            if board.rows[step.get()].unsettled == 0 {
                board.unlock(plan, step);
            }
        }
        board
    }

    /// Moves a step to another phase. Queues, slots, attempts and the settle order follow from it here and
    /// nowhere else.
    pub(crate) fn set_phase(&mut self, step: StepIdx, to: Phase) {
        let row = &mut self.rows[step.get()];
        let from = core::mem::replace(&mut row.phase, to);
        self.ready.leave(step, row.kind, from);
        self.ready.enter(step, row.kind, to);
        match to {
            Phase::Running => row.attempts = row.attempts.saturating_add(1),
            Phase::Settled(_) => self.settled.push(step),
            Phase::Blocked
            | Phase::Unlocked
            | Phase::Ready
            | Phase::Asked
            | Phase::Admitted
            | Phase::Retrying
            | Phase::Withdrawn => {}
        }
    }

    /// Tells the dependents of a settled step, in file order, that they wait for one step less.
    pub(crate) fn unlock_dependents(&mut self, plan: &Plan, settled: StepIdx) {
        for &dependent in plan.dependents(settled) {
            let row = &mut self.rows[dependent.get()];
            row.unsettled -= 1;
            if row.unsettled == 0 {
                self.unlock(plan, dependent);
            }
        }
    }

    /// Lets a step go on whose dependencies have settled (ruling 17). One without a condition has nothing to
    /// be looked at.
    fn unlock(&mut self, plan: &Plan, step: StepIdx) {
        let to = match plan.step(step).condition() {
            Some(_) => Phase::Unlocked,
            None => Phase::Ready,
        };
        self.set_phase(step, to);
    }

    /// Empties the queues: nothing is chosen any more.
    pub(crate) fn close(&mut self) {
        self.ready.close();
    }

    pub(crate) fn ready(&self) -> &Ready {
        &self.ready
    }

    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the phase, `None` for a step the plan does not have.
    pub(crate) fn phase(&self, step: StepIdx) -> Option<Phase> {
        self.rows.get(step.get()).map(|row| row.phase)
    }

    pub(crate) fn kind(&self, step: StepIdx) -> Kind {
        self.rows[step.get()].kind
    }

    pub(crate) fn attempts(&self, step: StepIdx) -> u32 {
        self.rows[step.get()].attempts
    }

    pub(crate) fn result(&self, step: StepIdx) -> &StepResult {
        &self.rows[step.get()].result
    }

    pub(crate) fn result_mut(&mut self, step: StepIdx) -> &mut StepResult {
        &mut self.rows[step.get()].result
    }

    /// Returns the settled steps in settle order.
    pub(crate) fn settled(&self) -> &[StepIdx] {
        &self.settled
    }

    /// Gives the settled steps away, in settle order.
    pub(crate) fn into_settled(mut self) -> impl Iterator<Item = (StepIdx, Status, StepResult)> {
        self.settled.into_iter().filter_map(move |step| {
            let row = &mut self.rows[step.get()];
            match row.phase {
                Phase::Settled(status) => Some((step, status, core::mem::take(&mut row.result))),
                Phase::Blocked
                | Phase::Unlocked
                | Phase::Ready
                | Phase::Asked
                | Phase::Admitted
                | Phase::Running
                | Phase::Retrying
                | Phase::Withdrawn => None,
            }
        })
    }
}
