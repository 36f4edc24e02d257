//! The place of a fault inside a string that the plan's text writes with escapes.

use plan_model::Diagnostic;
use proptest::prelude::*;

use crate::page::{check, steps};

/// Returns what the only problem of a plan marks, and its column.
fn marked(text: &str) -> (String, usize) {
    let checked = check(text);
    let faults = checked.plan.err().map(|refused| refused.faults);
    let all: Vec<Diagnostic> = faults
        .into_iter()
        .flatten()
        .chain(checked.warnings)
        .collect();
    let [problem] = &all[..] else {
        panic!("one problem, not {all:#?}");
    };
    assert_eq!(problem.line, 1);
    let before = &text[..problem.span.start];
    assert_eq!(problem.column, before.chars().count() + 1);
    (text[problem.span.clone()].to_owned(), problem.column)
}

/// Makes a plan of one condition, written as `inside` between its quotes; returns its column 0 as well.
fn condition(inside: &str) -> (String, usize) {
    let before = r#"{"id": "a", "shell": "true"}, {"id": "b", "shell": "true", "depends_on": ["a"], "if": ""#;
    let column = steps(before).chars().count() - "]}".len() + 1;
    (steps(&format!("{before}{inside}\"}}")), column)
}

/// ruling 15: the column is that of the fault, however many escapes stand before it.
#[test]
fn a_fault_in_a_condition_is_placed_past_every_kind_of_escape() {
    let cases = [
        (r#"$a.status == \"x\" && $a.status >= \"z\""#, ">=", 32),
        (r#"\u0024a.status == \"x\" && $a.status >= \"z\""#, ">=", 37),
        (r"$a.status == '\ud83d\ude00' && $a.status >= 'z'", ">=", 41),
        (r"$a.status == '😀é\/\t' && $a.status >= 'z'", ">=", 35),
        (r"$a.status \u003e= 'z'", r"\u003e=", 10),
        (r"$a.status == \u0022\ud83d\ude00\u0022 = '\\'", "=", 38),
    ];
    for (inside, fault, at) in cases {
        let (text, column) = condition(inside);
        assert_eq!(marked(&text), (fault.to_owned(), column + at), "{inside}");
    }
}

/// ruling 15: a fault where the string ends is at its closing quote.
#[test]
fn a_fault_at_the_end_of_a_condition_is_placed_at_its_end() {
    for inside in [
        r#"$a.status == \"x\" &&"#,
        r"$a.status == '\ud83d\ude00' \u0026&",
        r"'\u0024' ==",
    ] {
        let (text, column) = condition(inside);
        let (mark, at) = marked(&text);
        assert_eq!(mark, "", "{inside}");
        assert_eq!(at, column + inside.chars().count(), "{inside}");
    }
}

/// ruling 6: of a condition with escapes, each reference at fault is marked alone.
#[test]
fn references_in_a_condition_with_escapes_are_marked_alone() {
    let (text, _) = condition(
        r#"$x.status == \"\ud83d\ude00\" && \u0024y.output != $a.output || $a.status == $z.nope"#,
    );
    let faults = check(&text).plan.unwrap_err().faults;
    let marks: Vec<&str> = faults
        .iter()
        .map(|fault| &text[fault.span.clone()])
        .collect();
    assert_eq!(
        marks,
        ["$x.status", r"\u0024y.output", "$z.nope", "$z.nope"]
    );
}

/// ruling 31: what cannot be split is marked from the quote or backslash at fault to the line's end.
#[test]
fn a_fault_in_a_command_line_is_placed_past_the_escapes() {
    let cases = [
        (r#"bash \"x"#, r#"\"x"#),
        (r#"bash \"\ud83d\ude00\" '\t"#, r"'\t"),
        (r"bash \u0027x", r"\u0027x"),
        (r"bash \ud83d\ude00\\", r"\\"),
    ];
    for (inside, fault) in cases {
        let text = steps(&format!(r#"{{"id": "a", "shell": "{inside}"}}"#));
        assert_eq!(marked(&text).0, fault, "{inside}");
    }
}

/// ruling 9: the same for a reference in a command line.
#[test]
fn a_reference_in_a_command_line_is_placed_past_the_escapes() {
    let text = steps(r#"{"id": "a", "shell": "bash -c \"\ud83d\ude00 \u0024a.output\""}"#);
    assert_eq!(marked(&text).0, r"\u0024a.output");
}

proptest! {
    /// ruling 15: whatever is before the fault, and however it is spelt.
    #[test]
    fn a_fault_is_placed_past_any_spelling(
        before in prop::collection::vec(
            prop::sample::select(vec![
                "x", "é", "😀", r"\n", r#"\""#, r"\\", r"\/", r"\u0024", r"\u00e9", r"\u20AC", r"\uD83D\uDE00",
            ]),
            0..12,
        )
    ) {
        let before = before.concat();
        let (text, column) = condition(&format!("$a.status == '{before}' && $a.status >= 'z'"));
        let at = column + before.chars().count() + "$a.status == '' && $a.status ".len();
        prop_assert_eq!(marked(&text), (">=".to_owned(), at));
    }
}
