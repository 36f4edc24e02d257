//! Whole traces, and the keys of their lines.

use std::path::Path;

use super::{GOOD, expand, long, shown};

/// spec: trace.md
#[test]
fn nothing_is_found_in_a_trace_that_keeps_every_rule() {
    assert_eq!(shown(&expand(GOOD)), "");
}

/// spec: trace.md: traces of Murmur 0.8.0 itself
#[test]
fn the_traces_of_murmur_keep_the_rules_but_one() {
    let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/trace/murmur");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy();
        found.push(format!("{name}: {}", shown(&text)));
    }
    found.sort();
    // Murmur forgets what is in flight when a step stops the plan; ruling 21 has it settle.
    insta::assert_snapshot!(found.join("\n"), @r"
    child-lifeline.jsonl: 
    hook-deny-shell.jsonl: 
    shim-cancel.jsonl: 
    shim-readonly.jsonl: 
    shim-retries.jsonl: 
    shim-wave.jsonl: line 9: `fast` started and never settled
    line 9: `late` started and never settled
    ");
}

/// spec: trace.md: "one compact JSON object per line, UTF-8, newline-terminated"
#[test]
fn a_line_that_is_not_a_compact_object_is_found() {
    insta::assert_snapshot!(shown(""), @"line 1: the trace has no line");
    insta::assert_snapshot!(shown("\n"), @"line 1: the line is not a JSON object");
    insta::assert_snapshot!(shown(expand(GOOD).trim_end()), @r"
    line 1: the session has no `session_end`
    line 36: the line does not end with a newline
    ");
    insta::assert_snapshot!(long(34, "\"whatever\":1", "\"whatever\": 1"), @"line 34: the object is not compact");
    insta::assert_snapshot!(long(34, "{", "[{"), @"line 34: the line is not a JSON object");
}

/// spec: trace.md: "Every line starts with these keys, in this order"
#[test]
fn a_line_with_other_common_keys_is_found() {
    insta::assert_snapshot!(long(34, "\"session_id\"", "\"x\""), @"line 34: the line does not start with event_type, event_id, parent_id, session_id, timestamp");
    insta::assert_snapshot!(long(34, "\"timestamp\":1", "\"timestamp\":1.5"), @"line 34: `timestamp` is 1.5, which is no whole number");
    insta::assert_snapshot!(long(34, "\"later_kind\"", "7"), @"line 34: `event_type` is not text");
    insta::assert_snapshot!(long(34, "ses_0", "ses_"), @r#"
    line 34: `session_id` is "ses_0000000000170008000000000000000", which is no id of a session
    line 34: the session is `ses_0000000000170008000000000000000`, before it was `ses_00000000000170008000000000000000`
    "#);
    insta::assert_snapshot!(long(34, "ses_00", "ses_01"), @"line 34: the session is `ses_01000000000170008000000000000000`, before it was `ses_00000000000170008000000000000000`");
    insta::assert_snapshot!(long(34, "\"evt_00000000000170008000000000000022\"", "\"e\""), @r#"
    line 34: `event_id` is "e", which is no id of a line
    line 34: the id `e` sorts before that of the line before
    "#);
    insta::assert_snapshot!(long(34, "\"evt_00000000000170008000000000000018\"", "5"), @r"
    line 34: `parent_id` is 5, which is no id of a line
    line 34: the parent `5` is no earlier line
    ");
    insta::assert_snapshot!(long(14, "\"event_id\":\"evt_0000000000017000800000000000000e\",\"parent_id\":\"evt_00000000000170008000000000000003\"", "\"parent_id\":\"evt_00000000000170008000000000000003\",\"event_id\":\"evt_0000000000017000800000000000000e\""), @"line 14: the line does not start with event_type, event_id, parent_id, session_id, timestamp");
}

/// spec: trace.md, the table of payloads
#[test]
fn a_key_that_is_missing_misplaced_or_of_the_wrong_type_is_found() {
    insta::assert_snapshot!(long(6, "\"attempts\":1,\"duration_ms\":5", "\"duration_ms\":5,\"attempts\":1"), @"line 6: `plan_step` has the key `attempts` out of order");
    insta::assert_snapshot!(long(6, "\"attempts\":1,", "\"attempts\":1,\"attempts\":1,"), @r"
    line 6: `plan_step` has the key `attempts` twice
    line 6: the line cannot be read: `plan_step` cannot have this `attempts`: duplicate field `attempts`
    line 15: `plan_end` counts 1 succeeded, 1 failed, 2 skipped; its steps settled as 0, 1, 2
    line 15: `a` started and never settled
    line 15: the plan is `completed`, but not every step settled
    ");
    insta::assert_snapshot!(long(6, "\"attempts\":1,", ""), @r"
    line 6: `plan_step` lacks the key `attempts`
    line 6: `a` was never dispatched and took 5 ms
    line 6: `a` was never dispatched and succeeded
    line 6: `a` was never dispatched and has an `input`
    line 6: `a` started and has 0 attempts
    ");
    insta::assert_snapshot!(long(6, "\"state_effect\":\"read\"", "\"state_effect\":null"), @"line 6: `plan_step` has the key `state_effect` as null instead of leaving it out");
    insta::assert_snapshot!(long(6, "\"kind\":\"tool\"", "\"kind\":null"), @r"
    line 6: `plan_step` has the key `kind` as null
    line 6: the line cannot be read: `plan_step` cannot have this `kind`: invalid type: null, expected text
    line 15: `plan_end` counts 1 succeeded, 1 failed, 2 skipped; its steps settled as 0, 1, 2
    line 15: `a` started and never settled
    line 15: the plan is `completed`, but not every step settled
    ");
    insta::assert_snapshot!(long(6, "\"duration_ms\":5", "\"duration_ms\":\"5\""), @r#"
    line 6: `plan_step` has the key `duration_ms` with what is not a whole number
    line 6: the line cannot be read: `plan_step` cannot have this `duration_ms`: invalid type: string "5", expected a whole number
    line 15: `plan_end` counts 1 succeeded, 1 failed, 2 skipped; its steps settled as 0, 1, 2
    line 15: `a` started and never settled
    line 15: the plan is `completed`, but not every step settled
    "#);
    insta::assert_snapshot!(long(12, "\"child_session_id\":null,", ""), @"line 12: `delegation` lacks the key `child_session_id`");
    insta::assert_snapshot!(long(19, "\"failed_step\":\"a\"", "\"failed_step\":null"), @r"
    line 19: `plan_end` has the key `failed_step` as null instead of leaving it out
    line 19: a failed plan has no `failed_step`
    ");
    insta::assert_snapshot!(long(31, "\"turn\":0", "\"turn\":null"), @"line 31: `task_canceled` has the key `turn` as null instead of leaving it out");
    insta::assert_snapshot!(long(31, "[]", "[1]"), @r"
    line 31: `task_canceled` has the key `detached_work_ids` with what is not a list of text
    line 31: the line cannot be read: `task_canceled` cannot have this `detached_work_ids`: invalid type: integer `1`, expected text
    line 32: the delegation `d2` is terminated before a `task_canceled` names it
    line 33: the task `t2` ends `canceled` without a `task_canceled`
    ");
    insta::assert_snapshot!(long(1, "\"workdir_exec\":false", "\"workdir_exec\":0"), @r"
    line 1: `session_start` has the key `workdir_exec` with what is not true or false
    line 1: the line cannot be read: `session_start` cannot have this `workdir_exec`: invalid type: integer `0`, expected a boolean
    ");
    insta::assert_snapshot!(long(3, ",\"has_condition\":false", ""), @"line 3: `plan_start.steps` lacks the key `has_condition`");
    insta::assert_snapshot!(long(3, "\"step_id\":\"a\",\"kind\":\"tool\"", "\"kind\":\"tool\",\"step_id\":\"a\""), @"line 3: `plan_start.steps` has the key `step_id` out of order");
    insta::assert_snapshot!(long(3, "\"steps\":[", "\"steps\":[7,"), @r"
    line 3: `plan_start` has the key `steps` with what is not a list of objects
    line 3: the line cannot be read: `plan_start` cannot have this `steps`: invalid type: integer `7`, expected a step
    line 4: `plan_step_start` has no `plan_start`
    line 5: `plan_step_start` has no `plan_start`
    line 6: `plan_step` has no `plan_start`
    line 9: `plan_step` has no `plan_start`
    line 13: `plan_step` has no `plan_start`
    line 14: `plan_step` has no `plan_start`
    line 15: a plan that did not parse ends without outcome `failed` and a reason
    line 15: a plan that did not parse counts settled steps
    ");
    assert_eq!(
        long(6, "\"input\":{\"x\":1}", "\"input\":null,\"new\":1"),
        ""
    );
}
