//! The lines that frame a plan in the command's own trace: session and task, start and end.

use std::{sync::Arc, time::Instant};

use plan_exec::{Bounding, Holds};
use plan_trace::{
    Appender, EventId, ExitStatus, Hanging, Record, SessionId, Text, canceled_task, id, record,
};

use super::manifest::Manifest;
use crate::{
    clock::now_ms,
    result::{Dispatches, EndedDelegation, PlanResult, ResultStatus},
    sink::{FileTrace, TraceFailed, TraceSink},
    submit::TraceNodes,
};

/// An open frame.
pub(crate) struct Frame {
    trace: Arc<FileTrace>,
    session: EventId,
    task: EventId,
    task_id: String,
    context_id: String,
    started: Instant,
}

impl Frame {
    /// Writes `session_start` and `task_start`. `task_bytes` is the size of what the session was asked to do.
    pub(crate) fn open(
        appender: Appender<std::fs::File>,
        manifest: &Manifest,
        bounding: Bounding,
        holds: &Holds,
        task_bytes: usize,
    ) -> Result<Self, TraceFailed> {
        let trace = Arc::new(FileTrace::new(appender));
        let context_id = id("ctx_", now_ms());
        let task_id = id("tsk_", now_ms());
        let start = Record::SessionStart(record::SessionStart {
            capsule_name: manifest.name.as_str().into(),
            capsule_version: manifest.version.as_str().into(),
            model: "".into(),
            capabilities: capabilities(manifest).map(Text::from).collect(),
            tools_declared: manifest
                .tools
                .iter()
                .map(|tool| Text::from(&tool.name))
                .collect(),
            containment_declared: bounding.name().into(),
            containment_achieved: holds.containment().into(),
            workdir_exec: true,
            context_id: Some(context_id.as_str().into()),
            spawned_by: None,
            delegation_id: None,
            bounding_achieved: Some(holds.bounding().into()),
        });
        let session = trace.append(None, &start)?;
        let start = Record::TaskStart(record::TaskStart {
            task_id: task_id.as_str().into(),
            context_id: context_id.as_str().into(),
            source: "task_md".into(),
            origin: "user".into(),
            trust: "trusted".into(),
            lane: "user".into(),
            message_parts_bytes: task_bytes as u64,
        });
        let task = trace.append(Some(&session), &start)?;
        Ok(Self {
            trace,
            session,
            task,
            task_id,
            context_id,
            started: Instant::now(),
        })
    }

    /// Returns where the plan's lines go.
    pub(crate) fn trace(&self) -> Arc<FileTrace> {
        Arc::clone(&self.trace)
    }

    /// Returns the conversation the plan runs in.
    pub(crate) fn context_id(&self) -> &str {
        &self.context_id
    }

    /// Returns what the plan's lines hang off.
    pub(crate) fn nodes(&self) -> TraceNodes {
        TraceNodes {
            session: Some(self.session),
            caller: Some(self.task),
            turn: 0,
        }
    }

    /// Writes what a cancel left to the task, then `task_end` and `session_end`.
    pub(crate) fn close(self, result: &PlanResult) -> Result<(), TraceFailed> {
        if result.report.canceled {
            self.canceled(&result.ended_delegations)?;
        }
        let exit_status = match result.status {
            ResultStatus::Passed => ExitStatus::Ok,
            ResultStatus::Failed if result.report.canceled => ExitStatus::Canceled,
            ResultStatus::Failed | ResultStatus::Error => ExitStatus::Failed,
        };
        self.end(&exit_status, result.dispatches)
    }

    /// Writes `task_end` and `session_end` of a session that could not run its plan.
    pub(crate) fn close_unrun(self) -> Result<(), TraceFailed> {
        self.end(&ExitStatus::Failed, Dispatches::default())
    }

    fn end(&self, exit_status: &ExitStatus<'_>, dispatches: Dispatches) -> Result<(), TraceFailed> {
        let duration_ms = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let end = Record::TaskEnd(record::TaskEnd {
            task_id: self.task_id.as_str().into(),
            exit_status: exit_status.clone(),
            duration_ms,
            turns: 0,
            input_tokens: 0,
            output_tokens: 0,
            tool_calls: dispatches.tool,
            shell_calls: dispatches.shell,
            reopen_count: 0,
        });
        self.trace.append(Some(&self.task), &end)?;
        let end = Record::SessionEnd(record::SessionEnd {
            total_turns: 0,
            total_input_tokens: 0,
            total_output_tokens: 0,
            total_tool_calls: dispatches.tool,
            total_shell_calls: dispatches.shell,
            duration_ms,
            exit_status: exit_status.clone(),
        });
        self.trace.append(Some(&self.session), &end)?;
        self.trace.ensure_kept()
    }

    /// The task owns these lines: they come after `plan_end` (spec: When the task is cancelled).
    fn canceled(&self, ended: &[EndedDelegation]) -> Result<(), TraceFailed> {
        let ended: Vec<_> = ended.iter().map(EndedDelegation::in_trace).collect();
        for (hanging, line) in canceled_task(self.task_id.as_str().into(), None, &ended) {
            let parent = match hanging {
                Hanging::Task => &self.task,
                Hanging::Session => &self.session,
            };
            self.trace.append(Some(parent), &line)?;
        }
        Ok(())
    }
}

/// Names a session's trace, and with it its folders.
pub(crate) fn new_session() -> SessionId {
    SessionId::new(now_ms())
}

fn capabilities(manifest: &Manifest) -> impl Iterator<Item = &'static str> {
    let granted = [
        ("plan", manifest.plan_submit),
        ("shell", !manifest.shell.allow.is_empty()),
        ("spawn", !manifest.spawn_allow.is_empty()),
    ];
    granted
        .into_iter()
        .filter(|(_, is_granted)| *is_granted)
        .map(|(name, _)| name)
}
