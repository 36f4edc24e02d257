//! The plan's text and the pieces of it that the model keeps: a string is a span, not a copy.

use std::num::NonZeroU32;
use std::ops::Range;

use crate::json::{RawString, Spelt, decode};

/// The longest text that is read, in bytes: offsets into it and into the decoded strings beside it share 32 bits.
pub(crate) const LONGEST: usize = i32::MAX as usize;

/// A string of the plan, decoded.
///
/// It starts inside the text when it was written without escapes, else in the decoded strings that are numbered
/// on from the text's end. Never at 0, where only a brace can stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Piece {
    start: NonZeroU32,
    len: u32,
}

/// The text as given, and the strings of it that had to be decoded.
#[derive(Debug, Default)]
pub(crate) struct Text {
    source: String,
    decoded: Decoded,
}

/// The strings that were written with escapes.
#[derive(Debug, Default)]
pub(crate) struct Decoded {
    strings: String,
    /// Where each starts in `strings`, and its bytes in the source; ascending.
    origins: Vec<(u32, Range<u32>)>,
}

impl Text {
    pub(crate) const fn new(source: String, decoded: Decoded) -> Self {
        Self { source, decoded }
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    /// Returns the characters of a piece.
    #[inline]
    pub(crate) fn get(&self, piece: Piece) -> &str {
        self.decoded.get(&self.source, piece)
    }

    /// Returns the bytes of the source that spell a piece, quotes included.
    pub(crate) fn written(&self, piece: Piece) -> Range<u32> {
        let start = piece.start.get();
        match (start as usize).checked_sub(self.source.len()) {
            None => start - 1..start + piece.len + 1,
            Some(start) => {
                let origins = &self.decoded.origins;
                let found = origins
                    .binary_search_by_key(&start, |(decoded, _)| *decoded as usize)
                    .expect("every decoded piece has an origin");
                origins[found].1.clone()
            }
        }
    }

    /// Returns the bytes of the source that spell `part` of a piece.
    pub(crate) fn written_part(&self, piece: Piece, part: &Range<usize>) -> Range<u32> {
        self.spelling(piece).part(part)
    }

    /// Returns what tells which bytes of the source spell a part of a piece, cheaply for many parts in order.
    pub(crate) fn spelling(&self, piece: Piece) -> Spelling<'_> {
        let Range { start, end } = self.written(piece);
        let inside = start + 1..end - 1;
        let escaped = piece.start.get() as usize >= self.source.len();
        Spelling {
            spelt: escaped
                .then(|| Spelt::new(&self.source[inside.start as usize..inside.end as usize])),
            inside,
        }
    }
}

/// How the source spells one piece.
#[derive(Debug)]
pub(crate) struct Spelling<'t> {
    /// The bytes between the quotes.
    inside: Range<u32>,
    /// The walk over them when they hold escapes.
    spelt: Option<Spelt<'t>>,
}

impl Spelling<'_> {
    /// Returns the bytes of the source that spell `part` of the piece.
    pub(crate) fn part(&mut self, part: &Range<usize>) -> Range<u32> {
        let part = match &mut self.spelt {
            Some(spelt) => spelt.part(part),
            None => part.clone(),
        };
        let Range { start, end } = self.inside.clone();
        let at = |n: usize| start + u32::try_from(n).unwrap_or(u32::MAX).min(end - start);
        at(part.start)..at(part.end)
    }
}

impl Decoded {
    /// Returns the characters of a piece of `source`.
    #[inline]
    pub(crate) fn get<'t>(&'t self, source: &'t str, piece: Piece) -> &'t str {
        let start = piece.start.get() as usize;
        let len = piece.len as usize;
        match start.checked_sub(source.len()) {
            None => &source[start..start + len],
            Some(start) => &self.strings[start..start + len],
        }
    }

    /// Returns whether a piece holds a NUL; only one with escapes can.
    pub(crate) fn holds_nul(&self, source: &str, piece: Piece) -> bool {
        piece.start.get() as usize >= source.len() && self.get(source, piece).contains('\0')
    }

    /// Keeps a string of `source`; `Err` is the span of a lone surrogate in it.
    #[inline]
    pub(crate) fn keep(&mut self, source: &str, raw: RawString) -> Result<Piece, Range<u32>> {
        if raw.escaped {
            self.decode(source, raw)
        } else {
            Ok(Piece::new(raw.start + 1, raw.end - raw.start - 2))
        }
    }

    fn decode(&mut self, source: &str, raw: RawString) -> Result<Piece, Range<u32>> {
        let before = self.strings.len();
        if let Some(lone) = decode(raw.inside(source), &mut self.strings) {
            self.strings.truncate(before);
            return Err(shift(&lone, raw.start + 1));
        }
        // Decoding never lengthens, so text and decoded strings together stay below twice LONGEST.
        let number = |n: usize| u32::try_from(n).expect("bounded by twice LONGEST");
        self.origins.push((number(before), raw.span()));
        Ok(Piece::new(
            number(source.len() + before),
            number(self.strings.len() - before),
        ))
    }
}

impl Piece {
    fn new(start: u32, len: u32) -> Self {
        Self {
            start: NonZeroU32::new(start).expect("a string starts after a brace"),
            len,
        }
    }
}

/// Moves a span found inside a string to where the inside starts.
pub(crate) fn shift(span: &Range<usize>, by: u32) -> Range<u32> {
    let at = |n: usize| by + u32::try_from(n).expect("inside a text of at most LONGEST bytes");
    at(span.start)..at(span.end)
}
