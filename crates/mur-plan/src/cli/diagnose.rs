//! The faults and warnings of a plan, for a person in the plan's own text and for a machine as JSON.

use std::fmt::Write;

use plan_model::{Diagnostic, Severity};
use serde::Serialize;

use super::snippet::{Mark, Sheet};

/// Returns `diagnostics` one after the other in `sheet`, the plan's text; past [`MOST_SHOWN`] only their number.
pub fn listing(sheet: &Sheet<'_>, diagnostics: &[Diagnostic]) -> String {
    let mut text = String::new();
    for diagnostic in diagnostics.iter().take(MOST_SHOWN) {
        text.push_str(&sheet.show(&mark(diagnostic)));
        text.push('\n');
    }
    let left = diagnostics.len().saturating_sub(MOST_SHOWN);
    if left > 0 {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "… and {left} more\nhint: `mur-plan check --json` lists all of them\n"
        );
    }
    text
}

/// Returns the sentence that ends a check: `2 faults, 1 warning`.
pub fn tally(faults: usize, warnings: usize) -> String {
    let count = |number: usize, word: &str| match number {
        0 => format!("no {word}s"),
        1 => format!("1 {word}"),
        _ => format!("{number} {word}s"),
    };
    format!("{}, {}", count(faults, "fault"), count(warnings, "warning"))
}

/// Returns `diagnostics` as a JSON list, in the order given, with a line break at its end.
///
/// Each is `{step_id, pointer, line, column, code, message, hint, severity}`; `step_id` and `hint` may be `null`.
pub fn json<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> String {
    let rows: Vec<Row<'_>> = diagnostics.into_iter().map(row).collect();
    let mut text = serde_json::to_string_pretty(&rows).expect("rows of text and numbers are JSON");
    text.push('\n');
    text
}

#[derive(Serialize)]
struct Row<'d> {
    step_id: Option<&'d str>,
    pointer: &'d str,
    line: usize,
    column: usize,
    code: &'d str,
    message: &'d str,
    hint: Option<&'d str>,
    severity: &'static str,
}

fn row(diagnostic: &Diagnostic) -> Row<'_> {
    Row {
        step_id: diagnostic.step.as_ref().map(|step| step.id.as_str()),
        pointer: &diagnostic.pointer,
        line: diagnostic.line,
        column: diagnostic.column,
        code: diagnostic.code,
        message: &diagnostic.message,
        hint: diagnostic.hint.as_deref(),
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
    }
}

fn mark(diagnostic: &Diagnostic) -> Mark<'_> {
    Mark {
        is_error: match diagnostic.severity {
            Severity::Error => true,
            Severity::Warning => false,
        },
        code: Some(diagnostic.code),
        message: &diagnostic.message,
        hint: diagnostic.hint.as_deref(),
        span: diagnostic.span.clone(),
        line: diagnostic.line,
        column: diagnostic.column,
    }
}

/// How many faults a person is shown at once: past a hundred, they share a cause.
pub const MOST_SHOWN: usize = 100;
