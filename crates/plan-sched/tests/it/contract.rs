//! What the documentation promises about the order of calls: inputs that do not fit, late ones, several at
//! once, and plans that are large.

use crate::{
    sim::{input, plan, step},
    stage::{At, Stage},
    world::{default_limits, limits},
};
use insta::assert_snapshot;
use plan_model::{Kind, StepIdx};
use plan_sched::{Effect, Input, Outcome, Progress, Sched};
use std::{fmt::Write as _, sync::Arc};

/// decision: an input in the wrong phase is an error that names step and phase, and changes nothing.
#[test]
fn an_input_that_does_not_fit_names_step_and_phase() {
    let mut table = String::new();
    for at in At::ALL {
        let fits: Vec<_> = ["admit x", "refuse x: no", "pass x", "fail x", "end x"]
            .into_iter()
            .filter(|line| {
                let mut stage = Stage::new(Kind::Capsule, "fail", at);
                let before = format!("{stage:?}");
                match stage.tell(line) {
                    Ok(()) => true,
                    Err(error) => {
                        assert_eq!(before, format!("{stage:?}"), "{error}");
                        if *line == "pass x" {
                            let _ = writeln!(table, "{error}");
                        }
                        false
                    }
                }
            })
            .collect();
        let _ = writeln!(table, "{at:?}: {}", fits.join(", "));
    }
    assert_snapshot!(table, @r"
    cannot take `finished` for step `x`, which is waiting for its dependencies
    Blocked: 
    cannot take `finished` for step `x`, which is waiting for its condition to be looked at
    Unlocked: 
    cannot take `finished` for step `x`, which is waiting for a slot
    Ready: 
    cannot take `finished` for step `x`, which is being asked about
    Asked: admit x, refuse x: no
    cannot take `finished` for step `x`, which is being asked about
    AskedAgain: admit x, refuse x: no
    cannot take `finished` for step `x`, which is admitted and not dispatched yet
    Admitted: 
    cannot take `finished` for step `x`, which is admitted and not dispatched yet
    AdmittedAgain: 
    Running: pass x, fail x
    cannot take `finished` for step `x`, which is waiting for a slot to be tried again
    Retrying: 
    cannot take `finished` for step `x`, which is settled
    Settled:
    ");
}

/// decision: an input in the wrong phase is an error that names step and phase.
#[test]
fn a_withdrawn_step_and_a_stranger_are_named_too() {
    let mut stage = Stage::new(Kind::Shell, "fail", At::Blocked);
    stage.polled(&["fail stop"]);
    assert_snapshot!(stage.tell("admit x").unwrap_err(), @r"cannot take `admitted` for step `x`, which is never to run, because the plan stopped");
    assert_snapshot!(stage.tell_stranger().unwrap_err(), @"cannot take `admitted` for step `#100`, which is not in the plan");
    assert_eq!(stage.sched.settled(StepIdx::new(99)), None);
}

/// spec: When the task is cancelled. Only a sub-capsule is ended with the task, and only by a cancel.
#[test]
fn ended_is_for_capsules_of_a_cancelled_task() {
    let refusal = "cannot take `ended` for step `x`, which is running";
    for kind in [Kind::Tool, Kind::Shell] {
        let mut stage = Stage::new(kind, "fail", At::Running);
        assert_eq!(stage.tell("end x").unwrap_err().to_string(), refusal);
        stage.polled(&["cancel"]);
        assert_eq!(stage.tell("end x").unwrap_err().to_string(), refusal);
    }
    let mut stage = Stage::new(Kind::Capsule, "fail", At::Running);
    assert_eq!(stage.tell("end x").unwrap_err().to_string(), refusal);
    stage.polled(&["cancel", "end x"]);
    assert_snapshot!(stage.x(), @r#"x failed error="the task running this plan was cancelled; this step's sub-capsule was ended with it""#);
}

/// decision: a late answer is dropped, once.
#[test]
fn a_late_answer_is_dropped_once() {
    for (event, late) in [("cancel", "admit x"), ("fail stop", "refuse x: no")] {
        for at in [At::Asked, At::AskedAgain] {
            let mut stage = Stage::new(Kind::Shell, "fail", at);
            stage.polled(&[event]);
            let before = stage.x();
            stage.polled(&[late]);
            assert_eq!(stage.x(), before);
            assert!(stage.tell(late).is_err());
        }
    }
}

/// decision: what is due comes in a fixed order, and an admitted step is not dispatched after a stop.
#[test]
fn several_inputs_between_two_polls_are_due_in_order() {
    let steps = r#"[
        {"id": "a", "shell": "x", "on_error": "continue"},
        {"id": "b", "shell": "x"},
        {"id": "c", "capsule": "x", "input": "go"},
        {"id": "d", "shell": "x", "depends_on": ["a"]},
        {"id": "e", "capsule": "x", "input": "go"}
    ]"#;
    let plan = plan(steps);
    let mut sched = Sched::new(Arc::clone(&plan), default_limits());
    let mut log = String::new();
    for burst in [
        &[] as &[&str],
        &["admit c", "admit a", "admit e"],
        &["admit b", "fail a", "cancel", "pass e"],
    ] {
        for line in burst {
            assert_eq!(sched.handle(input(&plan, line)), Ok(()));
        }
        let _ = writeln!(log, "> {}", burst.join(", "));
        loop {
            let (word, step) = match sched.poll_effect() {
                Effect::Ask { step, .. } => ("ask", step),
                Effect::Dispatch { step, .. } => ("run", step),
                Effect::EndCapsule { step } => ("end", step),
                Effect::Settled { step } => ("settled", step),
                Effect::Finished | Effect::Idle => break,
            };
            let _ = writeln!(log, "{word} {}", plan.step(step).id());
        }
    }
    assert_snapshot!(log, @r"
    > 
    ask a
    ask b
    ask c
    ask e
    > admit c, admit a, admit e
    run c
    run a
    run e
    > admit b, fail a, cancel, pass e
    end c
    settled a
    settled b
    settled d
    settled e
    ");
}

/// decision: a live view shows how many wait, are in flight and have settled.
#[test]
fn progress_counts_who_waits_and_who_is_in_flight() {
    let steps = r#"[
        {"id": "a", "shell": "x", "retries": 1},
        {"id": "b", "shell": "x"},
        {"id": "c", "shell": "x", "depends_on": ["a"], "if": "'a' == 'a'"}
    ]"#;
    let plan = plan(steps);
    let mut sched = Sched::new(Arc::clone(&plan), limits(1, 1));
    let mut seen = vec![sched.progress()];
    assert!(matches!(sched.poll_effect(), Effect::Ask { .. }));
    seen.push(sched.progress());
    for line in [
        "admit a", "poll", "fail a", "poll", "admit a", "poll", "pass a", "cancel",
    ] {
        if line == "poll" {
            assert!(!matches!(sched.poll_effect(), Effect::Finished));
        } else {
            assert_eq!(sched.handle(input(&plan, line)), Ok(()), "{line}");
        }
        seen.push(sched.progress());
    }
    let of = |ready, in_flight, settled| Progress {
        ready,
        in_flight,
        settled,
        closed: settled == 3,
    };
    assert_eq!(
        seen,
        [
            of(2, 0, 0),
            of(1, 1, 0),
            of(1, 1, 0),
            of(1, 1, 0),
            // The failed attempt waits to be tried again.
            of(2, 0, 0),
            of(1, 1, 0),
            of(1, 1, 0),
            of(1, 1, 0),
            // `a` passed, which lets `c` go on.
            of(2, 0, 1),
            of(0, 0, 3),
        ]
    );
}

/// decision: a report taken early says that the plan has not completed.
#[test]
fn a_report_before_the_end_is_not_completed() {
    let plan =
        plan(r#"[{"id": "a", "shell": "x"}, {"id": "b", "shell": "x", "depends_on": ["a"]}]"#);
    let mut sched = Sched::new(Arc::clone(&plan), default_limits());
    run_alone(&mut sched, step(&plan, "a"));
    let report = sched.into_report();
    assert_eq!(
        (report.completed, report.canceled, report.steps.len()),
        (false, false, 1)
    );
}

fn run_alone(sched: &mut Sched, step: StepIdx) {
    assert!(matches!(sched.poll_effect(), Effect::Ask { .. }));
    assert_eq!(sched.handle(Input::Admitted { step }), Ok(()));
    assert_eq!(sched.poll_effect(), Effect::Dispatch { step, attempt: 1 });
    let outcome = Outcome::Passed { output: None };
    assert_eq!(sched.handle(Input::Finished { step, outcome }), Ok(()));
}

/// decision: nothing is recursive or quadratic over the length of a plan: a chain and a fan of 100,000 steps.
#[test]
fn large_plans_are_scheduled_in_one_pass() {
    let size = 100_000;
    for depends_on in [
        (|n: usize| format!(r#"["s{}"]"#, n - 1)) as fn(usize) -> String,
        |_| r#"["s0"]"#.to_owned(),
    ] {
        let mut steps = String::from(r#"[{"id":"s0","shell":"x"}"#);
        for n in 1..size {
            let _ = write!(
                steps,
                r#",{{"id":"s{n}","shell":"x","depends_on":{}}}"#,
                depends_on(n)
            );
        }
        steps.push(']');
        let plan = plan(&steps);
        let mut sched = Sched::new(Arc::clone(&plan), default_limits());
        let mut canceled = sched.clone();
        let mut dispatched = 0;
        let effects = loop {
            match sched.poll_effect() {
                Effect::Ask { step, .. } => {
                    assert_eq!(sched.handle(Input::Admitted { step }), Ok(()))
                }
                Effect::Dispatch { step, .. } => {
                    dispatched += 1;
                    let outcome = Outcome::Passed { output: None };
                    assert_eq!(sched.handle(Input::Finished { step, outcome }), Ok(()));
                }
                Effect::Settled { .. } => {}
                effect @ (Effect::Finished | Effect::Idle | Effect::EndCapsule { .. }) => {
                    break effect;
                }
            }
        };
        assert_eq!((effects, dispatched), (Effect::Finished, size));
        assert!(sched.into_report().completed);

        assert_eq!(canceled.handle(Input::Cancel), Ok(()));
        for n in 0..size {
            assert_eq!(
                canceled.poll_effect(),
                Effect::Settled {
                    step: StepIdx::new(n)
                }
            );
        }
        assert_eq!(canceled.poll_effect(), Effect::Finished);
    }
}
