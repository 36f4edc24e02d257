//! Rules on files: their first line, their names, their length, and that some module names them.

use super::{
    Finding,
    code::names,
    tree::{File, Tree},
};

/// Above this many lines a file usually hides a second noun (CONVENTIONS.md, Files).
const LONG: usize = 400;

/// Names that say nothing about what is in the file (CONVENTIONS.md, Files).
const EMPTY_NAMES: &[&str] = &[
    "common", "helper", "helpers", "imp", "misc", "shared", "types", "util", "utils",
];

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for file in tree.files.iter().filter(|file| file.is_rust()) {
        findings.extend(first_line(file));
        findings.extend(name(file));
        findings.extend(length(file));
    }
    findings.extend(undeclared(tree));
    findings
}

fn first_line(file: &File) -> Option<Finding> {
    let first = file.text.lines().next().unwrap_or_default();
    let says = first
        .strip_prefix("//!")
        .is_some_and(|rest| !rest.trim().is_empty());
    (!says).then(|| {
        Finding::new(
            &file.path,
            1,
            "first-line",
            "begin the file with a `//!` line that says what it is",
        )
    })
}

fn name(file: &File) -> Option<Finding> {
    let folders = file
        .path
        .rsplit_once('/')
        .map_or("", |(folders, _)| folders);
    let said = folders
        .split('/')
        .chain([file.stem()])
        .find(|part| EMPTY_NAMES.contains(part))?;
    Some(Finding::new(
        &file.path,
        0,
        "empty-name",
        format!("`{said}` says nothing; name the file for the one noun it holds"),
    ))
}

fn length(file: &File) -> Option<Finding> {
    let lines = file.text.lines().count();
    (lines > LONG).then(|| {
        Finding::note(
            &file.path,
            0,
            "length",
            format!("{lines} lines; look for the second noun in it"),
        )
    })
}

/// Finds files that no `mod` line names: they are never compiled, so a test in one never runs.
fn undeclared(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (package, file) in tree.sources() {
        if package.roots.contains(&file.path) {
            continue;
        }
        let Some((folder, _)) = file.path.rsplit_once('/') else {
            continue;
        };
        let (module, folder) = match (file.stem(), folder.rsplit_once('/')) {
            ("mod", Some((parent, name))) => (name, parent),
            (stem, _) => (stem, folder),
        };
        let declared = tree.files.iter().any(|parent| {
            let beside = parent
                .path
                .rsplit_once('/')
                .is_some_and(|(at, _)| at == folder)
                && (parent.stem() == "mod" || package.roots.contains(&parent.path));
            beside && parent.path != file.path && declares(&parent.parts.code, module)
        });
        if !declared {
            findings.push(Finding::new(
                &file.path,
                0,
                "undeclared-file",
                format!("no `mod {module};` names it, so it is never compiled; add the line or remove the file"),
            ));
        }
    }
    findings
}

/// Returns whether `code` has the line `mod <module>;`, whatever its visibility.
fn declares(code: &str, module: &str) -> bool {
    code.split(';').any(|item| {
        let last = item.rsplit(['}', ']', '{']).next().unwrap_or(item);
        names(last, "mod") && last.split_whitespace().next_back() == Some(module)
    })
}

#[cfg(test)]
mod tests {
    use super::{super::tree::Package, *};

    fn tree(files: &[(&str, &str)]) -> Tree {
        Tree {
            files: files
                .iter()
                .map(|(path, text)| File::new(*path, *text))
                .collect(),
            packages: vec![Package {
                name: "p".into(),
                folder: "crates/p".into(),
                roots: [
                    "crates/p/src/lib.rs".into(),
                    "crates/p/tests/it/main.rs".into(),
                ]
                .into(),
                ..Package::default()
            }],
        }
    }

    fn rules(files: &[(&str, &str)]) -> Vec<String> {
        check(&tree(files))
            .iter()
            .map(|f| format!("{} {}", f.file, f.rule))
            .collect()
    }

    /// Decision: CONVENTIONS.md, Files.
    #[test]
    fn a_file_begins_by_saying_what_it_is() {
        assert!(rules(&[("crates/p/src/lib.rs", "//! A crate.\n")]).is_empty());
        for text in ["", "//!\n", "// A crate.\n", "\n//! A crate.\n"] {
            assert_eq!(
                rules(&[("crates/p/src/lib.rs", text)]),
                ["crates/p/src/lib.rs first-line"]
            );
        }
    }

    /// Decision: CONVENTIONS.md, Files.
    #[test]
    fn a_name_that_says_nothing_is_found_in_folders_too() {
        let files = [
            ("crates/p/src/lib.rs", "//! A.\nmod utils;\nmod shared;\n"),
            ("crates/p/src/utils.rs", "//! A.\n"),
            ("crates/p/src/shared/mod.rs", "//! A.\n"),
        ];
        assert_eq!(
            rules(&files),
            [
                "crates/p/src/utils.rs empty-name",
                "crates/p/src/shared/mod.rs empty-name"
            ]
        );
    }

    /// Decision: CONVENTIONS.md, Tests: a file not named in `main.rs` fails.
    #[test]
    fn a_file_that_no_module_names_is_found() {
        let files = [
            (
                "crates/p/src/lib.rs",
                "//! A.\npub mod a;\n#[cfg(test)]\nmod b;\n// mod c;\n",
            ),
            ("crates/p/src/a/mod.rs", "//! A.\nmod d;\n"),
            ("crates/p/src/a/d.rs", "//! A.\n"),
            ("crates/p/src/b.rs", "//! A.\n"),
            ("crates/p/src/c.rs", "//! A.\n"),
            ("crates/p/tests/it/main.rs", "//! A.\nmod e;\n"),
            ("crates/p/tests/it/e.rs", "//! A.\n"),
            ("crates/p/tests/it/f.rs", "//! A.\n"),
            ("crates/p/tests/loose.rs", "//! A.\n"),
        ];
        assert_eq!(
            rules(&files),
            [
                "crates/p/src/c.rs undeclared-file",
                "crates/p/tests/it/f.rs undeclared-file",
                "crates/p/tests/loose.rs undeclared-file",
            ]
        );
    }

    /// Decision: CONVENTIONS.md, Files: a long file is worth a look, no more.
    #[test]
    fn a_long_file_is_a_note() {
        let text = format!("//! A.\n{}", "\n".repeat(LONG));
        let found = check(&tree(&[("crates/p/src/lib.rs", &text)]));
        assert_eq!(found.len(), 1);
        assert!(found[0].note);
    }
}
