//! What is refused, by file and line.

use std::path::Path;

use plan_trace::Reader;

use super::{START, fixture, read};

/// spec: trace.md, Rules: "refuses anything else it cannot read by file and line"
#[test]
fn the_bad_samples_are_refused_by_file_and_line() {
    insta::assert_snapshot!(read(fixture("samples/bad-empty-file.jsonl")), @"cannot read the trace `t.jsonl`: it is empty");
    insta::assert_snapshot!(read(fixture("samples/bad-junk-in-the-middle.jsonl")), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: it is not JSON: expected ident at byte 2
    ");
    insta::assert_snapshot!(read(fixture("samples/bad-missing-field.jsonl")), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: `plan_step` has no `status`
    ");
    insta::assert_snapshot!(read(fixture("samples/bad-no-session-start.jsonl")), @"cannot read the trace `t.jsonl`, line 1: a `plan_start` stands before any `session_start`");
    insta::assert_snapshot!(read(fixture("samples/bad-wrong-type.jsonl")), @r#"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: `plan_start` cannot have this `step_count`: invalid type: string "2", expected a whole number
    "#);
    insta::assert_snapshot!(read(fixture("samples/float-and-negative.jsonl")), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: `plan_end` cannot have this `duration_ms`: invalid type: floating point `1.5`, expected a whole number
    ");
    insta::assert_snapshot!(read(fixture("samples/no-event-type.jsonl")), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: it has no `event_type`
    ");
}

/// spec: trace.md, Rules: "refuses anything else it cannot read by file and line"
#[test]
fn every_other_fault_has_a_sentence() {
    let at = |line: &str| read(format!("{START}{line}\n{START}"));
    insta::assert_snapshot!(at("null"), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: it is not a JSON object
    ");
    insta::assert_snapshot!(at(r#"["event_type","plan_end"]"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: it is not a JSON object
    ");
    insta::assert_snapshot!(at(r#"{"x":1"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: it is not JSON: EOF while parsing an object at byte 6
    ");
    insta::assert_snapshot!(at(r#"{"x":1}}"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: it is not JSON: trailing characters at byte 8
    ");
    insta::assert_snapshot!(at(r#"{"event_type":7}"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: its `event_type` is not text
    ");
    insta::assert_snapshot!(at(r#"{"event_type":null,"x":1}"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: its `event_type` is not text
    ");
    insta::assert_snapshot!(at(r#"{"event_type":"later","x":}"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: it is not JSON: expected value at byte 27
    ");
    insta::assert_snapshot!(at(r#"{"event_type":"plan_end","plan_id":"p","outcome":"completed"} x"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: it is not JSON: trailing characters at byte 63
    ");
    insta::assert_snapshot!(at(r#"{"event_type":"plan_end","plan_id":null,"outcome":"completed"}"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: `plan_end` cannot have this `plan_id`: invalid type: null, expected text
    ");
    insta::assert_snapshot!(at(r#"{"event_type":"plan_end","plan_id":"p","outcome":"completed","duration_ms":-1}"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: `plan_end` cannot have this `duration_ms`: invalid value: integer `-1`, expected a whole number
    ");
    insta::assert_snapshot!(at(r#"{"event_type":"plan_end","plan_id":"p","plan_id":"p","outcome":"completed"}"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: `plan_end` cannot have this `plan_id`: duplicate field `plan_id`
    ");
    insta::assert_snapshot!(at(r#"{"event_type":"spawner_ended","timestamp":"now"}"#), @r#"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: `spawner_ended` cannot have this `timestamp`: invalid type: string "now", expected a whole number
    "#);
    insta::assert_snapshot!(at(r#"{"event_type":"spawner_ended","event_id":1}"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: `spawner_ended` cannot have this `event_id`: invalid type: integer `1`, expected text
    ");
    insta::assert_snapshot!(at(r#"{"event_type":"plan_start","plan_id":"p","step_count":1,"steps":[{"step_id":"a"}]}"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: `plan_start` cannot have this `steps`: missing field `kind`
    ");
    insta::assert_snapshot!(at(r#"{"event_type":"plan_start","plan_id":"p","step_count":1,"steps":[{"step_id":"a","kind":5}]}"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: `plan_start` cannot have this `steps`: invalid type: integer `5`, expected text
    ");
    insta::assert_snapshot!(at(&format!(r#"{{"event_type":"plan_start","plan_id":"p","step_count":"{}"}}"#, "é".repeat(300))), @r#"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: `plan_start` cannot have this `step_count`: invalid type: string "éééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééééé…
    "#);
}

/// spec: trace.md: "UTF-8"
#[test]
fn bytes_that_are_not_utf8_are_refused() {
    let text = [START.as_bytes(), b"{\"event_type\":\"x\xff\"}\n"].concat();
    insta::assert_snapshot!(read(text), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: it is not UTF-8
    ");
}

/// spec: trace.md, session_start
#[test]
fn a_trace_needs_its_session_first() {
    let end = r#"{"event_type":"plan_end","plan_id":"p","outcome":"completed"}"#;
    insta::assert_snapshot!(read(format!("{end}\n{START}")), @"cannot read the trace `t.jsonl`, line 1: a `plan_end` stands before any `session_start`");
    insta::assert_snapshot!(read("\n\n"), @"cannot read the trace `t.jsonl`: it has no `session_start`");
    insta::assert_snapshot!(read(r#"{"event_type":"session_st"#), @r"
    cannot read the trace `t.jsonl`: it has no `session_start`
    1 torn
    ");
    insta::assert_snapshot!(read(r#"{"event_type":"later"}"#), @"cannot read the trace `t.jsonl`: it has no `session_start`");
    insta::assert_snapshot!(read(format!("{{\"event_type\":\"later\"}}\n{START}")), @"2 session_start");
    insta::assert_snapshot!(read(r#"{"event_type":"session_start","capsule_name":"c","model":"m"}"#), @"cannot read the trace `t.jsonl`, line 1: `session_start` has no `capsule_version`");
    insta::assert_snapshot!(read(r#"{"event_type":"session_start","capsule_name":"c","capsule_version":"v","model":"m"}"#), @"cannot read the trace `t.jsonl`, line 1: `session_start` has no `session_id`");
}

/// spec: trace.md, Rules
#[test]
fn nothing_is_read_after_an_error() {
    let text = format!("{START}junk\n{START}");
    let mut reader = Reader::new(text.as_bytes(), "t.jsonl");
    assert!(reader.next().unwrap().is_ok());
    assert!(reader.next().unwrap().is_err());
    assert!(reader.next().is_none());
    assert!(reader.next_line().unwrap().is_none());
}

/// spec: trace.md, Rules: by file
#[test]
fn a_directory_and_a_missing_file_are_named() {
    let dir = tempfile::tempdir().unwrap();
    let shown = |path: &Path| {
        let error = match Reader::open(path) {
            Ok(mut reader) => reader.next_line().map(|_| ()).unwrap_err(),
            Err(error) => error,
        };
        error
            .to_string()
            .replace(&dir.path().display().to_string(), "[dir]")
    };
    insta::assert_snapshot!(shown(dir.path()), @"cannot read the trace `[dir]`: Is a directory (os error 21)");
    insta::assert_snapshot!(shown(&dir.path().join("no.jsonl")), @"cannot read the trace `[dir]/no.jsonl`: No such file or directory (os error 2)");
}
