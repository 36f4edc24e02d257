//! How a step runs: the traits an embedder supplies, and two real executors.

use std::{fmt, future::Future, pin::Pin, sync::Arc};

/// A boxed future, so that the traits can be trait objects.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Which attempt of which step of which plan this is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// The plan's number in its session, from 1.
    pub plan_number: u32,
    /// The step's number in its plan, from 1.
    pub step_number: usize,
    /// The step's id.
    pub step_id: Arc<str>,
    /// The attempt, from 1.
    pub attempt: u32,
}

/// How an attempt ended, as an executor saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// Passed, failed or ended by a cancel.
    pub verdict: Verdict,
    /// The output text.
    pub output: Option<String>,
    /// The tool's `state_effect` metadata, for the trace.
    pub state_effect: Option<String>,
    /// The tool's `resource_id` metadata, for the trace.
    pub resource_id: Option<String>,
}

/// Whether an attempt passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It passed.
    Passed,
    /// It failed, and why.
    Failed(String),
    /// The task was cancelled and the sub-capsule ended with it.
    Ended,
}

/// A tool step to run.
#[derive(Debug, Clone)]
pub struct ToolCall {
    /// Which attempt.
    pub attempt: Attempt,
    /// The tool's name.
    pub name: Arc<str>,
    /// The input as JSON text.
    pub input: Arc<str>,
    /// Whether the task was cancelled meanwhile.
    pub cancel: Cancel,
}

/// A shell step to run.
#[derive(Debug, Clone)]
pub struct ShellCall {
    /// Which attempt.
    pub attempt: Attempt,
    /// The whole command line.
    pub line: Arc<str>,
    /// Its words.
    pub words: Vec<String>,
    /// Whether the task was cancelled meanwhile.
    pub cancel: Cancel,
}

/// A capsule step to run.
#[derive(Debug, Clone)]
pub struct CapsuleCall {
    /// Which attempt.
    pub attempt: Attempt,
    /// The capsule's bare name.
    pub name: Arc<str>,
    /// The task text.
    pub task: Arc<str>,
    /// Whether the task was cancelled meanwhile.
    pub cancel: Cancel,
    /// Where the executor reports its delegations as they happen.
    pub delegations: DelegationSender,
}

/// Runs tool steps. The driver calls it for one step at a time.
pub trait ToolExecutor: Send + Sync {
    /// Runs one attempt.
    fn run(&self, call: ToolCall) -> BoxFuture<'_, Outcome>;
}

/// Runs shell steps.
pub trait ShellExecutor: Send + Sync {
    /// Runs one attempt.
    fn run(&self, call: ShellCall) -> BoxFuture<'_, Outcome>;
}

/// Runs capsule steps.
pub trait CapsuleExecutor: Send + Sync {
    /// Runs one attempt. When `call.cancel` says the task was cancelled, the sub-capsule is to be ended.
    fn run(&self, call: CapsuleCall) -> BoxFuture<'_, Outcome>;
}

/// Asked before every attempt of a tool or shell step is dispatched.
pub trait Gate: Send + Sync {
    /// Lets the call pass or refuses it.
    fn ask<'a>(&'a self, call: GateCall<'a>) -> BoxFuture<'a, Result<(), Refusal>>;
}

/// What the gate is shown.
#[derive(Debug, Clone)]
pub enum GateCall<'a> {
    /// A tool step.
    Tool {
        /// The tool's name.
        name: &'a str,
        /// The input it would get, as JSON text.
        input: &'a str,
    },
    /// A shell step.
    Shell {
        /// The whole command line.
        line: &'a str,
        /// Its words.
        words: &'a [String],
    },
}

/// A refusal, with what its trace line needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The step's error.
    pub error: String,
    /// The line that records it.
    pub record: RefusalRecord,
}

/// What the line of a refusal says (trace.md).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusalRecord {
    /// `call_denied`.
    CallDenied {
        /// The hook's name.
        hook_name: String,
        /// The resolved program, or the tool's name.
        target: String,
        /// Why.
        reason: String,
    },
    /// `protected_path_denied`.
    ProtectedPath {
        /// The resolved program, or the tool's name.
        target: String,
        /// The resolved path, relative to the workdir.
        path: String,
        /// The entry as declared.
        rule: String,
        /// What showed it to be a write.
        signal: String,
        /// Why.
        reason: String,
    },
}

/// What a capsule executor reports while it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delegation {
    /// The child reported itself.
    Started {
        /// `dlg_…`.
        delegation_id: String,
        /// The full name.
        capsule: String,
        /// The version.
        version: String,
        /// `ses_…`.
        child_session_id: String,
        /// The child's work folder.
        child_workdir: String,
        /// The child's records directory.
        child_records_dir: String,
    },
    /// The delegation ended.
    Ended {
        /// The full name.
        capsule: String,
        /// The version.
        version: String,
        /// `dlg_…`, `None` when no child came up.
        delegation_id: Option<String>,
        /// `ses_…`, `None` when no child came up.
        child_session_id: Option<String>,
        /// How long it took.
        duration_ms: u64,
        /// `completed`, `timed_out`, `failed`, `refused` or `terminated`. A `terminated` one is not written by
        /// the step: the cancelled task writes it.
        outcome: &'static str,
        /// `None` exactly for `completed`.
        reason: Option<String>,
    },
}

/// Carries delegations to the driver, in order.
pub type DelegationSender = tokio::sync::mpsc::UnboundedSender<Delegation>;

/// Reads whether the task running the plan was cancelled.
#[derive(Debug, Clone)]
pub struct Cancel {
    _private: (),
}

/// How far a cancel has gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CancelLevel {
    /// Not cancelled.
    No,
    /// Cancelled: running tool and shell steps go on, sub-capsules are ended.
    Cancelled,
    /// Everything that runs is to be killed at once.
    Killed,
}

impl fmt::Display for CancelLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
