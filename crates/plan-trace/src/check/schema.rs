//! The table of the format (trace.md): each line's keys in their order. It is written apart from the record types on
//! purpose, so that a slip in one shows against the other.

use crate::record::Event;

/// A key of a payload.
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) need: Need,
    pub(super) form: Form,
}

/// What stands for a missing value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Need {
    /// There is always a value.
    Always,
    /// The key is left out (`?` in the table).
    LeftOut,
    /// The key is `null` (**null** in the table).
    Null,
}

/// What a value may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Text,
    Count,
    Flag,
    Texts,
    Steps,
    Any,
}

const fn always(name: &'static str, form: Form) -> Key {
    let need = Need::Always;
    Key { name, need, form }
}

const fn left_out(name: &'static str, form: Form) -> Key {
    let need = Need::LeftOut;
    Key { name, need, form }
}

const fn null(name: &'static str, form: Form) -> Key {
    let need = Need::Null;
    Key { name, need, form }
}

/// Returns the payload's keys in their order.
pub(super) fn keys(event: Event) -> &'static [Key] {
    match event {
        Event::SessionStart => SESSION_START,
        Event::TaskStart => TASK_START,
        Event::PlanStart => PLAN_START,
        Event::PlanStepStart => PLAN_STEP_START,
        Event::PlanStep => PLAN_STEP,
        Event::PlanEnd => PLAN_END,
        Event::DelegationStart => DELEGATION_START,
        Event::Delegation => DELEGATION,
        Event::CallDenied => CALL_DENIED,
        Event::ProtectedPathDenied => PROTECTED_PATH_DENIED,
        Event::TaskCanceled => TASK_CANCELED,
        Event::TaskEnd => TASK_END,
        Event::SpawnerEnded => SPAWNER_ENDED,
        Event::SessionEnd => SESSION_END,
    }
}

/// Only the first three are every writer's.
const SESSION_START: &[Key] = &[
    always("capsule_name", Form::Text),
    always("capsule_version", Form::Text),
    always("model", Form::Text),
    left_out("capabilities", Form::Texts),
    left_out("tools_declared", Form::Texts),
    left_out("containment_declared", Form::Text),
    left_out("containment_achieved", Form::Text),
    left_out("workdir_exec", Form::Flag),
    null("context_id", Form::Text),
    left_out("spawned_by", Form::Text),
    left_out("delegation_id", Form::Text),
    left_out("bounding_achieved", Form::Text),
];

const TASK_START: &[Key] = &[
    always("task_id", Form::Text),
    always("context_id", Form::Text),
    always("source", Form::Text),
    always("origin", Form::Text),
    always("trust", Form::Text),
    always("lane", Form::Text),
    always("message_parts_bytes", Form::Count),
];

const PLAN_START: &[Key] = &[
    always("plan_id", Form::Text),
    always("step_count", Form::Count),
    always("steps", Form::Steps),
];

const PLAN_STEP_START: &[Key] = &[
    always("plan_id", Form::Text),
    always("step_id", Form::Text),
    always("kind", Form::Text),
    always("depends_on", Form::Texts),
];

const PLAN_STEP: &[Key] = &[
    always("plan_id", Form::Text),
    always("step_id", Form::Text),
    always("kind", Form::Text),
    always("status", Form::Text),
    always("attempts", Form::Count),
    always("duration_ms", Form::Count),
    left_out("error", Form::Text),
    left_out("input", Form::Any),
    left_out("state_effect", Form::Text),
    left_out("resource_id", Form::Text),
];

const PLAN_END: &[Key] = &[
    always("plan_id", Form::Text),
    always("outcome", Form::Text),
    left_out("failed_step", Form::Text),
    always("steps_total", Form::Count),
    always("steps_succeeded", Form::Count),
    always("steps_failed", Form::Count),
    always("steps_skipped", Form::Count),
    always("duration_ms", Form::Count),
    left_out("reason", Form::Text),
];

const DELEGATION_START: &[Key] = &[
    always("delegation_id", Form::Text),
    always("capsule", Form::Text),
    always("version", Form::Text),
    always("child_session_id", Form::Text),
    always("child_workdir", Form::Text),
    always("child_records_dir", Form::Text),
];

const DELEGATION: &[Key] = &[
    always("capsule", Form::Text),
    always("version", Form::Text),
    null("delegation_id", Form::Text),
    null("child_session_id", Form::Text),
    always("duration_ms", Form::Count),
    always("outcome", Form::Text),
    null("reason", Form::Text),
];

const CALL_DENIED: &[Key] = &[
    always("turn", Form::Count),
    always("event", Form::Text),
    always("hook_name", Form::Text),
    always("target", Form::Text),
    always("reason", Form::Text),
];

const PROTECTED_PATH_DENIED: &[Key] = &[
    always("turn", Form::Count),
    always("call", Form::Text),
    always("target", Form::Text),
    always("path", Form::Text),
    always("rule", Form::Text),
    always("signal", Form::Text),
    always("reason", Form::Text),
];

const TASK_CANCELED: &[Key] = &[
    always("task_id", Form::Text),
    left_out("turn", Form::Count),
    always("phase", Form::Text),
    always("detached_work_ids", Form::Texts),
    always("delegation_ids", Form::Texts),
];

const TASK_END: &[Key] = &[
    always("task_id", Form::Text),
    always("exit_status", Form::Text),
    always("duration_ms", Form::Count),
    always("turns", Form::Count),
    always("input_tokens", Form::Count),
    always("output_tokens", Form::Count),
    always("tool_calls", Form::Count),
    always("shell_calls", Form::Count),
    always("reopen_count", Form::Count),
];

const SPAWNER_ENDED: &[Key] = &[
    left_out("spawned_by", Form::Text),
    left_out("delegation_id", Form::Text),
];

const SESSION_END: &[Key] = &[
    always("total_turns", Form::Count),
    always("total_input_tokens", Form::Count),
    always("total_output_tokens", Form::Count),
    always("total_tool_calls", Form::Count),
    always("total_shell_calls", Form::Count),
    always("duration_ms", Form::Count),
    always("exit_status", Form::Text),
];

/// The keys of one of the `steps` of a `plan_start`.
pub(super) const STEP: &[Key] = &[
    always("step_id", Form::Text),
    always("kind", Form::Text),
    always("depends_on", Form::Texts),
    always("has_condition", Form::Flag),
];
