//! What the reader of a script is in the middle of.

use super::{token::Redirect, word::Word};

/// A list of commands that has begun and not ended, with the command it is at.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    /// The command so far.
    pub(super) command: Command,
    /// The word so far, between its beginning and its end.
    pub(super) word: Option<Word>,
    /// Where the double quote opened that the word is in.
    pub(super) double: Option<usize>,
    /// The redirection that waits for its word, with its operator as written.
    pub(super) redirect: Option<(Redirect, String)>,
    /// Whether the command is `[[`, in which `<` and `>` compare.
    pub(super) compares: bool,
    /// The number of the here-document begun last for the command.
    pub(super) document: Option<usize>,
}

/// What began a list of commands.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// The script itself.
    Script,
    /// The text of a here-document, which is a word in double quotes.
    Document,
    /// `(`; `arithmetic` when it may be one of `((`.
    Paren { arithmetic: bool },
    /// `$(`, `<(` or `>(`: the list stands inside a word.
    Substitution { arithmetic: bool },
    /// `NAME=(`: a list of words.
    Array { name: String },
    /// `{`.
    Brace,
    /// `if`.
    If,
    /// `while` or `until`.
    Loop,
    /// `for` or `select`.
    For(For),
    /// `case`.
    Case(Case),
}

/// How far a `for` has been read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum For {
    Name,
    In { name: String },
    Words { name: String, words: Vec<Word> },
    Body,
}

/// How far a `case` has been read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Case {
    Subject { seen: bool },
    Pattern { seen: bool },
    Body,
}

/// A simple command, or the redirections of a compound one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Command {
    pub(super) words: Vec<Word>,
    /// What is opened for writing, each with its operator.
    pub(super) opened: Vec<(String, Word)>,
    /// What here-strings hand to it.
    pub(super) texts: Vec<Word>,
}

impl Frame {
    pub(super) fn new(kind: Kind) -> Self {
        Self {
            kind,
            command: Command::default(),
            word: None,
            double: None,
            redirect: None,
            compares: false,
            document: None,
        }
    }

    /// Returns whether a `)` ends it.
    pub(super) const fn ends_at_paren(&self) -> bool {
        matches!(
            self.kind,
            Kind::Paren { .. } | Kind::Substitution { .. } | Kind::Array { .. }
        )
    }

    /// Returns whether it may be arithmetic, which knows no comments and no here-documents.
    pub(super) const fn is_arithmetic(&self) -> bool {
        matches!(
            self.kind,
            Kind::Paren { arithmetic: true } | Kind::Substitution { arithmetic: true }
        )
    }

    /// Returns whether a command may begin here.
    pub(super) const fn at_command(&self) -> bool {
        self.command.words.is_empty()
            && self.redirect.is_none()
            && !matches!(self.kind, Kind::Array { .. })
    }
}
