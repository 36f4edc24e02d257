//! Every record as the line it is written as.

use plan_trace::{
    Appender, CallKind, DelegationOutcome, EventId, ExitStatus, HookEvent, Json, PlanOutcome,
    Record, SessionId, StepKind, StepStatus,
    record::{
        CallDenied, Delegation, DelegationStart, PlanEnd, PlanStart, PlanStep, PlanStepStart,
        PlannedStep, ProtectedPathDenied, SessionEnd, SessionStart, SpawnerEnded, Steps,
        TaskCanceled, TaskEnd, TaskStart,
    },
};

/// Returns the line of `record` beneath a session, ids and times masked.
fn line<'a>(record: impl Into<Record<'a>>) -> String {
    let record = record.into();
    let session = SessionId::new(1_700_000_000_000);
    let node = EventId::parse("evt_019ada5ded217ad2bcbbc20b71967896").unwrap();
    let mut written = Vec::new();
    let (id, parent) = if matches!(record, Record::SessionStart(_)) {
        let id = Appender::new(&mut written, session)
            .append(1_700_000_000_001, None, &record)
            .unwrap();
        (id, "null".to_owned())
    } else {
        let id = Appender::under(&mut written, session, &[node])
            .append(1_700_000_000_001, Some(&node), &record)
            .unwrap();
        (id, format!("\"{node}\""))
    };
    let written = String::from_utf8(written).unwrap();
    let event = record.event().name();
    let common = format!(
        r#"{{"event_type":"{event}","event_id":"{id}","parent_id":{parent},"session_id":"{session}","timestamp":1700000000001"#
    );
    let rest = written
        .strip_prefix(&common)
        .unwrap_or_else(|| panic!("{written}"))
        .strip_suffix("\n")
        .unwrap();
    format!("{{{event}{rest}")
}

/// spec: trace.md, plan_start
#[test]
fn a_plan_start_lists_its_steps_in_file_order() {
    let record = PlanStart {
        plan_id: "p".into(),
        step_count: 2,
        steps: Steps::Listed(vec![
            PlannedStep {
                step_id: "a".into(),
                kind: StepKind::Tool,
                depends_on: vec![],
                has_condition: false,
            },
            PlannedStep {
                step_id: "b".into(),
                kind: StepKind::Unknown,
                depends_on: vec!["a".into()],
                has_condition: true,
            },
        ]),
    };
    insta::assert_snapshot!(line(record), @r#"{plan_start,"plan_id":"p","step_count":2,"steps":[{"step_id":"a","kind":"tool","depends_on":[],"has_condition":false},{"step_id":"b","kind":"unknown","depends_on":["a"],"has_condition":true}]}"#);
}

/// spec: trace.md, plan_start
#[test]
fn streamed_steps_are_written_as_listed_ones_are() {
    let ids: Vec<String> = (0..3).map(|step| format!("s{step}")).collect();
    let source = |each: &mut dyn FnMut(&PlannedStep<'_>)| {
        for id in &ids {
            each(&PlannedStep {
                step_id: id.into(),
                kind: plan_model::Kind::Shell.into(),
                depends_on: vec![],
                has_condition: false,
            });
        }
    };
    let streamed = PlanStart {
        plan_id: "p".into(),
        step_count: 3,
        steps: Steps::Streamed(&source),
    };
    let listed = streamed.clone().into_owned();
    assert_eq!(streamed, listed);
    let text = line(streamed);
    assert_eq!(text, line(listed));
    assert!(
        text.contains(r#"{"step_id":"s2","kind":"shell","#),
        "{text}"
    );
}

/// spec: trace.md, plan_step_start
#[test]
fn a_plan_step_start_line() {
    let record = PlanStepStart {
        plan_id: "p".into(),
        step_id: "b".into(),
        kind: StepKind::Shell,
        depends_on: vec!["a".into(), "c".into()],
    };
    insta::assert_snapshot!(line(record), @r#"{plan_step_start,"plan_id":"p","step_id":"b","kind":"shell","depends_on":["a","c"]}"#);
}

/// spec: trace.md, plan_step: `error`, `input`, `state_effect` and `resource_id` are left out without a value
#[test]
fn a_plan_step_line_without_and_with_its_optional_keys() {
    let bare = PlanStep {
        plan_id: "p".into(),
        step_id: "a".into(),
        kind: StepKind::Shell,
        status: StepStatus::Success,
        attempts: 1,
        duration_ms: 5,
        error: None,
        input: None,
        state_effect: None,
        resource_id: None,
    };
    let full = PlanStep {
        kind: StepKind::Tool,
        status: StepStatus::Failed,
        attempts: 3,
        error: Some("no \"such\"\nfile\u{1}".into()),
        input: Some(Json::new(r#" {"b":1.0,"a":"x  y","n":1e400} "#.trim()).unwrap()),
        state_effect: Some("read".into()),
        resource_id: Some("tests".into()),
        ..bare.clone()
    };
    insta::assert_snapshot!(line(bare), @r#"{plan_step,"plan_id":"p","step_id":"a","kind":"shell","status":"success","attempts":1,"duration_ms":5}"#);
    insta::assert_snapshot!(line(full), @r#"{plan_step,"plan_id":"p","step_id":"a","kind":"tool","status":"failed","attempts":3,"duration_ms":5,"error":"no \"such\"\nfile\u0001","input":{"b":1.0,"a":"x  y","n":1e400},"state_effect":"read","resource_id":"tests"}"#);
}

/// spec: trace.md, plan_end
#[test]
fn a_plan_end_line_without_and_with_its_optional_keys() {
    let bare = PlanEnd {
        plan_id: "p".into(),
        outcome: PlanOutcome::Completed,
        failed_step: None,
        steps_total: 4,
        steps_succeeded: 2,
        steps_failed: 1,
        steps_skipped: 1,
        duration_ms: 9,
        reason: None,
    };
    let full = PlanEnd {
        outcome: PlanOutcome::Failed,
        failed_step: Some("plan".into()),
        reason: Some("no scope".into()),
        ..bare.clone()
    };
    insta::assert_snapshot!(line(bare), @r#"{plan_end,"plan_id":"p","outcome":"completed","steps_total":4,"steps_succeeded":2,"steps_failed":1,"steps_skipped":1,"duration_ms":9}"#);
    insta::assert_snapshot!(line(full), @r#"{plan_end,"plan_id":"p","outcome":"failed","failed_step":"plan","steps_total":4,"steps_succeeded":2,"steps_failed":1,"steps_skipped":1,"duration_ms":9,"reason":"no scope"}"#);
}

/// spec: trace.md, delegation_start
#[test]
fn a_delegation_start_line() {
    let record = DelegationStart {
        delegation_id: "dlg_1".into(),
        capsule: "local/worker".into(),
        version: "0.1.0".into(),
        child_session_id: "ses_1".into(),
        child_workdir: "/w".into(),
        child_records_dir: "/r".into(),
    };
    insta::assert_snapshot!(line(record), @r#"{delegation_start,"delegation_id":"dlg_1","capsule":"local/worker","version":"0.1.0","child_session_id":"ses_1","child_workdir":"/w","child_records_dir":"/r"}"#);
}

/// spec: trace.md, delegation: ids and reason are `null` without a value
#[test]
fn a_delegation_line_writes_null_for_what_it_has_not() {
    let refused = Delegation {
        capsule: "local/worker".into(),
        version: "0.1.0".into(),
        delegation_id: None,
        child_session_id: None,
        duration_ms: 3,
        outcome: DelegationOutcome::Refused,
        reason: Some("not granted".into()),
    };
    let completed = Delegation {
        delegation_id: Some("dlg_1".into()),
        child_session_id: Some("ses_1".into()),
        outcome: DelegationOutcome::Completed,
        reason: None,
        ..refused.clone()
    };
    insta::assert_snapshot!(line(refused), @r#"{delegation,"capsule":"local/worker","version":"0.1.0","delegation_id":null,"child_session_id":null,"duration_ms":3,"outcome":"refused","reason":"not granted"}"#);
    insta::assert_snapshot!(line(completed), @r#"{delegation,"capsule":"local/worker","version":"0.1.0","delegation_id":"dlg_1","child_session_id":"ses_1","duration_ms":3,"outcome":"completed","reason":null}"#);
}

/// spec: trace.md, call_denied and protected_path_denied
#[test]
fn the_lines_of_a_refused_call() {
    let hook = CallDenied {
        turn: 0,
        event: HookEvent::OnToolCall,
        hook_name: "policy".into(),
        target: "notes".into(),
        reason: "not today".into(),
    };
    let path = ProtectedPathDenied {
        turn: 1,
        call: CallKind::Shell,
        target: "/usr/bin/rm".into(),
        path: "tests/a".into(),
        rule: "tests".into(),
        signal: "write-target argument of 'rm'".into(),
        reason: "it is read-only".into(),
    };
    insta::assert_snapshot!(line(hook), @r#"{call_denied,"turn":0,"event":"on-tool-call","hook_name":"policy","target":"notes","reason":"not today"}"#);
    insta::assert_snapshot!(line(path), @r#"{protected_path_denied,"turn":1,"call":"shell","target":"/usr/bin/rm","path":"tests/a","rule":"tests","signal":"write-target argument of 'rm'","reason":"it is read-only"}"#);
}

/// spec: trace.md, task_start, task_canceled and task_end
#[test]
fn the_lines_of_a_task() {
    let start = TaskStart {
        task_id: "tsk_1".into(),
        context_id: "ctx_1".into(),
        source: "task_md".into(),
        origin: "user".into(),
        trust: "trusted".into(),
        lane: "user".into(),
        message_parts_bytes: 12,
    };
    let canceled = TaskCanceled {
        task_id: "tsk_1".into(),
        turn: None,
        phase: "plan".into(),
        detached_work_ids: vec![],
        delegation_ids: vec!["dlg_1".into()],
    };
    let canceled_in_turn = TaskCanceled {
        turn: Some(2),
        ..canceled.clone()
    };
    let end = TaskEnd {
        task_id: "tsk_1".into(),
        exit_status: ExitStatus::Canceled,
        duration_ms: 7,
        turns: 1,
        input_tokens: 2,
        output_tokens: 3,
        tool_calls: 4,
        shell_calls: 5,
        reopen_count: 6,
    };
    insta::assert_snapshot!(line(start), @r#"{task_start,"task_id":"tsk_1","context_id":"ctx_1","source":"task_md","origin":"user","trust":"trusted","lane":"user","message_parts_bytes":12}"#);
    insta::assert_snapshot!(line(canceled), @r#"{task_canceled,"task_id":"tsk_1","phase":"plan","detached_work_ids":[],"delegation_ids":["dlg_1"]}"#);
    insta::assert_snapshot!(line(canceled_in_turn), @r#"{task_canceled,"task_id":"tsk_1","turn":2,"phase":"plan","detached_work_ids":[],"delegation_ids":["dlg_1"]}"#);
    insta::assert_snapshot!(line(end), @r#"{task_end,"task_id":"tsk_1","exit_status":"canceled","duration_ms":7,"turns":1,"input_tokens":2,"output_tokens":3,"tool_calls":4,"shell_calls":5,"reopen_count":6}"#);
}

/// spec: trace.md, session_start, spawner_ended and session_end
#[test]
fn the_lines_of_a_session() {
    let start = SessionStart {
        capsule_name: "demo".into(),
        capsule_version: "0.1.0".into(),
        capabilities: vec!["shell".into()],
        tools_declared: vec!["notes".into(), "submit-plan".into()],
        containment_declared: "advisory".into(),
        containment_achieved: "scoped".into(),
        ..SessionStart::default()
    };
    let spawned = SessionStart {
        context_id: Some("ctx_1".into()),
        spawned_by: Some("ses_1".into()),
        delegation_id: Some("dlg_1".into()),
        bounding_achieved: Some("cgroup".into()),
        ..start.clone()
    };
    let end = SessionEnd {
        total_turns: 1,
        total_input_tokens: 2,
        total_output_tokens: 3,
        total_tool_calls: 4,
        total_shell_calls: 5,
        duration_ms: 6,
        exit_status: ExitStatus::Ok,
    };
    insta::assert_snapshot!(line(start), @r#"{session_start,"capsule_name":"demo","capsule_version":"0.1.0","model":"","capabilities":["shell"],"tools_declared":["notes","submit-plan"],"containment_declared":"advisory","containment_achieved":"scoped","workdir_exec":false,"context_id":null}"#);
    insta::assert_snapshot!(line(spawned), @r#"{session_start,"capsule_name":"demo","capsule_version":"0.1.0","model":"","capabilities":["shell"],"tools_declared":["notes","submit-plan"],"containment_declared":"advisory","containment_achieved":"scoped","workdir_exec":false,"context_id":"ctx_1","spawned_by":"ses_1","delegation_id":"dlg_1","bounding_achieved":"cgroup"}"#);
    insta::assert_snapshot!(line(SpawnerEnded::default()), @"{spawner_ended}");
    insta::assert_snapshot!(line(SpawnerEnded { spawned_by: None, delegation_id: Some("dlg_1".into()) }), @r#"{spawner_ended,"delegation_id":"dlg_1"}"#);
    insta::assert_snapshot!(line(end), @r#"{session_end,"total_turns":1,"total_input_tokens":2,"total_output_tokens":3,"total_tool_calls":4,"total_shell_calls":5,"duration_ms":6,"exit_status":"ok"}"#);
}
