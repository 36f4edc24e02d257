//! That the checker finds each broken rule, and nothing in what is right.

use std::path::Path;

use plan_trace::check::check;

/// A session with two tasks: the first runs a plan to its end, the second is cancelled in one. Each line is its kind,
/// the number of the line it hangs off, and its payload.
const GOOD: &str = r#"
session_start - "capsule_name":"c","capsule_version":"0.1.0","model":"","capabilities":["shell"],"tools_declared":["notes"],"containment_declared":"advisory","containment_achieved":"none","workdir_exec":false,"context_id":null
task_start 1 "task_id":"t1","context_id":"c1","source":"task_md","origin":"user","trust":"trusted","lane":"user","message_parts_bytes":3
plan_start 1 "plan_id":"p","step_count":4,"steps":[{"step_id":"a","kind":"tool","depends_on":[],"has_condition":false},{"step_id":"b","kind":"shell","depends_on":["a"],"has_condition":false},{"step_id":"w","kind":"capsule","depends_on":[],"has_condition":false},{"step_id":"n","kind":"tool","depends_on":["b","w"],"has_condition":true}]
plan_step_start 3 "plan_id":"p","step_id":"a","kind":"tool","depends_on":[]
plan_step_start 3 "plan_id":"p","step_id":"w","kind":"capsule","depends_on":[]
plan_step 3 "plan_id":"p","step_id":"a","kind":"tool","status":"success","attempts":1,"duration_ms":5,"input":{"x":1},"state_effect":"read"
call_denied 2 "turn":0,"event":"on-shell","hook_name":"h","target":"/bin/true","reason":"no"
protected_path_denied 2 "turn":0,"call":"shell","target":"/bin/rm","path":"t","rule":"t","signal":"s","reason":"r"
plan_step 3 "plan_id":"p","step_id":"b","kind":"shell","status":"failed","attempts":0,"duration_ms":0,"error":"refused"
delegation_start 1 "delegation_id":"d1","capsule":"local/w","version":"0.1.0","child_session_id":"s1","child_workdir":"/w","child_records_dir":"/r"
delegation 1 "capsule":"local/w","version":"0.1.0","delegation_id":"d1","child_session_id":"s1","duration_ms":7,"outcome":"timed_out","reason":"slow"
delegation 1 "capsule":"local/w","version":"0.1.0","delegation_id":null,"child_session_id":null,"duration_ms":1,"outcome":"refused","reason":"full"
plan_step 3 "plan_id":"p","step_id":"w","kind":"capsule","status":"skipped","attempts":2,"duration_ms":9,"error":"full"
plan_step 3 "plan_id":"p","step_id":"n","kind":"tool","status":"skipped","attempts":0,"duration_ms":0
plan_end 3 "plan_id":"p","outcome":"completed","steps_total":4,"steps_succeeded":1,"steps_failed":1,"steps_skipped":2,"duration_ms":9
plan_start 1 "plan_id":"f","step_count":2,"steps":[{"step_id":"a","kind":"shell","depends_on":[],"has_condition":false},{"step_id":"b","kind":"shell","depends_on":["a"],"has_condition":false}]
plan_step_start 16 "plan_id":"f","step_id":"a","kind":"shell","depends_on":[]
plan_step 16 "plan_id":"f","step_id":"a","kind":"shell","status":"failed","attempts":1,"duration_ms":2,"error":"exit code 1"
plan_end 16 "plan_id":"f","outcome":"failed","failed_step":"a","steps_total":2,"steps_succeeded":0,"steps_failed":1,"steps_skipped":0,"duration_ms":3
plan_start 1 "plan_id":"r","step_count":2,"steps":[{"step_id":"a","kind":"unknown","depends_on":[],"has_condition":false},{"step_id":"a","kind":"tool","depends_on":["x"],"has_condition":false}]
plan_end 20 "plan_id":"r","outcome":"failed","failed_step":"a","steps_total":2,"steps_succeeded":0,"steps_failed":0,"steps_skipped":0,"duration_ms":0,"reason":"two steps are `a`"
plan_end 1 "plan_id":"","outcome":"failed","failed_step":"plan","steps_total":0,"steps_succeeded":0,"steps_failed":0,"steps_skipped":0,"duration_ms":0,"reason":"not JSON"
task_end 2 "task_id":"t1","exit_status":"ok","duration_ms":12,"turns":0,"input_tokens":0,"output_tokens":0,"tool_calls":1,"shell_calls":0,"reopen_count":0
task_start 1 "task_id":"t2","context_id":"c1","source":"task_md","origin":"user","trust":"trusted","lane":"user","message_parts_bytes":3
plan_start 1 "plan_id":"q","step_count":2,"steps":[{"step_id":"w","kind":"capsule","depends_on":[],"has_condition":false},{"step_id":"z","kind":"tool","depends_on":["w"],"has_condition":false}]
plan_step_start 25 "plan_id":"q","step_id":"w","kind":"capsule","depends_on":[]
delegation_start 1 "delegation_id":"d2","capsule":"local/w","version":"0.1.0","child_session_id":"s2","child_workdir":"/w","child_records_dir":"/r"
plan_step 25 "plan_id":"q","step_id":"w","kind":"capsule","status":"failed","attempts":1,"duration_ms":8,"error":"ended"
plan_step 25 "plan_id":"q","step_id":"z","kind":"tool","status":"skipped","attempts":0,"duration_ms":0,"error":"cancelled"
plan_end 25 "plan_id":"q","outcome":"canceled","steps_total":2,"steps_succeeded":0,"steps_failed":1,"steps_skipped":1,"duration_ms":8,"reason":"the task running this plan was cancelled"
task_canceled 24 "task_id":"t2","turn":0,"phase":"plan","detached_work_ids":[],"delegation_ids":["d2"]
delegation 1 "capsule":"local/w","version":"0.1.0","delegation_id":"d2","child_session_id":"s2","duration_ms":8,"outcome":"terminated","reason":"the delegating task was cancelled"
task_end 24 "task_id":"t2","exit_status":"canceled","duration_ms":12,"turns":0,"input_tokens":0,"output_tokens":0,"tool_calls":1,"shell_calls":0,"reopen_count":0
later_kind 24 "whatever":1
spawner_ended 1 "spawned_by":"s0"
session_end 1 "total_turns":0,"total_input_tokens":0,"total_output_tokens":0,"total_tool_calls":1,"total_shell_calls":0,"duration_ms":30,"exit_status":"canceled"
"#;

fn id(number: usize) -> String {
    format!("evt_0000000000017000800000000000{number:04x}")
}

/// Writes out what [`GOOD`] is short for.
fn expand(short: &str) -> String {
    let mut text = String::new();
    for (index, line) in short.trim().lines().enumerate() {
        let mut parts = line.splitn(3, ' ');
        let (event, parent, payload) = (
            parts.next().unwrap(),
            parts.next().unwrap(),
            parts.next().unwrap_or_default(),
        );
        let parent = match parent {
            "-" => "null".to_owned(),
            number => format!("\"{}\"", id(number.parse().unwrap())),
        };
        let comma = if payload.is_empty() { "" } else { "," };
        text += &format!(
            "{{\"event_type\":\"{event}\",\"event_id\":\"{}\",\"parent_id\":{parent},\
             \"session_id\":\"ses_00000000000170008000000000000000\",\"timestamp\":1{comma}{payload}}}\n",
            id(index + 1)
        );
    }
    text
}

fn shown(text: &str) -> String {
    let found: Vec<String> = check(text).iter().map(ToString::to_string).collect();
    found.join("\n")
}

/// Returns what is found when `from` is replaced by `to` in one line of [`GOOD`], before it is written out.
fn short(line: usize, from: &str, to: &str) -> String {
    shown(&expand(&changed(GOOD.trim(), line, from, to)))
}

/// Returns what is found when `from` is replaced by `to` in one line of what [`GOOD`] is short for.
fn long(line: usize, from: &str, to: &str) -> String {
    shown(&changed(&expand(GOOD), line, from, to))
}

fn changed(text: &str, line: usize, from: &str, to: &str) -> String {
    let mut lines: Vec<String> = text.split('\n').map(str::to_owned).collect();
    let changed = lines[line - 1].replacen(from, to, 1);
    assert_ne!(lines[line - 1], changed, "`{from}` is not in line {line}");
    lines[line - 1] = changed;
    lines.join("\n")
}

/// Returns what is found when two neighbouring lines change places, ids and parents as they then are.
fn swapped(line: usize) -> String {
    let mut lines: Vec<&str> = GOOD.trim().lines().collect();
    lines.swap(line - 1, line);
    shown(&expand(&lines.join("\n")))
}

/// Returns what is found when a line is written a second time, as line `at`; what hangs off later lines still does.
fn doubled(line: usize, at: usize) -> String {
    let shifted = |line: &str| {
        let (event, rest) = line.split_once(' ').unwrap();
        let (parent, payload) = rest.split_once(' ').unwrap();
        match parent.parse::<usize>() {
            Ok(parent) if parent >= at => format!("{event} {} {payload}", parent + 1),
            Ok(_) | Err(_) => line.to_owned(),
        }
    };
    let mut lines: Vec<String> = GOOD.trim().lines().map(shifted).collect();
    lines.insert(at - 1, lines[line - 1].clone());
    shown(&expand(&lines.join("\n")))
}

/// Returns what is found when a line is another kind's, which is not looked into.
fn without(line: usize) -> String {
    let mut lines: Vec<&str> = GOOD.trim().lines().collect();
    lines[line - 1] = "later_kind 1";
    shown(&expand(&lines.join("\n")))
}

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
fn lines_that_are_not_compact_objects() {
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
fn common_keys() {
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

/// spec: trace.md, `event_id`: never used twice, in write order
#[test]
fn ids() {
    insta::assert_snapshot!(long(34, "evt_00000000000170008000000000000022", "evt_00000000000170008000000000000001"), @r"
    line 34: the id `evt_00000000000170008000000000000001` is used twice
    line 35: `spawner_ended` hangs off a line of another kind
    line 36: `session_end` hangs off a line of another kind
    ");
    insta::assert_snapshot!(long(34, "evt_00000000000170008000000000000022", "evt_00000000000070008000000000000022"), @"line 34: the id `evt_00000000000070008000000000000022` sorts before that of the line before");
}

/// spec: trace.md, `parent_id` and "hangs off"
#[test]
fn parents() {
    insta::assert_snapshot!(short(1, "-", "1"), @"line 1: `session_start` hangs off a line");
    insta::assert_snapshot!(short(35, "1", "-"), @"line 35: `parent_id` is null");
    insta::assert_snapshot!(short(34, "24", "36"), @"line 34: the parent `evt_00000000000170008000000000000024` is no earlier line");
    insta::assert_snapshot!(short(34, "24", "34"), @"line 34: the parent `evt_00000000000170008000000000000022` is no earlier line");
    insta::assert_snapshot!(short(2, "1", "2"), @"line 2: the parent `evt_00000000000170008000000000000002` is no earlier line");
    insta::assert_snapshot!(short(3, "1", "2"), @"line 3: `plan_start` hangs off a `task_start`");
    insta::assert_snapshot!(short(7, "2", "3"), @"line 7: `call_denied` hangs off a `plan_start`");
    insta::assert_snapshot!(short(8, "2", "4"), @"line 8: `protected_path_denied` hangs off a `plan_step_start`");
    insta::assert_snapshot!(short(10, "1", "3"), @"line 10: `delegation_start` hangs off a `plan_start`");
    insta::assert_snapshot!(short(11, "1", "10"), @"line 11: `delegation` hangs off a `delegation_start`");
    insta::assert_snapshot!(short(31, "24", "1"), @"line 31: `task_canceled` hangs off a `session_start`");
    insta::assert_snapshot!(short(33, "24", "1"), @"line 33: `task_end` hangs off a `session_start`");
    insta::assert_snapshot!(short(35, "1", "24"), @"line 35: `spawner_ended` hangs off a `task_start`");
    insta::assert_snapshot!(short(36, "1", "24"), @"line 36: `session_end` hangs off a `task_start`");
    insta::assert_snapshot!(doubled(1, 2), @"line 2: `session_start` is not the first line");
    insta::assert_snapshot!(swapped(35), @"line 36: a line follows `session_end`");
}

/// spec: trace.md, `parent_id`: `null` on every line of a file that has no `session_start`
#[test]
fn parents_without_a_session() {
    let plan: Vec<&str> = GOOD.trim().lines().skip(15).take(4).collect();
    let rootless = plan.join("\n").replace(" 16 ", " - ").replace(" 1 ", " - ");
    assert_eq!(shown(&expand(&rootless)), "");
    insta::assert_snapshot!(shown(&expand(&changed(&rootless, 3, " - ", " 1 "))), @"line 3: `parent_id` is not null in a trace without a `session_start`");
    insta::assert_snapshot!(shown(&expand(&changed(&rootless, 4, "\"steps_failed\":1", "\"steps_failed\":0"))), @"line 4: `plan_end` counts 0 succeeded, 0 failed, 0 skipped; its steps settled as 0, 1, 0");
}

/// spec: trace.md, the table of payloads
#[test]
fn payload_keys() {
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

/// spec: trace.md, plan_start, plan_step_start and plan_step
#[test]
fn steps() {
    insta::assert_snapshot!(short(3, "\"step_count\":4", "\"step_count\":3"), @"line 3: `step_count` is 3, `steps` has 4");
    insta::assert_snapshot!(doubled(4, 5), @"line 5: `a` starts twice");
    insta::assert_snapshot!(without(4), @"line 6: `a` has 1 attempts and no `plan_step_start`");
    insta::assert_snapshot!(without(6), @r"
    line 15: `plan_end` counts 1 succeeded, 1 failed, 2 skipped; its steps settled as 0, 1, 2
    line 15: `a` started and never settled
    line 15: the plan is `completed`, but not every step settled
    ");
    insta::assert_snapshot!(swapped(17), @r"
    line 17: `a` has 1 attempts and no `plan_step_start`
    line 18: `a` starts after it settled
    ");
    insta::assert_snapshot!(short(4, "\"step_id\":\"a\"", "\"step_id\":\"x\""), @r"
    line 4: the plan declares no step `x`
    line 6: `a` has 1 attempts and no `plan_step_start`
    ");
    insta::assert_snapshot!(short(4, "\"tool\"", "\"shell\""), @"line 4: `a` starts as another kind or with other dependencies than declared");
    insta::assert_snapshot!(short(4, "[]", "[\"b\"]"), @r"
    line 4: `a` starts before `b` settled
    line 4: `a` starts as another kind or with other dependencies than declared
    ");
    insta::assert_snapshot!(short(4, "\"p\"", "\"o\""), @"line 4: a step of the plan `p` says it is of `o`");
    insta::assert_snapshot!(short(6, "\"step_id\":\"a\"", "\"step_id\":\"x\""), @r"
    line 6: the plan declares no step `x`
    line 15: `a` started and never settled
    line 15: the plan is `completed`, but not every step settled
    ");
    insta::assert_snapshot!(short(6, "\"tool\"", "\"shell\""), @r"
    line 6: `a` is no tool step and has an `input`
    line 6: `a` settles as another kind than declared
    ");
    insta::assert_snapshot!(short(6, "\"success\"", "\"passed\""), @r"
    line 6: `passed` is no status
    line 15: `plan_end` counts 1 succeeded, 1 failed, 2 skipped; its steps settled as 0, 1, 2
    ");
    insta::assert_snapshot!(short(6, "\"attempts\":1", "\"attempts\":0"), @r"
    line 6: `a` was never dispatched and took 5 ms
    line 6: `a` was never dispatched and succeeded
    line 6: `a` was never dispatched and has an `input`
    line 6: `a` started and has 0 attempts
    ");
    insta::assert_snapshot!(short(6, ",\"input\"", ",\"error\":\"e\",\"input\""), @"line 6: `a` succeeded with an `error`");
    insta::assert_snapshot!(short(9, ",\"error\":\"refused\"", ""), @"line 9: `b` failed without an `error`");
    insta::assert_snapshot!(short(9, "\"attempts\":0", "\"attempts\":1"), @"line 9: `b` has 1 attempts and no `plan_step_start`");
    insta::assert_snapshot!(short(9, "\"duration_ms\":0", "\"duration_ms\":3"), @"line 9: `b` was never dispatched and took 3 ms");
    insta::assert_snapshot!(short(14, "\"duration_ms\":0", "\"duration_ms\":0,\"input\":1"), @"line 14: `n` was never dispatched and has an `input`");
    insta::assert_snapshot!(doubled(14, 15), @r"
    line 15: `n` settles twice
    line 16: `plan_end` counts 1 succeeded, 1 failed, 2 skipped; its steps settled as 1, 1, 3
    ");
    insta::assert_snapshot!(swapped(14), @r"
    line 14: `plan_end` counts 1 succeeded, 1 failed, 2 skipped; its steps settled as 1, 1, 1
    line 14: the plan is `completed`, but not every step settled
    line 15: a step line follows the end of the plan `p`
    ");
    insta::assert_snapshot!(without(16), @r"
    line 17: `plan_step_start` hangs off a line of another kind
    line 17: `plan_step_start` has no `plan_start`
    line 18: `plan_step` hangs off a line of another kind
    line 18: `plan_step` has no `plan_start`
    line 19: `plan_end` hangs off a line of another kind
    line 19: a plan that did not parse ends without outcome `failed` and a reason
    line 19: a plan that did not parse counts settled steps
    ");
}

/// spec: trace.md, plan_end
#[test]
fn ends_of_plans() {
    insta::assert_snapshot!(without(15), @r"
    line 3: the plan `p` has no `plan_end`
    line 23: the task `t1` ends before the plan of line 3
    line 31: the task `t2` is cancelled before the plan of line 3 ended
    line 33: the task `t2` ends before the plan of line 3
    ");
    insta::assert_snapshot!(doubled(15, 16), @"line 16: the plan `p` ends twice");
    insta::assert_snapshot!(short(15, "\"p\"", "\"o\""), @"line 15: the plan `p` ends as `o`");
    insta::assert_snapshot!(short(15, "\"steps_total\":4", "\"steps_total\":3"), @"line 15: `steps_total` is 3, the plan declares 4");
    insta::assert_snapshot!(short(15, "\"steps_skipped\":2", "\"steps_skipped\":1"), @"line 15: `plan_end` counts 1 succeeded, 1 failed, 1 skipped; its steps settled as 1, 1, 2");
    insta::assert_snapshot!(short(15, "\"completed\"", "\"done\""), @"line 15: `done` is no outcome of a plan");
    insta::assert_snapshot!(short(15, "\"completed\"", "\"completed\",\"failed_step\":\"b\""), @"line 15: a completed plan has a `failed_step` or a `reason`");
    insta::assert_snapshot!(short(19, "\"failed\",\"failed_step\":\"a\"", "\"completed\""), @"line 19: the plan is `completed`, but not every step settled");
    insta::assert_snapshot!(short(19, "\"failed_step\":\"a\"", "\"failed_step\":\"b\""), @"line 19: `b` stopped the plan, but did not settle as failed");
    insta::assert_snapshot!(short(19, ",\"failed_step\":\"a\"", ""), @"line 19: a failed plan has no `failed_step`");
    insta::assert_snapshot!(short(19, "\"duration_ms\":3", "\"duration_ms\":3,\"reason\":\"r\""), @"line 19: a plan that was refused has step lines");
    insta::assert_snapshot!(short(30, "\"canceled\"", "\"canceled\",\"failed_step\":\"w\""), @"line 30: a canceled plan has a `failed_step` or no `reason`");
    insta::assert_snapshot!(short(30, ",\"reason\":\"the task running this plan was cancelled\"", ""), @"line 30: a canceled plan has a `failed_step` or no `reason`");
    insta::assert_snapshot!(without(29), @r"
    line 30: `plan_end` counts 0 succeeded, 1 failed, 1 skipped; its steps settled as 0, 1, 0
    line 30: the plan is `canceled`, but not every step settled
    ");
    insta::assert_snapshot!(short(22, ",\"reason\":\"not JSON\"", ""), @"line 22: a plan that did not parse ends without outcome `failed` and a reason");
    insta::assert_snapshot!(short(22, "\"steps_failed\":0", "\"steps_failed\":1"), @"line 22: a plan that did not parse counts settled steps");
}

/// spec: trace.md, delegation_start and delegation
#[test]
fn delegations() {
    insta::assert_snapshot!(doubled(10, 11), @"line 11: the delegation `d1` starts twice");
    insta::assert_snapshot!(without(10), @"line 11: the delegation `d1` ends without a start");
    insta::assert_snapshot!(without(11), @"line 10: the delegation `d1` has no `delegation` line");
    insta::assert_snapshot!(doubled(11, 12), @"line 12: the delegation `d1` ends twice");
    insta::assert_snapshot!(short(11, "\"s1\"", "null"), @r"
    line 10: the delegation `d1` has no `delegation` line
    line 11: a delegation has one of its two ids
    ");
    insta::assert_snapshot!(short(11, "\"s1\"", "\"s2\""), @"line 11: the delegation `d1` ends with another child than it started");
    insta::assert_snapshot!(short(11, "\"slow\"", "null"), @"line 11: a delegation is `timed_out` without a `reason`");
    insta::assert_snapshot!(short(11, "\"timed_out\"", "\"completed\""), @"line 11: a completed delegation has a `reason`");
    insta::assert_snapshot!(short(11, "\"timed_out\"", "\"late\""), @"line 11: `late` is no outcome of a delegation");
    insta::assert_snapshot!(short(12, "\"refused\"", "\"timed_out\""), @"line 12: a delegation without ids is `timed_out`");
    insta::assert_snapshot!(short(32, "\"the delegating task was cancelled\"", "\"x\""), @"line 32: a terminated delegation has not the reason `the delegating task was cancelled`");
    insta::assert_snapshot!(short(32, "\"terminated\"", "\"failed\""), @"line 32: the delegation `d2` was cancelled and is not `terminated`");
}

/// spec: trace.md, Rules: "the order is: `plan_step` lines, `plan_end`, then `task_canceled` …"
#[test]
fn cancels() {
    insta::assert_snapshot!(swapped(30), @"line 30: the task `t2` is cancelled before the plan of line 25 ended");
    insta::assert_snapshot!(swapped(31), @r"
    line 31: the delegation `d2` is terminated before a `task_canceled` names it
    line 32: `task_canceled` names `d2`, which had ended
    ");
    insta::assert_snapshot!(swapped(32), @"line 32: the task `t2` ends before the `delegation` line of `d2`");
    insta::assert_snapshot!(without(31), @r"
    line 32: the delegation `d2` is terminated before a `task_canceled` names it
    line 33: the task `t2` ends `canceled` without a `task_canceled`
    ");
    insta::assert_snapshot!(without(32), @r"
    line 27: the delegation `d2` has no `delegation` line
    line 33: the task `t2` ends before the `delegation` line of `d2`
    ");
    insta::assert_snapshot!(without(33), @"line 24: the task `t2` has no `task_end`");
    insta::assert_snapshot!(without(24), @r"
    line 31: `task_canceled` hangs off a line of another kind
    line 31: the task `t2` is cancelled and never started
    line 33: `task_end` hangs off a line of another kind
    line 33: the task `t2` ends and never started
    ");
    insta::assert_snapshot!(doubled(24, 25), @"line 25: the task `t2` starts twice");
    insta::assert_snapshot!(doubled(31, 32), @"line 32: the task `t2` is cancelled twice");
    insta::assert_snapshot!(doubled(33, 34), @"line 34: the task `t2` ends twice");
    insta::assert_snapshot!(short(33, "\"canceled\"", "\"ok\""), @"line 33: the task `t2` was cancelled and does not end `canceled`");
    insta::assert_snapshot!(short(33, "\"canceled\"", "\"gone\""), @"line 33: `gone` is no exit status");
    insta::assert_snapshot!(short(31, "\"d2\"", "\"d1\",\"d9\",\"d2\""), @r"
    line 31: `task_canceled` names `d1`, which had ended
    line 31: `task_canceled` names `d9`, which never started
    ");
}
