//! A cursor over valid JSON: it finds where things end and judges nothing.

use std::ops::Range;

/// A string as written, quotes included.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RawString {
    /// The opening quote.
    pub(crate) start: u32,
    /// After the closing quote.
    pub(crate) end: u32,
    /// Whether it holds a backslash.
    pub(crate) escaped: bool,
}

impl RawString {
    /// Returns what stands between the quotes, escapes as written.
    pub(crate) fn inside<'t>(&self, text: &'t str) -> &'t str {
        &text[self.start as usize + 1..self.end as usize - 1]
    }

    pub(crate) const fn span(&self) -> Range<u32> {
        self.start..self.end
    }
}

/// A place in a text of valid JSON. Past the end it sees zero bytes, which end every loop.
#[derive(Debug, Clone)]
pub(crate) struct Cursor<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Cursor<'t> {
    pub(crate) const fn new(text: &'t str, at: usize) -> Self {
        Self {
            bytes: text.as_bytes(),
            at,
        }
    }

    pub(crate) const fn at(&self) -> u32 {
        // Texts are at most LONGEST bytes.
        self.at as u32
    }

    /// Skips white space and returns the byte there, 0 at the end.
    #[inline]
    pub(crate) fn peek(&mut self) -> u8 {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\t' | b'\r') => self.at += 1,
                Some(byte) => return *byte,
                None => return 0,
            }
        }
    }

    #[inline]
    pub(crate) const fn bump(&mut self) {
        self.at += 1;
    }

    /// Moves past `]` or `}` and returns true, or past `,` and returns false.
    #[inline]
    pub(crate) fn closes(&mut self) -> bool {
        let closes = self.peek() != b',';
        self.bump();
        closes
    }

    /// Moves past `{` or `[` and returns whether the container is empty, which is then passed too.
    #[inline]
    pub(crate) fn opens_empty(&mut self) -> bool {
        self.bump();
        let empty = matches!(self.peek(), b'}' | b']' | 0);
        if empty {
            self.bump();
        }
        empty
    }

    /// Moves past a key and its colon.
    #[inline]
    pub(crate) fn key(&mut self) -> RawString {
        self.peek();
        let key = self.string();
        self.peek();
        self.bump();
        key
    }

    /// Moves past the string that starts here.
    #[inline]
    pub(crate) fn string(&mut self) -> RawString {
        let start = self.at();
        let mut escaped = false;
        self.at += 1;
        loop {
            match self.bytes.get(self.at) {
                Some(b'"') | None => break,
                Some(b'\\') => {
                    escaped = true;
                    self.at += 2;
                }
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        RawString {
            start,
            end: self.at(),
            escaped,
        }
    }

    /// Moves past the number or word that starts here.
    #[inline]
    pub(crate) fn scalar(&mut self) -> Range<u32> {
        let start = self.at();
        while let Some(byte) = self.bytes.get(self.at) {
            if matches!(byte, b',' | b']' | b'}' | b' ' | b'\n' | b'\t' | b'\r') {
                break;
            }
            self.at += 1;
        }
        start..self.at()
    }

    /// Moves past the value that starts here, however deep.
    pub(crate) fn skip(&mut self) -> Range<u32> {
        let mut open = 0_usize;
        let first = self.peek();
        let start = self.at();
        let mut next = first;
        loop {
            match next {
                b'"' => {
                    self.string();
                }
                b'{' | b'[' => {
                    open += 1;
                    self.bump();
                }
                b'}' | b']' => {
                    open = open.saturating_sub(1);
                    self.bump();
                }
                b',' | b':' => self.bump(),
                0 => break,
                _ => {
                    self.scalar();
                }
            }
            if open == 0 {
                break;
            }
            next = self.peek();
        }
        start..self.at()
    }
}
