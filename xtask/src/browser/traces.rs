//! A big trace, for pages that nobody would write by hand.

use std::fmt::Write as _;

/// Returns the trace of a plan of `steps` steps of every kind: chains of ten, some that fail, are skipped, are tried
/// again or wait, and some that never run.
pub(super) fn big(steps: usize) -> String {
    let mut trace = String::new();
    let mut number = 0;
    let mut write = |parent: &str, at: usize, kind: &str, rest: &str| {
        let _ = writeln!(
            trace,
            r#"{{"event_type":"{kind}","event_id":"evt_{number}","parent_id":{parent},"session_id":"ses_big","timestamp":{},{rest}}}"#,
            START_MS + at
        );
        number += 1;
    };
    write(
        "null",
        0,
        "session_start",
        r#""capsule_name":"big","capsule_version":"0.1.0","model":"""#,
    );
    let mut declared = String::new();
    for step in 0..steps {
        let comma = if step == 0 { "" } else { "," };
        let _ = write!(
            declared,
            r#"{comma}{{"step_id":"{}","kind":"{}","depends_on":[{}],"has_condition":false}}"#,
            id(step),
            kind(step),
            depends_on(step)
        );
    }
    write(
        r#""evt_0""#,
        4,
        "plan_start",
        &format!(r#""plan_id":"big","step_count":{steps},"steps":[{declared}]"#),
    );
    let plan = r#""evt_1""#;
    let mut lines = Vec::new();
    for step in 0..steps {
        if step % 97 == 96 {
            continue;
        }
        let (begin, end) = (begin(step), begin(step) + took(step));
        let start = format!(
            r#""plan_id":"big","step_id":"{}","kind":"{}","depends_on":[{}]"#,
            id(step),
            kind(step),
            depends_on(step)
        );
        lines.push((begin, "plan_step_start", start));
        let (status, error) = match step % 50 {
            7 => (
                "failed",
                r#","error":"exit code 7: something did not work as it should""#,
            ),
            19 => ("skipped", r#","error":"nothing to do""#),
            _ => ("success", ""),
        };
        let settled = format!(
            r#""plan_id":"big","step_id":"{}","kind":"{}","status":"{status}","attempts":{},"duration_ms":{}{error}"#,
            id(step),
            kind(step),
            1 + step % 17 / 15,
            took(step)
        );
        lines.push((end, "plan_step", settled));
    }
    lines.sort_by_key(|(at, kind, _)| (*at, *kind == "plan_step_start"));
    let last = lines.last().map_or(0, |(at, ..)| *at);
    for (at, kind, rest) in &lines {
        write(plan, *at, kind, rest);
    }
    write(
        plan,
        last,
        "plan_end",
        &format!(
            r#""plan_id":"big","outcome":"failed","steps_total":{steps},"steps_succeeded":0,"steps_failed":0,"steps_skipped":0,"duration_ms":{last}"#
        ),
    );
    trace
}

fn id(step: usize) -> String {
    format!("package-{}/step-{step}", step / 10)
}

fn kind(step: usize) -> &'static str {
    ["shell", "shell", "tool", "shell", "capsule"][step % 5]
}

fn depends_on(step: usize) -> String {
    if step.is_multiple_of(10) {
        String::new()
    } else {
        format!("\"{}\"", id(step - 1))
    }
}

/// Each step after the one it waits for, each tenth a while later.
fn begin(step: usize) -> usize {
    let first = step - step % 10;
    let before: usize = (first..step).map(took).sum();
    10 + first * 7 + before + step % 3 * 40
}

fn took(step: usize) -> usize {
    100 + step * 37 % 900
}

const START_MS: usize = 1_772_884_800_000;
