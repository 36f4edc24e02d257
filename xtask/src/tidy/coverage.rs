//! Rules on citations: every test cites what it shows, every citation exists, every ruling has a test.
//!
//! A citation stands in a comment: `spec: <heading of docs/spec.md>`, `ruling 7`, `rulings 3 and 8-10`,
//! `decision D4` (both of docs/decisions.md), or `decision: <words>` for what a crate decided for itself.

use super::{
    Finding,
    code::names,
    tree::{File, Tree},
};
use std::collections::{BTreeMap, BTreeSet};

const SPEC: &str = "docs/spec.md";
const DECISIONS: &str = "docs/decisions.md";
/// What the functions take that a test target without the usual harness runs as its tests.
const TRIAL: &str = "(host: &'static Host)";
/// The heading of docs/decisions.md below which rulings without a test are listed, each with a reason.
const UNTESTED: &str = "Rulings without a test yet";

pub(super) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    let (Some(spec), Some(decisions)) = (tree.file(SPEC), tree.file(DECISIONS)) else {
        return vec![Finding::new(
            DECISIONS,
            0,
            "citation",
            "docs/spec.md or docs/decisions.md is missing",
        )];
    };
    let written = Written::read(spec, decisions);
    let mut tested = BTreeSet::new();
    for (_, file) in tree.sources() {
        let tests_from = file.tests_from();
        // The chores cite what the conventions ask of tests, but are no crate of the project.
        if file.path.starts_with("xtask/") {
            continue;
        }
        for (line, comment) in file.comments() {
            for citation in citations(comment) {
                if let Some(fault) = written.fault(&citation) {
                    findings.push(Finding::new(&file.path, line, "citation", fault));
                }
                if let (Citation::Ruling(number), true) = (&citation, line >= tests_from) {
                    tested.insert(*number);
                }
            }
        }
        if file.is_test() {
            findings.extend(tests_cite(file));
        }
    }
    findings.extend(written.untested(&tested));
    findings
}

/// What can be cited.
#[derive(Debug, Default)]
struct Written {
    /// The headings of docs/spec.md, in lower case.
    headings: Vec<String>,
    /// Every ruling with its line in docs/decisions.md.
    rulings: BTreeMap<u32, usize>,
    /// The decisions, such as `D4`.
    decisions: BTreeSet<String>,
    /// The rulings excused from having a test, with the line that says so.
    excused: BTreeMap<u32, usize>,
}

/// One citation.
#[derive(Debug, PartialEq, Eq)]
enum Citation<'a> {
    /// `spec: …`: the words that follow.
    Spec(&'a str),
    /// `ruling 7`.
    Ruling(u32),
    /// `decision D4`.
    Decision(&'a str),
    /// `decision: …`.
    Own,
}

impl Written {
    fn read(spec: &File, decisions: &File) -> Self {
        let mut written = Self::default();
        for (_, text) in spec.lines() {
            if let Some(heading) = heading(text) {
                written.headings.push(heading.to_lowercase());
            }
        }
        let mut excuses = false;
        for (line, text) in decisions.lines() {
            if let Some(heading) = heading(text) {
                excuses = heading == UNTESTED;
            } else if let Some(excuse) = text.strip_prefix("- ruling ").filter(|_| excuses) {
                if let Some((number, reason)) = excuse.split_once(':')
                    && let (Ok(number), false) = (number.parse(), reason.trim().is_empty())
                {
                    written.excused.insert(number, line);
                }
            } else if let Some((number, _)) = text.split_once(". ")
                && let Ok(number) = number.parse()
            {
                written.rulings.insert(number, line);
            } else if let Some(rest) = text.strip_prefix("- **D")
                && let Some((number, _)) = rest.split_once("**")
            {
                written.decisions.insert(format!("D{number}"));
            }
        }
        written
    }

    /// Returns what is wrong with `citation`, if anything is.
    fn fault(&self, citation: &Citation<'_>) -> Option<String> {
        match citation {
            Citation::Spec(words) => {
                if words.starts_with("trace.md") {
                    return None;
                }
                let words = words.to_lowercase();
                let known = self.headings.iter().any(|heading| {
                    // A heading may go on in the next line of the comment.
                    if heading.starts_with(&words) {
                        return true;
                    }
                    words
                        .strip_prefix(heading.as_str())
                        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric()))
                });
                (!known).then(|| format!("{SPEC} has no heading that `spec: {words}` begins with"))
            }
            Citation::Ruling(number) => (!self.rulings.contains_key(number))
                .then(|| format!("{DECISIONS} has no ruling {number}")),
            Citation::Decision(name) => (!self.decisions.contains(*name))
                .then(|| format!("{DECISIONS} has no decision {name}")),
            Citation::Own => None,
        }
    }

    /// Finds rulings that no test cites and none excuses, and excuses that are no longer needed.
    fn untested(&self, tested: &BTreeSet<u32>) -> Vec<Finding> {
        let mut findings = Vec::new();
        for (number, line) in &self.rulings {
            if !tested.contains(number) && !self.excused.contains_key(number) {
                let message = format!(
                    "no test cites ruling {number}; write one, or list it with a reason under `{UNTESTED}`"
                );
                findings.push(Finding::new(DECISIONS, *line, "untested-ruling", message));
            }
        }
        for (number, line) in &self.excused {
            if tested.contains(number) {
                let message = format!("ruling {number} has a test now; take it off this list");
                findings.push(Finding::new(DECISIONS, *line, "untested-ruling", message));
            }
        }
        findings
    }
}

fn heading(line: &str) -> Option<&str> {
    let text = line.trim_start_matches('#');
    (text.len() < line.len()).then(|| text.trim())
}

fn citations(comment: &str) -> Vec<Citation<'_>> {
    let lower = comment.to_ascii_lowercase();
    let mut found = Vec::new();
    for (at, word) in lower.match_indices("spec: ") {
        if word_begins(&lower, at) {
            found.push(Citation::Spec(comment[at + word.len()..].trim()));
        }
    }
    for (at, word) in lower.match_indices("ruling") {
        let rest = &lower[at + word.len()..];
        if let Some(list) = rest.strip_prefix("s ").or_else(|| rest.strip_prefix(' '))
            && word_begins(&lower, at)
        {
            found.extend(numbers(list).into_iter().map(Citation::Ruling));
        }
    }
    for (at, word) in lower.match_indices("decision") {
        let rest = &comment[at + word.len()..];
        if !word_begins(&lower, at) {
            continue;
        }
        if rest.starts_with(": ") {
            found.push(Citation::Own);
        } else if let Some(name) = rest.strip_prefix(' ').filter(|name| name.starts_with('D')) {
            let digits = name[1..].bytes().take_while(u8::is_ascii_digit).count();
            if digits > 0 {
                found.push(Citation::Decision(&name[..=digits]));
            }
        }
    }
    found
}

fn word_begins(text: &str, at: usize) -> bool {
    !text[..at].ends_with(|c: char| c.is_alphanumeric())
}

/// Reads `7`, `3 and 8`, `1, 2 and 5-7` and `16 to 18` from the beginning of `list`.
fn numbers(list: &str) -> Vec<u32> {
    /// More than any list of rulings; keeps a mistyped range from filling the memory.
    const MOST: u32 = 1000;
    let mut found: Vec<u32> = Vec::new();
    let mut rest = list;
    let mut is_range = false;
    loop {
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(number) = rest[..digits].parse::<u32>() else {
            return found;
        };
        if let (true, Some(&from)) = (is_range, found.last()) {
            found.extend((from + 1..number).take(MOST as usize));
        }
        found.push(number);
        rest = &rest[digits..];
        let joints = [
            (", ", false),
            (" and ", false),
            ("-", true),
            ("–", true),
            (" to ", true),
        ];
        let Some((joint, range)) = joints.iter().find(|(joint, _)| rest.starts_with(joint)) else {
            return found;
        };
        rest = &rest[joint.len()..];
        is_range = *range;
    }
}

/// Finds tests whose doc comment cites nothing.
fn tests_cite(file: &File) -> Vec<Finding> {
    let lines: Vec<&str> = file.text.lines().collect();
    let code: Vec<&str> = file.parts.code.lines().collect();
    let mut findings = Vec::new();
    for (at, line) in code.iter().enumerate() {
        let attribute = line.trim();
        let is_test = attribute == "#[test]" || attribute.starts_with("#[tokio::test");
        let is_trial = names(line, "fn") && line.contains(TRIAL);
        if !is_test && !is_trial {
            continue;
        }
        let belongs = |line: &&&str| {
            let line = line.trim();
            line.starts_with("//") || line.starts_with("#[")
        };
        let above = lines[..at].iter().rev().take_while(belongs);
        let below = lines[at + 1..].iter().take_while(belongs);
        if !above.chain(below).any(|line| !citations(line).is_empty()) {
            let name = code[at..]
                .iter()
                .find(|line| names(line, "fn"))
                .map_or("this test", |line| line.trim());
            let name = name.split('(').next().unwrap_or(name);
            let name = name.rsplit(' ').next().unwrap_or(name);
            findings.push(Finding::new(
                &file.path,
                at + 1,
                "test-cites",
                format!("say in a doc comment what `{name}` shows: `spec: …`, `ruling N` or `decision: …`"),
            ));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    use super::{super::tree::Package, *};

    const SPEC_TEXT: &str = "# Plans\n## Failure\n## The report\n";
    const DECISIONS_TEXT: &str = "\
# Decisions
1. A plan is an object.
2. A warning stops nothing.
3. Later.
- **D1** something

## Rulings without a test yet
- ruling 3: it comes later
";

    fn shown(decisions: &str, test: &str) -> Vec<String> {
        let tree = Tree {
            files: vec![
                File::new(SPEC, SPEC_TEXT),
                File::new(DECISIONS, decisions),
                File::new("crates/a/tests/it/x.rs", test),
            ],
            packages: vec![Package {
                name: "a".into(),
                folder: "crates/a".into(),
                ..Package::default()
            }],
        };
        check(&tree).iter().map(ToString::to_string).collect()
    }

    /// Decision: CONVENTIONS.md, Tests: a test cites what it shows.
    #[test]
    fn a_test_that_cites_nothing_is_found() {
        let test = "\
/// Rulings 1 and 2; spec: Failure.
#[test]
fn a() {}

/// Ruling 1.
#[tokio::test(start_paused = true)]
async fn b() {}

#[test]
/// Decision: ties go to the lower index.
fn c() {}

/// Says something.
#[test]
fn it_is_so() {}
const TEXT: &str = r\"
#[test]
fn d() {}
\";
/// Ruling 2.
fn e(host: &'static Host) {}
/// Says something: run as a test by a harness of its own.
fn so_is_it(host: &'static Host) {}
";
        assert_eq!(
            shown(DECISIONS_TEXT, test),
            [
                "crates/a/tests/it/x.rs:14: test-cites: say in a doc comment what `it_is_so` shows: `spec: …`, `ruling N` or `decision: …`",
                "crates/a/tests/it/x.rs:23: test-cites: say in a doc comment what `so_is_it` shows: `spec: …`, `ruling N` or `decision: …`"
            ]
        );
    }

    /// Decision: CONVENTIONS.md, Comments and docs: what is cited exists.
    #[test]
    fn a_citation_of_nothing_is_found() {
        let test = "// rulings 1, 2 and 9\n// spec: The report; spec: Failures\n// decision D1, decision D2\n";
        assert_eq!(
            shown(DECISIONS_TEXT, test),
            [
                "crates/a/tests/it/x.rs:1: citation: docs/decisions.md has no ruling 9",
                "crates/a/tests/it/x.rs:2: citation: docs/spec.md has no heading that `spec: failures` begins with",
                "crates/a/tests/it/x.rs:3: citation: docs/decisions.md has no decision D2",
            ]
        );
    }

    /// Decision: every ruling becomes a test, or says why not yet.
    #[test]
    fn a_ruling_without_a_test_is_found_and_so_is_a_needless_excuse() {
        assert_eq!(
            shown(DECISIONS_TEXT, "// rulings 1 to 3\n"),
            [
                "docs/decisions.md:8: untested-ruling: ruling 3 has a test now; take it off this list"
            ]
        );
        assert_eq!(
            shown(DECISIONS_TEXT, "// ruling 1\n"),
            [
                "docs/decisions.md:3: untested-ruling: no test cites ruling 2; write one, or list it with a reason under `Rulings without a test yet`"
            ]
        );
        let no_reason = DECISIONS_TEXT.replace(": it comes later", ":");
        assert_eq!(shown(&no_reason, "// rulings 1-2\n").len(), 1);
    }

    /// Decision: how citations are spelled.
    #[test]
    fn lists_and_ranges_of_rulings_are_read() {
        let found = |text| {
            citations(text)
                .into_iter()
                .filter_map(|citation| match citation {
                    Citation::Ruling(number) => Some(number),
                    Citation::Spec(_) | Citation::Decision(_) | Citation::Own => None,
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(found("// Ruling 7: x"), [7]);
        assert_eq!(found("(rulings 1, 2 and 5-7, 9)"), [1, 2, 5, 6, 7, 9]);
        assert_eq!(found("ruling 16 to 18"), [16, 17, 18]);
        assert_eq!(found("the ruling of 3, ruling-4, overruling 5"), [0; 0]);
    }
}
