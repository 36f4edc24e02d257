//! Who may import whom: the table of ARCHITECTURE.md against what cargo says.
//!
//! The table is compared in both directions, so it is always a true list of what every crate uses.

use super::{
    Finding,
    code::names,
    tree::{Package, Tree},
};
use std::collections::BTreeSet;

const DOCUMENT: &str = "ARCHITECTURE.md";
/// The heading above the table.
const HEADING: &str = "Who may import whom";

/// One line of the table.
#[derive(Debug, Default)]
struct Row {
    line: usize,
    name: String,
    ours: BTreeSet<String>,
    theirs: BTreeSet<String>,
    in_tests: BTreeSet<String>,
}

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let Some(document) = tree.file(DOCUMENT) else {
        return vec![Finding::new(DOCUMENT, 0, "layers", "the file is missing")];
    };
    let rows = table(&document.text);
    if rows.is_empty() {
        let message = format!("no table under the heading `{HEADING}`");
        return vec![Finding::new(DOCUMENT, 0, "layers", message)];
    }
    let members: BTreeSet<&str> = tree.packages.iter().map(|p| p.name.as_str()).collect();
    let mut findings = Vec::new();
    for package in &tree.packages {
        match rows.iter().find(|row| row.name == package.name) {
            Some(row) => findings.extend(compare(row, package, &members)),
            None => {
                let message = format!("`{}` has no row in the table", package.name);
                findings.push(Finding::new(DOCUMENT, 0, "layers", message));
            }
        }
        findings.extend(unused(tree, package));
    }
    findings.extend(unshared(tree));
    for row in rows
        .iter()
        .filter(|row| !members.contains(row.name.as_str()))
    {
        let message = format!("`{}` is no member of the workspace", row.name);
        findings.push(Finding::new(DOCUMENT, row.line, "layers", message));
    }
    findings
}

/// Reads the table: `crate | our crates | third-party | in tests only | …`, names in backticks.
fn table(text: &str) -> Vec<Row> {
    let heading =
        |line: &str| line.trim_start_matches('#').trim() == HEADING && line.starts_with('#');
    text.lines()
        .enumerate()
        .skip_while(|(_, line)| !heading(line))
        .skip(1)
        .take_while(|(_, line)| !line.starts_with('#'))
        .filter_map(|(at, line)| {
            let cells: Vec<&str> = line.strip_prefix('|')?.split('|').collect();
            let [name, ours, theirs, in_tests, ..] = cells.as_slice() else {
                return None;
            };
            Some(Row {
                line: at + 1,
                name: quoted(name).pop_first()?,
                ours: quoted(ours),
                theirs: quoted(theirs),
                in_tests: quoted(in_tests),
            })
        })
        .collect()
}

/// Returns what stands in backticks.
fn quoted(cell: &str) -> BTreeSet<String> {
    cell.split('`')
        .skip(1)
        .step_by(2)
        .map(str::to_owned)
        .collect()
}

fn compare(row: &Row, package: &Package, members: &BTreeSet<&str>) -> Vec<Finding> {
    let (ours, theirs): (BTreeSet<String>, BTreeSet<String>) = package
        .dependencies
        .iter()
        .cloned()
        .partition(|name| members.contains(name.as_str()));
    let columns = [
        ("our crates", &row.ours, &ours),
        ("third-party", &row.theirs, &theirs),
        ("in tests only", &row.in_tests, &package.dev_dependencies),
    ];
    let mut findings = Vec::new();
    for (column, written, real) in columns {
        for name in real - written {
            let message = format!(
                "`{}` depends on `{name}`, which its column `{column}` does not allow; take the dependency out, or argue for it and add it to the table",
                package.name
            );
            findings.push(Finding::new(DOCUMENT, row.line, "layers", message));
        }
        for name in written - real {
            let message = format!(
                "`{}` does not depend on `{name}`; take it out of the column `{column}`",
                package.name
            );
            findings.push(Finding::new(DOCUMENT, row.line, "layers", message));
        }
    }
    findings
}

/// Finds declared dependencies that no file of the package names.
fn unused(tree: &Tree, package: &Package) -> Vec<Finding> {
    let manifest = format!("{}/Cargo.toml", package.folder);
    let declared = package.dependencies.iter().chain(&package.dev_dependencies);
    declared
        .filter(|dependency| {
            let spelled = dependency.replace('-', "_");
            !tree.sources().any(|(owner, file)| {
                owner.name == package.name && names(&file.parts.code, &spelled)
            })
        })
        .map(|dependency| {
            let message = format!("nothing uses `{dependency}`; take it out");
            Finding::new(&manifest, 0, "unused-dependency", message)
        })
        .collect()
}

/// Finds versions in the root manifest that no member asks for.
fn unshared(tree: &Tree) -> Vec<Finding> {
    const MANIFEST: &str = "Cargo.toml";
    let root = tree
        .file(MANIFEST)
        .and_then(|file| file.text.parse::<toml::Table>().ok());
    let shared = root
        .as_ref()
        .and_then(|root| root.get("workspace")?.get("dependencies")?.as_table());
    shared
        .into_iter()
        .flat_map(toml::Table::keys)
        .filter(|name| {
            !tree.packages.iter().any(|package| {
                package.dependencies.contains(*name) || package.dev_dependencies.contains(*name)
            })
        })
        .map(|name| {
            let message =
                format!("no member depends on `{name}`; take it out of `[workspace.dependencies]`");
            Finding::new(MANIFEST, 0, "unused-dependency", message)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{super::tree::File, *};

    const TABLE: &str = "\
# A

### Who may import whom

| crate | our crates | third-party | in tests only | must never |
|---|---|---|---|---|
| `a` | none | `serde`, `nix` | `insta` | print |
| `b` | `a` | none | none | print |

## After

| `c` | none | none | none | |
";

    fn package(name: &str, dependencies: &[&str], dev: &[&str]) -> Package {
        Package {
            name: name.into(),
            folder: format!("crates/{name}"),
            dependencies: dependencies.iter().map(|&d| d.to_owned()).collect(),
            dev_dependencies: dev.iter().map(|&d| d.to_owned()).collect(),
            ..Package::default()
        }
    }

    fn messages(packages: Vec<Package>) -> Vec<String> {
        let uses = "//! A.\nuse serde::x; use nix::y; use insta::z; use a::b; use c::d;\n";
        let mut files = vec![File::new(DOCUMENT, TABLE)];
        for package in &packages {
            files.push(File::new(format!("{}/src/lib.rs", package.folder), uses));
        }
        check(&Tree { files, packages })
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// Decision: CONVENTIONS.md, Where code goes: the table is a true list.
    #[test]
    fn a_true_table_is_quiet() {
        let packages = vec![
            package("a", &["serde", "nix"], &["insta"]),
            package("b", &["a"], &[]),
        ];
        assert_eq!(messages(packages), [""; 0]);
    }

    /// Decision: CONVENTIONS.md, Where code goes: the root manifest lists what is used, too.
    #[test]
    fn a_version_that_no_member_asks_for_is_found() {
        let root = "[workspace.dependencies]\nserde = \"1\"\nrand = { version = \"1\" }\n";
        let tree = Tree {
            files: vec![File::new("Cargo.toml", root)],
            packages: vec![package("a", &["serde"], &[])],
        };
        let found: Vec<String> = unshared(&tree).iter().map(ToString::to_string).collect();
        assert_eq!(
            found,
            [
                "Cargo.toml: unused-dependency: no member depends on `rand`; take it out of `[workspace.dependencies]`"
            ]
        );
    }

    /// Decision: CONVENTIONS.md, Where code goes: a new edge changes the table.
    #[test]
    fn every_difference_is_told_with_the_line_of_the_table() {
        let packages = vec![
            package("a", &["serde", "c"], &["insta"]),
            package("c", &[], &["rand"]),
        ];
        assert_eq!(
            messages(packages),
            [
                "ARCHITECTURE.md:7: layers: `a` depends on `c`, which its column `our crates` does not allow; take the dependency out, or argue for it and add it to the table",
                "ARCHITECTURE.md:7: layers: `a` does not depend on `nix`; take it out of the column `third-party`",
                "ARCHITECTURE.md: layers: `c` has no row in the table",
                "crates/c/Cargo.toml: unused-dependency: nothing uses `rand`; take it out",
                "ARCHITECTURE.md:8: layers: `b` is no member of the workspace",
            ]
        );
    }
}
