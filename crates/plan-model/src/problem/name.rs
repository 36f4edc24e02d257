//! Pieces of a plan as messages quote them.

use std::fmt;
use std::ops::Range;

/// How many characters of a name a message quotes: past that nobody reads, and a plan could make its messages
/// as long as itself times the number of its faults.
const QUOTED: usize = 120;

/// A name out of the plan: shown in backquotes, cut when long.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Name {
    text: Box<str>,
    cut: bool,
}

impl Name {
    pub(crate) fn new(text: &str) -> Self {
        match text.char_indices().nth(QUOTED) {
            None => Self {
                text: text.into(),
                cut: false,
            },
            Some((end, _)) => Self {
                text: text[..end].into(),
                cut: true,
            },
        }
    }

    /// Returns the name when all of it is there.
    pub(crate) fn whole(&self) -> Option<&str> {
        (!self.cut).then_some(&*self.text)
    }

    /// Writes it without backquotes.
    pub(crate) fn bare(&self) -> impl fmt::Display + '_ {
        Bare(self)
    }
}

struct Bare<'n>(&'n Name);

impl fmt::Display for Bare<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;

        for char in self.0.text.chars() {
            // A message stays on its line.
            if char.is_control() {
                write!(f, "{}", char.escape_debug())?;
            } else {
                f.write_char(char)?;
            }
        }
        f.write_str(if self.0.cut { "…" } else { "" })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.bare())
    }
}

/// The type of a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    Null,
    Bool,
    Number,
    String,
    List,
    Object,
}

impl Found {
    /// Returns the type of the value that starts with `byte`.
    pub(crate) const fn starting_with(byte: u8) -> Self {
        match byte {
            b'n' => Self::Null,
            b't' | b'f' => Self::Bool,
            b'"' => Self::String,
            b'[' => Self::List,
            b'{' => Self::Object,
            _ => Self::Number,
        }
    }

    /// Returns the bytes to mark of a value: all of a scalar, the opening bracket of a container.
    pub(crate) const fn mark(self, place: &Range<u32>) -> Range<u32> {
        match self {
            Self::Null | Self::Bool | Self::Number | Self::String => place.start..place.end,
            Self::List | Self::Object => place.start..place.start + 1,
        }
    }
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Null => "`null`",
            Self::Bool => "a boolean",
            Self::Number => "a number",
            Self::String => "a string",
            Self::List => "a list",
            Self::Object => "an object",
        })
    }
}
