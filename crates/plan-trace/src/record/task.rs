//! The lines of a task: `task_start`, `task_canceled`, `task_end`.

use serde::{Deserialize, Serialize};

use crate::{owned::into_owned, text::Text, word::ExitStatus};

/// A task begins. Hangs off the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct TaskStart<'a> {
    /// The task.
    pub task_id: Text<'a>,
    /// The conversation it belongs to.
    pub context_id: Text<'a>,
    /// Where it came from; `task_md` for the command.
    pub source: Text<'a>,
    /// Who it came from; `user` for the command.
    pub origin: Text<'a>,
    /// How far it is trusted; `trusted` for the command.
    pub trust: Text<'a>,
    /// The lane it runs in; `user` for the command.
    pub lane: Text<'a>,
    /// How many bytes its message has.
    #[serde(default)]
    pub message_parts_bytes: u64,
}
into_owned!(TaskStart {
    task_id,
    context_id,
    source,
    origin,
    trust,
    lane,
    message_parts_bytes
});

/// A task was cancelled. Hangs off the task, before the `delegation` lines of what it ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct TaskCanceled<'a> {
    /// The task.
    pub task_id: Text<'a>,
    /// The turn it was in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u64>,
    /// What it was doing; `plan` while a plan ran.
    pub phase: Text<'a>,
    /// Background work that goes on.
    #[serde(default)]
    pub detached_work_ids: Vec<Text<'a>>,
    /// The delegations it ended.
    #[serde(default)]
    pub delegation_ids: Vec<Text<'a>>,
}
into_owned!(TaskCanceled {
    task_id,
    turn,
    phase,
    detached_work_ids,
    delegation_ids
});

/// A task ended. Hangs off the task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct TaskEnd<'a> {
    /// The task.
    pub task_id: Text<'a>,
    /// How it ended.
    pub exit_status: ExitStatus<'a>,
    /// How long it took.
    #[serde(default)]
    pub duration_ms: u64,
    /// How many turns it took.
    #[serde(default)]
    pub turns: u64,
    /// How many tokens the model read.
    #[serde(default)]
    pub input_tokens: u64,
    /// How many tokens the model wrote.
    #[serde(default)]
    pub output_tokens: u64,
    /// How many tools it called.
    #[serde(default)]
    pub tool_calls: u64,
    /// How many commands it ran.
    #[serde(default)]
    pub shell_calls: u64,
    /// How often it was taken up again.
    #[serde(default)]
    pub reopen_count: u64,
}
into_owned!(TaskEnd {
    task_id,
    exit_status,
    duration_ms,
    turns,
    input_tokens,
    output_tokens,
    tool_calls,
    shell_calls,
    reopen_count
});
