//! What is said of a running plan line by line, where nothing can be redrawn.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};

use super::watch::Watch;
use crate::Progress;
use crate::cli::print::sentence;
use crate::cli::table::status_style;
use crate::cli::visible::{elapsed, first_line, fit, visible};

/// Returns the line that tells of `event`, ended by a line break; empty for an event that is not told.
pub(super) fn line(event: &Progress, colour: bool) -> String {
    let mut text = String::new();
    match event {
        Progress::StepStarted {
            index: _,
            id,
            kind,
            attempt,
            last_line: _,
        } => {
            push_word(&mut text, "start", Style::new());
            text.push_str(&subject(id, kind.name()));
            if *attempt > 1 {
                // Writing to a string cannot fail.
                let _ = write!(text, ", attempt {attempt}");
            }
            text.push('\n');
        }
        Progress::StepSettled {
            index: _,
            id,
            kind,
            status,
            attempts,
            duration_ms,
            error,
        } => {
            let style = if colour {
                status_style(*status)
            } else {
                Style::new()
            };
            push_word(&mut text, status.name(), style);
            text.push_str(&subject(id, kind.name()));
            if *attempts > 0 {
                let _ = write!(text, " in {}", elapsed(*duration_ms));
            }
            if *attempts > 1 {
                let _ = write!(text, ", {attempts} attempts");
            }
            if let Some(error) = error {
                let _ = write!(text, ": {}", fit(&first_line(error), LONGEST_ERROR));
            }
            text.push('\n');
        }
        Progress::Warned { warnings: _ }
        | Progress::Unbounded { shortfall: _ }
        | Progress::PlanStarted { plan: _, limits: _ }
        | Progress::StepAsked { index: _ }
        | Progress::Counts {
            ready: _,
            in_flight: _,
            settled: _,
            closed: _,
        }
        | Progress::Cancelled
        | Progress::Finished => {}
    }
    text
}

/// Returns what a person is told when the plan is cancelled: what still runs, and how to end it (ruling 27).
pub(super) fn cancel_notice(watch: &Watch, colour: bool) -> String {
    let running = watch.running().len();
    if running == 0 {
        return sentence("canceled", CANCELED, "nothing runs any more", None, colour);
    }
    let mut message = match running {
        1 => "1 step still runs: ".to_owned(),
        _ => format!("{running} steps still run: "),
    };
    for (at, step) in watch.running().take(MOST_NAMED).enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        let _ = write!(message, "{comma}`{}`", fit(&visible(&step.id), LONGEST_ID));
    }
    if running > MOST_NAMED {
        let _ = write!(message, " and {} more", running - MOST_NAMED);
    }
    let hint = "a second signal kills what still runs";
    sentence("canceled", CANCELED, &message, Some(hint), colour)
}

fn push_word(text: &mut String, word: &str, style: Style) {
    let _ = write!(text, "{style}{word}{style:#}");
    for _ in word.len()..WORD {
        text.push(' ');
    }
}

fn subject(id: &str, kind: &str) -> String {
    format!("{} ({kind})", fit(&visible(id), LONGEST_ID))
}

/// The longest first word, and a space after it.
const WORD: usize = "success ".len();
const LONGEST_ID: usize = 80;
const LONGEST_ERROR: usize = 200;
/// More names than this are no help in deciding whether to wait.
const MOST_NAMED: usize = 10;
const CANCELED: Style = AnsiColor::Yellow.on_default().bold();
