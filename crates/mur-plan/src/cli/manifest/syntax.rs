//! What keeps a text from being one YAML document, and the place of any fault in its bytes.

use std::ops::Range;

use serde_saphyr::{Error, Location, MessageFormatter, Span, UserMessageFormatter};

use super::fault::Fault;
use super::node::brief;
use crate::cli::visible::visible;

/// The fault of bytes that are no text from `at` on.
pub(super) fn not_utf8(bytes: &[u8], at: usize) -> Fault {
    let before = String::from_utf8_lossy(&bytes[..at]);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Fault {
        key: String::new(),
        message: "the manifest is not UTF-8 text".to_owned(),
        hint: Some("save the file as UTF-8".to_owned()),
        span: at..at + 1,
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

/// The fault of a text that is not one YAML document.
pub(super) fn not_yaml(text: &str, error: &Error) -> Fault {
    let error = error.without_snippet();
    let cause = match error {
        Error::AliasError { error, .. } => error.as_ref(),
        other => other,
    };
    let (message, hint) = match cause {
        Error::DuplicateMappingKey { key, location: _ } => (
            match key {
                Some(key) => format!("the key `{}` is given twice", brief(key)),
                None => "a key is given twice".to_owned(),
            },
            Some("keep one of the two"),
        ),
        Error::MultipleDocuments {
            hint: _,
            location: _,
        } => (
            "the manifest is more than one YAML document".to_owned(),
            Some("keep what comes before the second `---`"),
        ),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. } => (
            "the manifest is too large or too deep for one".to_owned(),
            Some("write fewer values, aliases and levels"),
        ),
        other => (
            format!(
                "not valid YAML: {}",
                visible(&UserMessageFormatter.format_message(other))
            ),
            Some("look for an unclosed quote or bracket, or a wrong indentation"),
        ),
    };
    let location = error.location().unwrap_or(Location::UNKNOWN);
    fault_at(text, location, "", message, hint.map(str::to_owned))
}

/// A fault at `location` in `text`.
pub(super) fn fault_at(
    text: &str,
    location: Location,
    key: &str,
    message: String,
    hint: Option<String>,
) -> Fault {
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).max(1);
    let (line, column) = (whole(location.line()), whole(location.column()));
    let span = match location.span().byte_offset() {
        Some(_) => byte_range(text, &location.span()),
        None => {
            let at = byte_at(text, line, column);
            at..at
        }
    };
    Fault {
        key: key.to_owned(),
        message,
        hint,
        span,
        line,
        column,
    }
}

/// Where a line and a column are, both from 1: a fault of syntax has no byte offset.
fn byte_at(text: &str, line: usize, column: usize) -> usize {
    let mut start = 0;
    for row in text.split_inclusive('\n').take(line - 1) {
        start += row.len();
    }
    let rest = &text[start..];
    let within = rest
        .char_indices()
        .nth(column - 1)
        .map_or(rest.len(), |(at, _)| at);
    start + within
}

/// The bytes of `text` that `span` means; none of it where that is not known.
pub(super) fn byte_range(text: &str, span: &Span) -> Range<usize> {
    let start = span
        .byte_offset()
        .and_then(|offset| usize::try_from(offset).ok());
    let length = span
        .byte_len()
        .and_then(|length| usize::try_from(length).ok());
    let start = start.unwrap_or(0).min(text.len());
    start..start.saturating_add(length.unwrap_or(0)).min(text.len())
}
