//! A word of a script as it is written, quotes removed.

/// The pieces of a word, in order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) pieces: Vec<Piece>,
}

/// A piece of a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Piece {
    /// Text. Where it is not quoted, globs, braces and a tilde in it are live.
    Text { text: String, quoted: bool },
    /// A variable.
    Variable {
        name: String,
        quoted: bool,
        change: Change,
    },
    /// What only running the script tells.
    Unknown { quoted: bool },
}

/// What `${name…}` does to a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) enum Change {
    None,
    /// `%`: takes something off the end.
    Trimmed,
    /// `:-` and its like: may stand for this text instead.
    Or(String),
}

impl Word {
    pub(super) fn push(&mut self, c: char, quoted: bool) {
        self.push_str(c.encode_utf8(&mut [0; 4]), quoted);
    }

    pub(super) fn push_str(&mut self, more: &str, more_quoted: bool) {
        if let Some(Piece::Text { text, quoted }) = self.pieces.last_mut()
            && *quoted == more_quoted
        {
            text.push_str(more);
            return;
        }
        self.pieces.push(Piece::Text {
            text: more.to_owned(),
            quoted: more_quoted,
        });
    }

    /// Returns the text of a word without any quoting or expansion.
    pub(super) fn bare(&self) -> Option<&str> {
        match &self.pieces[..] {
            [
                Piece::Text {
                    text,
                    quoted: false,
                },
            ] => Some(text),
            _ => None,
        }
    }

    /// Returns the text of a word without expansions, quotes removed.
    pub(super) fn literal(&self) -> Option<String> {
        let mut whole = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text { text, .. } => whole.push_str(text),
                Piece::Variable { .. } | Piece::Unknown { .. } => return None,
            }
        }
        Some(whole)
    }

    /// Returns whether any of it stood in quotes.
    pub(super) fn has_quotes(&self) -> bool {
        self.pieces.iter().any(|piece| match piece {
            Piece::Text { quoted, .. }
            | Piece::Variable { quoted, .. }
            | Piece::Unknown { quoted } => *quoted,
        })
    }

    /// Takes `NAME=` or `NAME+=` off the front of a word, and returns the name and the rest.
    pub(super) fn assignment(&self) -> Option<(&str, Self)> {
        let Some(Piece::Text {
            text,
            quoted: false,
        }) = self.pieces.first()
        else {
            return None;
        };
        let (name, value) = text.split_once('=')?;
        let name = name.strip_suffix('+').unwrap_or(name);
        // An element of an array stands for the array.
        let name = name.split_once('[').map_or(name, |(array, _)| array);
        if !is_name(name) {
            return None;
        }
        let mut rest = Self::default();
        if !value.is_empty() {
            rest.push_str(value, false);
        }
        rest.pieces.extend_from_slice(&self.pieces[1..]);
        Some((name, rest))
    }
}

/// Returns whether `text` can be the name of a variable.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}
