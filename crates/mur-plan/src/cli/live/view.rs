//! Writes what is drawn of a running plan: at most ten pictures a second, each in one write.

use std::io::Write;
use std::time::{Duration, Instant};

use anstream::adapter::strip_str;

use super::frame::frame;
use super::lines::{cancel_notice, line};
use super::watch::Watch;
use crate::cli::visible::columns;
use crate::progress::Progress;

/// How a running plan is shown.
#[derive(Debug, Clone, Copy)]
pub enum Mode {
    /// Redrawn in place; the function gives the terminal's columns and rows as they are now.
    Live(fn() -> Option<(usize, usize)>),
    /// A line when a step starts and one when it settles.
    Lines,
}

/// Shows a running plan. On drop, what was drawn in place is taken away again.
#[derive(Debug)]
pub struct View<W: Write> {
    out: W,
    mode: Mode,
    colour: bool,
    watch: Watch,
    /// The columns of each line that stands on the terminal.
    drawn: Vec<usize>,
    last_drawn: Option<Instant>,
    /// Nothing is drawn any more.
    is_over: bool,
    /// Nobody reads any more.
    is_gone: bool,
}

impl<W: Write> View<W> {
    /// Makes a view that writes to `out`.
    pub fn new(out: W, mode: Mode, colour: bool) -> Self {
        Self {
            out,
            mode,
            colour,
            watch: Watch::default(),
            drawn: Vec::new(),
            last_drawn: None,
            is_over: false,
            is_gone: false,
        }
    }

    /// Shows one event that happened at `now`.
    pub fn on(&mut self, event: Progress, now: Instant) {
        let told = match self.mode {
            Mode::Lines => line(&event, self.colour),
            Mode::Live(_) => String::new(),
        };
        let is_cancel = event == Progress::Cancelled;
        let is_end = event == Progress::Finished;
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
        self.is_over = true;
        if let Some(mut text) = self.back_to_top() {
            text.push_str(ERASE_BELOW);
            self.write(&text);
        }
    }

    /// Returns where the plan stands.
    pub fn watch(&self) -> &Watch {
        &self.watch
    }

    fn draw(&mut self, above: &str, now: Instant) {
        let Mode::Live(_) = self.mode else { return };
        let (width, height) = self.size();
        let back = self.back_to_top();
        let mut lines = above.to_owned();
        if self.watch.started().is_some() && !self.is_over {
            let picture = frame(&self.watch, width, height, now, self.colour);
            let plain = strip_str(&picture).to_string();
            self.drawn = plain.lines().map(columns).collect();
            lines.push_str(&picture);
            self.last_drawn = Some(now);
        }
        match back {
            None => self.write(&lines),
            // Each line is written over the old one: erasing everything first would flicker.
            Some(back) => {
                let over = lines.replace('\n', END_OF_LINE);
                self.write(&format!("{back}{over}{ERASE_BELOW}"));
            }
        }
    }

    /// The way back to the first line drawn, `None` when nothing is drawn.
    fn back_to_top(&mut self) -> Option<String> {
        let (width, _) = self.size();
        // A window made narrower breaks the lines that stand in it.
        let rows: usize = self
            .drawn
            .drain(..)
            .map(|columns| columns.div_ceil(width).max(1))
            .sum();
        (rows > 0).then(|| format!("\r\x1b[{rows}A"))
    }

    fn size(&self) -> (usize, usize) {
        match self.mode {
            Mode::Live(size) => size().unwrap_or(USUAL_SIZE),
            Mode::Lines => USUAL_SIZE,
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
        // Whoever watched went away; the plan runs on.
        self.is_gone = written.is_err();
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
const ERASE_BELOW: &str = "\x1b[J";
/// Erases what is left of an older, longer line.
const END_OF_LINE: &str = "\x1b[K\n";
