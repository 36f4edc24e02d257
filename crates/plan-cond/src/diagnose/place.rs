//! A place in a condition, and what stands on either side of it.

use core::ops::Range;

use crate::{
    error::{ErrorKind, Found, ParseError},
    excerpt::excerpt,
    reference::{ends_reference, is_operator, word},
};

/// A place between two characters of a condition, after any white space.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl<'t> Place<'t> {
    /// Returns the first place at or after byte `at` that no white space follows.
    pub(super) fn skipping_blanks(text: &'t str, at: usize) -> Self {
        let rest = text.get(at..).unwrap_or_default();
        Self {
            text,
            at: text.len() - rest.trim_start().len(),
        }
    }

    /// Returns what follows.
    pub(super) fn rest(self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Returns the character that follows.
    pub(super) fn next(self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Returns the operator characters that follow.
    pub(super) fn run(self) -> &'t str {
        let rest = self.rest();
        rest.split(|c| !is_operator(c)).next().unwrap_or(rest)
    }

    /// Returns the word, operator, parenthesis or literal that follows; `""` at the end.
    pub(super) fn token(self) -> &'t str {
        let rest = self.rest();
        let len = match self.next() {
            None => 0,
            Some(quote @ ('\'' | '"')) => rest
                .match_indices(quote)
                .nth(1)
                .map_or(rest.len(), |(close, _)| close + 1),
            Some('(' | ')') => 1,
            Some(c) if is_operator(c) => self.run().len(),
            Some(_) => word(rest).len(),
        };
        rest.get(..len).unwrap_or(rest)
    }

    /// Returns the place after the token that follows.
    pub(super) fn after_token(self) -> Self {
        Self::skipping_blanks(self.text, self.at + self.token().len())
    }

    /// Returns what follows, for a sentence.
    pub(super) fn found(self) -> Found {
        match self.token() {
            "" => Found::End,
            token => Found::Text(excerpt(token)),
        }
    }

    /// Returns whether an operator that compares follows, or looks as if it were one.
    pub(super) fn starts_with_comparison(self) -> bool {
        let run = self.run();
        run.starts_with(['=', '<', '>']) || run.starts_with("!=")
    }

    /// Returns what stands before, without the white space between.
    fn before(self) -> &'t str {
        self.text.get(..self.at).unwrap_or_default().trim_end()
    }

    /// Returns the byte where what stands before ends.
    pub(super) fn end_before(self) -> usize {
        self.before().len()
    }

    /// Returns the joint or parenthesis that stands before; `None` for anything else.
    pub(super) fn token_before(self) -> Option<&'static str> {
        ["&&", "||", "(", ")"]
            .into_iter()
            .find(|token| self.before().ends_with(token))
    }

    /// Returns the bytes of the operator characters that stand before.
    pub(super) fn run_before(self) -> Range<usize> {
        let before = self.before();
        before.trim_end_matches(is_operator).len()..before.len()
    }

    /// Returns the bytes of the operand that stands before, which the grammar has accepted.
    ///
    /// A literal does not hold its own quote and a reference nothing that ends one, so each can be
    /// found from its end.
    pub(super) fn operand_before(self) -> Range<usize> {
        let before = self.before();
        let start = match before.chars().next_back() {
            Some(quote @ ('\'' | '"')) => before
                .rmatch_indices(quote)
                .nth(1)
                .map_or(0, |(open, _)| open),
            _ => before.trim_end_matches(|c| !ends_reference(c)).len(),
        };
        start..before.len()
    }

    /// Makes an error of what follows; of the end of what stands before where nothing follows.
    pub(super) fn error(self, kind: ErrorKind) -> ParseError {
        let span = match self.token() {
            // White space at the end may hold newlines, and the fault is not below them.
            "" => self.end_before()..self.end_before(),
            token => self.at..self.at + token.len(),
        };
        self.error_at(span, kind)
    }

    /// Makes an error of some bytes of the text.
    pub(super) fn error_at(self, span: Range<usize>, kind: ErrorKind) -> ParseError {
        ParseError { span, kind }
    }
}
