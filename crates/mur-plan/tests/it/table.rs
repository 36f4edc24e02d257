//! The report as a table.

use std::path::PathBuf;

use mur_plan::StepFacts;
use mur_plan::cli::table::{Kept, Look, RunFacts, write};
use plan_model::{Report, Status, StepReport};

fn step(id: &str, status: Status, output: Option<&str>, error: Option<&str>) -> StepReport {
    StepReport {
        step_id: id.to_owned(),
        status,
        output: output.map(str::to_owned),
        error: error.map(str::to_owned),
    }
}

fn report(steps: Vec<StepReport>) -> Report {
    Report {
        plan_id: "demo".to_owned(),
        completed: true,
        canceled: false,
        failed_step: None,
        steps,
    }
}

fn facts(steps: &[(u32, u64)]) -> RunFacts {
    RunFacts {
        steps: steps
            .iter()
            .map(|&(attempts, duration_ms)| StepFacts {
                attempts,
                duration_ms,
            })
            .collect(),
        duration_ms: 61_000,
        kept: Vec::new(),
    }
}

fn table(report: &Report, facts: &RunFacts, width: Option<usize>) -> String {
    let mut out = Vec::new();
    write(
        &mut out,
        report,
        facts,
        Look {
            width,
            colour: false,
        },
    )
    .unwrap();
    String::from_utf8(out).unwrap()
}

fn three() -> (Report, RunFacts) {
    let report = report(vec![
        step("list", Status::Success, Some("a.txt\nb.txt\n"), None),
        step(
            "check",
            Status::Failed,
            Some(""),
            Some("error: could not compile the crate because of one error\nmore"),
        ),
        step("数字", Status::Skipped, None, None),
    ]);
    (report, facts(&[(1, 212), (3, 65_000), (0, 0)]))
}

/// issue: the command; the report as a table at the end.
#[test]
fn a_report_is_a_table_and_a_sentence() {
    let (report, facts) = three();
    insta::assert_snapshot!(table(&report, &facts, None), @"");
}

/// decision: the table fits the window.
#[test]
fn a_table_fits_its_width() {
    let (report, facts) = three();
    insta::assert_snapshot!(table(&report, &facts, Some(60)), @"");
}

/// decision: terminal escapes from steps never reach the terminal, and a long id does not push the rest away.
#[test]
fn what_a_step_says_does_not_steer() {
    let report = report(vec![
        step(
            "\x1b[31mid\n",
            Status::Failed,
            None,
            Some("\r\x1b[2Jboo\x07"),
        ),
        step(
            &"long-".repeat(20),
            Status::Success,
            Some("\u{202e}x"),
            None,
        ),
    ]);
    let mut facts = facts(&[(1, 1)]);
    facts.kept = vec![Kept {
        step_id: "\x1b[31mid".to_owned(),
        path: PathBuf::from("/r/outputs/1\x1b.txt"),
    }];
    insta::assert_snapshot!(table(&report, &facts, Some(100)), @"");
}

/// decision: with colours, a table has the same text.
#[test]
fn colours_do_not_change_the_text() {
    let (report, facts) = three();
    let mut out = Vec::new();
    write(
        &mut out,
        &report,
        &facts,
        Look {
            width: Some(60),
            colour: true,
        },
    )
    .unwrap();
    let coloured = String::from_utf8(out).unwrap();
    assert!(coloured.contains("\x1b["));
    assert_eq!(
        anstream::adapter::strip_str(&coloured).to_string(),
        table(&report, &facts, Some(60))
    );
}

/// spec: an empty plan completes having done nothing.
#[test]
fn an_empty_report_is_a_sentence() {
    insta::assert_snapshot!(table(&report(Vec::new()), &RunFacts::default(), Some(80)), @"");
}
