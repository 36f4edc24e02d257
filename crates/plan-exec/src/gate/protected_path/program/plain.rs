//! Programs that write what their arguments name, and those that write what one option names.

use super::{
    super::{arg::Arg, judge::Reach},
    Act,
    options::{Options, Syntax},
};

/// Reads the arguments of a program of one of the two tables.
pub(super) fn read(name: &str, args: &[Arg], acts: &mut Vec<Act>) {
    if let Some(row) = OPERANDS.iter().find(|row| row.names.contains(&name)) {
        operands(name, row, args, acts);
    }
    if let Some(row) = OUTPUTS.iter().find(|row| row.names.contains(&name)) {
        outputs(name, row, args, acts);
    }
}

/// A program that writes its operands.
struct Operands {
    names: &'static [&'static str],
    syntax: Syntax,
    which: Which,
    reach: Reach,
    /// Options with which it reaches below.
    recursive: (&'static str, &'static str),
    /// Options with which it writes none.
    harmless: (&'static str, &'static [&'static str]),
}

/// Which of its operands a program writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Which {
    All,
    /// All but the first, unless one of these options or long options stands for it.
    AfterFirst(&'static str, &'static str),
    First,
    /// Only the one with this number, from 0.
    Only(usize),
}

fn operands(name: &str, row: &Operands, args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(args, &row.syntax);
    let (short, long) = row.harmless;
    if options.has(short, "") || long.iter().any(|long| options.has("", long)) {
        return;
    }
    let (short, long) = row.recursive;
    let reach = if options.has(short, long) {
        Reach::Tree
    } else {
        row.reach
    };
    let all = &options.operands[..];
    let written = match row.which {
        Which::All => all,
        Which::AfterFirst(short, long) if options.has(short, long) => all,
        Which::AfterFirst(..) => all.get(1..).unwrap_or_default(),
        Which::First => all.get(..1).unwrap_or_default(),
        Which::Only(index) => all.get(index..=index).unwrap_or_default(),
    };
    for path in written {
        acts.push(Act::Write {
            path: (*path).clone(),
            reach,
            signal: format!("argument of `{name}`"),
        });
    }
}

const fn all(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static [&'static str],
) -> Operands {
    Operands {
        names,
        syntax: Syntax {
            short,
            attached: "",
            long,
            strict: false,
        },
        which: Which::All,
        reach: Reach::Path,
        recursive: ("", NO_OPTION),
        harmless: ("", &[]),
    }
}

const OPERANDS: &[Operands] = &[
    all(&["tee", "sponge", "mkfifo", "mkfifoat"], "m", &["mode"]),
    Operands {
        reach: Reach::Name,
        recursive: ("rR", "recursive"),
        ..all(&["rm"], "", &[])
    },
    Operands {
        reach: Reach::Name,
        ..all(&["rmdir", "unlink"], "", &[])
    },
    all(&["shred"], "ns", &["iterations", "size", "random-source"]),
    all(&["truncate"], "sr", &["size", "reference"]),
    all(&["mkdir"], "m", &["mode"]),
    all(&["touch"], "drt", &["date", "reference"]),
    Operands {
        // A mode that takes rights away looks like options: `chmod -w FILE`.
        which: Which::AfterFirst("rwxXstugo", "reference"),
        recursive: ("R", "recursive"),
        ..all(&["chmod"], "", &["reference"])
    },
    Operands {
        which: Which::AfterFirst("", "reference"),
        recursive: ("R", "recursive"),
        ..all(&["chown", "chgrp"], "", &["reference", "from"])
    },
    Operands {
        which: Which::AfterFirst("", NO_OPTION),
        recursive: ("R", NO_OPTION),
        ..all(&["chattr"], "pv", &[])
    },
    Operands {
        recursive: ("R", "recursive"),
        harmless: ("", &["test"]),
        ..all(
            &["setfacl"],
            "mMxX",
            &[
                "modify",
                "modify-file",
                "remove",
                "remove-file",
                "set",
                "set-file",
            ],
        )
    },
    all(&["setfattr"], "nvx", &["name", "value", "remove"]),
    Operands {
        harmless: ("", &["dry-run"]),
        ..all(
            &["patch"],
            "BDFVYdgioprz",
            &[
                "prefix",
                "ifdef",
                "fuzz",
                "version-control",
                "basename-prefix",
                "directory",
                "get",
                "input",
                "output",
                "strip",
                "reject-file",
                "suffix",
            ],
        )
    },
    Operands {
        recursive: ("r", "recursive"),
        harmless: ("ctl", &["stdout", "to-stdout", "test", "list"]),
        ..all(
            &[
                "gzip",
                "gunzip",
                "xz",
                "unxz",
                "bzip2",
                "bunzip2",
                "lzma",
                "unlzma",
                "compress",
                "uncompress",
            ],
            "ST",
            &["suffix", "threads"],
        )
    },
    Operands {
        recursive: ("r", NO_OPTION),
        harmless: ("ctl", &["stdout", "test", "list"]),
        ..all(
            &["zstd", "unzstd"],
            "oDTM",
            &["output-dir-flat", "output-dir-mirror"],
        )
    },
    Operands {
        which: Which::First,
        ..all(&["mknod", "zipnote"], "m", &["mode"])
    },
    all(&["fallocate"], "lo", &["length", "offset"]),
    Operands {
        which: Which::AfterFirst("", NO_OPTION),
        reach: Reach::Tree,
        harmless: ("n", &["nono", "no-act"]),
        ..all(&["rename", "prename"], "e", &[])
    },
    all(&["dos2unix", "unix2dos", "ed", "red"], "p", &["prompt"]),
    Operands {
        which: Which::Only(1),
        ..all(
            &["uniq"],
            "fsw",
            &["skip-fields", "skip-chars", "check-chars"],
        )
    },
    Operands {
        which: Which::Only(1),
        ..all(
            &["split"],
            "abCln",
            &[
                "suffix-length",
                "additional-suffix",
                "bytes",
                "line-bytes",
                "lines",
                "number",
                "filter",
            ],
        )
    },
    Operands {
        harmless: ("ut", &["dry-run"]),
        ..all(&["mktemp"], "p", &["tmpdir", "suffix"])
    },
];

/// A program that writes what some of its options name.
struct Outputs {
    names: &'static [&'static str],
    syntax: Syntax,
    /// The options, short and long, and whether they name a directory.
    outputs: &'static [(&'static str, &'static str)],
}

fn outputs(name: &str, row: &Outputs, args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(args, &row.syntax);
    for (short, long) in row.outputs {
        for path in options.values(short, long) {
            let option = if short.is_empty() {
                format!("--{long}")
            } else {
                format!("-{short}")
            };
            acts.push(Act::write(path, format!("`{name} {option}`")));
        }
    }
    // `dd` spells its options without dashes.
    for path in options
        .operands
        .iter()
        .filter_map(|operand| operand.after("of="))
    {
        if name == "dd" {
            acts.push(Act::write(&path, "`dd of=`"));
        }
    }
}

const fn writes(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static [&'static str],
    outputs: &'static [(&'static str, &'static str)],
) -> Outputs {
    Outputs {
        names,
        syntax: Syntax {
            short,
            attached: "",
            long,
            strict: false,
        },
        outputs,
    }
}

const OUTPUTS: &[Outputs] = &[
    writes(&["dd"], "", &[], &[]),
    writes(
        &["sort"],
        "oktST",
        &[
            "key",
            "field-separator",
            "buffer-size",
            "temporary-directory",
            "output",
            "parallel",
            "batch-size",
        ],
        &[("o", "output")],
    ),
    writes(
        &["shuf"],
        "ino",
        &["input-range", "head-count", "output", "random-source"],
        &[("o", "output")],
    ),
    writes(
        &["patch"],
        "BDFVYdgioprz",
        &["output", "reject-file", "directory", "input", "strip"],
        &[("o", "output"), ("r", "reject-file"), ("d", "directory")],
    ),
    writes(&["zstd", "unzstd"], "oDTM", &[], &[("o", NO_OPTION)]),
    writes(&["mktemp"], "p", &["tmpdir", "suffix"], &[("p", "tmpdir")]),
    writes(
        &["csplit"],
        "fbn",
        &["prefix", "suffix-format", "digits"],
        &[("f", "prefix")],
    ),
    writes(
        &["curl"],
        "AbcCdDeEFhHKmoPQrTuUwxXyYzt",
        &[
            "output",
            "output-dir",
            "dump-header",
            "cookie-jar",
            "trace",
            "trace-ascii",
            "stderr",
            "data",
            "header",
            "request",
            "user",
            "url",
        ],
        &[
            ("o", "output"),
            ("", "output-dir"),
            ("D", "dump-header"),
            ("c", "cookie-jar"),
            ("", "trace"),
            ("", "trace-ascii"),
            ("", "stderr"),
        ],
    ),
    writes(
        &["wget"],
        "aeioOPtTUwQlARDIX",
        &[
            "output-document",
            "output-file",
            "append-output",
            "directory-prefix",
        ],
        &[
            ("O", "output-document"),
            ("o", "output-file"),
            ("a", "append-output"),
            ("P", "directory-prefix"),
        ],
    ),
    writes(
        &[
            "cc", "gcc", "g++", "c++", "clang", "clang++", "ld", "as", "rustc", "go",
        ],
        "oxIDLlU",
        &["output", "out-dir"],
        &[("o", "output"), ("", "out-dir")],
    ),
    writes(
        &["iconv", "pandoc"],
        "oft",
        &["output", "from-code", "to-code", "from", "to"],
        &[("o", "output")],
    ),
];

/// A name that no option has: it stands where a program has no long option for something.
const NO_OPTION: &str = "";
