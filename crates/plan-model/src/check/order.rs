//! Warns of references to steps that nothing makes the referring step wait for (ruling 10).

use std::ops::Range;

use crate::StepIdx;
use crate::plan::Lists;
use crate::problem::{Name, ProblemKind, Site, Unsettled};

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
    /// Looks for each step that is read among what the reader waits for, and else among what waits for the reader.
    /// `places` numbers the steps so that each comes after what it waits for.
    pub(super) fn order(&mut self, places: &[u32], dependents: &Lists) {
        let unproven = std::mem::take(&mut self.unproven);
        if unproven.is_empty() {
            return;
        }
        let mut search = Search::new(places, &self.broken);
        for reads in unproven.chunk_by(|one, next| one.step == next.step) {
            let known = search.run(&self.dependencies, Toward::Earlier, reads);
            for read in reads {
                if read.read == read.step {
                    self.unsettled(read, Unsettled::Own);
                } else if known && Toward::Earlier.leads_to(read, places) && !search.met(read) {
                    self.unsettled(read, Unsettled::Unordered);
                }
            }
            let mut later = reads
                .iter()
                .filter(|read| Toward::Later.leads_to(read, places))
                .peekable();
            if later.peek().is_none() {
                continue;
            }
            let ended = search.run(dependents, Toward::Later, reads);
            for read in later {
                if search.met(read) {
                    self.unsettled(read, Unsettled::Later);
                } else if known && ended {
                    self.unsettled(read, Unsettled::Unordered);
                }
            }
        }
    }

    fn unsettled(&mut self, read: &Unproven, unsettled: Unsettled) {
        let piece = self.doc.steps[read.read.get()].id;
        let id = Name::new(piece.map_or("", |piece| self.doc.text.get(piece)));
        let site = read.site;
        let kind = ProblemKind::Unordered {
            id,
            unsettled,
            site,
        };
        self.problem(read.step, read.target, read.span.clone(), kind);
    }
}

/// Which way a search goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Toward {
    /// To what a step waits for.
    Earlier,
    /// To what waits for a step.
    Later,
}

impl Toward {
    /// Returns whether a search this way can meet what is read: what a step waits for has a lower place.
    fn leads_to(self, read: &Unproven, places: &[u32]) -> bool {
        self.passes(places[read.step.get()], places[read.read.get()])
    }

    /// Returns whether a place is beyond another.
    const fn passes(self, bound: u32, place: u32) -> bool {
        match self {
            Self::Earlier => place < bound,
            Self::Later => place > bound,
        }
    }
}

/// A search along `depends_on` either way, its marks kept from run to run.
struct Search<'p> {
    places: &'p [u32],
    /// Steps with a dependency that is missing: whom they wait for is not known in full.
    broken: Vec<bool>,
    /// The number of the run; the first is 1.
    run: u32,
    /// The last run that met each step.
    seen: Vec<u32>,
    /// The last run that looked for each step.
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
            run: 0,
            seen: vec![0; places.len()],
            wanted: vec![0; places.len()],
            open: Vec::new(),
            visits_left: EDGE_VISITS,
        }
    }

    /// Looks one way for everything that one step reads; false when it gave up, or when what the step waits for
    /// cannot be told.
    fn run(&mut self, edges: &Lists, toward: Toward, reads: &[Unproven]) -> bool {
        let Some(first) = reads.first() else {
            return true;
        };
        // At most two runs a step, and a step takes more than two bytes of the text.
        self.run += 1;
        let step = first.step;
        let known = |step: StepIdx, broken: &[bool]| match toward {
            Toward::Earlier => !broken[step.get()],
            Toward::Later => true,
        };
        let mut missing = 0_usize;
        // Places only fall, or only rise, along a way, so nothing beyond the farthest one looked for leads there.
        let mut farthest = self.places[step.get()];
        for read in reads
            .iter()
            .filter(|read| toward.leads_to(read, self.places))
        {
            let wanted = &mut self.wanted[read.read.get()];
            if *wanted != self.run {
                *wanted = self.run;
                missing += 1;
                let place = self.places[read.read.get()];
                if toward.passes(farthest, place) {
                    farthest = place;
                }
            }
        }
        let mut whole = known(step, &self.broken);
        self.open.clear();
        self.open.push(step);
        while let Some(open) = self.open.pop() {
            for next in edges.get(open) {
                if missing == 0 {
                    return whole;
                }
                if self.visits_left == 0 {
                    return false;
                }
                self.visits_left -= 1;
                let seen = &mut self.seen[next.get()];
                if *seen == self.run || toward.passes(farthest, self.places[next.get()]) {
                    continue;
                }
                *seen = self.run;
                whole &= known(*next, &self.broken);
                if self.wanted[next.get()] == self.run {
                    missing -= 1;
                }
                self.open.push(*next);
            }
        }
        whole
    }

    /// Returns whether the last run met what is read.
    fn met(&self, read: &Unproven) -> bool {
        self.seen[read.read.get()] == self.run
    }
}
