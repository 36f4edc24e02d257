//! The page of codes: it has every code, each with a plan that gets it and one that does not.

use std::{collections::BTreeSet, path::Path};

use plan_model::{CODES, PlanDoc, Severity};

use crate::page::grants;

/// Codes that the command gives before or beside a plan's own; they are no matter of a plan's text.
const OF_THE_COMMAND: [&str; 3] = ["unreadable-plan", "bad-manifest", "plan-not-granted"];

/// Codes whose bad plan cannot stand on a page; the tests make it.
const TOO_LARGE_OR_NO_TEXT: [&str; 4] =
    ["too-long", "invalid-utf8", "more-faults", "more-warnings"];

struct Section {
    code: String,
    bad: Option<String>,
    good: Option<String>,
}

fn sections() -> Vec<Section> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics.md");
    let page = std::fs::read_to_string(page).expect("the page is there");
    let mut sections: Vec<Section> = Vec::new();
    let mut lines = page.lines();
    let mut label = "";
    while let Some(line) = lines.next() {
        if let Some(code) = line
            .strip_prefix("### `")
            .and_then(|rest| rest.strip_suffix('`'))
        {
            sections.push(Section {
                code: code.to_owned(),
                bad: None,
                good: None,
            });
            label = "";
        } else if line == "Bad:" || line == "Good:" {
            label = line;
        } else if line == "```json" {
            let text: Vec<_> = lines.by_ref().take_while(|line| *line != "```").collect();
            let section = sections.last_mut().expect("a plan stands in a section");
            let place = match label {
                "Bad:" => &mut section.bad,
                "Good:" => &mut section.good,
                _ => panic!("a plan of `{}` is neither good nor bad", section.code),
            };
            let before = place.replace(text.join("\n"));
            assert_eq!(before, None, "`{}` has two", section.code);
        }
    }
    sections
}

/// The codes a plan gets: those of its faults, or of its warnings when it has no fault.
fn codes(text: &[u8]) -> BTreeSet<&'static str> {
    let checked = PlanDoc::read(text.to_vec()).check(Some(&grants()));
    let faults = checked
        .plan
        .err()
        .map_or(Vec::new(), |refused| refused.faults);
    let found = if faults.is_empty() {
        checked.warnings
    } else {
        faults
    };
    found
        .into_iter()
        .map(|diagnostic| diagnostic.code)
        .collect()
}

/// spec: Reading a plan; the page and the list of codes agree, in the same order
#[test]
fn the_page_has_a_section_for_every_code_and_for_nothing_else() {
    let sections = sections();
    let written: Vec<_> = sections
        .iter()
        .map(|section| section.code.as_str())
        .collect();
    let codes = CODES.iter().map(|code| code.name);
    let expected: Vec<_> = codes.chain(OF_THE_COMMAND).collect();
    assert_eq!(written, expected);
}

/// spec: Reading a plan; each bad plan gets its code and no other, each good one none at all
#[test]
fn every_plan_on_the_page_is_as_bad_or_as_good_as_it_says() {
    for section in sections() {
        let Section { code, bad, good } = section;
        let is_made = TOO_LARGE_OR_NO_TEXT.contains(&code.as_str());
        if OF_THE_COMMAND.contains(&code.as_str()) {
            continue;
        }
        assert_eq!(bad.is_none(), is_made, "`{code}` shows a bad plan");
        assert_eq!(good.is_none(), is_made, "`{code}` shows a good plan");
        if let Some(bad) = bad {
            assert_eq!(
                codes(bad.as_bytes()),
                BTreeSet::from([code.as_str()]),
                "{bad}"
            );
        }
        if let Some(good) = good {
            assert_eq!(
                codes(good.as_bytes()),
                BTreeSet::new(),
                "the good plan of `{code}`"
            );
        }
    }
}

/// ruling 1; decision D14; what the page cannot show
#[test]
fn the_plans_that_no_page_can_show_get_their_codes() {
    assert_eq!(
        codes(b"{\"id\": \"\xff\"}"),
        BTreeSet::from(["invalid-utf8"])
    );
    let many = |step: &str| {
        format!(
            "{{\"id\": \"p\", \"steps\": [{}{step}]}}",
            format!("{step},").repeat(100_000)
        )
    };
    assert!(codes(many("{}").as_bytes()).contains("more-faults"));
    // Steps without an id of their own would be faults, so the many warnings are in one.
    let keys: Vec<_> = (0..100_002).map(|n| format!("\"k{n}\": 0")).collect();
    let warned = format!("{{\"id\": \"p\", \"steps\": [], {}}}", keys.join(","));
    assert!(codes(warned.as_bytes()).contains("more-warnings"));
}

/// spec: Reading a plan; a code says once, in its own words, what it means
#[test]
fn no_two_codes_have_one_meaning() {
    let meanings: BTreeSet<_> = CODES.iter().map(|code| code.meaning).collect();
    assert_eq!(meanings.len(), CODES.len());
    let warnings = CODES
        .iter()
        .filter(|code| code.severity == Severity::Warning);
    assert_eq!(warnings.count(), 7);
}
