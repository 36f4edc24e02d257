//! The characters of a JSON string whose escapes are known to be well formed.

use std::borrow::Cow;
use std::ops::Range;

use super::RawString;

/// Appends the decoded form of what stands between the quotes; returns where its first lone surrogate escape is.
/// A lone surrogate decodes to U+FFFD.
pub(crate) fn decode(inside: &str, out: &mut String) -> Option<Range<usize>> {
    let mut lone = None;
    let mut at = 0;
    while let Some(plain) = inside[at..].find('\\') {
        out.push_str(&inside[at..at + plain]);
        at += plain;
        let (char, len) = escape(&inside[at..]);
        out.push(char.unwrap_or(char::REPLACEMENT_CHARACTER));
        if char.is_none() && lone.is_none() {
            lone = Some(at..at + len);
        }
        at += len;
    }
    out.push_str(&inside[at..]);
    lone
}

/// Returns the decoded string, borrowed where it has no escapes.
pub(crate) fn decoded(raw: RawString, text: &str) -> Cow<'_, str> {
    let inside = raw.inside(text);
    if !raw.escaped {
        return Cow::Borrowed(inside);
    }
    let mut out = String::with_capacity(inside.len());
    // A lone surrogate has had its fault where the string was first read.
    decode(inside, &mut out);
    Cow::Owned(out)
}

/// Reads the escape `text` starts with: its character, `None` for a lone surrogate, and its length.
pub(super) fn escape(text: &str) -> (Option<char>, usize) {
    let char = match text.as_bytes().get(1) {
        Some(b'u') => return unicode(text),
        Some(b'b') => '\u{8}',
        Some(b'f') => '\u{c}',
        Some(b'n') => '\n',
        Some(b'r') => '\r',
        Some(b't') => '\t',
        Some(b'/') => '/',
        Some(b'"') => '"',
        _ => '\\',
    };
    (Some(char), 2)
}

fn unicode(text: &str) -> (Option<char>, usize) {
    const ONE: usize = "\\uXXXX".len();
    let unit = |at: usize| {
        let digits = text.get(at..at + ONE)?.strip_prefix("\\u")?;
        u32::from_str_radix(digits, 16).ok()
    };
    let Some(first) = unit(0) else {
        return (None, 2);
    };
    if let Some(char) = char::from_u32(first) {
        return (Some(char), ONE);
    }
    match unit(ONE) {
        Some(second @ 0xDC00..=0xDFFF) if first < 0xDC00 => {
            let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
            (char::from_u32(code), 2 * ONE)
        }
        _ => (None, ONE),
    }
}
