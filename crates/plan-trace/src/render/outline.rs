//! What happened in a session, in the order it began: plans, delegations, refusals, cancels.

use crate::pair::{Canceled, DelegationRun, Denial, PlanRun, Protection, Run};

/// One thing that hangs off the session or its task.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entry<'r> {
    Plan(&'r PlanRun),
    Delegation(&'r DelegationRun),
    Denial(&'r Denial),
    Protection(&'r Protection),
    Canceled(&'r Canceled),
}

impl Entry<'_> {
    pub(super) fn line(self) -> u64 {
        match self {
            Self::Plan(plan) => plan.line,
            Self::Delegation(delegation) => delegation.line,
            Self::Denial(denial) => denial.line,
            Self::Protection(protection) => protection.line,
            Self::Canceled(canceled) => canceled.line,
        }
    }

    pub(super) fn at_ms(self) -> Option<u64> {
        match self {
            Self::Plan(plan) => plan.started_ms,
            Self::Delegation(delegation) => delegation.at_ms,
            Self::Denial(denial) => denial.at_ms,
            Self::Protection(protection) => protection.at_ms,
            Self::Canceled(canceled) => canceled.at_ms,
        }
    }
}

/// Returns what happened, by the line that first speaks of it.
pub(super) fn outline(run: &Run) -> Vec<Entry<'_>> {
    let plans = run.plans.iter().map(Entry::Plan);
    let delegations = run.delegations.kept.iter().map(Entry::Delegation);
    let denials = run.denials.kept.iter().map(Entry::Denial);
    let protections = run.protections.kept.iter().map(Entry::Protection);
    let canceled = run.canceled.kept.iter().map(Entry::Canceled);
    let mut entries: Vec<_> = plans
        .chain(delegations)
        .chain(denials)
        .chain(protections)
        .chain(canceled)
        .collect();
    entries.sort_by_key(|entry| entry.line());
    entries
}
