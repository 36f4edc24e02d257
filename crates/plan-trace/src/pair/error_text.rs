//! Why steps failed: kept whole while there is room, then shorter and shorter.

use super::texts::{Span, Texts};

/// Why a step failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorText<'r> {
    /// The text, or as much of its start as was kept.
    pub text: &'r str,
    /// Whether the end was left out, because the errors of the trace are too many and too long to hold. The line
    /// of the trace has it whole.
    pub is_cut: bool,
}

/// Where an error was kept.
#[derive(Debug, Clone, Copy)]
pub(super) struct KeptError {
    span: Span,
    is_cut: bool,
}

impl KeptError {
    pub(super) fn of(self, texts: &Texts) -> ErrorText<'_> {
        ErrorText {
            text: texts.text(self.span),
            is_cut: self.is_cut,
        }
    }
}

/// How much has been kept of the errors of one trace.
#[derive(Debug, Default)]
pub(super) struct ErrorRoom {
    used: usize,
}

impl ErrorRoom {
    /// Keeps as much of `error` in `texts` as there is room for.
    pub(super) fn keep(&mut self, error: &str, texts: &mut Texts) -> KeptError {
        let most = match self.used {
            0..WHOLE_UP_TO => LONGEST,
            WHOLE_UP_TO..SHORT_UP_TO => SHORT,
            _ => 0,
        };
        let mut end = error.len().min(most);
        while !error.is_char_boundary(end) {
            end -= 1;
        }
        self.used += end;
        KeptError {
            span: texts.push(&error[..end]),
            is_cut: end < error.len(),
        }
    }
}

/// The bytes of errors that one trace may take before they are kept short.
const WHOLE_UP_TO: usize = 24 << 20;
/// The bytes of errors that one trace may take at all.
const SHORT_UP_TO: usize = 40 << 20;
/// As long as an error can be (spec: Shell steps); another writer's may be longer.
const LONGEST: usize = 64 << 10;
/// Enough to tell one error from another.
const SHORT: usize = 120;
