//! That the checker finds each broken rule, and nothing in what is right.

mod lines;
mod plans;
mod tasks;
mod tree;

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
