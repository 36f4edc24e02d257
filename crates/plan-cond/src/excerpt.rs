//! A piece of a condition, fit to stand in a sentence: short, on one line, without control characters.

use alloc::string::String;

/// How many characters an excerpt keeps: a step id and a field fit, a paragraph does not.
const KEPT: usize = 40;

/// Returns `text`, cut at [`KEPT`] characters and escaped.
pub(crate) fn excerpt(text: &str) -> String {
    let mut excerpt = String::new();
    for (n, c) in text.chars().enumerate() {
        if n == KEPT {
            excerpt.push('…');
            break;
        }
        if hides(c) {
            excerpt.extend(c.escape_unicode());
        } else {
            excerpt.push(c);
        }
    }
    excerpt
}

/// Returns whether `c` would act on the line instead of showing on it: controls, line separators, and
/// the marks that turn the direction of a text.
pub(crate) fn hides(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}
