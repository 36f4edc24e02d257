//! A plan's text, read: what is declared and which faults of shape it has. Whether it may run is `check`'s.

mod early;
mod plan;
mod read;
mod step;

#[cfg(all(test, feature = "schema"))]
pub(crate) use plan::PLAN_KEYS;
pub(crate) use read::start;
#[cfg(all(test, feature = "schema"))]
pub(crate) use step::STEP_KEYS;

use crate::check::{self, Checked};
use crate::problem::Problems;
use crate::text::{Piece, Text};
use crate::{Grants, Kind, OnError};

/// A plan's text, read: its shape, with every fault of shape collected (ruling 1).
#[derive(Debug)]
pub struct PlanDoc {
    pub(crate) text: Text,
    pub(crate) id: Option<Piece>,
    /// The id of a text that stops being JSON after it.
    early_id: Option<String>,
    /// The steps in file order, but for entries that are no objects or empty ones: a long list of those costs nothing.
    pub(crate) steps: Vec<Declared>,
    declared: usize,
    /// Every step's `depends_on` entries, one step after the other.
    pub(crate) depends_on: Vec<Piece>,
    /// Every step's strings inside `input` that start with a `$`, one step after the other.
    pub(crate) dollars: Vec<Piece>,
    pub(crate) problems: Problems,
}

/// One step as declared. A field with a fault of shape is as if absent, and `broken` says so.
#[derive(Debug, Clone)]
pub(crate) struct Declared {
    /// Its place in the plan, from 0; the same as in the document's `steps` unless an entry before it is not there.
    pub(crate) place: u32,
    /// Where it starts in the text.
    pub(crate) at: u32,
    pub(crate) id: Option<Piece>,
    /// What it does; `None` for none, several or a broken one.
    pub(crate) action: Option<(Kind, Piece)>,
    pub(crate) condition: Option<Piece>,
    /// The bytes of the input; empty when absent.
    pub(crate) input: (u32, u32),
    pub(crate) retries: u32,
    pub(crate) on_error: OnError,
    /// Whether `depends_on` has an entry that could not be read.
    pub(crate) broken_depends_on: bool,
    /// Where its entries end in the flat lists; they start where the step before ends.
    pub(crate) depends_on_end: u32,
    pub(crate) dollars_end: u32,
}

/// One step as declared, for `plan_start`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct StepOutline<'a> {
    /// The id.
    pub id: &'a str,
    /// The kind; `None` for none or several.
    pub kind: Option<Kind>,
    /// `depends_on`, as written.
    pub depends_on: Vec<&'a str>,
    /// Whether it has an `if` that is not blank.
    pub has_condition: bool,
}

impl PlanDoc {
    /// Reads a plan's text. Never fails: faults of shape are kept for [`PlanDoc::check`].
    ///
    /// Takes the bytes and keeps them: the plan's strings are spans of them. Time and memory grow with the length
    /// of the text alone, never with its depth.
    pub fn read(text: Vec<u8>) -> Self {
        read::read(text)
    }

    /// Returns whether the text has a plan's shape (ruling 1); a `plan_start` line is written only then.
    pub fn has_shape(&self) -> bool {
        self.id.is_some() && !self.problems.has_shape_fault()
    }

    /// Returns the plan's id, as far as it could be read: also that of a text which stops being JSON after it.
    pub fn plan_id(&self) -> Option<&str> {
        let id = self.id.map(|id| self.text.get(id));
        id.or(self.early_id.as_deref())
    }

    /// Returns how many steps are declared; 0 when the list could not be read.
    pub const fn declared(&self) -> usize {
        self.declared
    }

    /// Returns the steps in file order. An id that could not be read is `""`.
    pub fn outline(&self) -> impl Iterator<Item = StepOutline<'_>> {
        let get = |piece: Piece| self.text.get(piece);
        let mut steps = self.steps.iter().enumerate().peekable();
        (0..self.declared).map(move |place| {
            let Some((n, step)) = steps.next_if(|(_, step)| step.place as usize == place) else {
                return StepOutline::default();
            };
            StepOutline {
                id: step.id.map_or("", get),
                kind: step.action.map(|(kind, _)| kind),
                depends_on: self.dependencies(n).iter().copied().map(get).collect(),
                has_condition: step
                    .condition
                    .is_some_and(|condition| !get(condition).trim().is_empty()),
            }
        })
    }

    /// Checks the plan as a whole. `grants: None` leaves out the faults that need grants: a tool that is not in
    /// the inventory and a binary that is not allowed.
    pub fn check(self, grants: Option<&Grants>) -> Checked {
        check::check(self, grants)
    }

    /// Returns the entries of a step's `depends_on` that could be read.
    pub(crate) fn dependencies(&self, step: usize) -> &[Piece] {
        let end = |step: &Declared| step.depends_on_end as usize;
        let start = step
            .checked_sub(1)
            .map_or(0, |before| end(&self.steps[before]));
        &self.depends_on[start..end(&self.steps[step])]
    }

    /// Returns the strings of a step's `input` that start with a `$`.
    pub(crate) fn dollars(&self, step: usize) -> &[Piece] {
        let end = |step: &Declared| step.dollars_end as usize;
        let start = step
            .checked_sub(1)
            .map_or(0, |before| end(&self.steps[before]));
        &self.dollars[start..end(&self.steps[step])]
    }
}
