//! What is told about a script as it is read.

use super::{frame::Command, token::Separator, word::Word};

/// Told what a script holds, in the order it stands there.
pub(super) trait Listener {
    /// Why the reading is over.
    type Stop;

    /// A command, or the redirections of the compound command that just closed. Returns whether its program reads
    /// a script from standard input.
    fn command(&mut self, command: &Command) -> Result<bool, Self::Stop>;
    /// What ended a command or a compound one.
    fn separator(&mut self, separator: Separator);
    /// A list of commands begins.
    fn open(&mut self, scope: Scope);
    /// Another part of the list begins, which may run or not.
    fn branch(&mut self);
    /// The list begun last ends.
    fn close(&mut self);
    /// A variable is one of these words from here on.
    fn variable(&mut self, name: &str, words: &[Word]) -> Result<(), Self::Stop>;
    /// Further commands, in text of their own.
    fn nested(&mut self, text: &str, form: Form) -> Result<(), Self::Stop>;
}

/// What a list of commands may change for those after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Nothing.
    Subshell,
    /// What it does.
    Group,
    /// What it does, if it runs.
    Choice,
}

/// How a text holds commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// It is a script.
    Script,
    /// It is text as in double quotes, with commands in `$(…)` and backquotes.
    Document,
}
