//! A shell step as a gate is shown it: the program it starts, and the script when that program is a shell.
//!
//! What to make of them is the gates' own.

use std::{
    ffi::OsStr,
    path::{Path, PathBuf},
};

use crate::process::lookup;

/// A command line as a gate is shown it (spec: What a plan may reach).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ShellShown<'a> {
    /// The first word resolved on `PATH`, canonical; the bare word if it does not resolve.
    pub(crate) program: String,
    /// The whole command line.
    pub(crate) command: &'a str,
    /// The words after the first.
    pub(crate) argv: &'a [String],
    /// The script handed to a shell with `-c`.
    pub(crate) script: Option<&'a str>,
}

impl<'a> ShellShown<'a> {
    /// Describes `line`, whose words are `words`, as it would be started in `workdir` with `path` as its `PATH`.
    pub(crate) fn of(line: &'a str, words: &'a [String], path: &OsStr, workdir: &Path) -> Self {
        let (first, argv) = words
            .split_first()
            .map_or(("", words), |(first, argv)| (first.as_str(), argv));
        let program = resolved(first, path, workdir);
        let name = [first, &program]
            .into_iter()
            .map(last_component)
            .find(|name| is_shell(name));
        Self {
            command: line,
            argv,
            script: name.and_then(|name| {
                let index = script_index(name, argv.iter().map(String::as_str))?;
                argv.get(index).map(|word| name_value(word))
            }),
            program,
        }
    }
}

/// Returns whether a program of this name reads a script after `-c`.
pub(crate) fn is_shell(name: &str) -> bool {
    SHELLS.contains(&name)
}

/// Returns the name a program goes by: the last component of its path.
pub(crate) fn last_component(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// Returns which of a shell's arguments holds the script of its `-c`, if it has one.
///
/// The script is the first argument that is no option, wherever among the options `-c` stands; only fish takes
/// it from `-c` itself, also as `--command=SCRIPT` (see [`name_value`]).
pub(crate) fn script_index<'w>(shell: &str, argv: impl Iterator<Item = &'w str>) -> Option<usize> {
    let fish = shell == "fish";
    let mut wants_script = false;
    let mut values = 0;
    for (index, word) in argv.enumerate() {
        if values > 0 {
            values -= 1;
            continue;
        }
        if fish && (word == "--command" || word == "-c") {
            return Some(index + 1);
        }
        if fish && word.starts_with("--command=") {
            return Some(index);
        }
        if word == "--" || word == "-" {
            return wants_script.then_some(index + 1);
        }
        if word.starts_with("--") {
            values = usize::from(LONG_WITH_VALUE.contains(&word));
        } else if let Some(letters) = word.strip_prefix(['-', '+']) {
            if fish && letters.ends_with('c') {
                return Some(index + 1);
            }
            wants_script |= word.starts_with('-') && letters.contains('c');
            // Each of these takes an argument of its own, also when they share a word.
            values = letters.matches(['o', 'O']).count();
        } else {
            return wants_script.then_some(index);
        }
    }
    None
}

/// Returns what `--command=SCRIPT` holds, and any other word as it is.
pub(crate) fn name_value(word: &str) -> &str {
    word.strip_prefix("--command=").unwrap_or(word)
}

fn resolved(first: &str, path: &OsStr, workdir: &Path) -> String {
    let Ok(found) = lookup::find(OsStr::new(first), path, workdir) else {
        return first.to_owned();
    };
    // A word with a `/` is found whether or not there is such a file.
    workdir.join(found).canonicalize().map_or_else(
        |_| first.to_owned(),
        |path: PathBuf| path.display().to_string(),
    )
}

/// The programs whose `-c` is read as a script.
const SHELLS: [&str; 6] = ["bash", "sh", "zsh", "fish", "dash", "ksh"];

/// The long options of shells that take the next word as their value.
const LONG_WITH_VALUE: [&str; 4] = ["--rcfile", "--init-file", "--emulate", "--init-command"];

#[cfg(test)]
mod tests {
    use super::*;

    fn script(line: &str) -> Option<String> {
        let words = plan_model::argv::split(line).unwrap();
        let shown = ShellShown::of(line, &words, OsStr::new(""), Path::new("/"));
        shown.script.map(str::to_owned)
    }

    /// spec: What a plan may reach.
    #[test]
    fn the_script_is_found_wherever_a_shell_would_find_it() {
        for line in [
            "sh -c 'rm a'",
            "bash -ec 'rm a' name arg",
            "bash -lc 'rm a'",
            "bash -c -e 'rm a'",
            "/bin/dash -c -- 'rm a'",
            "bash --norc -euo pipefail -c 'rm a'",
            "bash -o pipefail -O extglob -c 'rm a'",
            "bash --rcfile x -c 'rm a'",
            "bash -ceo pipefail 'rm a'",
            "zsh -fc 'rm a'",
            "ksh +x -c 'rm a'",
            "fish -c 'rm a'",
            "fish --command='rm a'",
            "fish -N --command 'rm a'",
        ] {
            assert_eq!(script(line).as_deref(), Some("rm a"), "{line}");
        }
    }

    /// spec: What a plan may reach.
    #[test]
    fn what_is_no_script_is_not_shown_as_one() {
        for line in [
            "bash x.sh -c 'rm a'",
            "bash -o -c",
            "bash +c 'rm a'",
            "python3 -c 'rm a'",
            "bash -c",
            "bash",
            "sh -- -c 'rm a'",
        ] {
            assert_eq!(script(line), None, "{line}");
        }
    }
}
