//! Rules on what Rust code says: attributes, calls that one file alone may make, and comments.

use super::{
    Finding,
    code::names,
    tree::{File, Package, Tree},
};

/// A name that only some files may use (CONVENTIONS.md, Where code goes).
struct Reserved {
    /// What must not be written elsewhere.
    name: &'static str,
    /// The files that may, and folders when they end in `/`.
    only_in: &'static [&'static str],
    /// The folders it is about.
    within: &'static str,
    /// What to do instead.
    instead: &'static str,
}

const RESERVED: &[Reserved] = &[
    Reserved {
        name: "Command::new",
        only_in: &["crates/plan-exec/src/process/spawn.rs"],
        within: "crates/",
        instead: "start it through `plan-exec/src/process/spawn.rs`",
    },
    Reserved {
        name: "SystemTime::now",
        only_in: &["crates/mur-plan/src/clock.rs"],
        within: "crates/",
        instead: "take the time from the caller, who has it from `mur-plan/src/clock.rs`",
    },
    Reserved {
        name: "Uuid::now_v7",
        only_in: &["crates/mur-plan/src/clock.rs"],
        within: "crates/",
        instead: "it reads the clock: make the id from the time the caller gives",
    },
    Reserved {
        name: "Sched",
        only_in: &["crates/mur-plan/src/driver/"],
        within: "crates/mur-plan/src/",
        instead: "deciding, doing and recording meet in `mur-plan/src/driver/` and nowhere else",
    },
];

/// Crates that must stay pure, and what the first lines of their `lib.rs` must say.
const PURE: &[(&str, &str)] = &[
    ("crates/plan-cond/src/lib.rs", "#![no_std]"),
    ("crates/plan-sched/src/lib.rs", "#![no_std]"),
    (
        "crates/plan-sched/src/lib.rs",
        "#![deny(clippy::wildcard_enum_match_arm)]",
    ),
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (package, file) in tree.sources() {
        findings.extend(attributes(file));
        findings.extend(comments(file));
        findings.extend(reserved(package, file));
    }
    for (path, line) in PURE {
        let Some(file) = tree.file(path) else {
            continue;
        };
        if !file.parts.code.lines().any(|code| code.trim() == *line) {
            findings.push(Finding::new(
                path,
                1,
                "pure",
                format!("the crate must say `{line}`"),
            ));
        }
    }
    findings
}

fn attributes(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (at, text) in bracketed(&file.parts.code) {
        let line = file.parts.code[..at].matches('\n').count() + 1;
        let mut find = |rule, message| findings.push(Finding::new(&file.path, line, rule, message));
        if names(text, "ignore") {
            find(
                "no-ignore",
                "an ignored test tests nothing; let it skip and say so, or remove it",
            );
        }
        if names(text, "should_panic") {
            find(
                "no-should-panic",
                "no input may panic; assert on the error instead",
            );
        }
        if names(text, "serde") && (names(text, "untagged") || names(text, "flatten")) {
            find(
                "plain-serde",
                "`untagged` and `flatten` lose what was expected and where; write a visitor",
            );
        }
    }
    findings
}

/// Returns the attributes of `code` with where each begins.
fn bracketed(code: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    for (at, _) in code.match_indices('#') {
        let rest = &code[at + 1..];
        let Some(inside) = rest.strip_prefix('[').or_else(|| rest.strip_prefix("![")) else {
            continue;
        };
        let mut depth = 1_usize;
        let end = inside.find(|c| {
            match c {
                '[' => depth += 1,
                ']' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        found.push((at, &inside[..end.unwrap_or(inside.len())]));
    }
    found
}

fn reserved(package: &Package, file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    // What is not built into the library or the command (benchmarks, examples) may do as it likes.
    if !file.path.starts_with(&format!("{}/src/", package.folder)) {
        return findings;
    }
    for reserved in RESERVED {
        let may = reserved
            .only_in
            .iter()
            .any(|only| match only.strip_suffix('/') {
                Some(folder) => file.path.starts_with(&format!("{folder}/")),
                None => file.path == *only,
            });
        if may || !file.path.starts_with(reserved.within) {
            continue;
        }
        let tests_from = file.tests_from();
        for (line, code) in file.code_lines().filter(|(line, _)| *line < tests_from) {
            if names(code, reserved.name) {
                let message = format!(
                    "`{}` is not for this file; {}",
                    reserved.name, reserved.instead
                );
                findings.push(Finding::new(&file.path, line, "reserved", message));
            }
        }
    }
    findings
}

fn comments(file: &File) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (line, comment) in file.comments() {
        let Some(said) = comment.strip_prefix("//") else {
            continue;
        };
        if names(said, "TODO") && !numbered(said) {
            findings.push(Finding::new(
                &file.path,
                line,
                "todo",
                "a TODO carries the number of its issue: `TODO(#12): …`",
            ));
        }
        if is_code(said.trim()) {
            findings.push(Finding::new(
                &file.path,
                line,
                "commented-out",
                "this reads like code; remove it, git remembers",
            ));
        }
    }
    findings
}

fn numbered(said: &str) -> bool {
    said.match_indices("TODO(#").any(|(at, start)| {
        let rest = &said[at + start.len()..];
        rest.find(')')
            .is_some_and(|end| end > 0 && rest[..end].bytes().all(|b| b.is_ascii_digit()))
    })
}

/// Returns whether a plain comment reads like a statement of Rust.
fn is_code(said: &str) -> bool {
    const BEGINNINGS: &[&str] = &[
        "let ",
        "use ",
        "pub ",
        "fn ",
        "mod ",
        "return ",
        "#[",
        "if let ",
        "assert!",
        "assert_eq!",
    ];
    BEGINNINGS
        .iter()
        .any(|beginning| said.starts_with(beginning))
        && said.ends_with([';', '{', '}', ']'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(path: &str, text: &str) -> Tree {
        Tree {
            files: vec![File::new(path, text)],
            packages: ["plan-exec", "plan-sched", "mur-plan"]
                .map(|name| Package {
                    name: name.into(),
                    folder: format!("crates/{name}"),
                    ..Package::default()
                })
                .into(),
        }
    }

    fn rules(path: &str, text: &str) -> Vec<String> {
        check(&tree(path, text))
            .iter()
            .map(|f| format!("{}:{}", f.rule, f.line))
            .collect()
    }

    /// Decision: CONVENTIONS.md, Tests and Types.
    #[test]
    fn attributes_that_hide_something_are_found() {
        let text = "#[test]\n#[ignore = \"slow\"]\nfn f() {}\n#[cfg_attr(miri, ignore)]\n#[should_panic]\n";
        assert_eq!(
            rules("crates/plan-exec/tests/it/a.rs", text),
            ["no-ignore:2", "no-ignore:4", "no-should-panic:5"]
        );
        let text =
            "#[serde(rename = \"flatten\",\n    untagged)]\nx.flatten();\n// not #[ignore]\n";
        assert_eq!(rules("crates/plan-exec/src/a.rs", text), ["plain-serde:1"]);
    }

    /// Decision: CONVENTIONS.md, Where code goes.
    #[test]
    fn only_the_named_files_start_programs_and_read_the_clock() {
        let text = "let c = std::process::Command::new(\"x\");\nlet t = SystemTime::now();\n";
        assert_eq!(
            rules("crates/plan-exec/src/process/spawn.rs", text),
            ["reserved:2"]
        );
        assert_eq!(rules("crates/mur-plan/src/clock.rs", text), ["reserved:1"]);
        assert_eq!(rules("crates/mur-plan/tests/it/a.rs", text), [""; 0]);
        assert_eq!(
            rules("crates/mur-plan/src/lib.rs", "// SystemTime::now()\n"),
            [""; 0]
        );
    }

    /// Decision: CONVENTIONS.md, Where code goes.
    #[test]
    fn the_three_crates_meet_in_the_driver() {
        let text = "use plan_sched::{Limits, Sched};\n";
        assert_eq!(rules("crates/mur-plan/src/driver/mod.rs", text), [""; 0]);
        assert_eq!(
            rules("crates/mur-plan/src/cli/run.rs", text),
            ["reserved:1"]
        );
    }

    /// Decision: CONVENTIONS.md, The scheduler.
    #[test]
    fn the_scheduler_must_stay_pure() {
        assert_eq!(rules("crates/plan-sched/src/lib.rs", "//! A.\n").len(), 2);
        let pure = "//! A.\n#![no_std]\n#![deny(clippy::wildcard_enum_match_arm)]\n";
        assert_eq!(rules("crates/plan-sched/src/lib.rs", pure), [""; 0]);
    }

    /// Decision: CONVENTIONS.md, Comments and docs.
    #[test]
    fn a_todo_is_numbered_and_no_code_is_commented_out() {
        let text = "// TODO: later\n// TODO(#7): later\nlet x = 1; // TODO(#): no\n// let y = 2;\n/// let z = 3;\n// let it be.\nf(\"// TODO\");\n";
        assert_eq!(
            rules("crates/plan-exec/src/a.rs", text),
            ["todo:1", "todo:3", "commented-out:4"]
        );
    }
}
