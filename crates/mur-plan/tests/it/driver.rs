//! The loop that drives a plan, with scripted executors under paused time.

use std::{sync::Arc, time::Duration};

use mur_plan::{
    Progress, ResultStatus, TraceNodes,
    plan_exec::{Cancel, CancelHandle},
};

use crate::world::{Act, Guard, Memory, Script, World, brief, fail, pass};

const SECOND: Duration = Duration::from_secs(1);

/// spec: The report; spec: In the trace. A plan's lines and its report say the same.
#[tokio::test(start_paused = true)]
async fn a_plan_is_run_and_its_trace_tells_the_same_as_its_report() {
    let script = Script::new([("b", vec![fail("no"), pass("yes")])]);
    let world = World::new(&script);
    let result = world
        .run(
            r#"{"id": "p", "steps": [
                {"id": "a", "tool": "t", "input": {"n": 1.50, "b": [ ]}},
                {"id": "b", "shell": "true x", "depends_on": ["a"], "retries": 3},
                {"id": "c", "tool": "t", "depends_on": ["b"], "if": "$b.status != 'success'"}
            ]}"#,
        )
        .await;
    insta::assert_snapshot!(brief(&result), @"");
    insta::assert_snapshot!(script.calls().join("\n"), @"");
    insta::assert_snapshot!(world.trace.text(), @"");
}

/// ruling 19. Shell steps overlap, tool steps do not: two of each take as long as two tools and one command.
#[tokio::test(start_paused = true)]
async fn tools_run_one_at_a_time_while_commands_overlap() {
    let slow = || vec![Act::Pass("x", SECOND)];
    let script = Script::new([("a", slow()), ("b", slow()), ("c", slow()), ("d", slow())]);
    let world = World::new(&script);
    let begun = tokio::time::Instant::now();
    let result = world
        .run(
            r#"{"id": "p", "steps": [{"id": "a", "tool": "t"}, {"id": "b", "tool": "t"},
                {"id": "c", "shell": "true"}, {"id": "d", "shell": "true"}]}"#,
        )
        .await;
    assert!(result.report.completed);
    assert_eq!(begun.elapsed().as_secs(), 2);
}

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
    insta::assert_snapshot!(brief(&result), @"");
    insta::assert_debug_snapshot!(result.ended_delegations, @"");
    insta::assert_snapshot!(world.trace.text(), @"");
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
    insta::assert_snapshot!(brief(&result), @"");
}

/// trace.md: a run never goes on untraced. Whichever line cannot be written, the run ends with that error.
#[tokio::test(start_paused = true)]
async fn a_trace_that_fails_at_any_line_ends_the_run_with_that_error() {
    let plan = r#"{"id": "p", "steps": [{"id": "a", "tool": "t"}, {"id": "b", "shell": "true"},
        {"id": "c", "tool": "t", "depends_on": ["a", "b"]}]}"#;
    // plan_start, three pairs, plan_end.
    for fails_at in 1..=8 {
        let script = Script::new([("b", vec![Act::UntilKilled])]);
        let world = World::with(&script, Memory::new(fails_at), |_| {});
        let (handle, cancel) = CancelHandle::new();
        let (result, ()) = tokio::join!(
            world.tool.run(plan.into(), TraceNodes::default(), cancel),
            async {
                // Lets the last lines be reached: `b` ends only when it is killed.
                tokio::time::sleep(SECOND).await;
                handle.kill();
            }
        );
        assert_eq!(
            result.status,
            ResultStatus::Error,
            "line {fails_at}: {result:?}"
        );
        assert!(!result.report.completed);
        let last = result.report.steps.last().unwrap();
        assert_eq!(last.step_id, "plan");
        assert_eq!(
            last.error.as_deref(),
            Some("cannot write the trace: no space left on device")
        );
        let begun = script
            .calls()
            .iter()
            .filter(|call| call.starts_with('c'))
            .count();
        assert_eq!(
            begun, 0,
            "nothing is dispatched after line {fails_at} failed"
        );
        assert_eq!(result.refused, fails_at == 1, "line {fails_at}");
    }
}

/// ruling 22; spec: What a plan may reach. A refused step never runs, is not retried, and is recorded.
#[tokio::test(start_paused = true)]
async fn a_refusal_fails_the_step_and_is_recorded() {
    let script = Script::new([]);
    let trace = Memory::new(usize::MAX);
    let world = World::with(&script, trace, |session| {
        session.executors.gate = Some(Arc::new(Guard));
    });
    let result = world
        .run(
            r#"{"id": "p", "steps": [
                {"id": "a", "shell": "sh forbidden", "retries": 2, "on_error": "continue"},
                {"id": "b", "tool": "t", "input": "forbidden", "on_error": "skip"},
                {"id": "c", "capsule": "worker", "input": "forbidden"},
                {"id": "d", "shell": "true", "depends_on": ["a", "b", "c"]}
            ]}"#,
        )
        .await;
    insta::assert_snapshot!(brief(&result), @"");
    insta::assert_snapshot!(world.trace.text(), @"");
    assert_eq!(
        script.calls(),
        ["c#1 forbidden", "d#1 true", "plan 1 ended"]
    );
}

/// decision: a gate that breaks before it answers refuses.
#[tokio::test(start_paused = true)]
async fn a_gate_that_breaks_refuses() {
    let script = Script::new([]);
    let world = World::with(&script, Memory::new(usize::MAX), |session| {
        session.executors.gate = Some(Arc::new(Guard));
    });
    let result = world
        .run(r#"{"id": "p", "steps": [{"id": "a", "shell": "sh broken"}]}"#)
        .await;
    insta::assert_snapshot!(brief(&result), @"");
    assert_eq!(script.calls(), ["plan 1 ended"]);
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
    insta::assert_snapshot!(brief(&result), @"");
    assert_eq!(begun.elapsed(), SECOND);
}

/// decision: an executor that panics fails its step; the plan and its report live on.
#[tokio::test(start_paused = true)]
async fn an_executor_that_panics_fails_its_step_alone() {
    let script = Script::new([
        ("a", vec![Act::Panic, pass("second try")]),
        ("b", vec![Act::Panic]),
    ]);
    let world = World::new(&script);
    let result = world
        .run(
            r#"{"id": "p", "steps": [{"id": "a", "tool": "t", "retries": 1},
                {"id": "b", "shell": "true", "on_error": "skip"}]}"#,
        )
        .await;
    insta::assert_snapshot!(brief(&result), @"");
}

/// decision: whoever watches is told what happens in order, and may stop watching.
#[tokio::test(start_paused = true)]
async fn a_watcher_hears_every_step_start_and_settle() {
    let script = Script::new([("a", vec![fail("no"), pass("yes")])]);
    let (sender, mut events) = tokio::sync::mpsc::unbounded_channel();
    let world = World::with(&script, Memory::new(usize::MAX), |session| {
        session.progress = Some(sender);
    });
    let plan = r#"{"id": "p", "steps": [{"id": "a", "tool": "t", "retries": 1},
        {"id": "b", "tool": "t", "if": "'a' == 'b'"}]}"#;
    world.run(plan).await;
    let mut heard = Vec::new();
    while let Ok(event) = events.try_recv() {
        heard.push(match event {
            Progress::PlanStarted { steps } => format!("plan of {steps}"),
            Progress::StepStarted { id, attempt, .. } => format!("start {id} #{attempt}"),
            Progress::StepSettled { id, status, .. } => format!("settled {id} {}", status.name()),
            Progress::Counts { settled, .. } => format!("{settled} settled"),
            Progress::Cancelled => "cancelled".to_owned(),
            Progress::Finished => "finished".to_owned(),
        });
    }
    insta::assert_snapshot!(heard.join("\n"), @"");
    drop(events);
    assert!(world.run(plan).await.report.completed);
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
