//! What the characters of a timeline mean: only those that were drawn.

use super::{
    super::{
        bar::{Bar, Drawn},
        words::{self, Fill},
    },
    cells::{BETWEEN, Cells, LINE, OPEN, UNDISPATCHED, WAITING, block},
};

/// What has been drawn.
#[derive(Debug, Default)]
pub(super) struct Legend {
    fills: [bool; Fill::ALL.len()],
    waiting: bool,
    critical: bool,
    parts: bool,
    undispatched: bool,
    open: bool,
    delegation: bool,
}

impl Legend {
    pub(super) fn see(&mut self, bar: &Bar<'_>, cells: &Cells) {
        match bar.drawn {
            Drawn::Ran { .. } => self.fills[Fill::of(bar) as usize] = true,
            // A short one is the arrow alone.
            Drawn::Open { .. } => {
                self.open = true;
                self.fills[Fill::of(bar) as usize] |= cells.drawn.chars().nth(1).is_some();
            }
            Drawn::Settled { .. } => self.undispatched = true,
            Drawn::Waits { .. } | Drawn::Nothing => {}
        }
        self.waiting |= cells.waiting.is_some();
        self.critical |= bar.is_critical;
        self.parts |= cells.has_parts;
    }

    pub(super) fn see_delegation(&mut self) {
        self.delegation = true;
    }

    /// Returns each character with what it means.
    pub(super) fn entries(&self) -> Vec<String> {
        let mut entries = Vec::new();
        for fill in Fill::ALL {
            if self.fills[fill as usize] {
                entries.push(format!("{} {}", block(fill), fill.name()));
            }
        }
        let rest = [
            (self.waiting, WAITING, words::WAITING),
            (self.delegation, LINE, "delegation"),
            (
                self.undispatched,
                UNDISPATCHED,
                "settled without being dispatched",
            ),
            (self.open, OPEN, "no end yet"),
            (self.parts, BETWEEN, words::ATTEMPTS),
            (self.critical, "*", words::CRITICAL),
        ];
        let drawn = rest.into_iter().filter(|(is_drawn, ..)| *is_drawn);
        entries.extend(drawn.map(|(_, mark, meaning)| format!("{mark} {meaning}")));
        entries
    }
}
