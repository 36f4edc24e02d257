//! The lines of a timeline: put together, styled, and written one after the other.

use std::io::{self, Write};

use anstyle::Style;

use super::{
    super::{
        axis::Axis,
        bar::{Bar, Delegated},
        chart::Section,
        words,
    },
    cells::{Cells, WAITING, column},
    legend::Legend,
    widths::{GAP, INDENT, Widths},
};
use crate::render::{
    columns::{columns, elapsed_exactly, fit, push_padded, visible, wrap},
    style::{ASIDE, HEADING, Look, outcome_style, plan_name, standing_word},
};

pub(super) struct Page<'p> {
    out: &'p mut dyn Write,
    look: Look,
    width: usize,
    is_going_on: bool,
    /// The line being put together.
    line: String,
    is_first: bool,
    legend: Legend,
}

impl<'p> Page<'p> {
    pub(super) fn new(out: &'p mut dyn Write, look: Look, is_going_on: bool) -> Self {
        Self {
            out,
            look,
            width: look.width.unwrap_or(PLAIN_WIDTH).max(NARROWEST),
            is_going_on,
            line: String::new(),
            is_first: true,
            legend: Legend::default(),
        }
    }
}

impl Page<'_> {
    pub(super) fn section(&mut self, section: &Section<'_>) -> io::Result<()> {
        let name = format!("Plan {}", visible(plan_name(section.plan)));
        self.heading(&name)?;
        self.wrapped(&words::outcome(section, self.is_going_on), INDENT)?;
        let reason = words::reason(section).unwrap_or_default();
        for line in reason.lines() {
            self.wrapped(line, 2 * INDENT)?;
        }
        if let Some(path) = words::path(section) {
            self.wrapped(&path, INDENT)?;
        }
        let widths = self.widths(section);
        if let Some(axis) = section.axis {
            self.axis(axis, widths)?;
        }
        for bar in &section.bars {
            self.bar(bar, section.axis, widths)?;
        }
        for delegated in &section.delegations {
            self.delegation(delegated, section.axis, widths)?;
        }
        Ok(())
    }

    pub(super) fn strays(&mut self, strays: &[Delegated<'_>]) -> io::Result<()> {
        self.heading("Delegations outside of a plan")?;
        let widths = strays.iter().fold(Widths::default(), |widths, delegated| {
            widths.with(
                delegated.run.capsule(),
                delegated.outcome(self.is_going_on),
                &took(delegated),
            )
        });
        let widths = widths.fitted(self.width);
        for delegated in strays {
            self.delegation(delegated, None, widths)?;
        }
        Ok(())
    }

    pub(super) fn legend(&mut self) -> io::Result<()> {
        let entries = self.legend.entries();
        if entries.is_empty() {
            return Ok(());
        }
        self.end_line()?;
        let mut line = String::new();
        for entry in entries {
            let taken = columns(&line) + GAP + columns(&entry);
            if !line.is_empty() && taken > self.width {
                self.wrapped(&line, 0)?;
                line.clear();
            }
            if !line.is_empty() {
                line.push_str("  ");
            }
            line.push_str(&entry);
        }
        self.wrapped(&line, 0)
    }

    /// Writes words, broken to the width.
    pub(super) fn wrapped(&mut self, words: &str, indent: usize) -> io::Result<()> {
        self.is_first = false;
        for row in wrap(words, self.width - indent) {
            push_padded(&mut self.line, "", indent);
            self.line.push_str(row);
            self.end_line()?;
        }
        Ok(())
    }

    fn heading(&mut self, words: &str) -> io::Result<()> {
        if !self.is_first {
            self.end_line()?;
        }
        self.is_first = false;
        let words = fit(words, self.width);
        self.look.push(&mut self.line, &words, HEADING);
        self.end_line()
    }

    fn widths(&self, section: &Section<'_>) -> Widths {
        let mut widths = Widths::default();
        for bar in &section.bars {
            let status = words::status(bar, self.is_going_on);
            widths = widths.with(bar.step.id(), &status, &note(bar));
        }
        for delegated in &section.delegations {
            let outcome = delegated.outcome(self.is_going_on);
            widths = widths.with(delegated.run.capsule(), outcome, &took(delegated));
        }
        widths.fitted(self.width)
    }

    fn axis(&mut self, axis: Axis, widths: Widths) -> io::Result<()> {
        let mut marks = String::new();
        for tick in axis.ticks((widths.bar / TICK).max(1) as u64) {
            let at = column(axis, tick.at_ms, widths.bar);
            let taken = columns(&marks);
            if at >= taken && at + 1 + columns(&tick.label) <= widths.bar {
                push_padded(&mut marks, "", at - taken);
                marks.push('╷');
                marks.push_str(&tick.label);
            }
        }
        push_padded(&mut self.line, "", INDENT + widths.id + GAP);
        self.look.push(&mut self.line, &marks, ASIDE);
        self.end_line()
    }

    fn bar(&mut self, bar: &Bar<'_>, axis: Option<Axis>, widths: Widths) -> io::Result<()> {
        let mark = if bar.is_critical { "*" } else { " " };
        self.look.push(&mut self.line, mark, HEADING);
        self.line.push(' ');
        self.push_id(bar.step.id(), widths);
        let style = standing_word(&bar.step.standing(), self.is_going_on).1;
        let cells = axis.map_or(Cells::default(), |axis| Cells::of(bar, axis, widths.bar));
        self.legend.see(bar, &cells);
        self.cells(&cells, style, widths);
        self.end_row(
            &words::status(bar, self.is_going_on),
            style,
            &note(bar),
            widths,
        )
    }

    fn delegation(
        &mut self,
        delegated: &Delegated<'_>,
        axis: Option<Axis>,
        widths: Widths,
    ) -> io::Result<()> {
        push_padded(&mut self.line, "", INDENT);
        self.push_id(delegated.run.capsule(), widths);
        let mut cells = Cells::default();
        if let (Some(axis), Some((begin, end))) = (axis, delegated.stretch) {
            cells = Cells::of_delegation(axis, begin, end, widths.bar);
            self.legend.see_delegation();
        }
        let outcome = delegated.outcome(self.is_going_on);
        let style = outcome_style(outcome);
        self.cells(&cells, style, widths);
        self.end_row(&visible(outcome), style, &took(delegated), widths)
    }

    fn push_id(&mut self, id: &str, widths: Widths) {
        let id = visible(id);
        push_padded(&mut self.line, &fit(&id, widths.id), widths.id + GAP);
    }

    fn cells(&mut self, cells: &Cells, style: Style, widths: Widths) {
        let mut taken = 0;
        if let Some((from, to)) = cells.waiting {
            push_padded(&mut self.line, "", from);
            let waiting = WAITING.repeat(to - from);
            self.look.push(&mut self.line, &waiting, ASIDE);
            taken = to;
        }
        if !cells.drawn.is_empty() {
            push_padded(&mut self.line, "", cells.at.saturating_sub(taken));
            self.look.push(&mut self.line, &cells.drawn, style);
            taken = cells.at + cells.drawn.chars().count();
        }
        push_padded(&mut self.line, "", (widths.bar + GAP).saturating_sub(taken));
    }

    fn end_row(
        &mut self,
        status: &str,
        style: Style,
        note: &str,
        widths: Widths,
    ) -> io::Result<()> {
        let status = fit(status, widths.status);
        self.look.push(&mut self.line, &status, style);
        if widths.note > 0 {
            push_padded(&mut self.line, "", widths.status + GAP - columns(&status));
            self.line.push_str(&fit(note, widths.note));
        }
        self.end_line()
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.line.truncate(self.line.trim_end().len());
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())?;
        self.line.clear();
        Ok(())
    }
}

/// How long a step took, and in how many attempts.
fn note(bar: &Bar<'_>) -> String {
    let took = words::took(bar);
    match bar.attempts() {
        0 | 1 => took,
        attempts => format!("{took}, {attempts} attempts"),
    }
}

fn took(delegated: &Delegated<'_>) -> String {
    let end = delegated.run.end.as_ref();
    end.map_or(String::new(), |end| elapsed_exactly(end.duration_ms))
}

/// Where there is no window to ask.
const PLAIN_WIDTH: usize = 100;
/// In a window narrower than this lines are longer than it.
const NARROWEST: usize = 40;
/// Columns between two marks of the axis, at the least.
const TICK: usize = 12;
