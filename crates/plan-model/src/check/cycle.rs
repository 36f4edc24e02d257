//! Sorts the steps by what they wait for, or finds the cycles that keep them from being sorted (ruling 20).

use crate::StepIdx;
use crate::plan::Lists;
use crate::problem::{Name, ProblemKind};

use super::Checker;

/// How many steps of a cycle are named. The shortest cycle is seldom long; one that is longer than this has its
/// middle left out.
const NAMED: usize = 1000;

impl Checker<'_> {
    /// Reports a cycle on its first step, at the dependency that leads into it.
    pub(super) fn cycle(&mut self, cycle: &[StepIdx]) {
        let [step, next, ..] = cycle else {
            return;
        };
        let entries = self.doc.dependencies(step.get());
        let entry = entries
            .iter()
            .find(|entry| self.ids.get(self.doc.text.get(**entry)) == Some(*next));
        let at = self.doc.steps[step.get()].at;
        let place = entry.map_or(at..at + 1, |entry| self.doc.text.written(*entry));
        let left_out = cycle.len().saturating_sub(NAMED);
        let named = if left_out == 0 {
            (cycle, [].as_slice())
        } else {
            (&cycle[..NAMED / 2], &cycle[cycle.len() - NAMED / 2..])
        };
        let name = |step: &StepIdx| {
            let id = self.doc.steps[step.get()].id;
            Name::new(id.map_or("", |id| self.doc.text.get(id)))
        };
        let path = named.0.iter().chain(named.1).map(name).collect();
        let kind = ProblemKind::Cycle { path, left_out };
        self.problem(*step, place.start, place, kind);
    }
}

/// Numbers the steps so that each comes after what it waits for. `Err` has one shortest cycle for each strongly
/// connected set, from its first step in file order back to it, by that step.
pub(super) fn sort(
    dependencies: &Lists,
    dependents: &Lists,
) -> Result<Vec<u32>, Vec<Vec<StepIdx>>> {
    let steps = dependencies.len();
    let count = |n: usize| u32::try_from(n).expect("fewer than the bytes of the text");
    let all = (0..count(steps)).map(StepIdx::from_u32);
    let mut waits: Vec<u32> = all
        .clone()
        .map(|step| count(dependencies.get(step).len()))
        .collect();
    let mut ready: Vec<StepIdx> = Vec::with_capacity(steps);
    ready.extend(all.filter(|step| waits[step.get()] == 0));
    let mut places = vec![u32::MAX; steps];
    let mut next = 0;
    while let Some(step) = ready.get(next).copied() {
        places[step.get()] = count(next);
        next += 1;
        for dependent in dependents.get(step) {
            let waits = &mut waits[dependent.get()];
            *waits -= 1;
            if *waits == 0 {
                ready.push(*dependent);
            }
        }
    }
    if ready.len() == steps {
        return Ok(places);
    }
    Err(Sets::new(dependencies, &places).cycles())
}

/// No number yet.
const NONE: u32 = u32::MAX;

/// Tarjan's search for strongly connected sets, without recursion.
struct Sets<'p> {
    dependencies: &'p Lists,
    /// Where a step came in the draining; [`NONE`] for what is left.
    places: &'p [u32],
    /// When a step was met.
    met: Vec<u32>,
    /// The earliest met step that can be reached from it.
    low: Vec<u32>,
    /// Its set, once that is known.
    set: Vec<u32>,
    sets: u32,
    /// The steps met whose set is not known.
    open: Vec<StepIdx>,
    /// Which step led to this one in the search for a shortest cycle.
    from: Vec<u32>,
}

impl<'p> Sets<'p> {
    fn new(dependencies: &'p Lists, places: &'p [u32]) -> Self {
        let blank = vec![NONE; places.len()];
        Self {
            dependencies,
            places,
            met: blank.clone(),
            low: blank.clone(),
            set: blank.clone(),
            sets: 0,
            open: Vec::new(),
            from: blank,
        }
    }

    fn cycles(mut self) -> Vec<Vec<StepIdx>> {
        let mut cycles = Vec::new();
        let mut clock = 0;
        // A step, and how many of its dependencies have been looked at.
        let mut path: Vec<(StepIdx, usize)> = Vec::new();
        for n in 0..self.places.len() {
            if self.places[n] == NONE && self.met[n] == NONE {
                path.push((StepIdx::new(n), 0));
            }
            while let Some((step, looked_at)) = path.last_mut() {
                let at = step.get();
                if *looked_at == 0 && self.met[at] == NONE {
                    self.met[at] = clock;
                    self.low[at] = clock;
                    clock += 1;
                    self.open.push(*step);
                }
                let next = self.dependencies.get(*step).get(*looked_at).copied();
                *looked_at += 1;
                match next {
                    Some(next) if self.places[next.get()] != NONE => {}
                    Some(next) if self.met[next.get()] == NONE => path.push((next, 0)),
                    Some(next) if self.set[next.get()] == NONE => {
                        self.low[at] = self.low[at].min(self.met[next.get()]);
                    }
                    Some(_) => {}
                    None => {
                        let low = self.low[at];
                        path.pop();
                        if let Some((before, _)) = path.last() {
                            let before = &mut self.low[before.get()];
                            *before = low.min(*before);
                        }
                        if low == self.met[at] {
                            cycles.extend(self.close(StepIdx::new(at)));
                        }
                    }
                }
            }
        }
        cycles.sort_unstable_by_key(|cycle| cycle.first().copied());
        cycles
    }

    /// Ends the set that `root` was the first met of; returns its cycle, which a step alone has only with itself.
    fn close(&mut self, root: StepIdx) -> Option<Vec<StepIdx>> {
        let number = self.sets;
        self.sets += 1;
        let mut first = root;
        while let Some(step) = self.open.pop() {
            self.set[step.get()] = number;
            first = first.min(step);
            if step == root {
                break;
            }
        }
        self.shortest(first)
    }

    /// Searches breadth first, inside the set, for the shortest way from `start` to itself. Of several, the one whose
    /// steps come first in `depends_on`.
    fn shortest(&mut self, start: StepIdx) -> Option<Vec<StepIdx>> {
        let number = self.set[start.get()];
        let mut queue = vec![start];
        let mut next = 0;
        while let Some(step) = queue.get(next).copied() {
            next += 1;
            for dependency in self.dependencies.get(step) {
                if *dependency == start {
                    return Some(self.way_back(start, step));
                }
                let from = &mut self.from[dependency.get()];
                if self.set[dependency.get()] == number && *from == NONE {
                    *from = step.as_u32();
                    queue.push(*dependency);
                }
            }
        }
        None
    }

    fn way_back(&self, start: StepIdx, last: StepIdx) -> Vec<StepIdx> {
        let mut way = vec![start];
        let mut step = last;
        while step != start {
            way.push(step);
            step = StepIdx::from_u32(self.from[step.get()]);
        }
        way.push(start);
        way.reverse();
        way
    }
}
