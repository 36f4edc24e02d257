//! One step of a plan as it went, kept in few bytes: a plan may have a million.

use std::num::NonZeroU64;

use super::{
    error_text::{ErrorText, KeptError},
    plan::{PlanRun, number},
    texts::{Span, Texts},
};
use crate::{
    text::Text,
    word::{StepKind, StepStatus},
};

/// A step of a plan that ran.
#[derive(Debug, Clone, Copy)]
pub struct StepRun<'r> {
    plan: &'r PlanRun,
    slot: &'r Slot,
    index: usize,
}

/// How far a step came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Standing<'r> {
    /// It settled.
    Settled(Settled<'r>),
    /// It was dispatched, and no line says how it settled.
    Unsettled,
    /// It was neither dispatched nor settled.
    NotRun,
}

/// How a step settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled<'r> {
    /// The line of the trace that says so, from 1.
    pub line: u64,
    /// When, in unix milliseconds.
    pub at_ms: Option<u64>,
    /// In which status, after `on_error`.
    pub status: StepStatus<'r>,
    /// After how many dispatches.
    pub attempts: u64,
    /// All attempts together.
    pub duration_ms: u64,
    /// Why it failed.
    pub error: Option<ErrorText<'r>>,
}

impl<'r> StepRun<'r> {
    pub(super) fn new(plan: &'r PlanRun, slot: &'r Slot, index: usize) -> Self {
        Self { plan, slot, index }
    }

    /// Returns its place among the plan's steps in file order, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns its id.
    pub fn id(&self) -> &'r str {
        self.plan.texts.text(self.slot.id)
    }

    /// Returns what carried it out.
    pub fn kind(&self) -> StepKind<'r> {
        match self.slot.kind {
            KindSlot::Tool => StepKind::Tool,
            KindSlot::Shell => StepKind::Shell,
            KindSlot::Capsule => StepKind::Capsule,
            KindSlot::Unknown => StepKind::Unknown,
            KindSlot::Other(word) => StepKind::Other(self.plan.word(word)),
        }
    }

    /// Returns the ids it waits for, as declared.
    pub fn depends_on(&self) -> impl ExactSizeIterator<Item = &'r str> + use<'r> {
        let plan = self.plan;
        let dependencies = &plan.dependencies[self.slot.dependencies.range()];
        dependencies.iter().map(move |&place| plan.named(place))
    }

    /// Returns the places, from 0, of the declared steps it waits for.
    pub fn dependencies(&self) -> impl Iterator<Item = usize> + use<'r> {
        let dependencies = &self.plan.dependencies[self.slot.dependencies.range()];
        dependencies.iter().filter_map(|place| place.declared())
    }

    /// Returns whether it has an `if`.
    pub fn has_condition(&self) -> bool {
        self.slot.has_condition
    }

    /// Returns when it was first dispatched, in unix milliseconds, where that is told.
    pub fn started_ms(&self) -> Option<u64> {
        self.slot.started_ms.map(NonZeroU64::get)
    }

    /// Returns how far it came.
    pub fn standing(&self) -> Standing<'r> {
        let Some(settled) = &self.slot.settled else {
            return if self.slot.is_started {
                Standing::Unsettled
            } else {
                Standing::NotRun
            };
        };
        Standing::Settled(Settled {
            line: settled.line,
            at_ms: settled.at_ms.map(NonZeroU64::get),
            status: match settled.status {
                StatusSlot::Success => StepStatus::Success,
                StatusSlot::Failed => StepStatus::Failed,
                StatusSlot::Skipped => StepStatus::Skipped,
                StatusSlot::Other(word) => StepStatus::Other(self.plan.word(word)),
            },
            attempts: u64::from(settled.attempts),
            duration_ms: settled.duration_ms,
            error: settled.error.map(|error| error.of(&self.plan.errors)),
        })
    }
}

/// What is kept of a step.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) id: Span,
    pub(super) kind: KindSlot,
    pub(super) dependencies: Stretch,
    pub(super) has_condition: bool,
    pub(super) is_started: bool,
    /// Nothing was dispatched in 1970.
    pub(super) started_ms: Option<NonZeroU64>,
    pub(super) settled: Option<SettledSlot>,
}

/// What is kept of how it settled.
#[derive(Debug, Clone)]
pub(super) struct SettledSlot {
    pub(super) line: u64,
    pub(super) at_ms: Option<NonZeroU64>,
    pub(super) status: StatusSlot,
    pub(super) attempts: u32,
    pub(super) duration_ms: u64,
    pub(super) error: Option<KeptError>,
}

/// A stretch of the plan's dependencies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    pub(super) start: u32,
    pub(super) end: u32,
}

impl Stretch {
    fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A kind; a word of a later version is kept among the plan's words.
#[derive(Debug, Clone, Copy)]
pub(super) enum KindSlot {
    Tool,
    Shell,
    Capsule,
    Unknown,
    Other(Word),
}

/// A status; a word of a later version is kept among the plan's words.
#[derive(Debug, Clone, Copy)]
pub(super) enum StatusSlot {
    Success,
    Failed,
    Skipped,
    Other(Word),
}

/// The place of a word that this version does not know.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word(u32);

/// The words of a plan that this version does not know.
#[derive(Debug, Clone, Default)]
pub(super) struct Words {
    texts: Texts,
    spans: Vec<Span>,
}

impl Words {
    pub(super) fn kind(&mut self, kind: &StepKind<'_>) -> KindSlot {
        match kind {
            StepKind::Tool => KindSlot::Tool,
            StepKind::Shell => KindSlot::Shell,
            StepKind::Capsule => KindSlot::Capsule,
            StepKind::Unknown => KindSlot::Unknown,
            StepKind::Other(word) => KindSlot::Other(self.push(word)),
        }
    }

    pub(super) fn status(&mut self, status: &StepStatus<'_>) -> StatusSlot {
        match status {
            StepStatus::Success => StatusSlot::Success,
            StepStatus::Failed => StatusSlot::Failed,
            StepStatus::Skipped => StatusSlot::Skipped,
            StepStatus::Other(word) => StatusSlot::Other(self.push(word)),
        }
    }

    pub(super) fn word(&self, Word(place): Word) -> Text<'_> {
        Text::from(self.texts.text(self.spans[place as usize]))
    }

    fn push(&mut self, word: &str) -> Word {
        self.spans.push(self.texts.push(word));
        Word(number(self.spans.len() - 1))
    }
}
