//! The loop that drives a plan, with scripted executors under paused time.

use std::{sync::Arc, time::Duration};

use mur_plan::{Progress, ResultStatus, TraceNodes, plan_exec::CancelHandle};

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
    insta::assert_snapshot!(brief(&result), @r#"
        Passed: Plan 'p': 3 steps, 2 succeeded, 0 failed, 1 skipped
        a success x1 Some("{\"n\":1.50,\"b\":[]}") None
        b success x2 Some("yes") None
        c skipped x0 None None
        "#);
    insta::assert_snapshot!(script.calls().join("\n"), @r#"
        a#1 {"n":1.50,"b":[]}
        b#1 true x
        b#2 true x
        plan 1 ended
        "#);
    insta::assert_snapshot!(world.trace.text(), @r#"
        plan_start plan_id="p" step_count=3 steps=[{"depends_on":[],"has_condition":false,"kind":"tool","step_id":"a"},{"depends_on":["a"],"has_condition":false,"kind":"shell","step_id":"b"},{"depends_on":["b"],"has_condition":true,"kind":"tool","step_id":"c"}]
        plan_step_start depends_on=[] kind="tool" plan_id="p" step_id="a"
        plan_step attempts=1 input={"b":[],"n":1.5} kind="tool" plan_id="p" status="success" step_id="a"
        plan_step_start depends_on=["a"] kind="shell" plan_id="p" step_id="b"
        plan_step attempts=2 kind="shell" plan_id="p" status="success" step_id="b"
        plan_step attempts=0 kind="tool" plan_id="p" status="skipped" step_id="c"
        plan_end outcome="completed" plan_id="p" steps_failed=0 steps_skipped=1 steps_succeeded=2 steps_total=3
        "#);
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

/// spec: trace.md; a run never goes on untraced. Whichever line cannot be written, the run ends with that error.
#[tokio::test(start_paused = true)]
async fn a_trace_that_fails_at_any_line_ends_the_run_with_that_error() {
    let plan = r#"{"id": "p", "steps": [{"id": "a", "tool": "t"}, {"id": "b", "shell": "true"},
        {"id": "c", "tool": "t", "depends_on": ["a", "b"]}]}"#;
    // plan_start, the start of `a` and `b`, the end of `a`, `c` skipped, the end of `b`, plan_end.
    for fails_at in 1..=7 {
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
            Some("cannot write to the trace: no space left on device")
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
    insta::assert_snapshot!(brief(&result), @r#"
        Passed: Plan 'p': 4 steps, 2 succeeded, 1 failed, 1 skipped
        a failed x0 None Some("refused by guard")
        b skipped x0 None Some("refused by guard")
        c success x1 Some("forbidden") None
        d success x1 Some("true") None
        "#);
    insta::assert_snapshot!(world.trace.text(), @r#"
        plan_start plan_id="p" step_count=4 steps=[{"depends_on":[],"has_condition":false,"kind":"shell","step_id":"a"},{"depends_on":[],"has_condition":false,"kind":"tool","step_id":"b"},{"depends_on":[],"has_condition":false,"kind":"capsule","step_id":"c"},{"depends_on":["a","b","c"],"has_condition":false,"kind":"shell","step_id":"d"}]
        plan_step_start depends_on=[] kind="capsule" plan_id="p" step_id="c"
        call_denied event="on-shell" hook_name="guard" reason="no" target="sh" turn=0
        plan_step attempts=0 error="refused by guard" kind="shell" plan_id="p" status="failed" step_id="a"
        call_denied event="on-tool-call" hook_name="guard" reason="no" target="t" turn=0
        plan_step attempts=0 error="refused by guard" kind="tool" plan_id="p" status="skipped" step_id="b"
        plan_step attempts=1 kind="capsule" plan_id="p" status="success" step_id="c"
        plan_step_start depends_on=["a","b","c"] kind="shell" plan_id="p" step_id="d"
        plan_step attempts=1 kind="shell" plan_id="p" status="success" step_id="d"
        plan_end outcome="completed" plan_id="p" steps_failed=1 steps_skipped=1 steps_succeeded=2 steps_total=4
        "#);
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
    insta::assert_snapshot!(brief(&result), @r#"
        Failed: Plan 'p': 1 steps, 0 succeeded, 1 failed, 0 skipped
        a failed x0 None Some("refused: the gate broke before it answered, and a step it has not let pass does not run")
        "#);
    assert_eq!(script.calls(), ["plan 1 ended"]);
}

/// decision: only a cancelled task ends a sub-capsule; an executor that says so without one has failed.
#[tokio::test(start_paused = true)]
async fn an_executor_that_ends_what_nobody_cancelled_has_failed() {
    let script = Script::new([("a", vec![Act::End]), ("b", vec![Act::End])]);
    let world = World::new(&script);
    let result = world
        .run(
            r#"{"id": "p", "steps": [{"id": "a", "capsule": "worker", "input": "x", "on_error": "continue"},
                {"id": "b", "tool": "t"}]}"#,
        )
        .await;
    assert_eq!(
        result.summary,
        "Plan 'p': 2 steps, 0 succeeded, 2 failed, 0 skipped"
    );
    let error = result.report.steps[0].error.as_deref();
    assert_eq!(
        error,
        Some("its executor ended it although the task was not cancelled")
    );
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
    insta::assert_snapshot!(brief(&result), @r#"
        Passed: Plan 'p': 2 steps, 1 succeeded, 0 failed, 1 skipped
        b skipped x1 None Some("its executor panicked")
        a success x2 Some("second try") None
        "#);
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
            Progress::Warned { warnings } => format!("{} warnings", warnings.len()),
            Progress::Unbounded { shortfall } => shortfall,
            Progress::PlanStarted { plan, .. } => format!("plan of {}", plan.len()),
            Progress::StepAsked { index } => format!("asked {}", index.get()),
            Progress::StepStarted { id, attempt, .. } => format!("start {id} #{attempt}"),
            Progress::StepSettled { id, status, .. } => format!("settled {id} {}", status.name()),
            Progress::Counts {
                settled, closed, ..
            } => format!("{settled} settled, closed {closed}"),
            Progress::Cancelled => "cancelled".to_owned(),
            Progress::Finished => "finished".to_owned(),
        });
    }
    insta::assert_snapshot!(heard.join("\n"), @r#"
        plan of 2
        start a #1
        settled b skipped
        1 settled, closed false
        start a #2
        settled a success
        2 settled, closed false
        finished
        "#);
    drop(events);
    assert!(world.run(plan).await.report.completed);
}
