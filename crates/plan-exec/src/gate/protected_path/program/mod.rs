//! What a command writes, told from its words: the table of programs.
//!
//! Pure: it knows programs and their options, and neither shells nor files.

mod archive;
mod builtin;
mod copy;
mod edit;
mod find;
mod git;
mod options;
mod plain;
mod prefix;

use super::{arg::Arg, judge::Reach};
use crate::gate::shown;

/// What is read from the words of one command.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Reading {
    /// The directories it moves to before anything else, each relative to the one before.
    pub(super) moves: Vec<Arg>,
    /// What it does, in order.
    pub(super) acts: Vec<Act>,
}

/// Something a command does that matters here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Act {
    /// Writes a path.
    Write {
        path: Arg,
        reach: Reach,
        signal: String,
    },
    /// Writes `path` if there is one, and else, because it names a version, the whole workdir.
    WritePathOrWorkdir { path: Arg, signal: String },
    /// Writes to the whole of the session's workdir, wherever it runs.
    WriteWorkdir { signal: String },
    /// Puts `source` into the directory `target`, under its own name.
    Put {
        source: Arg,
        target: Arg,
        signal: String,
    },
    /// Puts what `source` holds into the directory `target`.
    Merge {
        source: Arg,
        target: Arg,
        signal: String,
    },
    /// Makes a symbolic link.
    Link { path: Arg, target: Arg },
    /// Sets a variable for what it runs.
    Set { name: String, value: Arg },
    /// Runs a script, with these as `$0`, `$1` and so on.
    Script { text: Arg, parameters: Vec<Arg> },
    /// Runs a script in the shell that runs this.
    Eval { text: Arg },
    /// Is a shell that reads its script from standard input.
    ScriptFromInput,
    /// Runs another command, after moving to these directories.
    Command { words: Vec<Arg>, moves: Vec<Arg> },
    /// Does this after moving to these directories, each relative to the one before.
    Moved { moves: Vec<Arg>, acts: Vec<Self> },
    /// The shell's own `cd` and its like.
    Cd(Destination),
}

/// Where `cd` goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Destination {
    /// To a directory.
    To(Arg),
    /// Home.
    Home,
    /// Back to a directory it was in.
    Back,
}

/// Reads the words of a command. Programs that are not known do nothing.
pub(super) fn read(words: &[Arg]) -> Reading {
    let mut reading = Reading::default();
    let mut rest = words;
    // Each turn takes one word off at least, so it ends.
    while let Some((first, args)) = rest.split_first() {
        let name = shown::last_component(first.as_str());
        let Some(command) = prefix::read(name, args, &mut reading) else {
            program(name, args, &mut reading.acts);
            break;
        };
        rest = command;
    }
    reading
}

/// Reads the arguments of a program that is no prefix.
fn program(name: &str, args: &[Arg], acts: &mut Vec<Act>) {
    match name {
        "cp" | "install" | "ln" | "link" | "mv" | "scp" | "rsync" => copy::read(name, args, acts),
        "sed" | "gsed" | "perl" | "ruby" | "awk" | "gawk" => edit::read(name, args, acts),
        "find" | "gfind" => find::read(args, acts),
        "git" => git::read(args, acts),
        "tar" | "gtar" | "bsdtar" | "unzip" | "zip" | "cpio" => archive::read(name, args, acts),
        "cd" | "chdir" | "pushd" | "popd" | "eval" | "trap" => builtin::read(name, args, acts),
        _ if shown::is_shell(name) => builtin::shell(name, args, acts),
        _ => plain::read(name, args, acts),
    }
}

impl Act {
    fn write(path: &Arg, signal: impl Into<String>) -> Self {
        Self::Write {
            path: path.clone(),
            reach: Reach::Path,
            signal: signal.into(),
        }
    }

    fn tree(path: &Arg, signal: impl Into<String>) -> Self {
        Self::Write {
            path: path.clone(),
            reach: Reach::Tree,
            signal: signal.into(),
        }
    }
}
