//! What is read, and what is skipped.

use std::path::Path;

use plan_trace::{Reader, Record, StepStatus};

use super::{START, fixture, lines, read};

/// spec: trace.md, Rules: "skips unknown events and keys and a torn last line"
#[test]
fn the_good_samples_are_read() {
    insta::assert_snapshot!(read(fixture("samples/bad-null-string.jsonl")), @r"
    1 session_start
    2 delegation
    3 plan_step
    ");
    insta::assert_snapshot!(read(fixture("samples/blank-lines.jsonl")), @r"
    1 session_start
    4 plan_end
    ");
    insta::assert_snapshot!(read(fixture("samples/end-without-start.jsonl")), @r"
    1 session_start
    2 plan_step
    3 plan_end
    ");
    insta::assert_snapshot!(read(fixture("samples/minimal-plan-flat.jsonl")), @r"
    1 session_start
    2 plan_start
    3 plan_step_start
    4 plan_step
    5 plan_end
    ");
    insta::assert_snapshot!(read(fixture("samples/minimal-show.jsonl")), @"1 session_start");
    insta::assert_snapshot!(read(fixture("samples/odd-words.jsonl")), @r"
    1 session_start
    2 plan_start
    3 plan_step
    4 plan_end
    ");
    insta::assert_snapshot!(read(fixture("samples/torn-tail.jsonl")), @r"
    1 session_start
    2 plan_start
    3 torn
    ");
    insta::assert_snapshot!(read(fixture("samples/twice-same-plan-id.jsonl")), @r"
    1 session_start
    2 plan_start
    3 plan_step
    4 plan_end
    5 plan_start
    6 plan_step
    7 plan_end
    ");
    insta::assert_snapshot!(read(fixture("samples/unknown-events.jsonl")), @r"
    1 session_start
    3 plan_start
    ");
    insta::assert_snapshot!(read(fixture("samples/plan-canceled.jsonl")), @r"
    1 session_start
    2 task_start
    3 plan_start
    4 plan_step_start
    5 delegation_start
    6 plan_step
    7 plan_step
    8 plan_end
    9 task_canceled
    10 delegation
    11 task_end
    12 session_end
    ");
    insta::assert_snapshot!(read(fixture("samples/plan-failed.jsonl")), @r"
    1 session_start
    2 task_start
    3 plan_start
    4 plan_step_start
    5 protected_path_denied
    6 plan_step
    7 plan_step_start
    8 call_denied
    9 plan_step
    10 plan_step_start
    11 plan_step
    12 plan_end
    13 task_end
    14 session_end
    ");
}

/// spec: trace.md: traces of Murmur 0.8.0 itself
#[test]
fn the_traces_of_murmur_are_read() {
    insta::assert_snapshot!(read(fixture("murmur/child-lifeline.jsonl")), @r"
    1 session_start
    3 task_start
    4 spawner_ended
    5 task_canceled
    6 task_end
    7 session_end
    ");
    insta::assert_snapshot!(read(fixture("murmur/shim-wave.jsonl")), @r"
    1 session_start
    2 task_start
    4 plan_start
    5 plan_step_start
    6 plan_step_start
    7 plan_step_start
    8 plan_step
    9 plan_end
    12 task_end
    13 session_end
    ");
    insta::assert_snapshot!(read(fixture("murmur/shim-cancel.jsonl")), @r"
    1 session_start
    3 task_start
    5 plan_start
    6 plan_step_start
    7 plan_step_start
    8 delegation_start
    9 plan_step
    10 plan_step
    11 plan_step
    12 plan_end
    14 task_canceled
    15 delegation
    16 task_end
    17 session_end
    ");
}

/// spec: trace.md: "`null` … on every line of a file that has no `session_start`"
#[test]
fn a_trace_without_a_session_is_read_where_that_is_wanted() {
    let end = r#"{"event_type":"plan_end","parent_id":null,"plan_id":"p","outcome":"completed"}"#;
    let events: Vec<_> = Reader::new(end.as_bytes(), "t.jsonl")
        .rootless()
        .map(|line| line.unwrap().record.event().name())
        .collect();
    assert_eq!(events, ["plan_end"]);
    let error = Reader::new(&b""[..], "t.jsonl").rootless().next();
    assert!(error.unwrap().is_err(), "an empty file is no trace");
}

/// spec: trace.md, Rules: unknown keys are skipped, wherever they stand
#[test]
fn unknown_keys_and_a_kind_that_comes_last_or_escaped_are_read() {
    let deep = format!("{}{}", "[".repeat(5_000), "]".repeat(5_000));
    let text = format!(
        "{START}{}\n{}\n",
        format_args!(
            r#"{{"x":{deep},"plan_id":"p\n","step_id":"a","kind":"to\u006fl","status":"refused","event_id":"e","event_type":"plan_step"}}"#
        ),
        r#"{"event_type":"plan_\u0065nd","plan_id":"p","outcome":"completed"}"#
    );
    let lines = lines(&text);
    let Record::PlanStep(step) = &lines[1].record else {
        panic!("{lines:?}");
    };
    assert_eq!(step.plan_id, "p\n");
    assert_eq!(step.kind.name(), "tool");
    assert_eq!(step.status, StepStatus::Other("refused".into()));
    assert_eq!(lines[1].envelope.event_id.as_deref(), Some("e"));
    assert_eq!(lines[2].record.event().name(), "plan_end");
}

/// spec: trace.md: what `mur trace show` of Murmur 0.8.0 accepts and what it refuses
#[test]
fn every_sample_is_taken_as_murmur_takes_it() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/trace/samples");
    let mut refused = Vec::new();
    let mut accepted = 0;
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if Reader::open(&path).unwrap().all(|line| line.is_ok()) {
            accepted += 1;
        } else {
            refused.push(name);
        }
    }
    refused.sort();
    assert_eq!(
        refused,
        [
            "bad-empty-file.jsonl",
            "bad-junk-in-the-middle.jsonl",
            "bad-missing-field.jsonl",
            "bad-no-session-start.jsonl",
            "bad-wrong-type.jsonl",
            "float-and-negative.jsonl",
            "no-event-type.jsonl",
        ]
    );
    assert_eq!(accepted, 15);
}
