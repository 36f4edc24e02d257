//! The colours of outcomes, light and dark: fill, border, and text that is read on both.

use super::shape::Outcome;

/// The colours of one outcome.
pub(super) struct Paint {
    pub(super) fill: &'static str,
    pub(super) border: &'static str,
}

/// Returns the colours on a light ground.
pub(super) const fn light(outcome: Outcome) -> Paint {
    let (fill, border) = match outcome {
        Outcome::Unknown => ("#f6f8fa", "#6e7781"),
        Outcome::Success => ("#dafbe1", "#1a7f37"),
        Outcome::Failed => ("#ffebe9", "#cf222e"),
        Outcome::Skipped => ("#fff8c5", "#9a6700"),
        Outcome::Unsettled => ("#ddf4ff", "#0969da"),
        Outcome::NotRun => ("#ffffff", "#8c959f"),
    };
    Paint { fill, border }
}

/// Returns the colours on a dark ground.
pub(super) const fn dark(outcome: Outcome) -> Paint {
    let (fill, border) = match outcome {
        Outcome::Unknown => ("#161b22", "#8b949e"),
        Outcome::Success => ("#12261e", "#3fb950"),
        Outcome::Failed => ("#2d1517", "#f85149"),
        Outcome::Skipped => ("#2b2111", "#d29922"),
        Outcome::Unsettled => ("#10233f", "#4493f8"),
        Outcome::NotRun => ("#0d1117", "#6e7681"),
    };
    Paint { fill, border }
}
