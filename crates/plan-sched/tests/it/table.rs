//! The decision tables, row by row: what a failure does, and what a stop and a cancel do.

use crate::stage::{At, Stage};
use insta::assert_snapshot;
use plan_model::Kind;

const KINDS: [Kind; 3] = [Kind::Tool, Kind::Shell, Kind::Capsule];

/// spec: Failure; ruling 21, ruling 22, ruling 27.
#[test]
fn a_failed_attempt_follows_the_settle_table() {
    let mut table = Vec::new();
    for (course, before) in [
        ("going", &[] as &[&str]),
        ("stopped", &["fail stop: first"]),
        ("stopped, canceled", &["fail stop: first", "cancel"]),
        ("canceled", &["cancel"]),
    ] {
        for on_error in ["fail", "skip", "continue"] {
            for failures in [1, 2] {
                let rows = KINDS.map(|kind| {
                    // With one failure before, no attempt is left.
                    let mut stage = Stage::new(kind, on_error, At::Running);
                    if failures == 2 {
                        stage.polled(&["fail x: boom", "admit x"]);
                    }
                    stage.polled(before);
                    stage.take_log();
                    stage.polled(&["fail x: boom"]);
                    let log = stage.take_log();
                    let report = stage.sched.clone().into_report();
                    let failed_step = report.failed_step.unwrap_or_else(|| "-".to_owned());
                    format!("{log:<12} | {} | {failed_step}", stage.x())
                });
                table.push(format!(
                    "{course:<17} {on_error:<8} failure {failures} of 2 | {}",
                    one(rows)
                ));
            }
        }
    }
    assert_snapshot!(table.join("\n"), @r#"
    going             fail     failure 1 of 2 | ask x        | x not settled | -
    going             fail     failure 2 of 2 | settled x    | x failed attempts=2 error="boom" | x
    going             skip     failure 1 of 2 | ask x        | x not settled | -
    going             skip     failure 2 of 2 | settled x    | x skipped attempts=2 error="boom" | -
    going             continue failure 1 of 2 | ask x        | x not settled | -
    going             continue failure 2 of 2 | settled x    | x failed attempts=2 error="boom" | -
    stopped           fail     failure 1 of 2 | settled x, finished | x failed error="boom" | stop
    stopped           fail     failure 2 of 2 | settled x, finished | x failed attempts=2 error="boom" | stop
    stopped           skip     failure 1 of 2 | settled x, finished | x skipped error="boom" | stop
    stopped           skip     failure 2 of 2 | settled x, finished | x skipped attempts=2 error="boom" | stop
    stopped           continue failure 1 of 2 | settled x, finished | x failed error="boom" | stop
    stopped           continue failure 2 of 2 | settled x, finished | x failed attempts=2 error="boom" | stop
    stopped, canceled fail     failure 1 of 2 | settled x, finished | x failed error="boom" | stop
    stopped, canceled fail     failure 2 of 2 | settled x, finished | x failed attempts=2 error="boom" | stop
    stopped, canceled skip     failure 1 of 2 | settled x, finished | x failed error="boom" | stop
    stopped, canceled skip     failure 2 of 2 | settled x, finished | x failed attempts=2 error="boom" | stop
    stopped, canceled continue failure 1 of 2 | settled x, finished | x failed error="boom" | stop
    stopped, canceled continue failure 2 of 2 | settled x, finished | x failed attempts=2 error="boom" | stop
    canceled          fail     failure 1 of 2 | settled x    | x failed error="boom" | -
    canceled          fail     failure 2 of 2 | settled x    | x failed attempts=2 error="boom" | -
    canceled          skip     failure 1 of 2 | settled x    | x failed error="boom" | -
    canceled          skip     failure 2 of 2 | settled x    | x failed attempts=2 error="boom" | -
    canceled          continue failure 1 of 2 | settled x    | x failed error="boom" | -
    canceled          continue failure 2 of 2 | settled x    | x failed attempts=2 error="boom" | -
    "#);
}

/// ruling 21; decision: a step being asked about when the plan stops was never dispatched.
#[test]
fn a_stop_follows_its_table() {
    assert_snapshot!(halt_table("fail stop: first"), @r#"
    any        any           | Blocked       |           | x not settled
    any        any           | Unlocked      |           | x not settled
    any        any           | Ready         |           | x not settled
    any        any           | Asked         |           | x not settled
    any        fail/continue | AskedAgain    | settled x | x failed error="once"
    any        skip          | AskedAgain    | settled x | x skipped error="once"
    any        any           | Admitted      |           | x not settled
    any        fail/continue | AdmittedAgain | settled x | x failed error="once"
    any        skip          | AdmittedAgain | settled x | x skipped error="once"
    any        any           | Running       |           | x not settled
    any        fail/continue | Retrying      | settled x | x failed error="once"
    any        skip          | Retrying      | settled x | x skipped error="once"
    any        any           | Settled       |           | x success
    "#);
}

/// spec: When the task is cancelled; ruling 27.
#[test]
fn a_cancel_follows_its_table() {
    assert_snapshot!(halt_table("cancel"), @r#"
    any        any           | Blocked       | settled x | x skipped attempts=0 error="the task running this plan was cancelled before this step ran"
    any        any           | Unlocked      | settled x | x skipped attempts=0 error="the task running this plan was cancelled before this step ran"
    any        any           | Ready         | settled x | x skipped attempts=0 error="the task running this plan was cancelled before this step ran"
    any        any           | Asked         | settled x | x skipped attempts=0 error="the task running this plan was cancelled before this step ran"
    any        any           | AskedAgain    | settled x | x failed error="once"
    any        any           | Admitted      | settled x | x skipped attempts=0 error="the task running this plan was cancelled before this step ran"
    any        any           | AdmittedAgain | settled x | x failed error="once"
    tool/shell any           | Running       |           | x not settled
    capsule    any           | Running       | end x     | x not settled
    any        any           | Retrying      | settled x | x failed error="once"
    any        any           | Settled       |           | x success
    "#);
}

/// What an event does to `x` in every phase, for every kind and policy.
fn halt_table(event: &str) -> String {
    let mut table = Vec::new();
    for at in At::ALL {
        for kind in KINDS {
            for on_error in ["fail", "skip", "continue"] {
                let mut stage = Stage::new(kind, on_error, at);
                stage.polled(&[event]);
                // `Settled` effects of earlier inputs that nobody polled are no part of the row.
                let log: Vec<_> = stage
                    .take_log()
                    .split(", ")
                    .filter(|entry| entry.ends_with(" x"))
                    .map(str::to_owned)
                    .collect();
                let row = format!(
                    "{:<13} | {:<9} | {}",
                    format!("{at:?}"),
                    log.join(", "),
                    stage.x()
                );
                table.push((row, kind, on_error));
            }
        }
    }
    merge(table)
}

/// Joins rows that differ in kind or policy alone, and says which they are unless it is all of them.
fn merge(table: Vec<(String, Kind, &'static str)>) -> String {
    let mut rows: Vec<(String, Vec<&str>, Vec<&str>)> = Vec::new();
    for (row, kind, on_error) in table {
        if rows.last().is_none_or(|last| last.0 != row) && !rows.iter().any(|known| known.0 == row)
        {
            rows.push((row.clone(), Vec::new(), Vec::new()));
        }
        for known in rows.iter_mut().filter(|known| known.0 == row) {
            if !known.1.contains(&kind.name()) {
                known.1.push(kind.name());
            }
            if !known.2.contains(&on_error) {
                known.2.push(on_error);
            }
        }
    }
    let all = |words: &[&str]| {
        if words.len() == 3 {
            "any".to_owned()
        } else {
            words.join("/")
        }
    };
    let rows = rows
        .iter()
        .map(|(row, kinds, policies)| format!("{:<10} {:<13} | {row}", all(kinds), all(policies)));
    rows.collect::<Vec<_>>().join("\n")
}

/// Returns what all kinds have in common, which must be everything.
fn one(rows: [String; 3]) -> String {
    let [tool, shell, capsule] = rows;
    assert_eq!(tool, shell);
    assert_eq!(tool, capsule);
    tool
}
