//! Warns of references to steps that nothing makes the referring step wait for (ruling 10).

use std::ops::Range;

use crate::StepIdx;
use crate::plan::Lists;
use crate::problem::{Name, ProblemKind, Site};

use super::Checker;

/// How many edges are followed for one plan before the search gives up, without a warning (ruling 10).
const EDGE_VISITS: usize = 10_000_000;

/// A reference to a step that is no direct dependency of the one that reads it.
#[derive(Debug)]
pub(super) struct Unproven {
    pub(super) step: StepIdx,
    pub(super) read: StepIdx,
    pub(super) target: u32,
    pub(super) span: Range<u32>,
    pub(super) site: Site,
}

impl Checker<'_> {
    /// Looks for each step that is read among what the reader waits for. `places` numbers the steps so that each
    /// comes after what it waits for.
    pub(super) fn order(&mut self, places: &[u32]) {
        let unproven = std::mem::take(&mut self.unproven);
        if unproven.is_empty() {
            return;
        }
        let mut search = Search::new(places, &self.broken);
        for reads in unproven.chunk_by(|one, next| one.step == next.step) {
            let complete = search.run(&self.dependencies, reads);
            for read in reads {
                let own = read.read == read.step;
                if own || (complete && !search.waits_for(read)) {
                    let piece = self.doc.steps[read.read.get()].id;
                    let id = Name::new(piece.map_or("", |piece| self.doc.text.get(piece)));
                    let kind = ProblemKind::Unordered {
                        id,
                        own,
                        site: read.site,
                    };
                    self.problem(read.step, read.target, read.span.clone(), kind);
                }
            }
        }
    }
}

/// A search along `depends_on`, its marks kept from step to step.
struct Search<'p> {
    places: &'p [u32],
    /// Steps with a dependency that is missing: whom they wait for is not known in full.
    broken: Vec<bool>,
    /// The last step that each step was found to be waited for by.
    seen: Vec<u32>,
    /// The last step that each step was looked for by.
    wanted: Vec<u32>,
    open: Vec<StepIdx>,
    visits_left: usize,
}

impl<'p> Search<'p> {
    fn new(places: &'p [u32], broken_steps: &[StepIdx]) -> Self {
        let mut broken = vec![false; places.len()];
        for step in broken_steps {
            broken[step.get()] = true;
        }
        Self {
            places,
            broken,
            seen: vec![u32::MAX; places.len()],
            wanted: vec![u32::MAX; places.len()],
            open: Vec::new(),
            visits_left: EDGE_VISITS,
        }
    }

    /// Looks for everything that one step reads; false when what it waits for cannot be told.
    fn run(&mut self, dependencies: &Lists, reads: &[Unproven]) -> bool {
        let Some(first) = reads.first() else {
            return true;
        };
        let step = first.step;
        let mark = step.as_u32();
        let mut missing = 0_usize;
        // What a step waits for has a lower place, so nothing below the lowest one looked for leads there.
        let mut floor = u32::MAX;
        for read in reads.iter().filter(|read| read.read != step) {
            let wanted = &mut self.wanted[read.read.get()];
            if *wanted != mark {
                *wanted = mark;
                missing += 1;
                floor = floor.min(self.places[read.read.get()]);
            }
        }
        let mut whole = !self.broken[step.get()];
        self.open.clear();
        self.open.push(step);
        while let Some(open) = self.open.pop() {
            for dependency in dependencies.get(open) {
                if missing == 0 {
                    return whole;
                }
                if self.visits_left == 0 {
                    return false;
                }
                self.visits_left -= 1;
                let seen = &mut self.seen[dependency.get()];
                if *seen == mark || self.places[dependency.get()] < floor {
                    continue;
                }
                *seen = mark;
                whole &= !self.broken[dependency.get()];
                if self.wanted[dependency.get()] == mark {
                    missing -= 1;
                }
                self.open.push(*dependency);
            }
        }
        whole
    }

    /// Returns whether the search that has just run found what is read.
    fn waits_for(&self, read: &Unproven) -> bool {
        self.seen[read.read.get()] == read.step.as_u32()
    }
}
