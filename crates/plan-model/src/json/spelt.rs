//! From a place in a decoded string back to the one in the text that spells it.

use std::ops::Range;

use super::decode::escape;

/// Walks over what stands between the quotes of a string as far as it is asked about.
///
/// Places asked for in ascending order cost one walk in all, one further back starts over.
#[derive(Debug)]
pub(crate) struct Spelt<'t> {
    inside: &'t str,
    written: usize,
    decoded: usize,
}

impl<'t> Spelt<'t> {
    pub(crate) const fn new(inside: &'t str) -> Self {
        Self {
            inside,
            written: 0,
            decoded: 0,
        }
    }

    /// Returns the bytes between the quotes that spell `part` of the decoded string.
    pub(crate) fn part(&mut self, part: &Range<usize>) -> Range<usize> {
        let start = self.at(part.start);
        start..self.at(part.end).max(start)
    }

    /// Returns where the byte `wanted` of the decoded string is spelt: an escape counts from its backslash, the
    /// string's end is the closing quote.
    fn at(&mut self, wanted: usize) -> usize {
        if wanted < self.decoded {
            *self = Self::new(self.inside);
        }
        loop {
            // Never further ahead than what was asked for, or asking often would be quadratic.
            let ahead = &self.inside.as_bytes()[self.written..];
            let ahead = &ahead[..ahead.len().min(wanted - self.decoded)];
            let plain = ahead.iter().position(|byte| *byte == b'\\');
            let passed = plain.unwrap_or(ahead.len());
            self.written += passed;
            self.decoded += passed;
            if plain.is_none() {
                return self.written;
            }
            let (char, len) = escape(&self.inside[self.written..]);
            let char = char.unwrap_or(char::REPLACEMENT_CHARACTER).len_utf8();
            if self.decoded + char > wanted {
                return self.written;
            }
            self.written += len;
            self.decoded += char;
        }
    }
}
