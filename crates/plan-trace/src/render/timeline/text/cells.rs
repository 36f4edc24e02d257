//! The columns of a bar: from where to where, and of what characters.

use super::super::{
    axis::Axis,
    bar::{Bar, Drawn},
    words::Fill,
};

/// A bar in columns.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Cells {
    /// From which column to before which it waits.
    pub(super) waiting: Option<(usize, usize)>,
    /// The column its first character stands in, which is not before the end of the waiting.
    pub(super) at: usize,
    /// Its characters, each a column wide.
    pub(super) drawn: String,
    /// Whether attempts are told apart in it.
    pub(super) has_parts: bool,
}

impl Cells {
    /// Lays a step's bar into `width` columns.
    pub(super) fn of(bar: &Bar<'_>, axis: Axis, width: usize) -> Self {
        let mut cells = Self::default();
        if let Some((from, to)) = bar.waited() {
            let end = match bar.drawn {
                Drawn::Waits { .. } => width,
                Drawn::Ran { .. } | Drawn::Open { .. } | Drawn::Settled { .. } | Drawn::Nothing => {
                    column(axis, to, width)
                }
            };
            let begin = column(axis, from, width);
            cells.waiting = (begin < end).then_some((begin, end));
        }
        if let Some((begin, end)) = bar.stretch() {
            let length = cells.stretch(axis, begin, end, width);
            cells.draw(bar, length);
        }
        cells
    }

    /// Lays a delegation's line into `width` columns.
    pub(super) fn of_delegation(axis: Axis, begin: u64, end: u64, width: usize) -> Self {
        let mut cells = Self::default();
        let length = cells.stretch(axis, begin, end, width);
        cells.drawn = LINE.repeat(length);
        cells
    }

    /// Places a stretch of time and returns how many columns it takes: one at least, and one begun is taken whole.
    fn stretch(&mut self, axis: Axis, begin: u64, end: u64, width: usize) -> usize {
        self.at = column(axis, begin, width);
        let last = column(axis, end.saturating_sub(1).max(begin), width);
        last - self.at + 1
    }

    fn draw(&mut self, bar: &Bar<'_>, length: usize) {
        let block = block(Fill::of(bar));
        match bar.drawn {
            Drawn::Settled { .. } => self.drawn.push_str(UNDISPATCHED),
            Drawn::Open { .. } => {
                self.drawn = block.repeat(length - 1);
                self.drawn.push_str(OPEN);
            }
            Drawn::Ran { .. } => {
                let attempts = usize::try_from(bar.attempts()).unwrap_or(usize::MAX);
                // Each attempt has a column, and there is a mark between two.
                self.has_parts = attempts > 1 && length.div_ceil(2) >= attempts;
                let parts = if self.has_parts { attempts } else { 1 };
                let blocks = length - (parts - 1);
                for part in 0..parts {
                    if part > 0 {
                        self.drawn.push_str(BETWEEN);
                    }
                    let these = blocks * (part + 1) / parts - blocks * part / parts;
                    self.drawn.push_str(&block.repeat(these));
                }
            }
            Drawn::Waits { .. } | Drawn::Nothing => {}
        }
    }
}

/// Returns the column, of `width`, that a moment lies in.
pub(super) fn column(axis: Axis, at_ms: u64, width: usize) -> usize {
    let place = axis.place(at_ms, width as u64);
    usize::try_from(place).map_or(width - 1, |place| place.min(width - 1))
}

/// Returns the character of a bar.
pub(super) const fn block(fill: Fill) -> &'static str {
    match fill {
        Fill::Tool => "█",
        Fill::Shell => "▓",
        Fill::Capsule => "▒",
        Fill::Other => "■",
    }
}

/// Time in which a step waits.
pub(super) const WAITING: &str = "░";
/// A step that settled and was never dispatched.
pub(super) const UNDISPATCHED: &str = "◇";
/// A step that nothing says the end of.
pub(super) const OPEN: &str = "▸";
/// What stands between two attempts.
pub(super) const BETWEEN: &str = "╎";
/// A delegation.
pub(super) const LINE: &str = "═";
