//! What an executor is called with. Who carries a call out is `executor.rs`.

use std::sync::Arc;

use crate::{cancel::Cancel, delegation::DelegationSender, output::LastLine};

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
    /// Told the last line of its standard error as it comes; `None` when nobody watches.
    pub last_line: Option<LastLine>,
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
    /// Told the last line of its output as it comes; `None` when nobody watches.
    pub last_line: Option<LastLine>,
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
