//! One plan as it ran: its steps in file order, and in the order they settled.

use std::{
    collections::{HashMap, hash_map::Entry},
    hash::{BuildHasher, RandomState},
    num::NonZeroU64,
};

use super::{
    error_text::ErrorRoom,
    slot::{KindSlot, SettledSlot, Slot, Standing, StepRun, Stretch, Word, Words},
    texts::{Span, Texts},
};
use crate::{
    record::{PlanEnd, PlanStart, PlanStep, PlanStepStart},
    text::Text,
    word::StepStatus,
};

/// A plan that ran, or was to run.
#[derive(Debug, Clone)]
pub struct PlanRun {
    /// Its id; `""` when it could not be read.
    pub id: String,
    /// The line of the trace that first speaks of it, from 1.
    pub line: u64,
    /// When that was, in unix milliseconds.
    pub started_ms: Option<u64>,
    /// Whether it has a `plan_start`. Without one, only the steps that other lines speak of are known.
    pub is_declared: bool,
    /// Its `plan_end`.
    pub end: Option<PlanEnd<'static>>,
    step_count: u64,
    pub(super) texts: Texts,
    pub(super) errors: Texts,
    words: Words,
    steps: Vec<Slot>,
    pub(super) dependencies: Vec<Dependency>,
    /// Ids in `depends_on` that no step has.
    strangers: Vec<Span>,
    settled: Vec<u32>,
    /// Steps by their ids, while the plan runs.
    index: Box<Index>,
}

/// How many steps of a plan came how far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    /// How many there are.
    pub total: u64,
    /// How many settled `success`.
    pub succeeded: u64,
    /// How many settled `failed`.
    pub failed: u64,
    /// How many settled `skipped`.
    pub skipped: u64,
    /// How many settled in a status this version does not know.
    pub other: u64,
    /// How many were dispatched and did not settle.
    pub unsettled: u64,
    /// How many were neither dispatched nor settled.
    pub not_run: u64,
}

/// A declared step by its place, or a text that names none.
#[derive(Debug, Clone, Copy)]
pub(super) enum Dependency {
    Step(u32),
    Stranger(u32),
}

impl PlanRun {
    /// Returns every step that is known, in file order.
    pub fn steps(&self) -> impl ExactSizeIterator<Item = StepRun<'_>> {
        let slots = self.steps.iter().enumerate();
        slots.map(|(index, slot)| StepRun::new(self, slot, index))
    }

    /// Returns the steps that settled, in the order they did.
    pub fn settled(&self) -> impl ExactSizeIterator<Item = StepRun<'_>> {
        self.settled.iter().map(|&index| {
            let index = index as usize;
            StepRun::new(self, &self.steps[index], index)
        })
    }

    /// Counts its steps.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for step in self.steps() {
            let count = match step.standing() {
                Standing::Settled(settled) => match settled.status {
                    StepStatus::Success => &mut tally.succeeded,
                    StepStatus::Failed => &mut tally.failed,
                    StepStatus::Skipped => &mut tally.skipped,
                    StepStatus::Other(_) => &mut tally.other,
                },
                Standing::Unsettled => &mut tally.unsettled,
                Standing::NotRun => &mut tally.not_run,
            };
            *count += 1;
        }
        let ended = self.end.as_ref().map_or(0, |end| end.steps_total);
        tally.total = (self.steps.len() as u64).max(self.step_count).max(ended);
        tally
    }

    /// A plan of which nothing is known but its id.
    pub(super) fn unknown(id: &str, line: u64, at_ms: Option<u64>) -> Self {
        Self {
            id: id.to_owned(),
            line,
            started_ms: at_ms,
            is_declared: false,
            end: None,
            step_count: 0,
            texts: Texts::default(),
            errors: Texts::default(),
            words: Words::default(),
            steps: Vec::new(),
            dependencies: Vec::new(),
            strangers: Vec::new(),
            settled: Vec::new(),
            index: Box::default(),
        }
    }

    /// The plan that a `plan_start` declares.
    pub(super) fn declared(start: &PlanStart<'_>, line: u64, at_ms: Option<u64>) -> Self {
        let mut plan = Self {
            is_declared: true,
            step_count: start.step_count,
            ..Self::unknown(&start.plan_id, line, at_ms)
        };
        start.steps.for_each(&mut |step| {
            plan.add(&step.step_id, |words| words.kind(&step.kind));
            if let Some(slot) = plan.steps.last_mut() {
                slot.has_condition = step.has_condition;
            }
        });
        // A second time, because a step may wait for one declared after it.
        let mut place = 0;
        start.steps.for_each(&mut |step| {
            plan.depends_on(place, &step.depends_on);
            place += 1;
        });
        plan.texts.shrink();
        plan.dependencies.shrink_to_fit();
        plan
    }

    pub(super) fn see_start(&mut self, start: &PlanStepStart<'_>, at_ms: Option<u64>) {
        let place = match self.index.place(&start.step_id, &self.steps, &self.texts) {
            Some(place) => place,
            None => {
                let place = self.add(&start.step_id, |words| words.kind(&start.kind));
                self.depends_on(place, &start.depends_on);
                place
            }
        };
        let slot = &mut self.steps[place];
        slot.is_started = true;
        slot.started_ms = slot.started_ms.or(at_ms.and_then(NonZeroU64::new));
    }

    pub(super) fn see_step(
        &mut self,
        step: &PlanStep<'_>,
        line: u64,
        at_ms: Option<u64>,
        room: &mut ErrorRoom,
    ) {
        let place = match self.index.place(&step.step_id, &self.steps, &self.texts) {
            Some(place) => place,
            None => self.add(&step.step_id, |words| words.kind(&step.kind)),
        };
        let error = step.error.as_deref();
        let settled = SettledSlot {
            line,
            at_ms: at_ms.and_then(NonZeroU64::new),
            status: self.words.status(&step.status),
            attempts: u32::try_from(step.attempts).unwrap_or(u32::MAX),
            duration_ms: step.duration_ms,
            error: error.map(|error| room.keep(error, &mut self.errors)),
        };
        let before = self.steps[place].settled.replace(settled);
        if before.is_none() {
            self.settled.push(number(place));
        }
    }

    pub(super) fn see_end(&mut self, end: &PlanEnd<'_>) {
        self.end = Some(end.clone().into_owned());
        *self.index = Index::default();
        // A session may have many plans, and of a small one the room set aside for more is most of it.
        self.steps.shrink_to_fit();
        self.settled.shrink_to_fit();
        self.texts.shrink();
        self.errors.shrink();
    }

    pub(super) fn word(&self, word: Word) -> Text<'_> {
        self.words.word(word)
    }

    pub(super) fn named(&self, dependency: Dependency) -> &str {
        self.texts.text(match dependency {
            Dependency::Step(place) => self.steps[place as usize].id,
            Dependency::Stranger(place) => self.strangers[place as usize],
        })
    }

    fn add(&mut self, id: &str, kind: impl FnOnce(&mut Words) -> KindSlot) -> usize {
        let place = self.steps.len();
        let span = self.texts.push(id);
        let end = number(self.dependencies.len());
        self.steps.push(Slot {
            id: span,
            kind: kind(&mut self.words),
            dependencies: Stretch { start: end, end },
            has_condition: false,
            is_started: false,
            started_ms: None,
            settled: None,
        });
        self.index.add(id, place, &self.steps, &self.texts);
        place
    }

    fn depends_on(&mut self, place: usize, ids: &[Text<'_>]) {
        let start = number(self.dependencies.len());
        for id in ids {
            let dependency = match self.index.place(id, &self.steps, &self.texts) {
                Some(place) => Dependency::Step(number(place)),
                None => {
                    self.strangers.push(self.texts.push(id));
                    Dependency::Stranger(number(self.strangers.len() - 1))
                }
            };
            self.dependencies.push(dependency);
        }
        let end = number(self.dependencies.len());
        self.steps[place].dependencies = Stretch { start, end };
    }
}

impl Dependency {
    pub(super) fn declared(self) -> Option<usize> {
        match self {
            Self::Step(place) => Some(place as usize),
            Self::Stranger(_) => None,
        }
    }
}

/// Steps by their ids. Of two with one id the first counts; such a plan is refused and runs nothing.
#[derive(Debug, Clone, Default)]
struct Index {
    hasher: RandomState,
    /// By the hash of the id: the ids stand in the texts already.
    by_hash: HashMap<u64, u32>,
    /// Those whose hash another id had first.
    clashes: HashMap<String, u32>,
    /// The place found last.
    last: usize,
}

impl Index {
    fn place(&mut self, id: &str, steps: &[Slot], texts: &Texts) -> Option<usize> {
        // Lines of one step, and of the next in file order, often follow each other.
        for near in [self.last, self.last + 1] {
            if steps
                .get(near)
                .is_some_and(|slot| texts.text(slot.id) == id)
            {
                self.last = near;
                return Some(near);
            }
        }
        let place = *self.by_hash.get(&self.hasher.hash_one(id))? as usize;
        if texts.text(steps[place].id) == id {
            self.last = place;
            return Some(place);
        }
        self.clashes.get(id).map(|&place| place as usize)
    }

    fn add(&mut self, id: &str, place: usize, steps: &[Slot], texts: &Texts) {
        match self.by_hash.entry(self.hasher.hash_one(id)) {
            Entry::Vacant(free) => {
                free.insert(number(place));
            }
            Entry::Occupied(taken) => {
                if texts.text(steps[*taken.get() as usize].id) != id {
                    self.clashes.entry(id.to_owned()).or_insert(number(place));
                }
            }
        }
    }
}

/// A place in a list of one plan as a smaller number.
pub(super) fn number(place: usize) -> u32 {
    u32::try_from(place).expect("a plan in memory has fewer entries than that")
}
