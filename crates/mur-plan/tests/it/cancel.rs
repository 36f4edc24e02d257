//! What a cancel, a kill and a stop do to what runs and to what does not, with scripted executors under paused time.

use std::{sync::Arc, time::Duration};

use mur_plan::{
    TraceNodes,
    plan_exec::{Cancel, CancelHandle},
};

use crate::world::{Act, Guard, Memory, Script, World, brief, fail};

const SECOND: Duration = Duration::from_secs(1);

/// spec: When the task is cancelled. What runs settles with its own result, the rest is skipped.
#[tokio::test(start_paused = true)]
async fn a_cancel_lets_commands_finish_and_ends_sub_capsules() {
    let script = Script::new([
        ("run", vec![Act::Pass("done", SECOND)]),
        ("bad", vec![Act::Fail("four", SECOND * 2)]),
        ("child", vec![Act::Child]),
    ]);
    let world = World::new(&script);
    let (handle, cancel) = CancelHandle::new();
    let plan = r#"{"id": "p", "steps": [
        {"id": "run", "shell": "true"},
        {"id": "bad", "shell": "true", "on_error": "skip", "retries": 5},
        {"id": "child", "capsule": "worker", "input": "work"},
        {"id": "next", "shell": "true", "depends_on": ["run"]}
    ]}"#;
    let (result, ()) = tokio::join!(
        world.tool.run(plan.into(), TraceNodes::default(), cancel),
        async {
            tokio::time::sleep(SECOND / 2).await;
            handle.cancel();
        }
    );
    insta::assert_snapshot!(brief(&result), @r#"
        Failed: Plan 'p' was cancelled: 4 steps, 1 succeeded, 2 failed, 1 skipped
        next skipped x0 None Some("the task running this plan was cancelled before this step ran")
        child failed x1 None Some("the task running this plan was cancelled; this step's sub-capsule was ended with it")
        run success x1 Some("done") None
        bad failed x1 None Some("four")
        "#);
    insta::assert_debug_snapshot!(result.ended_delegations, @r#"
        [
            EndedDelegation {
                delegation_id: "dlg_child",
                capsule: "local/worker",
                version: "0.1.0",
                child_session_id: "ses_child",
                duration_ms: 1,
            },
        ]
        "#);
    insta::assert_snapshot!(world.trace.text(), @r#"
        plan_start plan_id="p" step_count=4 steps=[{"depends_on":[],"has_condition":false,"kind":"shell","step_id":"run"},{"depends_on":[],"has_condition":false,"kind":"shell","step_id":"bad"},{"depends_on":[],"has_condition":false,"kind":"capsule","step_id":"child"},{"depends_on":["run"],"has_condition":false,"kind":"shell","step_id":"next"}]
        plan_step_start depends_on=[] kind="shell" plan_id="p" step_id="run"
        plan_step_start depends_on=[] kind="shell" plan_id="p" step_id="bad"
        plan_step_start depends_on=[] kind="capsule" plan_id="p" step_id="child"
        delegation_start capsule="local/worker" child_records_dir="/r" child_session_id="ses_child" child_workdir="/w" delegation_id="dlg_child" version="0.1.0"
        plan_step attempts=0 error="the task running this plan was cancelled before this step ran" kind="shell" plan_id="p" status="skipped" step_id="next"
        plan_step attempts=1 error="the task running this plan was cancelled; this step's sub-capsule was ended with it" kind="capsule" plan_id="p" status="failed" step_id="child"
        plan_step attempts=1 kind="shell" plan_id="p" status="success" step_id="run"
        plan_step attempts=1 error="four" kind="shell" plan_id="p" status="failed" step_id="bad"
        plan_end outcome="canceled" plan_id="p" reason="the task running this plan was cancelled" steps_failed=2 steps_skipped=1 steps_succeeded=1 steps_total=4
        "#);
}

/// ruling 27. The first cause wins: a plan a step has stopped stays failed, and its sub-capsules are ended.
#[tokio::test(start_paused = true)]
async fn a_cancel_after_a_stop_ends_sub_capsules_and_changes_no_outcome() {
    let script = Script::new([("boom", vec![fail("no")]), ("child", vec![Act::Child])]);
    let world = World::new(&script);
    let (handle, cancel) = CancelHandle::new();
    let plan = r#"{"id": "p", "steps": [
        {"id": "child", "capsule": "worker", "input": "work"},
        {"id": "boom", "shell": "true"}
    ]}"#;
    let (result, ()) = tokio::join!(
        world.tool.run(plan.into(), TraceNodes::default(), cancel),
        async {
            tokio::time::sleep(SECOND).await;
            handle.cancel();
        }
    );
    assert!(!result.report.canceled);
    assert_eq!(result.report.failed_step.as_deref(), Some("boom"));
    assert_eq!(result.ended_delegations.len(), 1);
}

/// ruling 27. A second signal kills what runs; an executor that ignores it is dropped.
#[tokio::test(start_paused = true)]
async fn a_kill_settles_everything_as_failed_and_the_report_still_comes() {
    let script = Script::new([("obeys", vec![Act::UntilKilled]), ("deaf", vec![Act::Hang])]);
    let world = World::new(&script);
    let (handle, cancel) = CancelHandle::new();
    let plan = r#"{"id": "p", "steps": [{"id": "obeys", "shell": "true"}, {"id": "deaf", "tool": "t"},
        {"id": "never", "tool": "t"}]}"#;
    let (result, ()) = tokio::join!(
        world.tool.run(plan.into(), TraceNodes::default(), cancel),
        async {
            tokio::time::sleep(SECOND).await;
            handle.cancel();
            tokio::time::sleep(SECOND).await;
            handle.kill();
        }
    );
    insta::assert_snapshot!(brief(&result), @r#"
        Failed: Plan 'p' was cancelled: 3 steps, 0 succeeded, 2 failed, 1 skipped
        never skipped x0 None Some("the task running this plan was cancelled before this step ran")
        obeys failed x1 None Some("killed")
        deaf failed x1 None Some("killed: it did not end when everything was to be killed")
        "#);
}

/// spec: When the task is cancelled. A step still being asked about was never dispatched.
#[tokio::test(start_paused = true)]
async fn a_cancel_does_not_wait_for_a_gate_that_hangs() {
    let script = Script::new([]);
    let world = World::with(&script, Memory::new(usize::MAX), |session| {
        session.executors.gate = Some(Arc::new(Guard));
    });
    let (handle, cancel) = CancelHandle::new();
    let plan = r#"{"id": "p", "steps": [{"id": "a", "shell": "sh slow"}]}"#;
    let begun = tokio::time::Instant::now();
    let (result, ()) = tokio::join!(
        world.tool.run(plan.into(), TraceNodes::default(), cancel),
        async {
            tokio::time::sleep(SECOND).await;
            handle.cancel();
        }
    );
    insta::assert_snapshot!(brief(&result), @r#"
        Failed: Plan 'p' was cancelled: 1 steps, 0 succeeded, 0 failed, 1 skipped
        a skipped x0 None Some("the task running this plan was cancelled before this step ran")
        "#);
    assert_eq!(begun.elapsed(), SECOND);
}

/// ruling 21. Nor does a plan that has stopped wait for a gate: what it is asked about never runs.
#[tokio::test(start_paused = true)]
async fn a_stopped_plan_does_not_wait_for_a_gate_that_hangs() {
    let script = Script::new([("boom", vec![Act::Fail("no", SECOND)])]);
    let world = World::with(&script, Memory::new(usize::MAX), |session| {
        session.executors.gate = Some(Arc::new(Guard));
    });
    let begun = tokio::time::Instant::now();
    let result = world
        .run(
            r#"{"id": "p", "steps": [{"id": "a", "shell": "sh slow"}, {"id": "boom", "shell": "true"}]}"#,
        )
        .await;
    assert_eq!(
        result.summary,
        "Plan 'p': 1 steps, 0 succeeded, 1 failed, 0 skipped"
    );
    assert_eq!(begun.elapsed(), SECOND);
}

/// spec: In the trace. A million steps that never run do not make a plan deaf to a cancel.
#[tokio::test]
async fn a_cancel_is_noticed_among_steps_that_settle_without_running() {
    let steps = r#"{"id": "s", "tool": "t", "if": "'a' == 'b'"}"#;
    let many = (0..20_000).map(|n| steps.replace("\"s\"", &format!("\"s{n}\"")));
    let plan = format!(
        r#"{{"id": "p", "steps": [{}]}}"#,
        many.collect::<Vec<_>>().join(",")
    );
    let script = Script::new([]);
    let world = World::new(&script);
    let (handle, cancel) = CancelHandle::new();
    handle.cancel();
    let result = world
        .tool
        .run(plan.into_bytes(), TraceNodes::default(), cancel)
        .await;
    assert!(result.report.canceled);
    assert_eq!(result.report.counts().skipped, 20_000);
    assert_eq!(
        result.report.steps[0].error.as_deref(),
        Some("the task running this plan was cancelled before this step ran")
    );
}

/// spec: When the task is cancelled. A cancel that lands when every step has settled changes nothing.
#[tokio::test(start_paused = true)]
async fn a_cancel_that_comes_too_late_changes_nothing() {
    let script = Script::new([]);
    let world = World::new(&script);
    let (handle, cancel) = CancelHandle::new();
    handle.cancel();
    let empty = world
        .tool
        .run(
            br#"{"id":"p","steps":[]}"#.to_vec(),
            TraceNodes::default(),
            cancel,
        )
        .await;
    assert!(empty.report.completed && !empty.report.canceled);
    let never = Cancel::never();
    assert!(
        !world
            .tool
            .run(
                br#"{"id":"p","steps":[]}"#.to_vec(),
                TraceNodes::default(),
                never
            )
            .await
            .report
            .canceled
    );
}
