//! A last line that was not written to its end.

use super::{START, fixture, read};

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
