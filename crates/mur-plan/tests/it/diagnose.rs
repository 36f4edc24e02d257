//! The faults of a plan, in the plan's own text and as JSON.

use std::time::{Duration, Instant};

use mur_plan::cli::diagnose::{json, listing, tally};
use mur_plan::cli::snippet::Sheet;
use plan_model::{Diagnostic, FaultyStep, Severity, StepIdx};

const PLAN: &str = r#"{
  "id": "demo",
  "steps": [
    {"id": "list", "tool": "repo-file"},
    {"id": "数字", "tool": "notes", "dependsOn": ["list"]},
    {
      "id": "none"
    }
  ]
}
"#;

fn at(text: &[u8], span: std::ops::Range<usize>) -> Diagnostic {
    let before = String::from_utf8_lossy(&text[..span.start]);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Diagnostic {
        severity: Severity::Error,
        code: "unknown-tool",
        step: Some(FaultyStep {
            index: StepIdx::new(0),
            id: "list".to_owned(),
        }),
        pointer: "/steps/0/tool".to_owned(),
        span,
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
        message: "no tool is named `repo-file`".to_owned(),
        hint: Some("did you mean `repo-files`?".to_owned()),
    }
}

/// A fault at the first place `piece` stands in `text`.
fn of(text: &str, piece: &str) -> Diagnostic {
    let start = text.find(piece).expect("the piece is in the text");
    at(text.as_bytes(), start..start + piece.len())
}

fn show(text: &[u8], diagnostic: Diagnostic) -> String {
    let sheet = Sheet {
        name: "plan.json",
        text,
        width: 80,
        colour: false,
    };
    listing(&sheet, &[diagnostic]).trim_end().to_owned()
}

/// spec: The command, check; each fault is shown in the plan's own text with a caret, line and column.
#[test]
fn a_fault_is_shown_with_a_caret() {
    insta::assert_snapshot!(show(PLAN.as_bytes(), of(PLAN, "\"repo-file\"")), @r#"
    error[unknown-tool]: no tool is named `repo-file`
     --> plan.json:4:28
      |
    4 |     {"id": "list", "tool": "repo-file"},
      |                            ^^^^^^^^^^^
      |
      = hint: did you mean `repo-files`?
    "#);
}

/// spec: The command, check; warnings too, and wide characters do not shift the caret.
#[test]
fn a_warning_is_shown_under_wide_characters() {
    let warning = Diagnostic {
        severity: Severity::Warning,
        code: "unknown-key",
        message: "the format does not know `dependsOn`".to_owned(),
        hint: None,
        ..of(PLAN, "\"dependsOn\"")
    };
    insta::assert_snapshot!(show(PLAN.as_bytes(), warning), @r#"
    warning[unknown-key]: the format does not know `dependsOn`
     --> plan.json:5:35
      |
    5 |     {"id": "数字", "tool": "notes", "dependsOn": ["list"]},
      |                                     ^^^^^^^^^^^
    "#);
}

/// decision: a fault of many lines is shown by the first.
#[test]
fn a_place_of_many_lines_is_shown_by_its_first() {
    let piece = "{\n      \"id\": \"none\"\n    }";
    insta::assert_snapshot!(show(PLAN.as_bytes(), of(PLAN, piece)), @r"
    error[unknown-tool]: no tool is named `repo-file`
     --> plan.json:6:5
      |
    6 |     {
      |     ^
      |
      = hint: did you mean `repo-files`?
    ");
}

/// decision: an end that comes too soon is pointed at as well.
#[test]
fn the_end_of_the_text_can_be_pointed_at() {
    let text = b"{\"id\": ";
    insta::assert_snapshot!(show(text, at(text, 7..7)), @r#"
    error[unknown-tool]: no tool is named `repo-file`
     --> plan.json:1:8
      |
    1 | {"id": 
      |        ^
      |
      = hint: did you mean `repo-files`?
    "#);
    insta::assert_snapshot!(show(b"", at(b"", 0..0)), @r"
    error[unknown-tool]: no tool is named `repo-file`
     --> plan.json:1:1
      |
    1 |
      | ^
      |
      = hint: did you mean `repo-files`?
    ");
    let text = b"{\n";
    insta::assert_snapshot!(show(text, at(text, 2..2)), @r"
    error[unknown-tool]: no tool is named `repo-file`
     --> plan.json:2:1
      |
    2 |
      | ^
      |
      = hint: did you mean `repo-files`?
    ");
}

/// spec: Bad input; invalid UTF-8 is shown with a stand-in.
#[test]
fn a_text_that_is_not_utf8_is_shown() {
    let text = b"{\"id\": \"\xc3\xa9\xff\xfe\"}";
    insta::assert_snapshot!(show(text, at(text, 10..11)), @r#"
    error[unknown-tool]: no tool is named `repo-file`
     --> plan.json:1:10
      |
    1 | {"id": "é��"}
      |          ^
      |
      = hint: did you mean `repo-files`?
    "#);
}

/// decision: a byte-order mark is not shown and does not shift the caret.
#[test]
fn a_byte_order_mark_is_not_shown() {
    let text = "\u{feff}{\"id\": 5}";
    insta::assert_snapshot!(show(text.as_bytes(), of(text, "5")), @r#"
    error[unknown-tool]: no tool is named `repo-file`
     --> plan.json:1:9
      |
    1 | {"id": 5}
      |        ^
      |
      = hint: did you mean `repo-files`?
    "#);
}

/// decision: terminal escapes from a plan never reach the terminal.
#[test]
fn control_characters_are_made_visible() {
    let text = "{\t\"id\": \"\x1b[31m\u{202e}\u{9b}x\",\t\"steps\": 5}\r\n";
    let mut diagnostic = of(text, "5");
    diagnostic.message = "step `\x1b]0;x\x07` is not\na list".to_owned();
    diagnostic.hint = Some("\x1b[2J".to_owned());
    insta::assert_snapshot!(show(text.as_bytes(), diagnostic.clone()), @r#"
    error[unknown-tool]: step `␛]0;x␇` is not␊a list
     --> plan.json:1:30
      |
    1 | { "id": "␛[31m��x", "steps": 5}
      |                              ^
      |
      = hint: ␛[2J
    "#);
    let sheet = Sheet {
        name: "p\x1b[2Jlan",
        text: text.as_bytes(),
        width: 80,
        colour: true,
    };
    let coloured = listing(&sheet, &[diagnostic]);
    let plain = anstream::adapter::strip_str(&coloured).to_string();
    assert!(
        !plain.chars().any(|c| c.is_control() && c != '\n'),
        "{plain:?}"
    );
    assert!(
        !coloured.contains("[2J") || coloured.contains("␛[2J"),
        "{coloured:?}"
    );
}

/// spec: Bad input; a plan on one line of 100 MB is shown by what surrounds the place, and at once.
#[test]
fn a_long_line_is_shown_by_what_surrounds_the_place() {
    let mut text = "x, ".repeat(30_000_000);
    let middle = text.len() / 2;
    text.insert_str(middle, "\"HERE\"");
    let text = text.as_bytes();
    let here = Diagnostic {
        line: 1,
        column: middle + 1,
        ..at(b"", 0..0)
    };
    let started = Instant::now();
    let spans = [
        middle..middle + 6,
        0..3,
        text.len() - 3..text.len(),
        middle..text.len(),
    ];
    let shown = spans.map(|span| {
        show(
            text,
            Diagnostic {
                span,
                ..here.clone()
            },
        )
    });
    assert!(started.elapsed() < Duration::from_secs(1));
    insta::assert_snapshot!(shown.join("\n\n"), @r#"
    error[unknown-tool]: no tool is named `repo-file`
     --> plan.json:1:45000001
      |
    1 | …x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, "HERE"x, x, x, x, x, x, x, x…
      |                                               ^^^^^^
      |
      = hint: did you mean `repo-files`?

    error[unknown-tool]: no tool is named `repo-file`
     --> plan.json:1:45000001
      |
    1 | x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x,…
      | ^^^
      |
      = hint: did you mean `repo-files`?

    error[unknown-tool]: no tool is named `repo-file`
     --> plan.json:1:45000001
      |
    1 | …, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, x, 
      |                                                                         ^^^
      |
      = hint: did you mean `repo-files`?

    error[unknown-tool]: no tool is named `repo-file`
     --> plan.json:1:45000001
      |
    1 | …x, x, x, x, x, x, x, x, "HERE"x, x, x, x, x, x, x, x, x, x, x, x, x, x, x…
      |                          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
      |
      = hint: did you mean `repo-files`?
    "#);
    let widest = shown
        .iter()
        .flat_map(|text| text.lines())
        .map(|line| line.chars().count())
        .max();
    assert!(widest <= Some(80), "{widest:?}");
}

/// spec: Bad input; no place in no text makes showing it panic.
#[test]
fn any_place_can_be_shown() {
    let text = "{\u{feff}\r\n\t\"数\": \u{301}\u{200d}👩‍👩‍👧\n\n}".as_bytes();
    for start in 0..text.len() + 3 {
        for end in (0..text.len() + 3).chain([usize::MAX]) {
            let span = start..end;
            let diagnostic = Diagnostic {
                span,
                line: usize::MAX,
                ..at(b"", 0..0)
            };
            let shown = show(text, diagnostic);
            assert!(shown.contains('^'), "{start}..{end}: {shown}");
        }
    }
}

/// decision: a hundred faults are shown, and the rest counted; all of them go into the JSON.
#[test]
fn many_faults_stay_readable_and_fast() {
    let diagnostics = vec![of(PLAN, "\"repo-file\""); 100_000];
    let sheet = Sheet {
        name: "plan.json",
        text: PLAN.as_bytes(),
        width: 80,
        colour: false,
    };
    let started = Instant::now();
    let text = listing(&sheet, &diagnostics);
    assert!(started.elapsed() < Duration::from_secs(1));
    assert_eq!(text.matches("error[unknown-tool]").count(), 100);
    assert!(
        text.ends_with("\n… and 99900 more\nhint: `mur-plan check --json` lists all of them\n\n")
    );
    let rows: Vec<serde_json::Value> = serde_json::from_str(&json(&diagnostics)).unwrap();
    assert_eq!(rows.len(), 100_000);
}

/// spec: The command, check; `--json` gives `[{step_id, pointer, line, column, code, message, hint, severity}]`.
#[test]
fn the_json_form_has_every_key() {
    let plain = Diagnostic {
        severity: Severity::Warning,
        step: None,
        hint: None,
        ..of(PLAN, "\"demo\"")
    };
    insta::assert_snapshot!(json(&[of(PLAN, "\"repo-file\""), plain]), @r#"
    [
      {
        "step_id": "list",
        "pointer": "/steps/0/tool",
        "line": 4,
        "column": 28,
        "code": "unknown-tool",
        "message": "no tool is named `repo-file`",
        "hint": "did you mean `repo-files`?",
        "severity": "error"
      },
      {
        "step_id": null,
        "pointer": "/steps/0/tool",
        "line": 2,
        "column": 9,
        "code": "unknown-tool",
        "message": "no tool is named `repo-file`",
        "hint": null,
        "severity": "warning"
      }
    ]
    "#);
    assert_eq!(json(&[]), "[]\n");
}

/// spec: The command, check; the sentence at the end counts.
#[test]
fn the_tally_counts() {
    assert_eq!(tally(0, 0), "no faults, no warnings");
    assert_eq!(tally(1, 2), "1 fault, 2 warnings");
}
