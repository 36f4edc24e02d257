//! A checked plan: indices instead of names, flat lists instead of trees. Only validation makes one.

use plan_cond::{Cond, Field};

use crate::text::{Piece, Text};
use crate::{Kind, OnError, Step, StepIdx};

/// A reference to a declared step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ref {
    /// The step read.
    pub step: StepIdx,
    /// Which of its results.
    pub field: Field,
}

/// A checked plan. Only [`PlanDoc::check`](crate::PlanDoc::check) makes one.
///
/// Keeps the text it was read from; a step costs about a hundred bytes beside it.
#[derive(Debug)]
pub struct Plan {
    pub(crate) text: Text,
    pub(crate) id: Piece,
    pub(crate) steps: Vec<Row>,
    pub(crate) dependencies: Lists,
    pub(crate) dependents: Lists,
    /// Every step's holes, one step after the other, in order of the text.
    pub(crate) holes: Vec<Hole>,
    pub(crate) conditions: Vec<Cond<Ref>>,
}

/// One step of a checked plan.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) id: Piece,
    pub(crate) action: (Kind, Piece),
    /// The bytes of the input; empty when absent.
    pub(crate) input: (u32, u32),
    pub(crate) retries: u32,
    pub(crate) on_error: OnError,
    /// Its place in `conditions`.
    pub(crate) condition: Option<u32>,
    /// Where its holes end; they start where the step before ends.
    pub(crate) holes_end: u32,
}

/// A string inside an input that is not handed over as written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hole {
    /// Its bytes in the text, quotes included.
    pub(crate) place: (u32, u32),
    pub(crate) filling: Filling,
}

/// What stands in a hole.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Filling {
    /// A reference, replaced by what it reads.
    Reference(Ref),
    /// `$$…`, handed over without its first `$` (ruling 7).
    Escape,
}

/// A list of steps for each step, in one array.
#[derive(Debug, Default)]
pub(crate) struct Lists {
    /// Where each step's list ends.
    ends: Vec<u32>,
    entries: Vec<StepIdx>,
}

impl Lists {
    pub(crate) fn with_capacity(steps: usize, entries: usize) -> Self {
        Self {
            ends: Vec::with_capacity(steps),
            entries: Vec::with_capacity(entries),
        }
    }

    /// Adds an entry to the list of the next step.
    pub(crate) fn push(&mut self, entry: StepIdx) {
        self.entries.push(entry);
    }

    /// Ends the list of the next step.
    pub(crate) fn end(&mut self) {
        let end = u32::try_from(self.entries.len()).expect("fewer than the bytes of the text");
        self.ends.push(end);
    }

    /// Returns how many steps have a list.
    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub(crate) fn get(&self, step: StepIdx) -> &[StepIdx] {
        let start = match step.get() {
            0 => 0,
            n => self.ends[n - 1] as usize,
        };
        &self.entries[start..self.ends[step.get()] as usize]
    }

    /// Turns every entry around: from what a step waits for to what waits for it, in file order.
    pub(crate) fn reversed(&self) -> Self {
        let mut starts = vec![0_u32; self.ends.len() + 1];
        for entry in &self.entries {
            starts[entry.get() + 1] += 1;
        }
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let mut entries = vec![StepIdx::from_u32(0); self.entries.len()];
        for n in 0..self.ends.len() {
            let step = StepIdx::new(n);
            for entry in self.get(step) {
                // Once a list is full, its start has become its end.
                let next = &mut starts[entry.get()];
                entries[*next as usize] = step;
                *next += 1;
            }
        }
        starts.pop();
        Self {
            ends: starts,
            entries,
        }
    }
}

impl Plan {
    /// Returns the plan's id.
    pub fn id(&self) -> &str {
        self.text.get(self.id)
    }

    /// Returns the number of steps.
    pub const fn len(&self) -> usize {
        self.steps.len()
    }

    /// Returns whether there is no step.
    pub const fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Returns every index in file order; allocates nothing and borrows nothing.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = StepIdx> + DoubleEndedIterator + use<> {
        (0..self.len()).map(StepIdx::new)
    }

    /// Returns one step.
    ///
    /// # Panics
    /// When the index is not of this plan.
    pub fn step(&self, step: StepIdx) -> Step<'_> {
        assert!(step.get() < self.len(), "the index is of another plan");
        Step::new(self, step)
    }

    /// Returns the steps `step` waits for, each once, in order of first mention (ruling 18).
    pub fn dependencies(&self, step: StepIdx) -> &[StepIdx] {
        self.dependencies.get(step)
    }

    /// Returns the steps that wait for `step`, in file order.
    pub fn dependents(&self, step: StepIdx) -> &[StepIdx] {
        self.dependents.get(step)
    }

    pub(crate) fn holes(&self, step: StepIdx) -> &[Hole] {
        let end = |n: usize| self.steps[n].holes_end as usize;
        let start = step.get().checked_sub(1).map_or(0, end);
        &self.holes[start..end(step.get())]
    }
}

/// The driver shares a plan between tasks.
const _: () = {
    const fn is_shared<T: Send + Sync + 'static>() {}
    is_shared::<Plan>();
};
