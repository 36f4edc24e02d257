//! `trace steps`: rows as they happened, each below what it hangs off.

use std::io::{self, Write};

use anstyle::Style;

use super::{
    columns::{columns, elapsed_exactly, first_line, fit, push_padded, visible},
    ending::{Ending, Writer},
    outline::{Entry, outline},
    style::{HEADING, Look, STOPPED, outcome_style, plan_name, standing_word},
};
use crate::pair::{PlanRun, Run, Standing, StepRun};

/// Writes what happened as rows: each plan and under it each step in the order they settled, the delegations, the
/// refused calls and the cancels. Steps that never ran have no row.
///
/// # Errors
///
/// Faults of writing to `out`.
pub fn steps(out: &mut dyn Write, run: &Run, writer: Writer, look: Look) -> io::Result<()> {
    let is_going_on = Ending::of(run, writer) == Ending::GoingOn;
    let entries = outline(run);
    let mut widths = Widths::of_headings();
    each_row(run, &entries, is_going_on, &mut |row| {
        widths.fit(row);
        Ok(())
    })?;
    let mut line = String::new();
    if widths.has_rows {
        draw(&mut line, &headings(), &widths, look);
        writeln!(out, "{}", line.trim_end())?;
    }
    each_row(run, &entries, is_going_on, &mut |row| {
        line.clear();
        draw(&mut line, row, &widths, look);
        writeln!(out, "{}", line.trim_end())
    })?;
    let left_out = [
        (run.delegations.left_out, "delegations"),
        (run.denials.left_out, "denied calls"),
        (run.protections.left_out, "protected paths"),
        (run.canceled.left_out, "cancels"),
    ];
    for (count, what) in left_out.into_iter().filter(|(count, _)| *count > 0) {
        writeln!(out, "… and {count} more {what}")?;
    }
    if !widths.has_rows {
        writeln!(out, "no plan ran")?;
    }
    Ok(())
}

/// One row, its cells as they are shown.
struct Row<'r> {
    at: String,
    depth: usize,
    what: String,
    kind: &'r str,
    status: &'r str,
    style: Style,
    attempts: String,
    time: String,
    note: String,
}

fn each_row(
    run: &Run,
    entries: &[Entry<'_>],
    is_going_on: bool,
    take: &mut dyn FnMut(&Row<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let at = |at_ms: Option<u64>| match (at_ms, run.started_ms) {
        (Some(at_ms), Some(started)) => {
            format!("+{}", elapsed_exactly(at_ms.saturating_sub(started)))
        }
        (Some(_) | None, _) => String::new(),
    };
    for entry in entries {
        let mut row = entry_row(*entry, is_going_on);
        row.at = at(entry.at_ms());
        take(&row)?;
        let Entry::Plan(plan) = entry else { continue };
        let unsettled = plan
            .steps()
            .filter(|step| step.standing() == Standing::Unsettled);
        for step in plan.settled().chain(unsettled) {
            let standing = step.standing();
            let (status, style) = standing_word(&standing, is_going_on);
            let mut row = step_row(step, &standing);
            row.status = status;
            row.style = style;
            row.at = at(match &standing {
                Standing::Settled(settled) => settled.at_ms,
                Standing::Unsettled | Standing::NotRun => step.started_ms(),
            });
            let kind = step.kind();
            row.kind = kind.name();
            take(&row)?;
        }
    }
    Ok(())
}

fn entry_row(entry: Entry<'_>, is_going_on: bool) -> Row<'_> {
    let row = |what: &str, kind| Row {
        what: visible(what).into_owned(),
        kind,
        ..BLANK
    };
    let no_end = if is_going_on { "in flight" } else { "no end" };
    match entry {
        Entry::Plan(plan) => {
            let (status, style) = match &plan.end {
                Some(end) => (end.outcome.name(), outcome_style(end.outcome.name())),
                None => (no_end, STOPPED),
            };
            let time = plan
                .end
                .as_ref()
                .map(|end| elapsed_exactly(end.duration_ms));
            Row {
                status,
                style,
                time: time.unwrap_or_default(),
                note: plan_note(plan),
                ..row(plan_name(plan), "plan")
            }
        }
        Entry::Delegation(delegation) => {
            let end = delegation.end.as_ref();
            let status = end.map_or(no_end, |end| end.outcome.name());
            let reason = end.and_then(|end| end.reason.as_deref());
            Row {
                status,
                style: end.map_or(STOPPED, |_| outcome_style(status)),
                time: end
                    .map(|end| elapsed_exactly(end.duration_ms))
                    .unwrap_or_default(),
                note: first_line(reason.unwrap_or_default()),
                ..row(delegation.capsule(), "delegation")
            }
        }
        Entry::Denial(denial) => Row {
            status: "denied",
            style: outcome_style("denied"),
            note: first_line(&denial.record.reason),
            ..row(&denial.record.target, "call")
        },
        Entry::Protection(protection) => Row {
            status: "denied",
            style: outcome_style("denied"),
            note: first_line(&protection.record.reason),
            ..row(&protection.record.path, "path")
        },
        Entry::Canceled(canceled) => Row {
            status: "canceled",
            style: STOPPED,
            ..row(&canceled.record.task_id, "task")
        },
    }
}

fn plan_note(plan: &PlanRun) -> String {
    let Some(end) = &plan.end else {
        return String::new();
    };
    match (&end.reason, &end.failed_step) {
        (Some(reason), _) => first_line(reason),
        (None, Some(step)) => format!("stopped by `{}`", fit(&visible(step), WIDEST_ID)),
        (None, None) => String::new(),
    }
}

fn step_row(step: StepRun<'_>, standing: &Standing<'_>) -> Row<'static> {
    let mut row = Row {
        depth: 1,
        what: visible(step.id()).into_owned(),
        ..BLANK
    };
    if let Standing::Settled(settled) = standing {
        if settled.attempts > 0 {
            row.attempts = settled.attempts.to_string();
            row.time = elapsed_exactly(settled.duration_ms);
        }
        let error = settled.error.map(|error| first_line(error.text));
        row.note = error.unwrap_or_default();
    }
    row
}

fn headings() -> Row<'static> {
    Row {
        at: "at".to_owned(),
        what: "what".to_owned(),
        kind: "kind",
        status: "status",
        attempts: "tries".to_owned(),
        time: "time".to_owned(),
        note: "error".to_owned(),
        style: HEADING,
        ..BLANK
    }
}

fn draw(line: &mut String, row: &Row<'_>, widths: &Widths, look: Look) {
    push_padded(line, &row.at, widths.at + GAP);
    let indent = row.depth * INDENT;
    push_padded(line, "", indent);
    let room = widths.what - indent;
    push_padded(line, &fit(&row.what, room), room + GAP);
    push_padded(line, &visible(row.kind), widths.kind + GAP);
    let status = visible(row.status);
    look.push(line, &status, row.style);
    push_padded(
        line,
        "",
        widths.status + GAP - columns(&status).min(widths.status),
    );
    push_padded(line, &row.attempts, widths.attempts + GAP);
    push_padded(line, &row.time, widths.time + GAP);
    let room = look.width.map_or(WIDEST_NOTE, |width| {
        width.saturating_sub(widths.taken()).max(NARROWEST_NOTE)
    });
    line.push_str(&fit(&row.note, room));
}

struct Widths {
    has_rows: bool,
    at: usize,
    what: usize,
    kind: usize,
    status: usize,
    attempts: usize,
    time: usize,
}

impl Widths {
    fn of_headings() -> Self {
        let mut widths = Self {
            has_rows: false,
            at: 0,
            what: 0,
            kind: 0,
            status: 0,
            attempts: 0,
            time: 0,
        };
        widths.fit(&headings());
        widths.has_rows = false;
        widths
    }

    fn fit(&mut self, row: &Row<'_>) {
        self.has_rows = true;
        let what = columns(&row.what).min(WIDEST_ID) + row.depth * INDENT;
        self.at = self.at.max(columns(&row.at));
        self.what = self.what.max(what);
        self.kind = self.kind.max(columns(row.kind));
        self.status = self.status.max(columns(row.status));
        self.attempts = self.attempts.max(columns(&row.attempts));
        self.time = self.time.max(columns(&row.time));
    }

    fn taken(&self) -> usize {
        self.at + self.what + self.kind + self.status + self.attempts + self.time + 6 * GAP
    }
}

const BLANK: Row<'static> = Row {
    at: String::new(),
    depth: 0,
    what: String::new(),
    kind: "",
    status: "",
    style: Style::new(),
    attempts: String::new(),
    time: String::new(),
    note: String::new(),
};
const GAP: usize = 2;
const INDENT: usize = 2;
/// A longer id is cut: the JSON has it whole.
const WIDEST_ID: usize = 40;
/// Where nothing says how wide a line may be.
const WIDEST_NOTE: usize = 200;
/// On a window too narrow for the rows, lines break rather than say nothing.
const NARROWEST_NOTE: usize = 12;
