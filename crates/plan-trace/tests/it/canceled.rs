//! The lines that the owner of a cancelled task writes.

use plan_trace::{
    Appender, EndedDelegation, Hanging, Record, SessionId, canceled_task, check::check, record,
};

const NOW: u64 = 1_764_600_000_000;

/// spec: When the task is cancelled: `task_canceled` names the delegations, then each gets its line, and the whole
/// is a trace that keeps every rule.
#[test]
fn a_cancelled_task_names_its_delegations_and_ends_them() {
    let ended = ["dlg_1", "dlg_2"].map(|id| EndedDelegation {
        delegation_id: id.into(),
        capsule: "local/worker".into(),
        version: "0.1.0".into(),
        child_session_id: "ses_child".into(),
        duration_ms: 7,
    });
    let mut written = Vec::new();
    let mut trace = Appender::new(&mut written, SessionId::new(NOW));
    let start = record::SessionStart::default();
    let session = trace.append(NOW, None, &start.into()).unwrap();
    let task = record::TaskStart {
        task_id: "tsk_1".into(),
        context_id: "ctx_1".into(),
        source: "task_md".into(),
        origin: "user".into(),
        trust: "trusted".into(),
        lane: "user".into(),
        message_parts_bytes: 1,
    };
    let task = trace.append(NOW, Some(&session), &task.into()).unwrap();
    let mut append = |parent, record: &Record<'_>| trace.append(NOW, Some(parent), record).unwrap();
    for one in &ended {
        let start = record::DelegationStart {
            delegation_id: one.delegation_id.as_str().into(),
            capsule: "local/worker".into(),
            version: "0.1.0".into(),
            child_session_id: "ses_child".into(),
            child_workdir: "/w".into(),
            child_records_dir: "/r".into(),
        };
        append(&session, &start.into());
    }
    for (hanging, line) in canceled_task("tsk_1".into(), None, &ended) {
        let parent = match hanging {
            Hanging::Task => &task,
            Hanging::Session => &session,
        };
        append(parent, &line);
    }
    let end = record::TaskEnd {
        task_id: "tsk_1".into(),
        exit_status: plan_trace::ExitStatus::Canceled,
        duration_ms: 1,
        turns: 0,
        input_tokens: 0,
        output_tokens: 0,
        tool_calls: 0,
        shell_calls: 0,
        reopen_count: 0,
    };
    append(&task, &end.into());
    let end = record::SessionEnd {
        total_turns: 0,
        total_input_tokens: 0,
        total_output_tokens: 0,
        total_tool_calls: 0,
        total_shell_calls: 0,
        duration_ms: 1,
        exit_status: plan_trace::ExitStatus::Canceled,
    };
    append(&session, &end.into());
    let text = String::from_utf8(written).unwrap();
    let broken: Vec<_> = check(&text).iter().map(ToString::to_string).collect();
    assert_eq!(broken, [""; 0], "{text}");
    let own: Vec<_> = text
        .lines()
        .skip(4)
        .take(3)
        .map(|line| line.split_once("\"timestamp\":1764600000000,").unwrap().1)
        .collect();
    insta::assert_snapshot!(own.join("\n"), @r#"
    "task_id":"tsk_1","phase":"plan","detached_work_ids":[],"delegation_ids":["dlg_1","dlg_2"]}
    "capsule":"local/worker","version":"0.1.0","delegation_id":"dlg_1","child_session_id":"ses_child","duration_ms":7,"outcome":"terminated","reason":"the delegating task was cancelled"}
    "capsule":"local/worker","version":"0.1.0","delegation_id":"dlg_2","child_session_id":"ses_child","duration_ms":7,"outcome":"terminated","reason":"the delegating task was cancelled"}
    "#);
}
