//! `git`, as far as it writes the files it tracks.

use super::{
    super::arg::Arg,
    Act,
    options::{Options, Syntax},
};

/// Reads the arguments of `git`.
pub(super) fn read(args: &[Arg], acts: &mut Vec<Act>) {
    let own = Options::read(
        args,
        &Syntax {
            short: "Cc",
            attached: "",
            long: &[
                "git-dir",
                "work-tree",
                "namespace",
                "exec-path",
                "config-env",
                "super-prefix",
            ],
            strict: true,
        },
    );
    let rest = &args[args.len() - own.operands.len()..];
    let Some((verb, args)) = rest.split_first() else {
        return;
    };
    let mut done = Vec::new();
    match verb.as_str() {
        "checkout" | "switch" => checkout(verb.as_str(), args, &mut done),
        "restore" => restore(args, &mut done),
        "apply" => apply(args, &mut done),
        "clean" => clean(args, &mut done),
        "stash" => stash(args, &mut done),
        "reset" => reset(args, &mut done),
        "rm" | "mv" => tracked(verb.as_str(), args, &mut done),
        _ => {}
    }
    // `-C` and `--work-tree` hold for what the verb does, and for nothing else in the command.
    let moves: Vec<Arg> = own
        .values("C", "")
        .chain(own.value("", "work-tree"))
        .cloned()
        .collect();
    if moves.is_empty() {
        acts.extend(done);
    } else {
        acts.push(Act::Moved { moves, acts: done });
    }
}

/// Reads `checkout`, of paths or of a branch, and `switch`, of a branch.
fn checkout(verb: &str, args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(
        args,
        &Syntax {
            short: "bBcCU",
            attached: "",
            long: &[
                "orphan",
                "conflict",
                "pathspec-from-file",
                "create",
                "force-create",
            ],
            strict: false,
        },
    );
    let signal = format!("`git {verb}`");
    let paths = after_dashes(args);
    if !paths.is_empty() {
        acts.extend(
            paths
                .iter()
                .map(|path| Act::tree(&pathspec(path), &*signal)),
        );
        return;
    }
    let makes = options.has("bBcC", "create") || options.has("", "orphan");
    match &options.operands[..] {
        [] if options.has("", "pathspec-from-file") => acts.push(Act::WriteWorkdir { signal }),
        [] => {}
        // It is there already: nothing is written.
        [head] if head.as_str() == "HEAD" => {}
        [path] if verb == "checkout" && !makes => acts.push(Act::WritePathOrWorkdir {
            path: (*path).clone(),
            signal,
        }),
        [_] => acts.push(Act::WriteWorkdir { signal }),
        [_, paths @ ..] => acts.extend(
            paths
                .iter()
                .map(|path| Act::tree(&pathspec(path), &*signal)),
        ),
    }
}

fn restore(args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(
        args,
        &Syntax {
            short: "s",
            attached: "U",
            long: &["source", "conflict", "pathspec-from-file"],
            strict: false,
        },
    );
    // Only the index is written then.
    if options.has("S", "staged") && !options.has("W", "worktree") {
        return;
    }
    let signal = "`git restore`";
    if options.has("", "pathspec-from-file") {
        acts.push(Act::WriteWorkdir {
            signal: signal.to_owned(),
        });
    }
    acts.extend(
        options
            .operands
            .iter()
            .map(|path| Act::tree(&pathspec(path), signal)),
    );
}

fn apply(args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(
        args,
        &Syntax {
            short: "pC",
            attached: "",
            long: &[
                "directory",
                "exclude",
                "include",
                "whitespace",
                "build-fake-ancestor",
            ],
            strict: false,
        },
    );
    let only_tells = ["check", "stat", "numstat", "summary"]
        .iter()
        .any(|long| options.has("", long));
    let only_index = options.has("", "cached");
    if only_index || only_tells && !options.has("", "apply") {
        return;
    }
    let signal = "`git apply`, which writes what the patch names".to_owned();
    match options.value("", "directory") {
        Some(directory) => acts.push(Act::tree(directory, signal)),
        None => acts.push(Act::WriteWorkdir { signal }),
    }
}

fn clean(args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(
        args,
        &Syntax {
            short: "e",
            attached: "",
            long: &["exclude"],
            strict: false,
        },
    );
    if options.has("n", "dry-run") {
        return;
    }
    let here = Arg::plain(".");
    let paths = if options.operands.is_empty() {
        vec![&here]
    } else {
        options.operands
    };
    acts.extend(
        paths
            .into_iter()
            .map(|path| Act::tree(&pathspec(path), "`git clean`")),
    );
}

fn stash(args: &[Arg], acts: &mut Vec<Act>) {
    let verb = args.first().map_or("push", Arg::as_str);
    let signal = "`git stash`";
    match verb {
        "list" | "show" | "drop" | "clear" | "create" | "store" => {}
        "push" | "save" => {
            let options = Options::read(
                &args[usize::from(!args.is_empty())..],
                &Syntax {
                    short: "m",
                    attached: "",
                    long: &["message", "pathspec-from-file"],
                    strict: false,
                },
            );
            if options.operands.is_empty() || verb == "save" {
                acts.push(Act::WriteWorkdir {
                    signal: signal.to_owned(),
                });
            } else {
                acts.extend(
                    options
                        .operands
                        .iter()
                        .map(|path| Act::tree(&pathspec(path), signal)),
                );
            }
        }
        _ => acts.push(Act::WriteWorkdir {
            signal: signal.to_owned(),
        }),
    }
}

fn reset(args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(args, &Syntax::default());
    for mode in ["hard", "merge", "keep"] {
        if options.has("", mode) {
            acts.push(Act::WriteWorkdir {
                signal: format!("`git reset --{mode}`"),
            });
            return;
        }
    }
}

fn tracked(verb: &str, args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(
        args,
        &Syntax {
            long: &["pathspec-from-file"],
            ..Syntax::default()
        },
    );
    if options.has("n", "dry-run") || verb == "rm" && options.has("", "cached") {
        return;
    }
    let signal = format!("argument of `git {verb}`");
    acts.extend(
        options
            .operands
            .iter()
            .map(|path| Act::tree(&pathspec(path), &*signal)),
    );
    if let (Some((target, sources)), "mv") = (options.last(), verb) {
        acts.extend(sources.iter().map(|source| Act::Put {
            source: (*source).clone(),
            target: target.clone(),
            signal: signal.clone(),
        }));
    }
}

/// Returns the words after `--`.
fn after_dashes(args: &[Arg]) -> &[Arg] {
    let dashes = args.iter().position(|arg| arg.as_str() == "--");
    dashes.map_or(&[], |at| &args[at + 1..])
}

/// Returns the path a pathspec begins with. Its magic and its globs, which git reads itself, stand for anything.
fn pathspec(word: &Arg) -> Arg {
    let text = word.as_str();
    if let Some(magic) = text.strip_prefix(':') {
        // From the root of the tree, or what is left out: anything may be meant.
        let rooted = magic.strip_prefix('/').filter(|rest| !rest.is_empty());
        return rooted.map_or_else(|| Arg::plain("."), |rest| Arg::plain(rest.to_owned()));
    }
    match text.find(['*', '?', '[']) {
        None => word.clone(),
        Some(glob) => {
            let folder = text[..glob].rfind('/').map_or(0, |at| at + 1);
            if folder == 0 {
                Arg::plain(".")
            } else {
                word.until(folder)
            }
        }
    }
}
