//! Rules on documents and manifests: they name what exists, and say a thing in one place.

use super::{
    Finding,
    tree::{File, Tree},
};
use crate::ci;

/// Words that have no place in the repository, which speaks of the project alone. They are put together
/// here so that this file does not hold them.
const FORBIDDEN: &[(&str, &str)] = &[
    (concat!("crates", ".io"), REGISTRY),
    (concat!("pypi", ".org"), REGISTRY),
    (concat!("npmjs", ".org"), REGISTRY),
    (concat!("npmjs", ".com"), REGISTRY),
    (concat!("pythonhosted", ".org"), REGISTRY),
    (concat!("proxy.golang", ".org"), REGISTRY),
    (concat!("deb.debian", ".org"), REGISTRY),
    (concat!("static.rust-lang", ".org"), REGISTRY),
    (concat!("/wo", "rk/"), PLACE),
    (concat!("/tmp/", "wt"), PLACE),
];
const REGISTRY: &str = "name the package, not a host that serves it";
const PLACE: &str = "this is a place on one machine; write a path of the repository";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(crates_named(tree));
    findings.extend(manifests(tree));
    findings.extend(minimum_version(tree));
    findings.extend(readme_commands(tree));
    for file in &tree.files {
        findings.extend(forbidden(file));
        if file.path.ends_with(".md") {
            findings.extend(links(tree, file));
        }
    }
    findings
}

/// ARCHITECTURE.md has a section for each crate, and for nothing else that looks like one.
fn crates_named(tree: &Tree) -> Vec<Finding> {
    const DOCUMENT: &str = "ARCHITECTURE.md";
    let Some(document) = tree.file(DOCUMENT) else {
        return vec![Finding::new(
            DOCUMENT,
            0,
            "crates-named",
            "the file is missing",
        )];
    };
    let sections: Vec<(usize, &str)> = document
        .lines()
        .filter_map(|(line, text)| Some((line, text.strip_prefix("### `")?.split('`').next()?)))
        .collect();
    let mut findings = Vec::new();
    for package in &tree.packages {
        if !sections.iter().any(|(_, name)| *name == package.name) {
            let message = format!("write a section that begins with ### `{}`", package.name);
            findings.push(Finding::new(DOCUMENT, 0, "crates-named", message));
        }
    }
    for (line, name) in sections {
        if !tree.packages.iter().any(|package| package.name == name) {
            let message = format!("`{name}` is no member of the workspace");
            findings.push(Finding::new(DOCUMENT, line, "crates-named", message));
        }
    }
    findings
}

/// Every member takes what they all share from the workspace.
fn manifests(tree: &Tree) -> Vec<Finding> {
    const SHARED: &[&str] = &["version", "edition", "rust-version", "license", "publish"];
    let mut findings = Vec::new();
    for package in &tree.packages {
        let path = format!("{}/Cargo.toml", package.folder);
        let Some(file) = tree.file(&path) else {
            continue;
        };
        let manifest: toml::Table = match file.text.parse() {
            Ok(manifest) => manifest,
            Err(error) => {
                findings.push(Finding::new(&path, 0, "manifest", error.to_string()));
                continue;
            }
        };
        let inherits = |table: Option<&toml::Value>, key: &str| {
            table
                .and_then(|table| table.get(key)?.get("workspace")?.as_bool())
                .unwrap_or(false)
        };
        for key in SHARED {
            if !inherits(manifest.get("package"), key) {
                let message =
                    format!("write `{key}.workspace = true`; the root manifest says it once");
                findings.push(Finding::new(&path, 0, "manifest", message));
            }
        }
        let lints = manifest
            .get("lints")
            .and_then(|lints| lints.get("workspace")?.as_bool());
        if lints != Some(true) {
            let message = "write `[lints]` with `workspace = true`";
            findings.push(Finding::new(&path, 0, "manifest", message));
        }
    }
    findings
}

/// The oldest Rust that will do stands in the root manifest and nowhere else.
fn minimum_version(tree: &Tree) -> Vec<Finding> {
    let root = tree
        .file("Cargo.toml")
        .map(|file| file.text.as_str())
        .unwrap_or_default();
    let Some(version) = root
        .lines()
        .find_map(|line| line.strip_prefix("rust-version = \"")?.strip_suffix('"'))
    else {
        let message = "write `rust-version = \"…\"` under `[workspace.package]`";
        return vec![Finding::new("Cargo.toml", 0, "minimum-version", message)];
    };
    let mut findings = Vec::new();
    for file in &tree.files {
        if file.path == "Cargo.toml" || file.path.ends_with("Cargo.lock") {
            continue;
        }
        for (line, text) in file.lines() {
            if mentions(text, version) {
                let message =
                    format!("`{version}` stands in the root Cargo.toml; point there instead");
                findings.push(Finding::new(&file.path, line, "minimum-version", message));
            }
        }
    }
    findings
}

/// Returns whether `text` has `version` and not as a part of a longer number.
fn mentions(text: &str, version: &str) -> bool {
    text.match_indices(version).any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + version.len()..].chars().next();
        !before.is_some_and(|c| c.is_ascii_alphanumeric() || c == '.')
            && !after.is_some_and(|c| c.is_ascii_digit())
    })
}

/// The README's first two lines of code run the example and the tests, the latter as CI does.
fn readme_commands(tree: &Tree) -> Vec<Finding> {
    const DOCUMENT: &str = "README.md";
    let Some(document) = tree.file(DOCUMENT) else {
        return vec![Finding::new(
            DOCUMENT,
            0,
            "readme-commands",
            "the file is missing",
        )];
    };
    let mut inside = false;
    let mut commands = Vec::new();
    for (line, text) in document.lines() {
        if text.starts_with("```") {
            inside = !inside;
        } else if inside {
            commands.push((line, text));
        }
    }
    let wanted = [
        "cargo run --release -- run examples/refresh-fixtures/plan.json --bounding best-effort"
            .to_owned(),
        format!("cargo {}", ci::TEST.join(" ")),
    ];
    let mut findings = Vec::new();
    for (at, wanted) in wanted.iter().enumerate() {
        match commands.get(at) {
            Some((_, text)) if text == wanted => {}
            found => {
                let line = found.map_or(0, |(line, _)| *line);
                let message = format!("line {} of its code must be `{wanted}`", at + 1);
                findings.push(Finding::new(DOCUMENT, line, "readme-commands", message));
            }
        }
    }
    findings
}

fn forbidden(file: &File) -> Vec<Finding> {
    // A lock file names the registry by its nature.
    if file.path.ends_with("Cargo.lock") {
        return Vec::new();
    }
    let mut findings = Vec::new();
    for (line, text) in file.lines() {
        let text = text.to_lowercase();
        for (word, instead) in FORBIDDEN {
            if text.contains(word) {
                let message = format!("`{word}` has no place here; {instead}");
                findings.push(Finding::new(&file.path, line, "forbidden-word", message));
            }
        }
    }
    findings
}

/// A link to a file of the repository leads somewhere.
fn links(tree: &Tree, file: &File) -> Vec<Finding> {
    let folder = file.path.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut findings = Vec::new();
    for (line, text) in file.lines() {
        for link in text.split("](").skip(1) {
            let target = link.split(')').next().unwrap_or_default();
            let path = target.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains(':') {
                continue;
            }
            let full = resolve(folder, path);
            let exists = tree
                .files
                .iter()
                .any(|file| file.path == full || file.path.starts_with(&format!("{full}/")));
            if !exists {
                let message = format!("the link to `{path}` leads nowhere");
                findings.push(Finding::new(&file.path, line, "link", message));
            }
        }
    }
    findings
}

fn resolve(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/")
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
                name: "a".into(),
                folder: "crates/a".into(),
                ..Package::default()
            }],
        }
    }

    fn shown(findings: &[Finding]) -> Vec<String> {
        findings.iter().map(ToString::to_string).collect()
    }

    /// Decision: CONVENTIONS.md, Where code goes: documents name what exists.
    #[test]
    fn the_architecture_names_exactly_the_crates_that_exist() {
        let found = crates_named(&tree(&[("ARCHITECTURE.md", "# A\n### `b`: gone\n")]));
        assert_eq!(
            shown(&found),
            [
                "ARCHITECTURE.md: crates-named: write a section that begins with ### `a`",
                "ARCHITECTURE.md:2: crates-named: `b` is no member of the workspace",
            ]
        );
        assert_eq!(
            crates_named(&tree(&[("ARCHITECTURE.md", "### `a`: it\n")])),
            []
        );
    }

    /// Decision: CONVENTIONS.md, Changes: one place for a number.
    #[test]
    fn the_minimum_version_stands_in_one_place() {
        let root = "[workspace.package]\nrust-version = \"1.70\"\n";
        let files = [
            ("Cargo.toml", root),
            (
                "README.md",
                "needs Rust 1.70 or newer\nnot 11.70 or 1.701\n",
            ),
        ];
        assert_eq!(
            shown(&minimum_version(&tree(&files))),
            [
                "README.md:1: minimum-version: `1.70` stands in the root Cargo.toml; point there instead"
            ]
        );
    }

    /// Decision: CONVENTIONS.md, Changes: manifests share what is the same.
    #[test]
    fn a_member_inherits_from_the_workspace() {
        let manifest = "[package]\nname = \"a\"\nversion = \"1.0.0\"\nedition.workspace = true\nrust-version.workspace = true\nlicense.workspace = true\nrepository.workspace = true\npublish.workspace = true\n";
        assert_eq!(
            shown(&manifests(&tree(&[("crates/a/Cargo.toml", manifest)]))),
            [
                "crates/a/Cargo.toml: manifest: write `version.workspace = true`; the root manifest says it once",
                "crates/a/Cargo.toml: manifest: write `[lints]` with `workspace = true`",
            ]
        );
    }

    /// Decision: the README's commands are those that CI runs.
    #[test]
    fn the_readme_begins_with_the_two_commands() {
        let good = "# A\n```sh\ncargo run --release -- run examples/refresh-fixtures/plan.json --bounding best-effort\ncargo test --workspace\n```\n";
        assert_eq!(readme_commands(&tree(&[("README.md", good)])), []);
        let bad = "# A\n```sh\ncargo test\n```\n";
        assert_eq!(readme_commands(&tree(&[("README.md", bad)])).len(), 2);
    }

    /// Decision: the repository speaks of the project alone.
    #[test]
    fn forbidden_words_and_dead_links_are_found() {
        let text = format!(
            "see [a](docs/a.md#x), [b](docs/none.md) and [c](https://example.net)\n{}\n",
            concat!("Crates", ".io")
        );
        let tree = tree(&[
            ("README.md", &text),
            ("docs/a.md", "[up](../README.md)\n"),
            ("Cargo.lock", concat!("crates", ".io")),
        ]);
        let found: Vec<Finding> = tree
            .files
            .iter()
            .flat_map(|file| {
                let mut found = forbidden(file);
                found.extend(links(&tree, file));
                found
            })
            .collect();
        assert_eq!(
            found.iter().map(|f| (f.rule, f.line)).collect::<Vec<_>>(),
            [("forbidden-word", 2), ("link", 1)]
        );
    }
}
