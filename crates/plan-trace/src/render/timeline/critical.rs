//! The chain of steps that a plan's time went into.

use super::ranks::Ranks;
use crate::pair::{PlanRun, Standing};

/// Returns the places, in file order, of the steps of the critical path, the first one first.
///
/// It ends with the step that ended last: one still in flight, the longest, else the last to settle. Before each
/// step stands the one of its dependencies that settled last, for that is what it waited for. A slot that it then
/// waited for is not on the path; that shows as waiting.
pub(super) fn critical_path(plan: &PlanRun, ranks: &Ranks) -> Vec<usize> {
    let mut path = Vec::new();
    let mut next = last(plan, ranks);
    let steps: Vec<_> = plan.steps().collect();
    while let Some(place) = next {
        path.push(place);
        let rank = ranks.of(place);
        let dependencies = steps[place].dependencies();
        // Each step settled before the one that waited for it, so the walk ends also in a trace that says nonsense.
        let settled = dependencies.filter(|&it| match (ranks.of(it), rank) {
            (Some(dependency), Some(rank)) => dependency < rank,
            (Some(_), None) => true,
            (None, _) => false,
        });
        next = settled.max_by_key(|&it| ranks.of(it));
    }
    path.reverse();
    path
}

fn last(plan: &PlanRun, ranks: &Ranks) -> Option<usize> {
    let open = plan
        .steps()
        .filter(|step| step.standing() == Standing::Unsettled);
    let longest = open.min_by_key(|step| (step.started_ms().unwrap_or(u64::MAX), step.index()));
    longest.map(|step| step.index()).or_else(|| ranks.last())
}
