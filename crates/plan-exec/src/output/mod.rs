//! What is kept of what a step writes: bounded, cut at character boundaries, never blocking the writer.

mod bounded;
mod capture;
mod last_line;
mod tail;
mod text;
mod whole;

pub(crate) use bounded::Bounded;
pub(crate) use capture::Capture;
pub(crate) use last_line::Watched;
pub use last_line::{LastLine, OpenLine};
pub(crate) use tail::Tail;
pub(crate) use text::{CUT_MARK, at_most, end_of, into_text, start_of, without_trailing_newlines};
pub(crate) use whole::{OutputPlace, forget};

/// Takes what is read from a pipe, in order. Never refuses: what it has no room for it counts or drops.
pub(crate) trait Sink: Send {
    /// Takes the next bytes.
    fn take(&mut self, bytes: &[u8]);

    /// Returns whether so much came that the program has failed, whatever else it does.
    fn is_over(&self) -> bool {
        false
    }
}

/// The most an error may hold, in bytes (ruling 26).
pub(crate) const ERROR_BYTES: usize = 64 * 1024;
