//! `trace show`: a session in sections.

use std::{
    borrow::Cow,
    fmt::Write as _,
    io::{self, Write},
};

use super::{
    columns::{columns, elapsed_exactly, fit, push_padded, visible, wrap},
    ending::{Ending, Writer},
    style::{ASIDE, BAD, HEADING, Look, STOPPED, outcome_style, plan_name, standing_word},
    when::utc,
};
use crate::pair::{First, PlanRun, Run, Standing, StepRun, Tally};

/// Writes `run` in sections: the session, each plan with every step in file order, delegations, refused calls,
/// protected paths, cancels. Sections without an entry are left out.
///
/// # Errors
///
/// Faults of writing to `out`.
pub fn show(out: &mut dyn Write, run: &Run, writer: Writer, look: Look) -> io::Result<()> {
    let ending = Ending::of(run, writer);
    let mut page = Page {
        out,
        look,
        line: String::new(),
        is_going_on: ending == Ending::GoingOn,
    };
    page.header(run, ending)?;
    for plan in &run.plans {
        page.plan(plan)?;
    }
    page.delegations(run)?;
    page.denials(run)?;
    page.protections(run)?;
    page.canceled(run)
}

struct Page<'p> {
    out: &'p mut dyn Write,
    look: Look,
    /// The line being put together.
    line: String,
    is_going_on: bool,
}

impl Page<'_> {
    fn header(&mut self, run: &Run, ending: Ending) -> io::Result<()> {
        if let Some(id) = &run.session_id {
            self.fact("session", &visible(id))?;
        }
        if let Some(start) = &run.start {
            let capsule = format!("{} {}", start.capsule_name, start.capsule_version);
            self.fact("capsule", &visible(capsule.trim_end()))?;
            if !start.model.is_empty() {
                self.fact("model", &visible(&start.model))?;
            }
            if let Some(bounding) = &start.bounding_achieved {
                self.fact("bounding", &visible(bounding))?;
            }
            if let Some(parent) = &start.spawned_by {
                let lost = if run.has_lost_spawner {
                    ", which went away first"
                } else {
                    ""
                };
                self.fact("spawned by", &format!("{}{lost}", visible(parent)))?;
            }
        }
        if let Some(started) = run.started_ms {
            self.fact("started", &utc(started))?;
        }
        if let Some(duration) = run.duration_ms() {
            self.fact("took", &elapsed_exactly(duration))?;
        }
        self.ended(run, ending)?;
        if let Some(line) = run.torn {
            self.fact(
                "torn",
                &format!("line {line}, the last, was cut off and is left out"),
            )?;
        }
        Ok(())
    }

    fn ended(&mut self, run: &Run, ending: Ending) -> io::Result<()> {
        let (word, style) = match (&run.end, ending) {
            (Some(end), _) => {
                let word = end.exit_status.name();
                (visible(word), outcome_style(word))
            }
            (None, Ending::Ended | Ending::NoEnd) => {
                (Cow::Borrowed("no end: still going on, or killed"), BAD)
            }
            (None, Ending::GoingOn) => (Cow::Borrowed("still going on"), STOPPED),
            (None, Ending::Killed) => (Cow::Borrowed("no end: killed"), BAD),
        };
        push_padded(&mut self.line, "outcome", LABEL);
        self.look.push(&mut self.line, &word, style);
        if let (None, Some(last)) = (&run.end, &run.last) {
            // Writing to a string cannot fail, here and below.
            let _ = write!(self.line, "; last event `{}`", last.event.name());
            if let Some(step) = &last.step_id {
                let _ = write!(self.line, " of `{}`", fit(&visible(step), WIDEST_ID));
            }
            let _ = write!(self.line, ", line {}", last.line);
            if let Some(at_ms) = last.at_ms {
                let _ = write!(self.line, ", {}", utc(at_ms));
            }
        }
        self.end_line()
    }

    fn plan(&mut self, plan: &PlanRun) -> io::Result<()> {
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
        self.push("    ");
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
        self.notes(step, &standing);
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
    fn notes(&mut self, step: StepRun<'_>, standing: &Standing<'_>) {
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
        let room = self.look.width.map(|width| {
            let taken = columns_of_styled(&self.line);
            width.saturating_sub(taken).max(NARROWEST)
        });
        let notes = match room {
            Some(room) => fit(&notes, room),
            None => Cow::Borrowed(notes.as_str()),
        };
        self.look.push(&mut self.line, &notes, ASIDE);
    }

    fn delegations(&mut self, run: &Run) -> io::Result<()> {
        if run.delegations.is_empty() {
            return Ok(());
        }
        self.heading("Delegations")?;
        for delegation in &run.delegations.kept {
            let child = format!("{} {}", delegation.capsule(), delegation.version());
            let _ = write!(self.line, "  {}  ", visible(&child));
            match &delegation.end {
                Some(end) => {
                    let word = end.outcome.name();
                    self.look
                        .push(&mut self.line, &visible(word), outcome_style(word));
                    let _ = write!(self.line, " in {}", elapsed_exactly(end.duration_ms));
                }
                None if self.is_going_on => self.push("still going on"),
                None => self.look.push(&mut self.line, "no end", BAD),
            }
            match delegation.child_session() {
                Some(session) => {
                    let _ = write!(self.line, ", session {}", visible(session));
                }
                None => self.push(", no session was started"),
            }
            self.end_line()?;
            let reason = delegation
                .end
                .as_ref()
                .and_then(|end| end.reason.as_deref());
            if let Some(reason) = reason {
                self.text(reason, REASON_INDENT)?;
            }
        }
        self.left_out(&run.delegations)
    }

    fn denials(&mut self, run: &Run) -> io::Result<()> {
        if run.denials.is_empty() {
            return Ok(());
        }
        self.heading("Denied calls")?;
        for denial in &run.denials.kept {
            let denied = &denial.record;
            let (target, hook, event) = (
                visible(&denied.target),
                visible(&denied.hook_name),
                visible(denied.event.name()),
            );
            let _ = write!(self.line, "  {target}  by hook `{hook}` ({event})");
            self.end_line()?;
            self.text(&denied.reason, REASON_INDENT)?;
        }
        self.left_out(&run.denials)
    }

    fn protections(&mut self, run: &Run) -> io::Result<()> {
        if run.protections.is_empty() {
            return Ok(());
        }
        self.heading("Protected paths")?;
        for protection in &run.protections.kept {
            let denied = &protection.record;
            let (path, rule) = (visible(&denied.path), visible(&denied.rule));
            let (call, target) = (visible(denied.call.name()), visible(&denied.target));
            let signal = visible(&denied.signal);
            let _ = write!(
                self.line,
                "  {path}  declared `{rule}`, by {call} {target} ({signal})"
            );
            self.end_line()?;
            self.text(&denied.reason, REASON_INDENT)?;
        }
        self.left_out(&run.protections)
    }

    fn canceled(&mut self, run: &Run) -> io::Result<()> {
        if run.canceled.is_empty() {
            return Ok(());
        }
        self.heading("Cancelled")?;
        for canceled in &run.canceled.kept {
            let record = &canceled.record;
            let (task, phase) = (visible(&record.task_id), visible(&record.phase));
            let _ = write!(self.line, "  task {task}, in phase `{phase}`");
            let ended = &record.delegation_ids;
            for (at, id) in ended.iter().take(MOST_NAMED).enumerate() {
                let before = if at == 0 { "; ended " } else { ", " };
                let _ = write!(self.line, "{before}{}", visible(id));
            }
            if ended.len() > MOST_NAMED {
                let _ = write!(self.line, " and {} more", ended.len() - MOST_NAMED);
            }
            self.end_line()?;
        }
        self.left_out(&run.canceled)
    }

    fn left_out<T>(&mut self, list: &First<T>) -> io::Result<()> {
        if list.left_out > 0 {
            let _ = write!(self.line, "  … and {} more", list.left_out);
            self.end_line()?;
        }
        Ok(())
    }

    fn heading(&mut self, words: &str) -> io::Result<()> {
        self.end_line()?;
        self.look.push(&mut self.line, words, HEADING);
        self.end_line()
    }

    fn fact(&mut self, label: &str, value: &str) -> io::Result<()> {
        push_padded(&mut self.line, label, LABEL);
        self.push(value);
        self.end_line()
    }

    /// Writes somebody's text, its lines kept, indented and broken to the width; of a long one the start and the
    /// end.
    fn text(&mut self, text: &str, indent: usize) -> io::Result<()> {
        let lines: Vec<&str> = text.trim_end().lines().collect();
        let left = lines.len().saturating_sub(FIRST_LINES + LAST_LINES);
        for (at, line) in lines.iter().enumerate() {
            if left > 0 && at == FIRST_LINES {
                self.indented(&format!("… {left} lines left out"), indent)?;
            }
            if left == 0 || at < FIRST_LINES || at >= FIRST_LINES + left {
                self.indented(&visible(line), indent)?;
            }
        }
        Ok(())
    }

    fn indented(&mut self, line: &str, indent: usize) -> io::Result<()> {
        let rows = match self.look.width {
            Some(width) => wrap(line, width.saturating_sub(indent).max(NARROWEST)),
            None => vec![line],
        };
        for row in rows {
            push_padded(&mut self.line, "", indent);
            self.push(row);
            self.end_line()?;
        }
        Ok(())
    }

    fn push(&mut self, text: &str) {
        self.line.push_str(text);
    }

    fn end_line(&mut self) -> io::Result<()> {
        self.line.truncate(self.line.trim_end().len());
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())?;
        self.line.clear();
        Ok(())
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
}

/// Blank for a step that was never dispatched.
fn time(standing: &Standing<'_>) -> String {
    match standing {
        Standing::Settled(settled) if settled.attempts > 0 => elapsed_exactly(settled.duration_ms),
        Standing::Settled(_) | Standing::Unsettled | Standing::NotRun => String::new(),
    }
}

/// Columns of a line in which a style may stand.
fn columns_of_styled(line: &str) -> usize {
    let mut shown = 0;
    for (at, piece) in line.split('\x1b').enumerate() {
        let text = match (at, piece.split_once('m')) {
            (0, _) | (_, None) => piece,
            (_, Some((_, text))) => text,
        };
        shown += columns(text);
    }
    shown
}

/// What stands before the facts of a session.
const LABEL: usize = 12;
const GAP: usize = 2;
const ERROR_INDENT: usize = 8;
const REASON_INDENT: usize = 6;
/// A longer id is cut: the JSON has it whole.
const WIDEST_ID: usize = 40;
/// In a heading there is more room.
const WIDEST_NAME: usize = 200;
/// More names than this are no help to the eye.
const MOST_NAMED: usize = 8;
/// On a window too narrow, lines break rather than say nothing.
const NARROWEST: usize = 16;
/// Of a long text, where it begins.
const FIRST_LINES: usize = 10;
/// And where it ends, which is where commands say what went wrong.
const LAST_LINES: usize = 30;
