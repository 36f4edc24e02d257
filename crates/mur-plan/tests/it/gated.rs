//! The driver and its gate: what is asked, and what becomes of answers that cannot be had or kept.

use std::sync::{Arc, Mutex};

use mur_plan::{
    ResultStatus,
    plan_exec::{BoxFuture, Gate, GateCall, Refusal},
};

use crate::world::{Guard, Memory, Script, World, brief, fail, pass};

/// Lets everything pass and keeps what it was asked.
#[derive(Debug, Default)]
struct Witness(Mutex<Vec<String>>);

impl Gate for Witness {
    fn ask<'a>(&'a self, call: GateCall<'a>) -> BoxFuture<'a, Result<(), Refusal>> {
        self.0
            .lock()
            .expect("nothing panics here")
            .push(format!("{call:?}"));
        Box::pin(std::future::ready(Ok(())))
    }
}

/// ruling 22; spec: What a plan may reach. Tool and shell steps are put to the gate before every attempt, with the
/// input resolved; capsule steps and steps that do not run are not.
#[tokio::test(start_paused = true)]
async fn the_gate_is_asked_before_every_attempt_with_the_input_resolved() {
    let script = Script::new([
        ("a", vec![fail("no"), pass("said \"so\"")]),
        ("c", vec![fail("no")]),
    ]);
    let witness = Arc::new(Witness::default());
    let world = World::with(&script, Memory::new(usize::MAX), |session| {
        session.executors.gate = Some(witness.clone());
    });
    let result = world
        .run(
            r#"{"id": "p", "steps": [
                {"id": "a", "shell": "sh -c 'a b' \"\"", "retries": 3},
                {"id": "b", "tool": "t", "input": {"x": "$a.output"}, "depends_on": ["a"]},
                {"id": "c", "capsule": "worker", "input": "x", "retries": 1, "on_error": "skip"},
                {"id": "d", "tool": "t", "if": "'x' == 'y'"}
            ]}"#,
        )
        .await;
    assert!(result.report.completed);
    insta::assert_snapshot!(witness.0.lock().unwrap().join("\n"), @r#"
    Shell { line: "sh -c 'a b' \"\"", words: ["sh", "-c", "a b", ""] }
    Shell { line: "sh -c 'a b' \"\"", words: ["sh", "-c", "a b", ""] }
    Tool { name: "t", input: "{\"x\":\"said \\\"so\\\"\"}" }
    "#);
}

/// spec: In the trace; decision D21. A refusal that cannot be recorded refuses as well: nothing of the step runs, and
/// the run ends with the trace's error.
#[tokio::test(start_paused = true)]
async fn a_refusal_that_cannot_be_recorded_ends_the_run() {
    let script = Script::new([]);
    // The second line: the first is `plan_start`.
    let world = World::with(&script, Memory::new(2), |session| {
        session.executors.gate = Some(Arc::new(Guard));
    });
    let result = world
        .run(
            r#"{"id": "p", "steps": [{"id": "a", "shell": "sh forbidden", "on_error": "continue"},
                {"id": "b", "tool": "t", "depends_on": ["a"]}]}"#,
        )
        .await;
    assert_eq!(result.status, ResultStatus::Error);
    insta::assert_snapshot!(brief(&result), @r#"
    Error: Plan 'p': 1 steps, 0 succeeded, 1 failed, 0 skipped; the run ended there: cannot write to the trace: no space left on device
    plan failed x0 None Some("cannot write to the trace: no space left on device")
    "#);
    assert_eq!(script.calls(), ["plan 1 ended"]);
}

/// decision D21: a gate that breaks for one step refuses that step alone, and is asked again for the next.
#[tokio::test(start_paused = true)]
async fn a_gate_that_breaks_refuses_that_step_alone() {
    let script = Script::new([]);
    let world = World::with(&script, Memory::new(usize::MAX), |session| {
        session.executors.gate = Some(Arc::new(Guard));
    });
    let result = world
        .run(
            r#"{"id": "p", "steps": [
                {"id": "a", "shell": "sh broken", "on_error": "continue", "retries": 2},
                {"id": "b", "tool": "t", "input": "broken", "on_error": "skip", "depends_on": ["a"]},
                {"id": "c", "shell": "true", "depends_on": ["b"]}
            ]}"#,
        )
        .await;
    insta::assert_snapshot!(brief(&result), @r#"
    Passed: Plan 'p': 3 steps, 1 succeeded, 1 failed, 1 skipped
    a failed x0 None Some("refused: the gate broke before it answered, and a step it has not let pass does not run")
    b skipped x0 None Some("refused: the gate broke before it answered, and a step it has not let pass does not run")
    c success x1 Some("true") None
    "#);
    assert_eq!(script.calls(), ["c#1 true", "plan 1 ended"]);
    assert_eq!(world.trace.text().matches("call_denied").count(), 2);
}
