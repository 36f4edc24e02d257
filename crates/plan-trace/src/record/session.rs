//! The lines of a session: `session_start`, `spawner_ended`, `session_end`.

use serde::{Deserialize, Serialize};

use crate::{owned::into_owned, text::Text, word::ExitStatus};

/// A session begins: the first line of a trace, and the only one that hangs off nothing.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct SessionStart<'a> {
    /// The capsule's name.
    pub capsule_name: Text<'a>,
    /// The capsule's version.
    pub capsule_version: Text<'a>,
    /// The model; `""` for the command, which has none.
    pub model: Text<'a>,
    /// What the session was granted.
    #[serde(default)]
    pub capabilities: Vec<Text<'a>>,
    /// The tools in its inventory.
    #[serde(default)]
    pub tools_declared: Vec<Text<'a>>,
    /// The containment asked for.
    #[serde(default)]
    pub containment_declared: Text<'a>,
    /// The containment that holds.
    #[serde(default)]
    pub containment_achieved: Text<'a>,
    /// Whether programs in the workdir may be executed.
    #[serde(default)]
    pub workdir_exec: bool,
    /// The conversation; written as `null` when there is none.
    #[serde(default)]
    pub context_id: Option<Text<'a>>,
    /// The session that started this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawned_by: Option<Text<'a>>,
    /// The delegation that started this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delegation_id: Option<Text<'a>>,
    /// The bounding that holds. This project's own key.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounding_achieved: Option<Text<'a>>,
}
into_owned!(SessionStart {
    capsule_name,
    capsule_version,
    model,
    capabilities,
    tools_declared,
    containment_declared,
    containment_achieved,
    workdir_exec,
    context_id,
    spawned_by,
    delegation_id,
    bounding_achieved
});

/// The session's spawner went away. Hangs off the session.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct SpawnerEnded<'a> {
    /// The session that had started this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spawned_by: Option<Text<'a>>,
    /// The delegation that had started this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub delegation_id: Option<Text<'a>>,
}
into_owned!(SpawnerEnded {
    spawned_by,
    delegation_id
});

/// A session ended. Hangs off the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct SessionEnd<'a> {
    /// How many turns it took.
    #[serde(default)]
    pub total_turns: u64,
    /// How many tokens the model read.
    #[serde(default)]
    pub total_input_tokens: u64,
    /// How many tokens the model wrote.
    #[serde(default)]
    pub total_output_tokens: u64,
    /// How many tools it called.
    #[serde(default)]
    pub total_tool_calls: u64,
    /// How many commands it ran.
    #[serde(default)]
    pub total_shell_calls: u64,
    /// How long it took.
    #[serde(default)]
    pub duration_ms: u64,
    /// How it ended.
    pub exit_status: ExitStatus<'a>,
}
into_owned!(SessionEnd {
    total_turns,
    total_input_tokens,
    total_output_tokens,
    total_tool_calls,
    total_shell_calls,
    duration_ms,
    exit_status
});
