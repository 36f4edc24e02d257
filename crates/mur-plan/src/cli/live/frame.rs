//! One picture of a running plan: a line for each step under way, and the counts. Pure: state in, text out.

use std::fmt::Write;
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use plan_model::{Kind, Status};

use super::watch::{Running, Settled, Watch};
use crate::cli::table::status_style;
use crate::cli::visible::{columns, elapsed, first_line, fit, push_padded, visible};

/// Returns the lines to show of `watch` at `now`, each ended by a line break.
///
/// They are at most 20, fewer than `height`, and each is narrower than `width`, so that nothing wraps or scrolls.
/// The steps that have run longest come first after the ones that settled last.
pub fn frame(watch: &Watch, width: usize, height: usize, now: Instant, colour: bool) -> String {
    let room = MOST_LINES.min(height.saturating_sub(1)).max(1) - 1;
    let running = watch.running();
    let left_out = match running.len() {
        all if all <= room => 0,
        all => all - room.saturating_sub(1),
    };
    let shown = running.len() - left_out;
    let spare = if left_out > 0 { 0 } else { room - shown };
    let recent = watch.recent();
    let skipped = recent.len().saturating_sub(spare);

    let spinner = spinner(watch, now);
    let rows: Vec<Row> = recent
        .skip(skipped)
        .map(Row::settled)
        .chain(
            watch
                .running()
                .take(shown)
                .map(|step| Row::running(step, spinner, now)),
        )
        .collect();
    let mut text = draw(&rows, width, colour);
    if left_out > 0 && room > 0 {
        push_line(&mut text, &format!("… and {left_out} more"), width);
    }
    push_line(&mut text, &counts(watch, now), width);
    text
}

struct Row {
    mark: char,
    style: Style,
    id: String,
    kind: Kind,
    time: String,
    note: String,
}

impl Row {
    fn running(step: &Running, spinner: char, now: Instant) -> Self {
        Self {
            mark: spinner,
            style: AnsiColor::Cyan.on_default(),
            id: visible(&step.id).into_owned(),
            kind: step.kind,
            time: elapsed(milliseconds(now.saturating_duration_since(step.since))),
            note: match step.attempt {
                1 => String::new(),
                attempt => format!("attempt {attempt}"),
            },
        }
    }

    fn settled(step: &Settled) -> Self {
        Self {
            mark: match step.status {
                Status::Success => '✓',
                Status::Failed => '✗',
                Status::Skipped => '-',
            },
            style: status_style(step.status),
            id: visible(&step.id).into_owned(),
            kind: step.kind,
            time: match step.attempts {
                0 => String::new(),
                _ => elapsed(step.duration_ms),
            },
            note: first_line(step.error.as_deref().unwrap_or_default()),
        }
    }
}

fn draw(rows: &[Row], width: usize, colour: bool) -> String {
    let widest = |of: fn(&Row) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let ids = widest(|row| columns(&row.id)).min(WIDEST_ID);
    let times = widest(|row| columns(&row.time));
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        push_padded(&mut line, &fit(&row.id, ids), ids + GAP);
        push_padded(&mut line, row.kind.name(), KIND + GAP);
        // Times end at the same column.
        push_padded(&mut line, "", times - columns(&row.time));
        push_padded(&mut line, &row.time, columns(&row.time) + GAP);
        line.push_str(&row.note);
        let line = fit(line.trim_end(), width.saturating_sub(MARK + 1));
        let style = if colour { row.style } else { Style::new() };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{style}{}{style:#} {line}", row.mark);
    }
    text
}

fn counts(watch: &Watch, now: Instant) -> String {
    let mut text = String::new();
    if watch.is_canceled() {
        text.push_str("canceled: ");
    }
    // Writing to a string cannot fail.
    let _ = write!(text, "{} of {} settled", watch.settled(), watch.total());
    let parts = [
        (watch.running().len(), "running"),
        (watch.waiting(), "waiting"),
        (watch.failed(), "failed"),
    ];
    for (number, word) in parts {
        if number > 0 {
            let _ = write!(text, ", {number} {word}");
        }
    }
    if let Some(started) = watch.started() {
        let time = elapsed(milliseconds(now.saturating_duration_since(started)));
        let _ = write!(text, ", {time}");
    }
    text
}

fn push_line(text: &mut String, line: &str, width: usize) {
    text.push_str(&fit(line, width.saturating_sub(1)));
    text.push('\n');
}

fn spinner(watch: &Watch, now: Instant) -> char {
    let since = watch.started().unwrap_or(now);
    let turns = milliseconds(now.saturating_duration_since(since)) / TURN_MS;
    SPINNER[usize::try_from(turns).unwrap_or(0) % SPINNER.len()]
}

pub(super) fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// More lines are no longer taken in at a glance.
const MOST_LINES: usize = 20;
const WIDEST_ID: usize = 32;
const KIND: usize = "capsule".len();
const GAP: usize = 2;
/// The mark before a step and the space after it.
const MARK: usize = 2;
const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/// One turn of the spinner for each frame.
const TURN_MS: u64 = 100;
