//! Programs that run another one, named by their arguments.

use super::{
    super::arg::{Arg, HOLE},
    Act, Reading,
    options::{Options, Syntax},
};

/// Returns the command that the prefix `name` runs; `None` when it is no prefix.
///
/// What can only be given as new words becomes an act of its own, and nothing is left to return.
pub(super) fn read<'a>(name: &str, args: &'a [Arg], reading: &mut Reading) -> Option<&'a [Arg]> {
    let row = ROWS.iter().find(|row| row.names.contains(&name))?;
    let options = Options::read(args, &row.syntax);
    let rest = &args[args.len() - options.operands.len()..];
    match name {
        "env" => return Some(env(&options, rest, reading)),
        "xargs" => {
            xargs(&options, rest, reading);
            return Some(&[]);
        }
        "sudo" => reading.moves.extend(options.value("D", "chdir").cloned()),
        // It only says what the command is.
        "command" if options.has("vV", "") => return Some(&[]),
        "time" | "strace" | "ltrace" => {
            let file = options.value("o", "output");
            reading
                .acts
                .extend(file.map(|file| Act::write(file, format!("`{name} -o`"))));
        }
        "su" | "flock" => {
            for text in options.values("c", "command") {
                reading.acts.push(Act::Script {
                    text: text.clone(),
                    parameters: Vec::new(),
                });
            }
            if name == "su" {
                return Some(&[]);
            }
        }
        "watch" => {
            reading.acts.push(Act::Script {
                text: joined(rest),
                parameters: Vec::new(),
            });
            return Some(&[]);
        }
        _ => {}
    }
    let rest = if row.assignments {
        assignments(rest, reading)
    } else {
        rest
    };
    let rest = rest.get(row.operands..).unwrap_or_default();
    if let (true, [option, text, ..]) = (name == "flock", rest)
        && option.as_str() == "-c"
    {
        reading.acts.push(Act::Script {
            text: text.clone(),
            parameters: Vec::new(),
        });
    }
    Some(rest)
}

/// Reads `env`: variables first, then the command.
fn env<'a>(options: &Options<'a>, rest: &'a [Arg], reading: &mut Reading) -> &'a [Arg] {
    reading.moves.extend(options.values("C", "chdir").cloned());
    // A lone dash is an option here.
    let rest = match rest.split_first() {
        Some((dash, after)) if dash.as_str() == "-" => after,
        _ => rest,
    };
    let Some(line) = options.value("S", "split-string") else {
        return assignments(rest, reading);
    };
    let mut words: Vec<Arg> = Vec::from([Arg::plain("env")]);
    words.extend(
        plan_model::argv::split(line.as_str())
            .unwrap_or_default()
            .into_iter()
            .map(Arg::plain),
    );
    words.extend_from_slice(rest);
    reading.acts.push(Act::Command {
        words,
        moves: Vec::new(),
    });
    &[]
}

/// Takes `NAME=value` words off the front.
fn assignments<'a>(mut rest: &'a [Arg], reading: &mut Reading) -> &'a [Arg] {
    while let Some((first, after)) = rest.split_first() {
        let Some((name, value)) = first.as_str().split_once('=') else {
            break;
        };
        if name.starts_with('-') {
            break;
        }
        reading.acts.push(Act::Set {
            name: name.to_owned(),
            value: first.from(first.as_str().len() - value.len()),
        });
        rest = after;
    }
    rest
}

/// Reads `xargs`, whose command gets arguments that standard input names: they may be anything in the directory
/// it runs in.
fn xargs(options: &Options<'_>, rest: &[Arg], reading: &mut Reading) {
    let place = match options.value("I", "replace") {
        Some(place) => Some(place.as_str().to_owned()),
        None if options.has("iI", "replace") => options.value("i", "").map_or_else(
            || Some("{}".to_owned()),
            |place| Some(place.as_str().to_owned()),
        ),
        None => None,
    };
    let anything = Arg::anything_below(Arg::plain("."));
    let mut words: Vec<Arg> = match &place {
        Some(place) => rest
            .iter()
            .map(|word| replaced(word, place, &anything))
            .collect(),
        None => rest.to_vec(),
    };
    if !words.is_empty() && place.is_none() {
        words.push(anything);
    }
    reading.acts.push(Act::Command {
        words,
        moves: Vec::new(),
    });
}

/// Puts `value` where `word` holds `place`: the whole of it, or something that is not known in a longer word.
pub(super) fn replaced(word: &Arg, place: &str, value: &Arg) -> Arg {
    if word.as_str() == place {
        return value.clone();
    }
    if place.is_empty() || !word.as_str().contains(place) {
        return word.clone();
    }
    // What stands in front names the directory; with nothing in front it is one of the values.
    let text = word.as_str().replace(place, HOLE.encode_utf8(&mut [0; 4]));
    if text.starts_with(HOLE) {
        value.clone()
    } else {
        Arg::plain(text)
    }
}

/// Joins words with blanks, as programs do that hand them to a shell.
pub(super) fn joined(words: &[Arg]) -> Arg {
    let words: Vec<&str> = words.iter().map(Arg::as_str).collect();
    Arg::plain(words.join(" "))
}

struct Row {
    names: &'static [&'static str],
    syntax: Syntax,
    /// How many words stand before the command.
    operands: usize,
    /// Whether variables may be set before the command.
    assignments: bool,
}

const fn row(
    names: &'static [&'static str],
    short: &'static str,
    long: &'static [&'static str],
) -> Row {
    Row {
        names,
        syntax: Syntax {
            short,
            attached: "",
            long,
            strict: true,
        },
        operands: 0,
        assignments: false,
    }
}

const fn after(operands: usize, row: Row) -> Row {
    Row { operands, ..row }
}

const ROWS: &[Row] = &[
    row(
        &["env"],
        "uCSP",
        &["unset", "chdir", "split-string", "argv0"],
    ),
    Row {
        assignments: true,
        ..row(
            &["sudo", "doas"],
            "ughpCrtTUDR",
            &[
                "user",
                "group",
                "host",
                "prompt",
                "close-from",
                "role",
                "type",
                "chdir",
                "chroot",
                "command-timeout",
                "other-user",
            ],
        )
    },
    row(
        &[
            "command",
            "builtin",
            "nohup",
            "noglob",
            "nocorrect",
            "busybox",
            "toybox",
            "eatmydata",
            "fakeroot",
        ],
        "",
        &[],
    ),
    row(&["exec"], "a", &[]),
    row(&["time"], "fo", &["format", "output"]),
    row(&["nice"], "n", &["adjustment"]),
    row(&["setsid"], "", &[]),
    row(
        &["ionice"],
        "cnpPu",
        &["class", "classdata", "pid", "pgid", "uid"],
    ),
    row(&["stdbuf"], "ioe", &["input", "output", "error"]),
    row(
        &["strace", "ltrace"],
        "oeEpsSuaPI",
        &["output", "expr", "env"],
    ),
    row(&["watch"], "nq", &["interval"]),
    Row {
        // Its options may stand after the user.
        syntax: Syntax {
            short: "csgGw",
            attached: "",
            long: &["command", "shell", "group"],
            strict: false,
        },
        ..row(&["su"], "", &[])
    },
    after(1, row(&["timeout"], "sk", &["signal", "kill-after"])),
    after(1, row(&["taskset"], "", &[])),
    after(1, row(&["chroot"], "", &["groups", "userspec"])),
    after(
        1,
        row(
            &["flock"],
            "cEw",
            &["command", "conflict-exit-code", "timeout"],
        ),
    ),
    Row {
        syntax: Syntax {
            short: "adEILnPs",
            attached: "iel",
            long: &[
                "arg-file",
                "delimiter",
                "max-lines",
                "max-args",
                "max-procs",
                "max-chars",
                "process-slot-var",
            ],
            strict: true,
        },
        ..row(&["xargs"], "", &[])
    },
];
