//! Programs that put files somewhere: `cp`, `install`, `ln`, `mv`, `scp` and `rsync`.

use super::{
    super::arg::Arg,
    Act,
    options::{Options, Syntax},
};

/// Reads the arguments of one of them.
pub(super) fn read(name: &str, args: &[Arg], acts: &mut Vec<Act>) {
    match name {
        "rsync" => rsync(args, acts),
        "scp" => scp(args, acts),
        "link" => acts.extend(
            Options::read(args, &Syntax::default())
                .last()
                .map(|(path, _)| Act::write(path, "target of `link`")),
        ),
        _ => place(name, args, acts),
    }
}

/// Reads `cp`, `install`, `ln` and `mv`, which name their target in the same ways.
fn place(name: &str, args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(
        args,
        &Syntax {
            short: if name == "install" { "gmoSt" } else { "St" },
            attached: "",
            long: &[
                "target-directory",
                "suffix",
                "group",
                "mode",
                "owner",
                "strip-program",
            ],
            strict: false,
        },
    );
    let signal = format!("target of `{name}`");
    if name == "install" && options.has("d", "directory") {
        acts.extend(
            options
                .operands
                .iter()
                .map(|path| Act::write(path, "argument of `install -d`")),
        );
        return;
    }
    let here = Arg::plain(".");
    let mut is_here = false;
    let (target, sources, is_directory) =
        match (options.value("t", "target-directory"), options.last()) {
            (Some(target), _) => (target, &options.operands[..], true),
            // `ln PATH` makes a link of that name here.
            (None, Some((_, []))) if name == "ln" => {
                is_here = true;
                (&here, &options.operands[..], true)
            }
            (None, Some((target, sources))) if !sources.is_empty() => (target, sources, false),
            (None, _) => return,
        };
    if name == "mv" {
        acts.extend(
            sources
                .iter()
                .map(|path| Act::tree(path, "`mv`, which takes it away")),
        );
    }
    if !is_here {
        acts.push(Act::write(target, &*signal));
    }
    let merges = name == "cp" && (options.has("rRa", "recursive") || options.has("", "archive"));
    for source in sources
        .iter()
        .filter(|_| is_directory || !options.has("T", "no-target-directory"))
    {
        let (source, target, signal) = ((*source).clone(), target.clone(), signal.clone());
        if options.has("", "parents") {
            acts.push(Act::write(&target.join(&source), signal));
        } else if source.has_globs() || source.basename().is_none() {
            if merges || name != "cp" {
                acts.push(Act::Put {
                    source,
                    target,
                    signal,
                });
            }
        } else {
            acts.push(Act::Put {
                source,
                target,
                signal,
            });
        }
    }
    if options.has("T", "no-target-directory") && merges {
        acts.extend(sources.iter().map(|source| Act::Merge {
            source: (*source).clone(),
            target: target.clone(),
            signal: signal.clone(),
        }));
    }
    if name == "ln" && options.has("s", "symbolic") {
        for source in sources {
            // Which of the two it is depends on whether the target is a directory.
            let named = source.basename().map(|name| target.join(&name));
            for path in named.into_iter().chain([target.clone()]) {
                acts.push(Act::Link {
                    path,
                    target: (*source).clone(),
                });
            }
        }
    }
}

/// Reads `scp`: its last argument, unless that is on another host.
fn scp(args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(
        args,
        &Syntax {
            short: "cDFiJloPSX",
            ..Syntax::default()
        },
    );
    if let Some((target, sources)) = options.last()
        && !sources.is_empty()
        && !is_remote(target)
    {
        acts.push(Act::write(target, "target of `scp`"));
        acts.extend(sources.iter().map(|source| Act::Put {
            source: (*source).clone(),
            target: target.clone(),
            signal: "target of `scp`".to_owned(),
        }));
    }
}

/// Reads `rsync`: its last argument, unless that is on another host.
fn rsync(args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(
        args,
        &Syntax {
            short: "efTBM",
            attached: "",
            long: RSYNC_VALUES,
            strict: false,
        },
    );
    for (long, signal) in [
        ("log-file", "`rsync --log-file`"),
        ("backup-dir", "`rsync --backup-dir`"),
    ] {
        acts.extend(
            options
                .values("", long)
                .map(|path| Act::write(path, signal)),
        );
    }
    let Some((target, sources)) = options.last() else {
        return;
    };
    if sources.is_empty() || options.has("n", "dry-run") || options.has("", "list-only") {
        return;
    }
    if options.has("", "remove-source-files") {
        acts.extend(
            sources
                .iter()
                .map(|path| Act::tree(path, "`rsync --remove-source-files`")),
        );
    }
    if is_remote(target) {
        return;
    }
    if options.begins("del") {
        acts.push(Act::tree(target, "target of `rsync --delete`"));
    }
    acts.push(Act::write(target, "target of `rsync`"));
    for source in sources.iter().filter(|source| !is_remote(source)) {
        let (source, target, signal) = (
            (*source).clone(),
            target.clone(),
            "target of `rsync`".to_owned(),
        );
        // A slash at the end stands for what the directory holds.
        acts.push(if source.as_str().ends_with('/') {
            Act::Merge {
                source,
                target,
                signal,
            }
        } else {
            Act::Put {
                source,
                target,
                signal,
            }
        });
    }
}

/// Returns whether a path is on another host: `host:path`, with no slash before the colon.
fn is_remote(path: &Arg) -> bool {
    path.as_str()
        .split_once(':')
        .is_some_and(|(host, _)| !host.contains('/'))
}

/// The long options of `rsync` that take the next word.
const RSYNC_VALUES: &[&str] = &[
    "rsh",
    "exclude",
    "include",
    "exclude-from",
    "include-from",
    "files-from",
    "log-file",
    "log-file-format",
    "backup-dir",
    "compare-dest",
    "link-dest",
    "copy-dest",
    "partial-dir",
    "temp-dir",
    "chmod",
    "chown",
    "usermap",
    "groupmap",
    "filter",
    "bwlimit",
    "port",
    "password-file",
    "rsync-path",
    "suffix",
    "max-size",
    "min-size",
    "out-format",
    "timeout",
    "contimeout",
    "block-size",
    "modify-window",
    "address",
    "sockopts",
    "skip-compress",
    "compress-level",
    "max-delete",
    "info",
    "debug",
    "checksum-choice",
    "compress-choice",
    "remote-option",
];
