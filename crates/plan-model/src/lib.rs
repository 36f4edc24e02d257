//! What a plan is, and when it is refused.
//!
//! `PlanDoc::read` (text to document, ruling 1) -> `PlanDoc::check` (document to [`Plan`] or all faults).

use plan_cond::Cond;
pub use plan_cond::Field;
use serde::{Deserialize, Serialize};

/// A step's place in its plan, from 0, in file order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepIdx(u32);

impl StepIdx {
    /// Makes the index of the `n`th step, from 0.
    ///
    /// # Panics
    /// When `n` is over `u32::MAX`; a plan text is bounded far below that many steps.
    pub fn new(n: usize) -> Self {
        Self(u32::try_from(n).expect("a plan has fewer than 2^32 steps"))
    }
    /// Returns the place, from 0.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

/// A reference to a declared step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Ref {
    /// The step read.
    pub step: StepIdx,
    /// Which of its results.
    pub field: Field,
}

/// What carries a step out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A tool of the session's inventory.
    Tool,
    /// A command.
    Shell,
    /// A sub-capsule.
    Capsule,
}

impl Kind {
    /// Returns the word the format uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Shell => "shell",
            Self::Capsule => "capsule",
        }
    }
}

/// What a failed step does to the rest of the plan (spec: Failure).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OnError {
    /// Settles `failed` and stops the plan.
    #[default]
    Fail,
    /// Settles `skipped`; the plan goes on.
    Skip,
    /// Settles `failed`; the plan goes on.
    Continue,
}

/// How a step settled.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// It ran and passed.
    Success,
    /// It failed.
    Failed,
    /// Its condition was false, it failed under `on_error: skip`, or a cancel came first.
    Skipped,
}

impl Status {
    /// Returns the word the report, the trace and `$<id>.status` use.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

/// What the session grants, as plain data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grants {
    /// The names of the tools in the inventory.
    pub tools: Vec<String>,
    /// `capabilities.shell.allow`.
    pub shell_allow: Vec<String>,
}

/// A plan's text, read: its shape, with every fault of shape collected (ruling 1).
#[derive(Debug)]
pub struct PlanDoc {
    _private: (),
}

/// One step as declared, for `plan_start`.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    pub fn read(text: Vec<u8>) -> Self {
        let _ = text;
        todo!()
    }
    /// Returns whether the text has a plan's shape (ruling 1); a `plan_start` line is written only then.
    pub fn has_shape(&self) -> bool {
        todo!()
    }
    /// Returns the plan's id, as far as it could be read.
    pub fn plan_id(&self) -> Option<&str> {
        todo!()
    }
    /// Returns how many steps are declared; 0 when the list could not be read.
    pub fn declared(&self) -> usize {
        todo!()
    }
    /// Returns the steps in file order.
    pub fn outline(&self) -> impl Iterator<Item = StepOutline<'_>> {
        core::iter::empty()
    }
    /// Checks the plan as a whole. `grants: None` leaves out the faults that need grants.
    pub fn check(self, grants: Option<&Grants>) -> Checked {
        let _ = grants;
        todo!()
    }
}

/// What checking gave.
#[derive(Debug)]
pub struct Checked {
    /// The plan, or every fault in document order.
    pub plan: Result<Plan, Refused>,
    /// What does not refuse the plan but deserves a look, in document order.
    pub warnings: Vec<Diagnostic>,
}

/// A refused plan.
#[derive(Debug)]
pub struct Refused {
    /// The plan's id, as far as it could be read.
    pub plan_id: Option<String>,
    /// How many steps are declared; 0 when not read.
    pub declared: usize,
    /// Every fault, in document order; at least one.
    pub faults: Vec<Diagnostic>,
}

impl Refused {
    /// Returns the report of the refusal: one `failed` entry per faulty step, in plan order (ruling 28).
    pub fn report(&self) -> Report {
        todo!()
    }
}

/// A fault or a warning, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Fault or warning.
    pub severity: Severity,
    /// A stable code, such as `unknown-tool`.
    pub code: &'static str,
    /// The step it belongs to, `None` when it is the plan's.
    pub step: Option<FaultyStep>,
    /// The JSON Pointer of the place.
    pub pointer: String,
    /// The bytes of the text at fault (of the text without a byte-order mark's removal: offsets into what was given).
    pub span: std::ops::Range<usize>,
    /// Where `span` starts, line from 1.
    pub line: usize,
    /// Where `span` starts, column in characters from 1.
    pub column: usize,
    /// What is wrong: lower case, no full stop, names in backticks.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

/// The step a diagnostic belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultyStep {
    /// Its place in the plan.
    pub index: StepIdx,
    /// Its id.
    pub id: String,
}

/// Whether a diagnostic refuses the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It refuses the plan.
    Error,
    /// It does not.
    Warning,
}

/// A checked plan. Only [`PlanDoc::check`] makes one.
#[derive(Debug)]
pub struct Plan {
    _private: (),
}

impl Plan {
    /// Returns the plan's id.
    pub fn id(&self) -> &str {
        todo!()
    }
    /// Returns the number of steps.
    pub fn len(&self) -> usize {
        todo!()
    }
    /// Returns whether there is no step.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Returns every index in file order.
    pub fn indices(&self) -> impl ExactSizeIterator<Item = StepIdx> + use<> {
        (0..self.len())
            .map(StepIdx::new)
            .collect::<Vec<_>>()
            .into_iter()
    }
    /// Returns one step.
    pub fn step(&self, step: StepIdx) -> Step<'_> {
        let _ = step;
        todo!()
    }
    /// Returns the steps `step` waits for, each once, in order of first mention.
    pub fn dependencies(&self, step: StepIdx) -> &[StepIdx] {
        let _ = step;
        todo!()
    }
    /// Returns the steps that wait for `step`, in file order.
    pub fn dependents(&self, step: StepIdx) -> &[StepIdx] {
        let _ = step;
        todo!()
    }
}

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
    /// Runs this command line; [`argv::split`] cannot fail on it.
    Shell(&'p str),
    /// Delegates to a capsule of this bare name.
    Capsule(&'p str),
}

impl<'p> Step<'p> {
    /// Returns its place.
    pub fn index(&self) -> StepIdx {
        self.index
    }
    /// Returns its id.
    pub fn id(&self) -> &'p str {
        let _ = self.plan;
        todo!()
    }
    /// Returns what it does.
    pub fn action(&self) -> Action<'p> {
        todo!()
    }
    /// Returns its kind.
    pub fn kind(&self) -> Kind {
        todo!()
    }
    /// Returns its condition, if it has one.
    pub fn condition(&self) -> Option<&'p Cond<Ref>> {
        todo!()
    }
    /// Returns its policy.
    pub fn on_error(&self) -> OnError {
        todo!()
    }
    /// Returns how many extra dispatches it has.
    pub fn retries(&self) -> u32 {
        todo!()
    }
    /// Writes its input with every reference replaced (ruling 8): compact JSON text for a tool (`null` when
    /// absent; numbers and key order as written), the task text for a capsule, empty for a shell step.
    pub fn resolve_input<E>(
        &self,
        lookup: &mut dyn FnMut(Ref) -> Result<&'p str, E>,
    ) -> Result<String, E> {
        let _ = lookup;
        todo!()
    }
}

/// Splitting a command line into words (ruling 31).
pub mod argv {
    /// Splits `line` into words by POSIX quoting rules and nothing else.
    pub fn split(line: &str) -> Result<Vec<String>, SplitError> {
        let _ = line;
        todo!()
    }
    /// Why a line cannot be split.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct SplitError {
        /// The bytes of the line at fault.
        pub span: std::ops::Range<usize>,
    }
}

/// Returns `json`, which must be valid JSON, without the white space outside its strings.
pub fn compact(json: &str) -> String {
    let _ = json;
    todo!()
}

/// What `submit-plan` returns (spec: The report).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Report {
    /// The plan's own id; `""` when it could not be read.
    pub plan_id: String,
    /// Whether every step settled without stopping the plan.
    pub completed: bool,
    /// Whether the plan stopped because its task was cancelled.
    pub canceled: bool,
    /// The step that stopped the plan.
    pub failed_step: Option<String>,
    /// One entry per settled step, in the order they settled.
    pub steps: Vec<StepReport>,
}

/// One settled step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepReport {
    /// Its id.
    pub step_id: String,
    /// How it settled.
    pub status: Status,
    /// Its output text, `None` when it produced none.
    pub output: Option<String>,
    /// Why it failed.
    pub error: Option<String>,
}

/// How many entries of a report have each status.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Steps that passed.
    pub succeeded: usize,
    /// Steps that failed.
    pub failed: usize,
    /// Steps that were skipped.
    pub skipped: usize,
}

impl Report {
    /// Counts the entries by status.
    pub fn counts(&self) -> Counts {
        todo!()
    }
    /// Returns the summary sentence (spec: The report; ruling 29).
    pub fn summary(&self) -> String {
        todo!()
    }
}

/// The error of a step that a cancel kept from running (spec: When the task is cancelled).
pub const CANCELED_BEFORE_RUN: &str =
    "the task running this plan was cancelled before this step ran";
/// The error of a capsule step whose sub-capsule a cancel ended (spec: When the task is cancelled).
pub const CANCELED_WITH_CAPSULE: &str =
    "the task running this plan was cancelled; this step's sub-capsule was ended with it";
