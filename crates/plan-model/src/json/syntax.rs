//! Says whether a text is JSON, and if not, where it stops being so. `scan` finds the place, `trouble` has
//! the words.

use std::ops::Range;

use serde::de::IgnoredAny;

use super::scan::Scan;
use super::trouble::Trouble;

/// Checks that `text` from `from` on is one JSON value. Depth does not matter here.
pub(crate) fn validate(text: &str, from: usize) -> Result<(), SyntaxFault> {
    // serde_json decides; the scan below only finds the words for what it refused.
    let Err(error) = serde_json::from_str::<IgnoredAny>(&text[from..]) else {
        return Ok(());
    };
    let mut scan = Scan::new(text, from);
    Err(scan.fault().unwrap_or_else(|| {
        let line = text[from..]
            .split_inclusive('\n')
            .take(error.line().saturating_sub(1))
            .map(str::len)
            .sum::<usize>();
        let at = (from + line + error.column().saturating_sub(1)).min(text.len());
        scan.fault_at(at..at, Trouble::Other)
    }))
}

/// Returns the JSON Pointer of the innermost value that has begun where `text` ends or stops being JSON.
pub(crate) fn deepest(text: &str, from: usize) -> String {
    let mut scan = Scan::new(text, from);
    scan.fault().map(|fault| fault.pointer).unwrap_or_default()
}

/// Where a text stops being JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxFault {
    /// The bytes at fault.
    pub(crate) span: Range<usize>,
    /// The innermost value that had begun.
    pub(crate) pointer: String,
    /// What is wrong.
    pub(crate) trouble: Trouble,
}
