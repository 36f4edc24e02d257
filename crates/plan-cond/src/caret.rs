//! Draws a [`ParseError`] under its line of the condition, as a compiler does.

use alloc::string::{String, ToString};
use core::fmt;

use crate::{error::ParseError, excerpt::hides};

/// How many columns of the condition's line are shown before the fault, and from its start on.
///
/// Together, beside the line number, they fit a terminal of 100 columns.
const BEFORE: usize = 40;
const FROM: usize = 52;

/// What a tab is drawn as: its real width depends on what stands before it.
const TAB: &str = "    ";

impl ParseError {
    /// Draws the error under `text`, the condition that was parsed.
    ///
    /// Only the line where the fault starts is shown, and of a long line only what is around it. Wide
    /// characters count as two columns, tabs as four, and characters that would act on the terminal
    /// are shown by their escapes. The drawing has no newline at its end.
    pub fn caret<'a>(&'a self, text: &'a str) -> Caret<'a> {
        Caret { error: self, text }
    }
}

/// A [`ParseError`] under its line. See [`ParseError::caret`].
#[derive(Debug, Clone, Copy)]
pub struct Caret<'a> {
    error: &'a ParseError,
    text: &'a str,
}

impl fmt::Display for Caret<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { error, text } = *self;
        let (before, from) = split(text, error.span.start);
        let number = (before.matches('\n').count() + 1).to_string();
        let before = before.rsplit('\n').next().unwrap_or(before);
        let from = from.split(['\n', '\r']).next().unwrap_or(from);
        let (marked, rest) = split(from, error.span.len());

        let lead = Strip::back(before, BEFORE);
        let marked = Strip::forth(marked, FROM);
        let rest = Strip::forth(rest, FROM - marked.width.min(FROM));

        let margin = " ".repeat(number.len());
        let indent = " ".repeat(lead.width);
        // Where something is missing the span is empty, and still needs one caret.
        let carets = "^".repeat(marked.width.max(1));
        writeln!(f, "error: {error}")?;
        writeln!(f, "{margin}--> column {}", error.column(text))?;
        writeln!(f, "{margin} |")?;
        write!(f, "{number} | {}{}", lead.drawn, marked.drawn)?;
        // One mark of omission is enough where the fault itself is cut.
        writeln!(f, "{}", if marked.cut { "" } else { &rest.drawn })?;
        writeln!(f, "{margin} | {indent}{carets}")?;
        write!(f, "{margin} = hint: {}", error.hint())
    }
}

/// A stretch of one line as it is drawn.
struct Strip {
    drawn: String,
    width: usize,
    cut: bool,
}

impl Strip {
    /// Draws the end of `text`, in at most `limit` columns and a mark of omission.
    fn back(text: &str, limit: usize) -> Self {
        let (mut kept, mut width) = (text.len(), 0);
        for (at, c) in text.char_indices().rev() {
            width += columns(c);
            if width > limit {
                break;
            }
            kept = at;
        }
        let (omitted, kept) = split(text, kept);
        let mut strip = Self::forth(kept, limit);
        if !omitted.is_empty() {
            strip.drawn.insert(0, '…');
            strip.width += 1;
            strip.cut = true;
        }
        strip
    }

    /// Draws the beginning of `text`, in at most `limit` columns and a mark of omission.
    fn forth(text: &str, limit: usize) -> Self {
        let mut strip = Self {
            drawn: String::new(),
            width: 0,
            cut: false,
        };
        for c in text.chars() {
            if strip.width + columns(c) > limit {
                strip.drawn.push('…');
                strip.cut = true;
                break;
            }
            strip.width += columns(c);
            if c == '\t' {
                strip.drawn.push_str(TAB);
            } else if hides(c) {
                strip.drawn.extend(c.escape_unicode());
            } else {
                strip.drawn.push(c);
            }
        }
        strip
    }
}

/// Splits at `at`, or at the last place before it that is between two characters of `text`.
fn split(text: &str, at: usize) -> (&str, &str) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    text.split_at(at)
}

/// Returns how many columns `c` is drawn in.
///
/// An approximation by blocks: enough to put a caret under the right word without the tables of a
/// crate.
fn columns(c: char) -> usize {
    match c {
        '\t' => TAB.len(),
        _ if hides(c) => c.escape_unicode().len(),
        // Marks that combine with the character before them, and variation selectors.
        '\u{300}'..='\u{36f}'
        | '\u{483}'..='\u{489}'
        | '\u{591}'..='\u{5bd}'
        | '\u{610}'..='\u{61a}'
        | '\u{64b}'..='\u{65f}'
        | '\u{1ab0}'..='\u{1aff}'
        | '\u{1dc0}'..='\u{1dff}'
        | '\u{20d0}'..='\u{20ff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{fe20}'..='\u{fe2f}' => 0,
        // Hangul, CJK, kana, full-width forms, pictographs.
        '\u{1100}'..='\u{115f}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97f}'
        | '\u{ac00}'..='\u{d7a3}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff01}'..='\u{ff60}'
        | '\u{ffe0}'..='\u{ffe6}'
        | '\u{1f300}'..='\u{1f64f}'
        | '\u{1f680}'..='\u{1f6ff}'
        | '\u{1f900}'..='\u{1faff}'
        | '\u{20000}'..='\u{3fffd}' => 2,
        _ => 1,
    }
}
