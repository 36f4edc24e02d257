//! Checks the rules of CONVENTIONS.md and ARCHITECTURE.md that no compiler and no lint knows.
//!
//! Every check takes the [`Tree`] and returns findings; none changes a file.

mod code;
mod coverage;
mod docs;
mod files;
mod layers;
mod source;
mod tree;

use std::{fmt, path::Path};
use tree::Tree;

/// One thing to mend.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Finding {
    /// The file, from the workspace's folder.
    file: String,
    /// The line, from 1; 0 when the whole file is meant.
    line: usize,
    /// The rule's name.
    rule: &'static str,
    /// What is wrong and what to do.
    message: String,
    /// Whether it is worth a look only, and fails nothing.
    note: bool,
}

impl Finding {
    fn new(file: &str, line: usize, rule: &'static str, message: impl Into<String>) -> Self {
        Self {
            file: file.to_owned(),
            line,
            rule,
            message: message.into(),
            note: false,
        }
    }

    fn note(file: &str, line: usize, rule: &'static str, message: impl Into<String>) -> Self {
        Self {
            note: true,
            ..Self::new(file, line, rule, message)
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
        }
        let note = if self.note { " (note)" } else { "" };
        write!(f, ": {}{note}: {}", self.rule, self.message)
    }
}

/// Runs every check, prints what it found, and fails when any of it is more than a note.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let tree = Tree::read(root)?;
    let findings = check(&tree);
    for finding in &findings {
        println!("{finding}");
    }
    let faults = findings.iter().filter(|finding| !finding.note).count();
    if faults == 0 {
        println!("tidy: {} files, nothing to mend", tree.files.len());
        Ok(())
    } else {
        Err(format!("tidy found {faults} things to mend"))
    }
}

fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    findings.extend(files::check(tree));
    findings.extend(source::check(tree));
    findings.extend(layers::check(tree));
    findings.extend(docs::check(tree));
    findings.extend(coverage::check(tree));
    findings.sort();
    findings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decision: CONVENTIONS.md, every rule marked `[ci]`.
    #[test]
    fn the_workspace_is_tidy() {
        let tree = Tree::read(&crate::root()).unwrap();
        let faults: Vec<String> = check(&tree)
            .iter()
            .filter(|finding| !finding.note)
            .map(ToString::to_string)
            .collect();
        assert!(faults.is_empty(), "\n{}\n", faults.join("\n"));
    }
}
