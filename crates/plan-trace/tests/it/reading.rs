//! What the reader accepts, skips and refuses.

use std::path::Path;

use plan_trace::{Line, Reader, Record, StepStatus};

fn fixture(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/trace")
        .join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Returns one line of text for each line read, then what ended the reading.
fn read(text: impl AsRef<[u8]>) -> String {
    let mut reader = Reader::new(text.as_ref(), "t.jsonl");
    let mut seen = Vec::new();
    loop {
        match reader.next_line() {
            Ok(Some(line)) => seen.push(format!("{} {}", line.number, line.record.event().name())),
            Ok(None) => break,
            Err(error) => {
                seen.push(error.to_string());
                break;
            }
        }
    }
    if let Some(line) = reader.torn() {
        seen.push(format!("{line} torn"));
    }
    seen.join("\n")
}

fn lines(text: &str) -> Vec<Line<'static>> {
    Reader::new(text.as_bytes(), "t.jsonl")
        .collect::<Result<_, _>>()
        .unwrap()
}

const START: &str = r#"{"event_type":"session_start","session_id":"s","capsule_name":"c","capsule_version":"v","model":"m"}
"#;

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

/// spec: trace.md, Rules: a torn last line is skipped
#[test]
fn a_file_cut_at_any_byte_of_its_last_line_reads_up_to_the_line_before() {
    let text = fixture("samples/plan-failed.jsonl").replace("exit code 7", "bärig \\u00e9 \\\"");
    let last = text.trim_end().rfind('\n').unwrap() + 1;
    let before = read(&text[..last]);
    let whole = read(&text);
    let number = before.lines().count() + 1;
    for cut in last + 1..text.len() {
        let read = read(&text.as_bytes()[..cut]);
        if cut == text.len() - 1 {
            assert_eq!(read, whole, "only the newline is missing");
        } else {
            assert_eq!(read, format!("{before}\n{number} torn"), "cut at {cut}");
        }
    }
}

/// spec: trace.md, Rules: a torn last line is skipped
#[test]
fn a_line_cut_within_a_character_or_followed_by_zeros_is_torn() {
    let step = r#"{"event_type":"plan_step","error":"ä"#.as_bytes();
    for tail in [
        &step[..step.len() - 1],
        b"{\"event_type\":\0\0\0\0",
        b"\0",
        b"[",
    ] {
        let text = [START.as_bytes(), tail].concat();
        assert_eq!(read(text), "1 session_start\n2 torn");
    }
}

/// spec: trace.md, Rules: "refuses anything else it cannot read by file and line"
#[test]
fn what_is_whole_is_not_excused_as_torn() {
    let at = |line: &str| read(format!("{START}{line}"));
    insta::assert_snapshot!(at("{}"), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: it has no `event_type`
    ");
    insta::assert_snapshot!(at("[]"), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: it is not a JSON object
    ");
    insta::assert_snapshot!(at(r#"{"event_type":"plan_end","plan_id":"p"}"#), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: `plan_end` has no `outcome`
    ");
    insta::assert_snapshot!(at("{\"event_type\":\"plan\n"), @r"
    1 session_start
    cannot read the trace `t.jsonl`, line 2: it is not JSON: EOF while parsing a string at byte 19
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
