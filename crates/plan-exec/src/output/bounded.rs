//! A stream kept as long as it stays under a bound, and only counted past it.

use super::Sink;

/// What a tool writes to its standard output.
#[derive(Debug)]
pub(crate) struct Bounded {
    bytes: Vec<u8>,
    bound: usize,
    over: bool,
}

impl Bounded {
    /// Keeps at most `bound` bytes.
    pub(crate) const fn new(bound: usize) -> Self {
        Self {
            bytes: Vec::new(),
            bound,
            over: false,
        }
    }

    /// Returns the whole stream, or `None` when it went past the bound.
    pub(crate) fn finish(self) -> Option<Vec<u8>> {
        (!self.over).then_some(self.bytes)
    }
}

impl Sink for Bounded {
    fn take(&mut self, bytes: &[u8]) {
        if self.over || bytes.len() > self.bound - self.bytes.len() {
            // What is past the bound is never used, nor is what came before it.
            self.over = true;
            self.bytes = Vec::new();
        } else {
            self.bytes.extend_from_slice(bytes);
        }
    }

    fn is_over(&self) -> bool {
        self.over
    }
}
