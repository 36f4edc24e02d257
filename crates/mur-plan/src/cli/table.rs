//! The report as a table for a person, printed when a run ends.

use std::io::{self, Write};
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use plan_model::{Report, Status, StepReport};
/// How a table is drawn.
pub use plan_trace::render::Look;

use super::visible::{columns, elapsed, first_line, fit, push_padded, visible};
use crate::StepFacts;

/// What a report does not say about its run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RunFacts<'r> {
    /// One for each entry of the report's `steps`, in the same order; a missing one shows as blank.
    pub steps: &'r [StepFacts],
    /// The summary sentence of the result.
    pub summary: &'r str,
    /// From the plan's start to its end, in milliseconds.
    pub duration_ms: u64,
    /// What was cut in the report and kept whole elsewhere.
    pub kept: &'r [Kept],
}

/// A whole output that the report holds cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The step.
    pub step_id: String,
    /// The file it is in.
    pub path: PathBuf,
}

/// Writes the steps of `report` as a table, then its summary and where whole outputs were kept.
///
/// # Errors
/// Faults of writing to `out`.
pub fn write(
    out: &mut dyn Write,
    report: &Report,
    facts: &RunFacts<'_>,
    look: Look,
) -> io::Result<()> {
    let widths = Widths::of(report, facts, look);
    let mut line = String::new();
    if !report.steps.is_empty() {
        let style = paint(look, Style::new().bold());
        line.push_str(&style.render().to_string());
        push_padded(&mut line, "step", widths.step + GAP);
        push_padded(&mut line, "status", STATUS + GAP);
        push_padded(&mut line, "tries", TRIES + GAP);
        push_padded(&mut line, "time", widths.time + GAP);
        line.push_str("error or output");
        line.push_str(&style.render_reset().to_string());
        writeln!(out, "{line}")?;
    }
    for (at, step) in report.steps.iter().enumerate() {
        line.clear();
        row(
            &mut line,
            step,
            facts.steps.get(at).unwrap_or(&NEVER),
            &widths,
            look,
        );
        writeln!(out, "{}", line.trim_end())?;
    }
    if !report.steps.is_empty() {
        writeln!(out)?;
    }
    writeln!(
        out,
        "{} in {}",
        visible(facts.summary),
        elapsed(facts.duration_ms)
    )?;
    for kept in facts.kept {
        let path = kept.path.to_string_lossy();
        let (step, path) = (visible(&kept.step_id), visible(&path));
        writeln!(out, "the whole output of `{step}` is in {path}")?;
    }
    Ok(())
}

struct Widths {
    step: usize,
    time: usize,
    note: usize,
}

impl Widths {
    fn of(report: &Report, facts: &RunFacts<'_>, look: Look) -> Self {
        let ids = report
            .steps
            .iter()
            .map(|step| columns(&visible(&step.step_id)));
        let times = facts.steps.iter().map(|facts| columns(&time(facts)));
        let step = ids.max().unwrap_or(0).clamp("step".len(), WIDEST_ID);
        let time = times.max().unwrap_or(0).max("time".len());
        let taken = step + STATUS + TRIES + time + 4 * GAP;
        Self {
            step,
            time,
            note: look.width.map_or(WIDEST_NOTE, |width| {
                width.saturating_sub(taken).max(NARROWEST_NOTE)
            }),
        }
    }
}

fn row(line: &mut String, step: &StepReport, facts: &StepFacts, widths: &Widths, look: Look) {
    push_padded(
        line,
        &fit(&visible(&step.step_id), widths.step),
        widths.step + GAP,
    );
    let style = paint(look, status_style(step.status));
    line.push_str(&style.render().to_string());
    line.push_str(step.status.name());
    line.push_str(&style.render_reset().to_string());
    push_padded(line, "", STATUS + GAP - step.status.name().len());
    let tries = match facts.attempts {
        0 => String::new(),
        attempts => attempts.to_string(),
    };
    push_padded(line, &tries, TRIES + GAP);
    push_padded(line, &time(facts), widths.time + GAP);
    let note = step.error.as_deref().or(step.output.as_deref());
    line.push_str(&fit(&first_line(note.unwrap_or_default()), widths.note));
}

/// Blank for a step that was never dispatched.
fn time(facts: &StepFacts) -> String {
    match facts.attempts {
        0 => String::new(),
        _ => elapsed(facts.duration_ms),
    }
}

/// How the word of a status looks.
pub(super) fn status_style(status: Status) -> Style {
    match status {
        Status::Success => AnsiColor::Green.on_default(),
        Status::Failed => AnsiColor::Red.on_default().bold(),
        Status::Skipped => AnsiColor::Yellow.on_default(),
    }
}

fn paint(look: Look, style: Style) -> Style {
    if look.colour { style } else { Style::new() }
}

/// A step that was not dispatched.
const NEVER: StepFacts = StepFacts {
    attempts: 0,
    duration_ms: 0,
};
const GAP: usize = 2;
const STATUS: usize = "success".len();
const TRIES: usize = "tries".len();
/// A longer id is cut: the report has it whole.
const WIDEST_ID: usize = 32;
/// Where nothing says how wide a line may be.
const WIDEST_NOTE: usize = 200;
/// On a terminal too narrow for the table, lines break rather than say nothing.
const NARROWEST_NOTE: usize = 12;
