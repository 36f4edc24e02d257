//! What is said of a plan and of its steps, in the words that every writer uses.

use std::fmt::Write as _;

use super::{
    bar::{Bar, Delegated, Drawn},
    chart::{Chart, Section},
};
use crate::{
    pair::{ErrorText, Standing, Tally},
    render::{
        columns::{elapsed_exactly, fit, visible, visible_lines},
        ending::Ending,
        style::standing_word,
        when::utc,
    },
    word::{StepKind, StepStatus},
};

/// How a step's bar is drawn, after what carried it out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fill {
    Tool,
    Shell,
    Capsule,
    Other,
}

impl Fill {
    pub(super) const ALL: [Self; 4] = [Self::Tool, Self::Shell, Self::Capsule, Self::Other];

    pub(super) fn of(bar: &Bar<'_>) -> Self {
        match bar.step.kind() {
            StepKind::Tool => Self::Tool,
            StepKind::Shell => Self::Shell,
            StepKind::Capsule => Self::Capsule,
            StepKind::Unknown | StepKind::Other(_) => Self::Other,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Shell => "shell",
            Self::Capsule => "capsule",
            Self::Other => "other",
        }
    }
}

/// Returns the class of how a step came out.
pub(super) fn class(bar: &Bar<'_>) -> &'static str {
    match bar.step.standing() {
        Standing::Settled(settled) => match settled.status {
            StepStatus::Success => "success",
            StepStatus::Failed => "failed",
            StepStatus::Skipped => "skipped",
            StepStatus::Other(_) => "else",
        },
        Standing::Unsettled => "open",
        Standing::NotRun => "not-run",
    }
}

/// Returns how a step came out, in a word.
pub(super) fn status(bar: &Bar<'_>, is_going_on: bool) -> String {
    if matches!(bar.drawn, Drawn::Waits { .. }) {
        return "waiting".to_owned();
    }
    visible(standing_word(&bar.step.standing(), is_going_on).0).into_owned()
}

/// Returns how long a step took, all attempts together; `""` when none ended.
pub(super) fn took(bar: &Bar<'_>) -> String {
    match bar.step.standing() {
        Standing::Settled(settled) if settled.attempts > 0 => elapsed_exactly(settled.duration_ms),
        Standing::Settled(_) | Standing::Unsettled | Standing::NotRun => String::new(),
    }
}

/// Returns how long a step was ready and not dispatched; `""` when it was not.
pub(super) fn waited(bar: &Bar<'_>) -> String {
    let waited = bar.waited();
    waited.map_or(String::new(), |(from, to)| elapsed_exactly(to - from))
}

/// Returns everything there is to tell of a step, in lines, its id left out.
pub(super) fn details(bar: &Bar<'_>, section: &Section<'_>, is_going_on: bool) -> String {
    // Writing to a string cannot fail, here and below.
    let mut text = format!(
        "{}, {}",
        visible(bar.step.kind().name()),
        status(bar, is_going_on)
    );
    if bar.step.has_condition() {
        text.push_str(", conditional");
    }
    if bar.is_critical {
        text.push_str(", on the critical path");
    }
    times(&mut text, bar, section);
    let dependencies = bar.step.depends_on();
    let left = dependencies.len().saturating_sub(MOST_NAMED);
    let mut before = "\nafter ";
    for id in dependencies.take(MOST_NAMED) {
        let _ = write!(text, "{before}{}", fit(&visible(id), WIDEST_ID));
        before = ", ";
    }
    if left > 0 {
        let _ = write!(text, " and {left} more");
    }
    if let Standing::Settled(settled) = bar.step.standing() {
        if let Some(why) = settled.error {
            let _ = write!(text, "\n{}", error(why));
        }
        let _ = write!(text, "\nline {} of the trace", settled.line);
    }
    text
}

/// Returns the start of an error.
pub(super) fn error(error: ErrorText<'_>) -> String {
    let whole = error.text.trim();
    let start = start(whole);
    let mut text = visible_lines(start).trim_end().to_owned();
    if error.is_cut || start.len() < whole.len() {
        text.push_str(" …");
    }
    text
}

/// The line of a step's times.
fn times(text: &mut String, bar: &Bar<'_>, section: &Section<'_>) {
    let mut parts = Vec::new();
    let after = |at_ms| {
        let axis = section.axis.map_or(0, |axis| axis.after(at_ms));
        elapsed_exactly(axis)
    };
    if let Some((from, to)) = bar.waited() {
        let waited = elapsed_exactly(to - from);
        parts.push(format!("ready at +{}, waited {waited}", after(from)));
    }
    match bar.drawn {
        Drawn::Ran { begin_ms, end_ms } => {
            parts.push(format!("began at +{}", after(begin_ms)));
            parts.push(format!("settled at +{}", after(end_ms)));
            parts.push(format!("took {}", took(bar)));
        }
        Drawn::Open { begin_ms, .. } => parts.push(format!("began at +{}", after(begin_ms))),
        Drawn::Settled { at_ms } => {
            parts.push(format!("settled at +{}, never dispatched", after(at_ms)));
        }
        Drawn::Waits { .. } | Drawn::Nothing => {}
    }
    if bar.attempts() > 1 {
        parts.push(format!(
            "{} attempts, and the trace does not say when one ended and the next began",
            bar.attempts()
        ));
    }
    if !parts.is_empty() {
        text.push('\n');
        text.push_str(&parts.join("; "));
    }
}

/// Returns everything there is to tell of a delegation, in lines, its capsule left out.
pub(super) fn delegated(delegated: &Delegated<'_>, is_going_on: bool) -> String {
    let run = delegated.run;
    let mut text = format!("delegation, {}", visible(delegated.outcome(is_going_on)));
    if let Some(end) = &run.end {
        let _ = write!(text, ", took {}", elapsed_exactly(end.duration_ms));
    }
    if let Some(session) = run.child_session() {
        let _ = write!(text, "\nsession {}", visible(session));
    }
    if let Some(reason) = run.end.as_ref().and_then(|end| end.reason.as_deref()) {
        let _ = write!(text, "\n{}", visible_lines(start(reason.trim())));
    }
    let _ = write!(text, "\nline {} of the trace", run.line);
    text
}

/// Returns how a plan ended and how its steps came out.
pub(super) fn outcome(section: &Section<'_>, is_going_on: bool) -> String {
    let plan = section.plan;
    let Tally {
        total,
        succeeded,
        failed,
        skipped,
        other,
        unsettled,
        not_run,
    } = plan.tally();
    let mut text = match &plan.end {
        Some(end) => {
            let took = elapsed_exactly(end.duration_ms);
            format!("{} in {took}", visible(end.outcome.name()))
        }
        None if is_going_on => "still going on".to_owned(),
        None => "no end".to_owned(),
    };
    let end = plan.end.as_ref();
    if total == not_run && end.is_some_and(|end| end.reason.is_some()) {
        text.push_str(", nothing ran");
    } else if let Some(step) = end.and_then(|end| end.failed_step.as_deref()) {
        let _ = write!(text, ", stopped by `{}`", fit(&visible(step), WIDEST_ID));
    }
    let steps = if total == 1 { "step" } else { "steps" };
    let _ = write!(text, "; {total} {steps}");
    let open = if is_going_on {
        "in flight"
    } else {
        "unsettled"
    };
    let counts = [
        (succeeded, "succeeded"),
        (failed, "failed"),
        (skipped, "skipped"),
        (other, "in another status"),
        (unsettled, open),
        (not_run, "not run"),
    ];
    let mut before = ": ";
    for (count, word) in counts.into_iter().filter(|(count, _)| *count > 0) {
        let _ = write!(text, "{before}{count} {word}");
        before = ", ";
    }
    text
}

/// Returns why a plan ended that no step's failure ended; none when there is no other reason.
pub(super) fn reason(section: &Section<'_>) -> Option<String> {
    let reason = section.plan.end.as_ref()?.reason.as_deref()?;
    Some(visible_lines(start(reason.trim())).into_owned())
}

/// Returns the ids on the critical path; of a long one the first and the last.
pub(super) fn path(section: &Section<'_>) -> Option<String> {
    let path = &section.critical;
    if path.is_empty() {
        return None;
    }
    let left = path.len().saturating_sub(FIRST_NAMED + LAST_NAMED);
    let mut text = "critical path: ".to_owned();
    for (at, &row) in path.iter().enumerate() {
        if left > 0 && at == FIRST_NAMED {
            let _ = write!(text, " → … {left} more …");
        }
        if left == 0 || at < FIRST_NAMED || at >= FIRST_NAMED + left {
            let id = visible(section.bars[row].step.id());
            let arrow = if at == 0 { "" } else { " → " };
            let _ = write!(text, "{arrow}{}", fit(&id, WIDEST_ID));
        }
    }
    Some(text)
}

/// Returns how the session's end is told; none where its trace has one, or speaks of no session.
pub(super) fn no_end(chart: &Chart<'_>) -> Option<String> {
    let mut text = match chart.ending {
        Ending::Ended | Ending::NoSession => return None,
        Ending::GoingOn => "still going on".to_owned(),
        Ending::Killed => "no end: killed".to_owned(),
        Ending::NoEnd => "no end: still going on, or killed".to_owned(),
    };
    if let Some(last) = &chart.run.last {
        let _ = write!(text, "; last event `{}`", last.event.name());
        if let Some(step) = &last.step_id {
            let _ = write!(text, " of `{}`", fit(&visible(step), WIDEST_ID));
        }
        let _ = write!(text, ", line {}", last.line);
        if let Some(at_ms) = last.at_ms {
            let _ = write!(text, ", {}", utc(at_ms));
        }
    }
    Some(text)
}

/// The start of a long text.
fn start(text: &str) -> &str {
    let lines = text.match_indices('\n').nth(MOST_LINES - 1);
    let lines = lines.map_or(text.len(), |(at, _)| at);
    let letters = text.char_indices().nth(MOST_LETTERS);
    let letters = letters.map_or(text.len(), |(at, _)| at);
    &text[..lines.min(letters)]
}

/// A longer id is cut where there is no room: the JSON of `trace show` has it whole.
pub(super) const WIDEST_ID: usize = 40;
/// More names than this are no help to the eye.
const MOST_NAMED: usize = 8;
/// Of a long path, its beginning.
const FIRST_NAMED: usize = 4;
/// And its end, where the time ran out.
const LAST_NAMED: usize = 4;
/// Of an error, enough to know it again.
const MOST_LINES: usize = 8;
const MOST_LETTERS: usize = 600;

/// What is said of attempts, once.
pub(super) const ATTEMPTS: &str =
    "a bar in parts: attempts, in equal parts because the trace does not say when one ended";
/// What is said of the critical path, once.
pub(super) const CRITICAL: &str = "critical path: what the end waited for";
/// What is said of waiting, once.
pub(super) const WAITING: &str = "ready and waiting to be dispatched";
