//! Splitting a command line into words (ruling 31). Not a shell: quoting is all it knows.

use std::borrow::Cow;
use std::ops::Range;

/// Splits `line` into words by POSIX quoting rules and nothing else.
///
/// Single quotes keep everything; double quotes keep everything but `\\`, `\"`, `\$`, `` \` `` and a newline
/// after a backslash; a backslash outside quotes keeps the next character, and joins lines before a newline;
/// quoted empties are words; adjacent pieces join.
///
/// ```
/// use plan_model::argv::split;
///
/// let words = split(r#"bash -c 'cargo test' "" && a\ b"#)?;
/// assert_eq!(words, ["bash", "-c", "cargo test", "", "&&", "a b"]);
/// # Ok::<(), plan_model::argv::SplitError>(())
/// ```
///
/// # Errors
/// When a quote is not closed, the line ends in a backslash, or it holds no word.
pub fn split(line: &str) -> Result<Vec<String>, SplitError> {
    let mut words = Vec::new();
    let mut rest = Words::new(line);
    while let Some(word) = rest.next_word()? {
        words.push(word.into_owned());
    }
    if words.is_empty() {
        return Err(SplitError::empty(line));
    }
    Ok(words)
}

/// Returns the first word of `line` once the whole of it is known to split.
pub(crate) fn program(line: &str) -> Result<Cow<'_, str>, SplitError> {
    let mut rest = Words::new(line);
    let first = rest.next_word()?.ok_or_else(|| SplitError::empty(line))?;
    while rest.next_word()?.is_some() {}
    Ok(first)
}

/// Why a line cannot be split.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct SplitError {
    /// The bytes of the line at fault.
    pub span: Range<usize>,
    /// What is wrong there.
    pub reason: SplitReason,
}

/// What keeps a line from being split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SplitReason {
    /// A `'` is not closed.
    #[error("the command line has a `'` that is not closed")]
    SingleQuote,
    /// A `"` is not closed.
    #[error("the command line has a `\"` that is not closed")]
    DoubleQuote,
    /// The line ends in a backslash.
    #[error("the command line ends in a backslash that quotes nothing")]
    Backslash,
    /// There is no word.
    #[error("the command line is empty")]
    Empty,
}

impl SplitError {
    const fn empty(line: &str) -> Self {
        Self {
            span: 0..line.len(),
            reason: SplitReason::Empty,
        }
    }

    /// Returns what to write instead.
    pub const fn hint(&self) -> &'static str {
        match self.reason {
            SplitReason::SingleQuote => {
                "close the quote with `'`; a `'` that is meant as a character goes between double quotes"
            }
            SplitReason::DoubleQuote => "close the quote with `\"`; in JSON it is written `\\\"`",
            SplitReason::Backslash => {
                "take the last backslash away, or double it to pass one on (in JSON `\\\\\\\\`)"
            }
            SplitReason::Empty => "write a program and its arguments, such as `cargo test`",
        }
    }
}

struct Words<'l> {
    line: &'l str,
    at: usize,
}

impl<'l> Words<'l> {
    const fn new(line: &'l str) -> Self {
        Self { line, at: 0 }
    }

    fn next_word(&mut self) -> Result<Option<Cow<'l, str>>, SplitError> {
        let bytes = self.line.as_bytes();
        loop {
            match (bytes.get(self.at), bytes.get(self.at + 1)) {
                (None, _) => return Ok(None),
                (Some(b' ' | b'\t' | b'\n'), _) => self.at += 1,
                // A joined line between words is no word of its own.
                (Some(b'\\'), Some(b'\n')) => self.at += 2,
                (Some(_), _) => break,
            }
        }
        let start = self.at;
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\n' => break,
                b'\'' | b'"' | b'\\' => return self.quoted_word(start).map(Some),
                _ => self.at += 1,
            }
        }
        Ok(Some(Cow::Borrowed(&self.line[start..self.at])))
    }

    /// Goes on with a word at its first quote or backslash.
    fn quoted_word(&mut self, start: usize) -> Result<Cow<'l, str>, SplitError> {
        let bytes = self.line.as_bytes();
        let mut word = self.line[start..self.at].to_owned();
        while let Some(byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\n' => break,
                b'\'' => self.single(&mut word)?,
                b'"' => self.double(&mut word)?,
                b'\\' => match self.line[self.at + 1..].chars().next() {
                    None => return Err(self.error(self.at, SplitReason::Backslash)),
                    Some('\n') => self.at += 2,
                    Some(kept) => {
                        word.push(kept);
                        self.at += 1 + kept.len_utf8();
                    }
                },
                _ => {
                    let plain = self.line[self.at..]
                        .find([' ', '\t', '\n', '\'', '"', '\\'])
                        .map_or(self.line.len(), |n| self.at + n);
                    word.push_str(&self.line[self.at..plain]);
                    self.at = plain;
                }
            }
        }
        Ok(Cow::Owned(word))
    }

    fn single(&mut self, word: &mut String) -> Result<(), SplitError> {
        let open = self.at;
        let inside = &self.line[open + 1..];
        let close = inside
            .find('\'')
            .ok_or_else(|| self.error(open, SplitReason::SingleQuote))?;
        word.push_str(&inside[..close]);
        self.at = open + 1 + close + 1;
        Ok(())
    }

    fn double(&mut self, word: &mut String) -> Result<(), SplitError> {
        let open = self.at;
        let unclosed = || self.error(open, SplitReason::DoubleQuote);
        let mut at = open + 1;
        loop {
            let rest = &self.line[at..];
            let stop = rest.find(['"', '\\']).ok_or_else(unclosed)?;
            word.push_str(&rest[..stop]);
            at += stop;
            if rest.as_bytes()[stop] == b'"' {
                self.at = at + 1;
                return Ok(());
            }
            let kept = self.line[at + 1..].chars().next().ok_or_else(unclosed)?;
            match kept {
                '\n' => {}
                '\\' | '"' | '$' | '`' => word.push(kept),
                _ => word.extend(['\\', kept]),
            }
            at += 1 + kept.len_utf8();
        }
    }

    const fn error(&self, at: usize, reason: SplitReason) -> SplitError {
        SplitError {
            span: at..self.line.len(),
            reason,
        }
    }
}
