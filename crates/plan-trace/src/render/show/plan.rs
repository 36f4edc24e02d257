//! The section of a plan: its outcome, its counts, and every step in file order.

use std::{borrow::Cow, fmt::Write as _, io};

use super::{
    super::{
        columns::{columns, elapsed_exactly, fit, push_padded, visible},
        style::{ASIDE, BAD, STOPPED, outcome_style, plan_name, standing_word},
    },
    MOST_NAMED, REASON_INDENT, WIDEST_ID,
    page::{NARROWEST, Page},
};
use crate::pair::{PlanRun, Standing, StepRun, Tally};

impl Page<'_> {
    pub(super) fn plan(&mut self, plan: &PlanRun) -> io::Result<()> {
        let tally = plan.tally();
        self.heading(&format!(
            "Plan {}",
            fit(&visible(plan_name(plan)), WIDEST_NAME)
        ))?;
        self.outcome(plan, &tally)?;
        if let Some(reason) = plan.end.as_ref().and_then(|end| end.reason.as_deref()) {
            self.text(reason, REASON_INDENT)?;
        }
        self.tally(&tally)?;
        if !plan.is_declared && plan.steps().len() > 0 {
            self.push(
                "  its `plan_start` is not in the trace, so other steps it has are not known",
            );
            self.end_line()?;
        }
        let widths = Widths::of(plan, self.is_going_on);
        for step in plan.steps() {
            self.step(step, &widths)?;
        }
        Ok(())
    }

    fn outcome(&mut self, plan: &PlanRun, tally: &Tally) -> io::Result<()> {
        self.push("  ");
        match &plan.end {
            Some(end) => {
                let word = end.outcome.name();
                let style = outcome_style(word);
                self.look.push(&mut self.line, &visible(word), style);
                let _ = write!(self.line, " in {}", elapsed_exactly(end.duration_ms));
                let ran = tally.succeeded + tally.failed + tally.skipped + tally.other;
                if ran + tally.unsettled == 0 && end.reason.is_some() {
                    self.push(", nothing ran");
                } else if let Some(step) = &end.failed_step {
                    let _ = write!(
                        self.line,
                        ", stopped by `{}`",
                        fit(&visible(step), WIDEST_ID)
                    );
                }
            }
            None if self.is_going_on => self.look.push(&mut self.line, "still going on", STOPPED),
            None => self.look.push(&mut self.line, "no end", BAD),
        }
        self.end_line()
    }

    fn tally(&mut self, tally: &Tally) -> io::Result<()> {
        let steps = if tally.total == 1 { "step" } else { "steps" };
        let _ = write!(
            self.line,
            "  {} {steps}: {} succeeded, {} failed, {} skipped",
            tally.total, tally.succeeded, tally.failed, tally.skipped
        );
        let unsettled = if self.is_going_on {
            "in flight"
        } else {
            "unsettled"
        };
        let rarer = [
            (tally.other, "in another status"),
            (tally.unsettled, unsettled),
            (tally.not_run, "not run"),
        ];
        for (count, word) in rarer.into_iter().filter(|(count, _)| *count > 0) {
            let _ = write!(self.line, ", {count} {word}");
        }
        self.end_line()
    }

    fn step(&mut self, step: StepRun<'_>, widths: &Widths) -> io::Result<()> {
        let standing = step.standing();
        push_padded(&mut self.line, "", INDENT);
        push_padded(
            &mut self.line,
            &fit(&visible(step.id()), widths.id),
            widths.id + GAP,
        );
        push_padded(
            &mut self.line,
            &visible(step.kind().name()),
            widths.kind + GAP,
        );
        let (word, style) = standing_word(&standing, self.is_going_on);
        let word = visible(word);
        self.look.push(&mut self.line, &word, style);
        push_padded(
            &mut self.line,
            "",
            (widths.status + GAP).saturating_sub(columns(&word)),
        );
        push_padded(&mut self.line, &time(&standing), widths.time + GAP);
        self.notes(step, &standing, widths);
        self.end_line()?;
        if let Standing::Settled(settled) = &standing
            && let Some(error) = settled.error
        {
            self.text(error.text, ERROR_INDENT)?;
            if error.is_cut {
                let note = format!("… the rest is in line {} of the trace", settled.line);
                self.text(&note, ERROR_INDENT)?;
            }
        }
        Ok(())
    }

    /// What else there is to say of a step: attempts, what it waits for, whether it has a condition.
    fn notes(&mut self, step: StepRun<'_>, standing: &Standing<'_>, widths: &Widths) {
        let mut notes: Vec<String> = Vec::new();
        if let Standing::Settled(settled) = standing
            && settled.attempts > 1
        {
            notes.push(format!("{} attempts", settled.attempts));
        }
        let dependencies = step.depends_on();
        let left = dependencies.len().saturating_sub(MOST_NAMED);
        let names: Vec<_> = dependencies
            .take(MOST_NAMED)
            .map(|id| fit(&visible(id), WIDEST_ID).into_owned())
            .collect();
        if !names.is_empty() {
            let mut after = format!("after {}", names.join(", "));
            if left > 0 {
                let _ = write!(after, " and {left} more");
            }
            notes.push(after);
        }
        if step.has_condition() {
            notes.push("conditional".to_owned());
        }
        let notes = notes.join("; ");
        let room = self.look.width;
        let room = room.map(|width| width.saturating_sub(widths.taken()).max(NARROWEST));
        let notes = match room {
            Some(room) => fit(&notes, room),
            None => Cow::Borrowed(notes.as_str()),
        };
        self.look.push(&mut self.line, &notes, ASIDE);
    }
}

/// How wide the columns of a plan's steps are.
struct Widths {
    id: usize,
    kind: usize,
    status: usize,
    time: usize,
}

impl Widths {
    fn of(plan: &PlanRun, is_going_on: bool) -> Self {
        let mut widths = Self {
            id: 0,
            kind: 0,
            status: 0,
            time: 0,
        };
        for step in plan.steps() {
            let standing = step.standing();
            let (status, _) = standing_word(&standing, is_going_on);
            widths.id = widths.id.max(columns(step.id())).min(WIDEST_ID);
            widths.kind = widths.kind.max(columns(step.kind().name()));
            widths.status = widths.status.max(columns(status));
            widths.time = widths.time.max(time(&standing).len());
        }
        widths
    }

    /// Columns before the notes.
    fn taken(&self) -> usize {
        INDENT + self.id + self.kind + self.status + self.time + 4 * GAP
    }
}

/// Blank for a step that was never dispatched.
fn time(standing: &Standing<'_>) -> String {
    match standing {
        Standing::Settled(settled) if settled.attempts > 0 => elapsed_exactly(settled.duration_ms),
        Standing::Settled(_) | Standing::Unsettled | Standing::NotRun => String::new(),
    }
}

const INDENT: usize = 4;
const GAP: usize = 2;
const ERROR_INDENT: usize = 8;
/// In a heading there is more room than in a row.
const WIDEST_NAME: usize = 200;
