//! One step of a checked plan, seen through the plan.

use plan_cond::Cond;

use crate::plan::Row;
use crate::{Kind, OnError, Plan, Ref, StepIdx, template};

/// A view of one step of a checked plan.
#[derive(Debug, Clone, Copy)]
pub struct Step<'p> {
    plan: &'p Plan,
    index: StepIdx,
}

/// What a step does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action<'p> {
    /// Calls a tool of this name.
    Tool(&'p str),
    /// Runs this command line; [`argv::split`](crate::argv::split) cannot fail on it.
    Shell(&'p str),
    /// Delegates to a capsule of this bare name.
    Capsule(&'p str),
}

impl<'p> Step<'p> {
    pub(crate) const fn new(plan: &'p Plan, index: StepIdx) -> Self {
        Self { plan, index }
    }

    fn row(&self) -> &'p Row {
        &self.plan.steps[self.index.get()]
    }

    /// Returns its place.
    pub const fn index(&self) -> StepIdx {
        self.index
    }

    /// Returns its id.
    pub fn id(&self) -> &'p str {
        self.plan.text.get(self.row().id)
    }

    /// Returns what it does.
    pub fn action(&self) -> Action<'p> {
        let (kind, piece) = self.row().action;
        let word = self.plan.text.get(piece);
        match kind {
            Kind::Tool => Action::Tool(word),
            Kind::Shell => Action::Shell(word),
            Kind::Capsule => Action::Capsule(word),
        }
    }

    /// Returns its kind.
    pub fn kind(&self) -> Kind {
        self.row().action.0
    }

    /// Returns its condition, if it has one.
    pub fn condition(&self) -> Option<&'p Cond<Ref>> {
        let condition = self.row().condition?;
        Some(&self.plan.conditions[condition as usize])
    }

    /// Returns its policy.
    pub fn on_error(&self) -> OnError {
        self.row().on_error
    }

    /// Returns how many extra dispatches it has.
    pub fn retries(&self) -> u32 {
        self.row().retries
    }

    /// Writes its input with every reference replaced (ruling 8): compact JSON text for a tool (`null` when
    /// absent; numbers and key order as written), the task text for a capsule, empty for a shell step.
    ///
    /// # Errors
    /// The first that `lookup` gives, in order of the text.
    pub fn resolve_input<E>(
        &self,
        lookup: &mut dyn FnMut(Ref) -> Result<&'p str, E>,
    ) -> Result<String, E> {
        let (start, end) = self.row().input;
        let holes = self.plan.holes(self.index);
        let source = self.plan.text.source();
        match self.kind() {
            Kind::Tool if start == end => Ok("null".to_owned()),
            Kind::Tool => template::json(source, (start, end), holes, lookup),
            Kind::Shell => Ok(String::new()),
            Kind::Capsule => template::task(source, start, holes, lookup),
        }
    }
}
