//! Which step settled after which: by time, and among equals by the order of the lines.

use crate::pair::{PlanRun, Standing};

/// The order in which a plan's steps settled.
pub(super) struct Ranks {
    /// By a step's place in file order: when, and the how many-th line that was.
    of: Vec<Option<Rank>>,
    last: Option<usize>,
}

/// When a step settled; a later one is greater.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// In unix milliseconds.
    pub(super) at_ms: u64,
    line: u64,
}

impl Ranks {
    pub(super) fn of_plan(plan: &PlanRun) -> Self {
        let mut ranks = Self {
            of: vec![None; plan.steps().len()],
            last: None,
        };
        for step in plan.settled() {
            let Standing::Settled(settled) = step.standing() else {
                continue;
            };
            let Some(at_ms) = settled.at_ms else {
                continue;
            };
            let rank = Rank {
                at_ms,
                line: settled.line,
            };
            let place = step.index();
            ranks.of[place] = Some(rank);
            if ranks.last.is_none_or(|last| ranks.of[last] < Some(rank)) {
                ranks.last = Some(place);
            }
        }
        ranks
    }

    /// Returns when the step at a place in file order settled; none when it did not, or its line does not say.
    pub(super) fn of(&self, place: usize) -> Option<Rank> {
        self.of[place]
    }

    /// Returns the place of the step that settled last.
    pub(super) fn last(&self) -> Option<usize> {
        self.last
    }
}
