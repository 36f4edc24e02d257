//! Programs that can write the files they read: `sed`, `perl`, `ruby` and `awk`.

use super::{
    super::arg::Arg,
    Act,
    options::{Options, Syntax},
};

/// Reads the arguments of one of them.
pub(super) fn read(name: &str, args: &[Arg], acts: &mut Vec<Act>) {
    let (syntax, script): (Syntax, (&str, &[&str])) = match name {
        "sed" | "gsed" => (
            Syntax {
                short: "efl",
                attached: "i",
                long: &["expression", "file", "line-length"],
                strict: false,
            },
            ("ef", &["expression", "file"]),
        ),
        "awk" | "gawk" => (
            Syntax {
                short: "fvFieE",
                attached: "",
                long: &[
                    "file",
                    "assign",
                    "field-separator",
                    "include",
                    "source",
                    "exec",
                ],
                strict: true,
            },
            ("feE", &["file", "source", "exec"]),
        ),
        _ => (
            Syntax {
                short: "eEIMmrC",
                attached: "iFxV",
                long: &[],
                strict: true,
            },
            ("eE", &[]),
        ),
    };
    let options = Options::read(args, &syntax);
    let in_place = match name {
        "sed" | "gsed" => options.has("i", "in-place"),
        "awk" | "gawk" => options
            .values("i", "include")
            .any(|library| library.as_str() == "inplace"),
        _ => options.has("i", ""),
    };
    if !in_place {
        return;
    }
    // Without a script among the options the first operand is the script.
    let (short, long) = script;
    let has_script = options.has(short, "") || long.iter().any(|long| options.has("", long));
    let signal = match name {
        "awk" | "gawk" => format!("`{name} -i inplace`"),
        _ => format!("`{name} -i`"),
    };
    for file in options.operands.iter().skip(usize::from(!has_script)) {
        acts.push(Act::write(file, &*signal));
    }
}
