//! Writes what is drawn of a running plan: at most ten pictures a second, each in one write.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use super::frame::{Canvas, frame};
use super::lines::{cancel_notice, line};
use super::watch::Watch;
use crate::Progress;

/// How a running plan is shown.
#[derive(Debug, Clone, Copy)]
pub enum Mode {
    /// Redrawn in place; the function tells of the terminal's window as it is now.
    Live(fn() -> Window),
    /// A line when a step starts and one when it settles.
    Lines,
}

/// The window of a terminal, looked at before each picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// Its size.
    Of {
        /// In columns.
        columns: usize,
        /// In rows.
        rows: usize,
    },
    /// It does not say.
    Unknown,
    /// Another job is in front in it, so nothing is drawn.
    Behind,
}

/// Shows a running plan. On drop, what was drawn in place is taken away again.
#[derive(Debug)]
pub struct View<W: Write> {
    out: W,
    mode: Mode,
    colour: bool,
    watch: Watch,
    /// Whether the last line of each command's output is shown.
    output: bool,
    /// Whether a picture stands on the terminal, the cursor on its first line.
    is_drawn: bool,
    last_drawn: Option<Instant>,
    /// Nothing is drawn any more.
    is_over: bool,
    /// Nobody reads any more.
    is_gone: bool,
}

impl<W: Write> View<W> {
    /// Makes a view that writes to `out`.
    pub fn new(out: W, mode: Mode, colour: bool) -> Self {
        let watch = match mode {
            Mode::Live(_) => Watch::of_the_waiting(),
            Mode::Lines => Watch::default(),
        };
        Self {
            out,
            mode,
            colour,
            watch,
            output: false,
            is_drawn: false,
            last_drawn: None,
            is_over: false,
            is_gone: false,
        }
    }

    /// Returns whether it is redrawn in place.
    pub fn is_live(&self) -> bool {
        matches!(self.mode, Mode::Live(_))
    }

    /// Says whether the last line of each running command's output is shown, where the view is redrawn in place.
    pub fn show_output(&mut self, output: bool) {
        self.output = output;
    }

    /// Shows one event that happened at `now`.
    pub fn on(&mut self, event: Progress, now: Instant) {
        let told = match self.mode {
            Mode::Lines => line(&event, self.colour),
            Mode::Live(_) => String::new(),
        };
        let is_cancel = matches!(event, Progress::Cancelled);
        let is_end = matches!(event, Progress::Finished);
        self.watch.on(event, now);
        self.write(&told);
        if is_cancel {
            let notice = cancel_notice(&self.watch, self.colour);
            self.note(&notice, now);
        }
        if is_end {
            self.close();
        } else {
            self.tick(now);
        }
    }

    /// Redraws when a tenth of a second has passed since the last time; call it that often.
    pub fn tick(&mut self, now: Instant) {
        let is_due = self
            .last_drawn
            .is_none_or(|last| now.saturating_duration_since(last) >= BETWEEN_FRAMES);
        if is_due {
            self.draw("", now);
        }
    }

    /// Writes `text`, whole lines with styles for a terminal, above what is drawn.
    pub fn note(&mut self, text: &str, now: Instant) {
        match self.mode {
            Mode::Lines => self.write(text),
            Mode::Live(_) => self.draw(text, now),
        }
    }

    /// Takes away what is drawn; nothing is drawn after it. Notes are still written.
    pub fn close(&mut self) {
        self.erase();
        self.is_over = true;
    }

    /// Takes away what is drawn until the next tick: somebody else is about to use the terminal.
    pub fn step_aside(&mut self) {
        self.erase();
        self.last_drawn = None;
    }

    /// Returns where the plan stands.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    /// Draws the picture below `above`. The cursor is left on its first line: a window that is made smaller or
    /// larger moves it with that line, so the next picture starts where this one did, however the terminal has
    /// broken the lines anew.
    fn draw(&mut self, above: &str, now: Instant) {
        let Mode::Live(window) = self.mode else {
            return;
        };
        let size = match window() {
            Window::Of { columns, rows } => (columns, rows),
            Window::Unknown => USUAL_SIZE,
            Window::Behind => {
                // Whoever is in front has moved the cursor.
                self.is_drawn = false;
                return self.write(above);
            }
        };
        let mut text = String::new();
        if !above.is_empty() {
            if self.is_drawn {
                text.push_str(ERASE_BELOW);
            }
            text.push_str(above);
            self.is_drawn = false;
        }
        if self.watch.started().is_some() && !self.is_over {
            let canvas = Canvas {
                columns: size.0,
                rows: size.1,
                colour: self.colour,
                output: self.output,
            };
            let picture = frame(&self.watch, &canvas, now);
            let lines = picture.lines().count();
            // Each line is written over the old one: erasing everything first would flicker.
            let over = picture.trim_end_matches('\n').replace('\n', END_OF_LINE);
            text.push_str(NO_WRAP);
            text.push('\r');
            text.push_str(&over);
            text.push_str(ERASE_REST);
            text.push('\r');
            if lines > 1 {
                text.push_str(&format!("\x1b[{}A", lines - 1));
            }
            text.push_str(WRAP);
            self.is_drawn = true;
            self.last_drawn = Some(now);
        }
        if !text.is_empty() {
            self.write(&format!("{BEGIN}{text}{END}"));
        }
    }

    fn erase(&mut self) {
        if self.is_drawn {
            self.is_drawn = false;
            self.write(ERASE_BELOW);
        }
    }

    fn write(&mut self, text: &str) {
        if text.is_empty() || self.is_gone {
            return;
        }
        let written = self
            .out
            .write_all(text.as_bytes())
            .and_then(|()| self.out.flush());
        // Whoever watched went away; the plan runs on. A terminal that is only slow for the moment has not gone.
        self.is_gone = written.is_err_and(|error| error.kind() != io::ErrorKind::WouldBlock);
    }
}

impl<W: Write> Drop for View<W> {
    fn drop(&mut self) {
        self.close();
    }
}

const BETWEEN_FRAMES: Duration = Duration::from_millis(100);
/// Columns and rows of a terminal that does not say.
const USUAL_SIZE: (usize, usize) = (80, 24);
/// Has a terminal that can show everything up to [`END`] at once; others pass over it.
const BEGIN: &str = "\x1b[?2026h";
const END: &str = "\x1b[?2026l";
/// A character that the terminal takes for wider than it is taken for here must not break its line: the way back to
/// the first line would be too short. The same write ends it.
const NO_WRAP: &str = "\x1b[?7l";
const WRAP: &str = "\x1b[?7h";
/// Erases the cursor's line and all below it.
const ERASE_BELOW: &str = "\r\x1b[J";
/// Erases what is left of an older, longer line.
const END_OF_LINE: &str = "\x1b[K\r\n";
/// Erases what is left of the last line and of an older, longer picture.
const ERASE_REST: &str = "\x1b[J";
