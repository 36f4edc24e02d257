//! A whole embedding: a runtime of its own tools, calling `submit-plan` as a model would.
//!
//! Run with `cargo run --example embed --package mur-plan`.

use std::{fs::File, num::NonZeroUsize, os::fd::OwnedFd, sync::Arc};

use mur_plan::{
    Executors, FileTrace, NoExecutor, PlanTool, Session, TraceNodes,
    plan_exec::{
        BoxFuture, CancelHandle, NothingStarted, Outcome, ToolCall, ToolExecutor, Verdict,
    },
    plan_model::Grants,
    plan_sched::Limits,
    plan_trace::{Appender, SessionId},
};

/// The runtime's own tools: here one, `echo`, which answers with its input.
struct Tools;

impl ToolExecutor for Tools {
    fn run(&self, call: ToolCall) -> BoxFuture<'_, Outcome> {
        Box::pin(async move {
            Outcome {
                verdict: Verdict::Passed,
                output: Some(call.input.to_string()),
                state_effect: None,
                resource_id: None,
            }
        })
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = tempfile::tempdir()?;
    // Its start in unix milliseconds: a runtime asks its clock, so that sessions sort by time.
    let session_id = SessionId::new(1_796_083_200_000);
    let trace = Appender::open(folder.path().join("trace.jsonl"), session_id)?;
    let session = Session {
        plan_submit: true,
        grants: Grants {
            tools: vec!["echo".to_owned()],
            shell_allow: Vec::new(),
        },
        executors: Executors {
            tool: Arc::new(Tools),
            shell: Arc::new(NoExecutor),
            capsule: Arc::new(NoExecutor),
            gate: None,
            bounds: Arc::new(NothingStarted),
        },
        limits: Limits {
            shell: NonZeroUsize::MIN,
            capsule: NonZeroUsize::MIN,
        },
        trace: Arc::new(FileTrace::new(trace)),
        progress: None,
    };
    let runtime_dir = OwnedFd::from(File::open(folder.path())?);
    let tool = PlanTool::new(session, &runtime_dir)?;

    // The handle belongs to whatever can cancel the task; here nobody does.
    let (_handle, cancel) = CancelHandle::new();
    let arguments = r#"{"plan": {"id": "hello", "steps": [
        {"id": "a", "tool": "echo", "input": "hi"},
        {"id": "b", "tool": "echo", "input": {"heard": "$a.output"}, "depends_on": ["a"]}
    ]}}"#;
    let result = tool.submit(arguments, TraceNodes::default(), cancel).await;
    assert_eq!(
        result.summary,
        "Plan 'hello': 2 steps, 2 succeeded, 0 failed, 0 skipped"
    );
    for warning in &result.warnings {
        tracing::warn!(%warning);
    }
    serde_json::to_writer_pretty(std::io::stdout(), &result.report)?;
    Ok(())
}
