//! Programs that pack and unpack.

use super::{
    super::arg::Arg,
    Act,
    options::{Options, Syntax},
};

/// Reads the arguments of one of them.
pub(super) fn read(name: &str, args: &[Arg], acts: &mut Vec<Act>) {
    match name {
        "unzip" => unzip(args, acts),
        "zip" => zip(args, acts),
        "cpio" => cpio(args, acts),
        _ => tar(name, args, acts),
    }
}

/// Reads `tar`, in the style with dashes and in the one without.
fn tar(name: &str, args: &[Arg], acts: &mut Vec<Act>) {
    let old_style = args
        .first()
        .filter(|first| !first.as_str().starts_with('-'));
    let args: Vec<Arg> = match old_style {
        Some(letters) => dashed(letters.as_str(), &args[1..]),
        None => args.to_vec(),
    };
    let options = Options::read(
        &args,
        &Syntax {
            short: TAR_VALUES,
            attached: "",
            long: TAR_LONG_VALUES,
            strict: false,
        },
    );
    let moves: Vec<Arg> = options.values("C", "directory").cloned().collect();
    let mut done = Vec::new();
    if options.has("cruA", "create")
        || ["append", "update", "catenate", "concatenate", "delete"]
            .iter()
            .any(|long| options.has("", long))
    {
        // The archive's own name is read before any `-C`.
        acts.extend(
            options
                .value("f", "file")
                .map(|file| Act::write(file, format!("archive of `{name}`"))),
        );
    }
    if options.has("", "remove-files") {
        done.extend(
            options
                .operands
                .iter()
                .map(|path| Act::tree(path, "`tar --remove-files`")),
        );
    }
    if options.has("x", "extract") || options.has("", "get") {
        let signal = format!("`{name} -x`, which writes what the archive holds");
        let renames = options.has("sP", "strip-components")
            || options.has("", "transform")
            || options.has("", "xform");
        if options.has("O", "to-stdout") {
        } else if options.operands.is_empty() || renames {
            done.push(Act::tree(&Arg::plain("."), signal));
        } else {
            done.extend(
                options
                    .operands
                    .iter()
                    .map(|member| Act::tree(member, &*signal)),
            );
        }
    }
    acts.push(Act::Moved { moves, acts: done });
}

/// Rewrites the old style, in which the values of all letters follow the letters: `tar xfC a.tar dir`.
fn dashed(letters: &str, rest: &[Arg]) -> Vec<Arg> {
    let mut args = Vec::with_capacity(rest.len() + letters.len());
    let mut values = rest.iter();
    for letter in letters.chars() {
        args.push(Arg::plain(format!("-{letter}")));
        if TAR_VALUES.contains(letter) {
            args.extend(values.next().cloned());
        }
    }
    args.extend(values.cloned());
    args
}

fn unzip(args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(
        args,
        &Syntax {
            short: "dPx",
            ..Syntax::default()
        },
    );
    if options.operands.is_empty() || options.has("lptvZz", "") {
        return;
    }
    let signal = "`unzip`, which writes what the archive holds";
    let here = Arg::plain(".");
    let folder = options.value("d", "").unwrap_or(&here);
    match &options.operands[1..] {
        [] => acts.push(Act::tree(folder, signal)),
        members => acts.extend(
            members
                .iter()
                .map(|member| Act::tree(&folder.join(member), signal)),
        ),
    }
}

fn zip(args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(
        args,
        &Syntax {
            short: "bintxPZ",
            ..Syntax::default()
        },
    );
    let Some((archive, files)) = options.operands.split_first() else {
        return;
    };
    acts.push(Act::write(archive, "archive of `zip`"));
    if options.has("m", "move") {
        acts.extend(
            files
                .iter()
                .map(|path| Act::tree(path, "`zip -m`, which takes it away")),
        );
    }
}

fn cpio(args: &[Arg], acts: &mut Vec<Act>) {
    let options = Options::read(
        args,
        &Syntax {
            short: "CDEFHIMOR",
            attached: "",
            long: &["directory", "pattern-file", "file", "format", "owner"],
            strict: false,
        },
    );
    let here = Arg::plain(".");
    if options.has("t", "list") {
    } else if options.has("i", "extract") {
        let folder = options.value("D", "directory").unwrap_or(&here);
        acts.push(Act::tree(
            folder,
            "`cpio -i`, which writes what the archive holds",
        ));
    } else if options.has("p", "pass-through") {
        acts.extend(
            options
                .last()
                .map(|(folder, _)| Act::write(folder, "target of `cpio -p`")),
        );
    } else if options.has("o", "create") {
        acts.extend(
            options
                .value("OF", "file")
                .map(|file| Act::write(file, "archive of `cpio`")),
        );
    }
}

/// The letters of `tar` that take a value.
const TAR_VALUES: &str = "bCfFgHIKLNTVX";

/// The long options of `tar` that take the next word.
const TAR_LONG_VALUES: &[&str] = &[
    "file",
    "directory",
    "exclude",
    "exclude-from",
    "files-from",
    "transform",
    "xform",
    "strip-components",
    "owner",
    "group",
    "mode",
    "format",
    "use-compress-program",
    "blocking-factor",
    "newer",
    "after-date",
    "label",
    "mtime",
    "starting-file",
    "suffix",
    "sort",
    "record-size",
    "add-file",
    "index-file",
];
