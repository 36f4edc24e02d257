//! Which line belongs to which plan, and what is held of a trace.

use plan_trace::{
    Reader,
    pair::{Run, Standing},
};

use super::{of_text, run};

const START: &str = r#"{"event_type":"session_start","session_id":"s","capsule_name":"c","capsule_version":"v","model":"m"}
"#;

fn standings(run: &Run) -> Vec<String> {
    let mut shown = Vec::new();
    for plan in &run.plans {
        for step in plan.steps() {
            let standing = match step.standing() {
                Standing::Settled(settled) => settled.status.name().to_owned(),
                Standing::Unsettled => "unsettled".to_owned(),
                Standing::NotRun => "not run".to_owned(),
            };
            shown.push(format!("{}/{} {standing}", plan.id, step.id()));
        }
    }
    shown
}

/// spec: In the trace: a `plan_step` hangs off its `plan_start`, also where two plans of one id run at once
#[test]
fn steps_go_to_the_plan_they_hang_off() {
    let plan = |id: &str| {
        format!(
            r#"{{"event_type":"plan_start","event_id":"{id}","plan_id":"p","step_count":1,"steps":[{{"step_id":"a","kind":"tool"}}]}}"#
        )
    };
    let step = |parent: &str, status: &str| {
        format!(
            r#"{{"event_type":"plan_step","parent_id":"{parent}","plan_id":"p","step_id":"a","kind":"tool","status":"{status}"}}"#
        )
    };
    let lines = [
        plan("one"),
        plan("two"),
        step("two", "failed"),
        step("one", "success"),
    ];
    let run = of_text(&format!("{START}{}\n", lines.join("\n")));
    assert_eq!(standings(&run), ["p/a success", "p/a failed"]);
}

/// spec: In the trace; the traces of Murmur 0.8.0 and of others, with lines that hang off nothing
#[test]
fn steps_without_a_parent_go_to_the_latest_plan_of_their_id() {
    assert_eq!(
        standings(&run("samples/twice-same-plan-id")),
        ["p/a success", "p/a success"]
    );
    assert_eq!(
        standings(&run("samples/minimal-plan-flat")),
        ["p/a success"]
    );
    let lost = run("samples/end-without-start");
    assert_eq!(standings(&lost), ["p/a failed"]);
    assert!(!lost.plans[0].is_declared);
    assert!(lost.plans[0].end.is_some(), "its end is joined with it");
}

/// spec: In the trace; the traces that Murmur 0.8.0 wrote
#[test]
fn the_traces_of_murmur_are_joined() {
    assert_eq!(
        standings(&run("murmur/shim-cancel")),
        ["cx/c failed", "cx/after skipped", "cx/sh success"]
    );
    let wave = run("murmur/shim-wave");
    let unsettled = standings(&wave);
    assert_eq!(
        unsettled
            .iter()
            .filter(|step| step.ends_with("unsettled"))
            .count(),
        2,
        "{unsettled:?}"
    );
    let child = run("murmur/child-lifeline");
    assert!(child.has_lost_spawner);
    assert_eq!(child.canceled.kept.len(), 1);
}

/// decision: of lists that could grow without end the first ten thousand entries are held, the rest is counted
#[test]
fn a_trace_of_nothing_but_refusals_is_counted_not_held() {
    let line = r#"{"event_type":"call_denied","event":"on-shell","hook_name":"h","target":"t","reason":"r"}"#;
    let text = format!("{START}{}", format!("{line}\n").repeat(10_003));
    let run = of_text(&text);
    assert_eq!(run.denials.kept.len(), 10_000);
    assert_eq!(run.denials.left_out, 3);
}

/// decision: errors are held whole up to some 24 MB of them, then their start, and told by their line
#[test]
fn errors_past_what_is_held_are_cut_and_say_so() {
    let long = "x".repeat(60_000);
    let mut text = START.to_owned();
    for step in 0..500 {
        text.push_str(&format!(
            r#"{{"event_type":"plan_step","plan_id":"p","step_id":"s{step}","kind":"tool","status":"failed","error":"{long}"}}"#
        ));
        text.push('\n');
    }
    let run = of_text(&text);
    let errors: Vec<_> = run.plans[0]
        .settled()
        .map(|step| match step.standing() {
            Standing::Settled(settled) => settled.error.unwrap(),
            standing => panic!("{standing:?}"),
        })
        .collect();
    assert!(!errors[0].is_cut);
    assert_eq!(errors[0].text.len(), 60_000);
    let last = errors[errors.len() - 1];
    assert!(last.is_cut);
    assert_eq!(last.text.len(), 120);
    let held: usize = errors.iter().map(|error| error.text.len()).sum();
    assert!(held < 30_000_000, "{held}");
}

/// spec: In the trace: "refuses anything else it cannot read by file and line"
#[test]
fn what_cannot_be_read_is_no_run() {
    let error = Run::read(&mut Reader::new(&b""[..], "t.jsonl")).unwrap_err();
    insta::assert_snapshot!(error.to_string(), @"cannot read the trace `t.jsonl`: it is empty");
    let broken = format!("{START}nonsense\n");
    let error = Run::read(&mut Reader::new(broken.as_bytes(), "t.jsonl")).unwrap_err();
    insta::assert_snapshot!(error.to_string(), @"cannot read the trace `t.jsonl`, line 2: it is not JSON: expected ident at byte 2");
}
