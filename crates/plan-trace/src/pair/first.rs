//! The first entries of a list that could grow without end.

/// The first entries of a list, and how many more there were.
#[derive(Debug, Clone)]
pub struct First<T> {
    /// The entries kept, in order.
    pub kept: Vec<T>,
    /// How many were left out after them.
    pub left_out: u64,
}

impl<T> First<T> {
    /// Adds an entry, which is only counted once there are [`MOST_KEPT`]. Returns its place when it was kept.
    pub(super) fn push(&mut self, entry: T) -> Option<usize> {
        if self.kept.len() >= MOST_KEPT {
            self.left_out += 1;
            return None;
        }
        self.kept.push(entry);
        Some(self.kept.len() - 1)
    }

    /// Returns whether there never was an entry.
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }
}

impl<T> Default for First<T> {
    fn default() -> Self {
        Self {
            kept: Vec::new(),
            left_out: 0,
        }
    }
}

/// Nobody reads further, and a million of them would be held for nothing.
const MOST_KEPT: usize = 10_000;
