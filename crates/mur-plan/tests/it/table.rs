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

fn facts(steps: &[(u32, u64)]) -> Vec<StepFacts> {
    steps
        .iter()
        .map(|&(attempts, duration_ms)| StepFacts {
            attempts,
            duration_ms,
        })
        .collect()
}

fn draw(report: &Report, steps: &[StepFacts], kept: &[Kept], look: Look) -> String {
    let mut out = Vec::new();
    let facts = RunFacts {
        steps,
        summary: "Plan 'de\x1bmo': N steps",
        duration_ms: 61_000,
        kept,
    };
    write(&mut out, report, &facts, look).expect("a vector takes everything");
    String::from_utf8(out).expect("a table is text")
}

fn table(report: &Report, steps: &[StepFacts], width: Option<usize>) -> String {
    draw(
        report,
        steps,
        &[],
        Look {
            width,
            colour: false,
        },
    )
}

fn three() -> (Report, Vec<StepFacts>) {
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

/// spec: The command; the report as a table at the end.
#[test]
fn a_report_is_a_table_and_a_sentence() {
    let (report, facts) = three();
    insta::assert_snapshot!(table(&report, &facts, None), @r"
    step   status   tries  time        error or output
    list   success  1      0.2 s       a.txt …
    check  failed   3      1 min 05 s  error: could not compile the crate because of one error …
    数字   skipped

    Plan 'de␛mo': N steps in 1 min 01 s
    ");
}

/// decision: the table fits the window.
#[test]
fn a_table_fits_its_width() {
    let (report, facts) = three();
    insta::assert_snapshot!(table(&report, &facts, Some(60)), @r"
    step   status   tries  time        error or output
    list   success  1      0.2 s       a.txt …
    check  failed   3      1 min 05 s  error: could not compile…
    数字   skipped

    Plan 'de␛mo': N steps in 1 min 01 s
    ");
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
    let facts = facts(&[(1, 1)]);
    let kept = [Kept {
        step_id: "\x1b[31mid".to_owned(),
        path: PathBuf::from("/r/outputs/1\x1b.txt"),
    }];
    let look = Look {
        width: Some(100),
        colour: false,
    };
    insta::assert_snapshot!(draw(&report, &facts, &kept, look), @r"
    step                              status   tries  time   error or output
    ␛[31mid␊                          failed   1      0.0 s  ␛[2Jboo␇
    long-long-long-long-long-long-l…  success                �x

    Plan 'de␛mo': N steps in 1 min 01 s
    the whole output of `␛[31mid` is in /r/outputs/1␛.txt
    ");
}

/// decision: with colours, a table has the same text.
#[test]
fn colours_do_not_change_the_text() {
    let (report, facts) = three();
    let coloured = draw(
        &report,
        &facts,
        &[],
        Look {
            width: Some(60),
            colour: true,
        },
    );
    assert!(coloured.contains("\x1b["));
    assert_eq!(
        anstream::adapter::strip_str(&coloured).to_string(),
        table(&report, &facts, Some(60))
    );
}

/// spec: Shape; an empty plan completes having done nothing.
#[test]
fn an_empty_report_is_a_sentence() {
    insta::assert_snapshot!(table(&report(Vec::new()), &[], Some(80)), @"Plan 'de␛mo': N steps in 1 min 01 s");
}
