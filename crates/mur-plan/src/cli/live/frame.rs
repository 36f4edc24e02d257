//! One picture of a running plan: a line for each step under way, and the counts. Pure: state in, text out.

use std::fmt::Write;
use std::time::{Duration, Instant};

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};
use plan_model::{Kind, Status};

use super::waiting::{Reason, Waits};
use super::watch::{Running, Settled, Watch};
use crate::cli::table::status_style;
use crate::cli::visible::{columns, elapsed, first_line, fit, push_padded, visible};

/// What a picture is drawn on, and how.
#[derive(Debug, Clone, Copy)]
pub struct Canvas {
    /// The columns of the window.
    pub columns: usize,
    /// Its rows.
    pub rows: usize,
    /// Whether colours are shown.
    pub colour: bool,
    /// Whether the last line of what each command writes is shown.
    pub output: bool,
}

/// Returns the lines to show of `watch` at `now`, each ended by a line break.
///
/// They are at most 20, fewer than the rows, and each is narrower than the columns, so that nothing wraps or scrolls.
/// What runs comes first, the longest running on top; then, as long as there is room, what waits and for what, and
/// above it all what settled last.
pub fn frame(watch: &Watch, canvas: &Canvas, now: Instant) -> String {
    let width = canvas.columns;
    let room = MOST_LINES.min(canvas.rows.saturating_sub(1)).max(1) - 1;
    let running = watch.running();
    let left_out = match running.len() {
        all if all <= room => 0,
        all => all - room.saturating_sub(1),
    };
    let shown = running.len() - left_out;
    let spare = if left_out > 0 { 0 } else { room - shown };
    let waiting = watch.first_waiting(spare.min(MOST_WAITING));
    let recent = watch.recent();
    let skipped = recent.len().saturating_sub(spare - waiting.len());

    let spinner = spinner(watch, now);
    let rows: Vec<Row> = recent
        .skip(skipped)
        .map(Row::settled)
        .chain(
            running
                .take(shown)
                .map(|step| Row::running(step, spinner, now, canvas.output)),
        )
        .chain(waiting.iter().map(Row::waiting))
        .collect();
    let mut text = draw(&rows, canvas);
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
    fn running(step: &Running, spinner: char, now: Instant, output: bool) -> Self {
        let mut note = match step.attempt {
            1 => String::new(),
            attempt => format!("attempt {attempt}"),
        };
        if let (true, Some(line)) = (output, &step.last_line) {
            // Colours and the like of the command's own have no place here; what else would steer is made visible.
            let text = line.text();
            let text = strip_str(&text).to_string();
            let text = first_line(&text);
            if !(note.is_empty() || text.is_empty()) {
                note.push_str(", ");
            }
            note.push_str(&text);
        }
        Self {
            mark: spinner,
            style: AnsiColor::Cyan.on_default(),
            id: visible(&step.id).into_owned(),
            kind: step.kind,
            time: elapsed(milliseconds(now.saturating_duration_since(step.since))),
            note,
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

    fn waiting(step: &Waits<'_>) -> Self {
        Self {
            mark: '·',
            style: Style::new().dimmed(),
            id: visible(step.id).into_owned(),
            kind: step.kind,
            time: String::new(),
            note: reason(step),
        }
    }
}

/// Words what a step waits for.
fn reason(step: &Waits<'_>) -> String {
    match &step.reason {
        Reason::Steps { first, more } => {
            let names: Vec<_> = first
                .iter()
                .map(|id| fit(&visible(id), LONGEST_NAME).into_owned())
                .collect();
            match (names.split_last(), *more) {
                (None, _) => String::new(),
                (Some((only, [])), 0) => format!("after {only}"),
                (Some((last, rest)), 0) => format!("after {} and {last}", rest.join(", ")),
                (Some(_), more) => format!("after {} and {more} more", names.join(", ")),
            }
        }
        Reason::Slot(1) => format!("ready, one {} step runs at a time", step.kind.name()),
        Reason::Slot(limit) => format!("ready, {limit} {} steps run at a time", step.kind.name()),
        Reason::Gate => "ready, the gate is asked".to_owned(),
        Reason::Nothing => "ready".to_owned(),
    }
}

fn draw(rows: &[Row], canvas: &Canvas) -> String {
    let widest = |of: fn(&Row) -> usize| rows.iter().map(of).max().unwrap_or(0);
    let room = canvas.columns.saturating_sub(MARK + 1);
    let times = widest(|row| columns(&row.time));
    // What it is called and how long it takes are worth more than what carries it out.
    let kinds = if canvas.columns < NARROW {
        0
    } else {
        KIND + GAP
    };
    let for_ids = room.saturating_sub(GAP + kinds + times).max(NARROWEST_ID);
    let ids = widest(|row| columns(&row.id)).min(WIDEST_ID).min(for_ids);
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        push_padded(&mut line, &fit(&row.id, ids), ids + GAP);
        if kinds > 0 {
            push_padded(&mut line, row.kind.name(), kinds);
        }
        // Times end at the same column.
        push_padded(&mut line, "", times - columns(&row.time));
        push_padded(&mut line, &row.time, columns(&row.time) + GAP);
        line.push_str(&row.note);
        let line = fit(line.trim_end(), room);
        let style = if canvas.colour {
            row.style
        } else {
            Style::new()
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{style}{}{style:#} {line}", row.mark);
    }
    text
}

fn counts(watch: &Watch, now: Instant) -> String {
    let mut text = String::new();
    if watch.is_canceled() {
        text.push_str("canceled: ");
    } else if watch.is_closed() {
        text.push_str("stopped: ");
    }
    // Writing to a string cannot fail.
    let _ = write!(text, "{} of {} settled", watch.settled(), watch.total());
    let parts = [
        (watch.running().len(), "running"),
        (
            watch.waiting(),
            if watch.is_closed() {
                "not run"
            } else {
                "waiting"
            },
        ),
        (watch.failed(), "failed"),
    ];
    for (number, word) in parts {
        if number > 0 {
            let _ = write!(text, ", {number} {word}");
        }
        if word == "waiting" && watch.ready() > 0 {
            let _ = write!(text, " ({} ready)", watch.ready());
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
/// The first few say enough, and what runs and what has settled want the room.
const MOST_WAITING: usize = 4;
const WIDEST_ID: usize = 32;
const NARROWEST_ID: usize = 4;
/// The most of a name beside a step that waits for it.
const LONGEST_NAME: usize = 24;
/// Below so many columns the kind is left out.
const NARROW: usize = 48;
const KIND: usize = "capsule".len();
const GAP: usize = 2;
/// The mark before a step and the space after it.
const MARK: usize = 2;
const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/// One turn of the spinner for each frame.
const TURN_MS: u64 = 100;
