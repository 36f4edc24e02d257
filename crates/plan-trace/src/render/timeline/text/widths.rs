//! How wide the columns of a plan's rows are.

use crate::render::columns::{columns, visible};

/// How wide the columns of a section are.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Widths {
    pub(super) id: usize,
    pub(super) bar: usize,
    pub(super) status: usize,
    /// 0 where the window is too narrow for notes.
    pub(super) note: usize,
}

impl Widths {
    /// Makes room for a row.
    pub(super) fn with(self, id: &str, status: &str, note: &str) -> Self {
        Self {
            id: self.id.max(columns(&visible(id))),
            status: self.status.max(columns(&visible(status))),
            note: self.note.max(columns(note)),
            ..self
        }
    }

    /// Gives the bars what is left of `width`, and takes from the others when that is too little.
    pub(super) fn fitted(self, width: usize) -> Self {
        let mut widths = Self {
            id: self.id.min((width / 4).min(WIDEST_ID)),
            status: self.status.min(WIDEST_STATUS),
            ..self
        };
        if widths.taken() + SHORTEST_BAR > width {
            widths.note = 0;
        }
        widths.bar = width.saturating_sub(widths.taken()).max(1);
        widths
    }

    /// Columns beside the bars.
    fn taken(&self) -> usize {
        let note = if self.note == 0 { 0 } else { GAP + self.note };
        INDENT + self.id + GAP + GAP + self.status + note
    }
}

/// What stands before a row: the mark of the critical path.
pub(super) const INDENT: usize = 2;
pub(super) const GAP: usize = 1;
const WIDEST_ID: usize = 32;
const WIDEST_STATUS: usize = 12;
/// With less than this a bar says nothing, and how long a step took says more.
const SHORTEST_BAR: usize = 20;
