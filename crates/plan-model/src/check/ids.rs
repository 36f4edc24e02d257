//! Finds a step by its id.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use foldhash::fast::RandomState;

use crate::StepIdx;

/// The declared ids. Seeded at random, since the ids are the model's to choose.
#[derive(Default)]
pub(super) struct Ids<'d> {
    steps: HashMap<&'d str, StepIdx, RandomState>,
}

impl<'d> Ids<'d> {
    pub(super) fn with_capacity(steps: usize) -> Self {
        Self {
            steps: HashMap::with_capacity_and_hasher(steps, RandomState::default()),
        }
    }

    /// Declares an id; returns the step that has it already.
    pub(super) fn insert(&mut self, id: &'d str, step: StepIdx) -> Option<StepIdx> {
        match self.steps.entry(id) {
            Entry::Occupied(first) => Some(*first.get()),
            Entry::Vacant(free) => {
                free.insert(step);
                None
            }
        }
    }

    pub(super) fn get(&self, id: &str) -> Option<StepIdx> {
        self.steps.get(id).copied()
    }
}
