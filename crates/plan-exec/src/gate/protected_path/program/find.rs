//! `find`, which can delete, write lists and run commands.

use super::{super::arg::Arg, Act, prefix::replaced};

/// Reads the arguments of `find`.
pub(super) fn read(args: &[Arg], acts: &mut Vec<Act>) {
    let mut at = 0;
    // What stands before the paths.
    while let Some(option) = args.get(at) {
        match option.as_str() {
            "-H" | "-L" | "-P" => at += 1,
            "-D" => at += 2,
            text if text.starts_with("-O") => at += 1,
            _ => break,
        }
    }
    let paths: Vec<Arg> = args
        .get(at..)
        .unwrap_or_default()
        .iter()
        .take_while(|arg| {
            !matches!(arg.as_str(), "(" | ")" | "!" | ",") && !arg.as_str().starts_with('-')
        })
        .cloned()
        .collect();
    let mut rest = args.get(at + paths.len()..).unwrap_or_default();
    let starts = if paths.is_empty() {
        vec![Arg::plain(".")]
    } else {
        paths
    };
    while let Some((test, after)) = rest.split_first() {
        rest = after;
        match test.as_str() {
            "-delete" => acts.extend(
                starts
                    .iter()
                    .map(|start| Act::tree(start, "`find -delete`")),
            ),
            name @ ("-fprint" | "-fprint0" | "-fprintf" | "-fls") => {
                acts.extend(
                    after
                        .first()
                        .map(|path| Act::write(path, format!("`find {name}`"))),
                );
                rest = after.get(1..).unwrap_or_default();
            }
            name @ ("-exec" | "-execdir" | "-ok" | "-okdir") => {
                let end = after
                    .iter()
                    .position(|word| matches!(word.as_str(), ";" | "+"))
                    .unwrap_or(after.len());
                command(&starts, &after[..end], name.ends_with("dir"), acts);
                rest = after.get(end + 1..).unwrap_or_default();
            }
            _ => {}
        }
    }
}

/// Reads a command that is run on what is found: what it gets may be anything below where the search starts.
fn command(starts: &[Arg], command: &[Arg], in_directory: bool, acts: &mut Vec<Act>) {
    for start in starts.iter().take(STARTS_MAX) {
        // Run in the directory of what is found, it gets a name in that directory.
        let path = if in_directory {
            Arg::plain(".")
        } else {
            start.clone()
        };
        let found = Arg::anything_below(path);
        acts.push(Act::Command {
            words: command
                .iter()
                .map(|word| replaced(word, "{}", &found))
                .collect(),
            moves: if in_directory {
                vec![start.clone()]
            } else {
                Vec::new()
            },
        });
    }
}

/// The paths a search starts at for which a command is read. Each makes a command of its own, and nobody writes
/// more.
const STARTS_MAX: usize = 64;
