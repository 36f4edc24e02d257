//! The truth of a condition.

use std::collections::BTreeMap;

use plan_cond::{Spelled, parse};

/// Evaluates `text`; `values` spells `name=value` pairs, and a name that is missing is an error.
/// Returns the outcome and the names looked up, in order.
fn decide(
    text: &str,
    values: &[(&'static str, &'static str)],
) -> (Result<bool, String>, Vec<String>) {
    let values: BTreeMap<_, _> = values.iter().copied().collect();
    let mut asked = Vec::new();
    let cond = parse(text).expect("the condition parses");
    let cond = cond.expect("the condition is not blank");
    let truth = cond.eval(&mut |reference: &Spelled<'_>| {
        asked.push(reference.to_string());
        let value = values.get(reference.step);
        value
            .copied()
            .ok_or_else(|| format!("{} is unknown", reference.step))
    });
    (truth, asked)
}

fn holds(text: &str) -> bool {
    decide(text, &[]).0.expect("there is nothing to look up")
}

/// Writes the truth of `text` with `a`, `b` and `c` replaced by every choice of truths.
fn truth_table(text: &str) -> String {
    let rows = (0..8).map(|row: u8| {
        let spelled = |bit: u8| {
            if row & bit > 0 {
                "'1'=='1'"
            } else {
                "'1'=='2'"
            }
        };
        let text = text
            .replace('a', spelled(4))
            .replace('b', spelled(2))
            .replace('c', spelled(1));
        if holds(&text) { '1' } else { '0' }
    });
    rows.collect()
}

/// spec: Conditions; rulings 12 and 14. Rows count up from `a`, `b`, `c` all false; `a` is the high bit.
#[test]
fn truth_tables_show_what_binds_tighter() {
    let table = |text| format!("{text:22} {}\n", truth_table(text));
    let tables: String = [
        "a",
        "a && b",
        "a || b",
        "a && b && c",
        "a || b || c",
        "a || b && c",
        "a && b || c",
        "(a || b) && c",
        "a && (b || c)",
        "a || (b && c)",
        "(a && b) || c",
    ]
    .map(table)
    .concat();
    insta::assert_snapshot!(tables, @r"
    a                      00001111
    a && b                 00000011
    a || b                 00111111
    a && b && c            00000001
    a || b || c            01111111
    a || b && c            00011111
    a && b || c            01010111
    (a || b) && c          00010101
    a && (b || c)          00000111
    a || (b && c)          00011111
    (a && b) || c          01010111
    ");
}

/// spec: Conditions; ruling 14: text, by Unicode code point.
#[test]
fn text_is_compared_by_code_point() {
    let ascending = [
        "",
        "\0",
        " ",
        "10",
        "9",
        "A",
        "B",
        "a",
        "aa",
        "b",
        "é",
        "e\u{301}b",
        "日",
        "\u{d7ff}",
        "\u{e000}",
        "\u{ffff}",
        "\u{10000}",
        "😀",
        "\u{10ffff}",
    ];
    let mut sorted = ascending;
    sorted.sort_by(|left, right| left.chars().cmp(right.chars()));
    for (i, left) in sorted.iter().enumerate() {
        for (j, right) in sorted.iter().enumerate() {
            assert_eq!(
                holds(&format!("'{left}' < '{right}'")),
                i < j,
                "{left:?} < {right:?}"
            );
            assert_eq!(
                holds(&format!("'{left}' > '{right}'")),
                i > j,
                "{left:?} > {right:?}"
            );
            assert_eq!(
                holds(&format!("'{left}' == '{right}'")),
                i == j,
                "{left:?} == {right:?}"
            );
            assert_eq!(
                holds(&format!("'{left}' != '{right}'")),
                i != j,
                "{left:?} != {right:?}"
            );
        }
    }
    // Numbers are text too, and a UTF-16 order would put the pictograph first.
    assert!(holds("'10' < '9'"));
    assert!(holds("'\u{ffff}' < '😀'"));
}

/// spec: Conditions: nothing is trimmed, folded or normalised.
#[test]
fn text_is_compared_as_it_is() {
    assert!(holds("'a' != 'A'"));
    assert!(holds("'a' != 'a '"));
    assert!(holds("'é' != 'e\u{301}'"));
    assert!(holds("'1' != '1.0'"));
    assert!(holds("'' == \"\""));
}

/// spec: References: both sides of a comparison may be references.
#[test]
fn references_stand_for_what_the_lookup_gives() {
    let values = [("a", "failed"), ("b", "failed"), ("c", "$a.output")];
    assert_eq!(decide("$a.status == 'failed'", &values).0, Ok(true));
    assert_eq!(decide("$a.status == $b.status", &values).0, Ok(true));
    assert_eq!(decide("'g' < $a.status", &values).0, Ok(false));
    // What a reference stands for is text, and no reference itself.
    assert_eq!(decide("$c.output == '$a.output'", &values).0, Ok(true));
}

/// ruling 14: the other side's references are not resolved.
#[test]
fn a_side_that_decides_keeps_the_others_from_being_looked_up() {
    let values = [("yes", "1"), ("no", "0")];
    let cases = [
        ("$yes.x == '1' || $unknown.x == '1'", Ok(true), "$yes.x"),
        ("$no.x == '1' && $unknown.x == '1'", Ok(false), "$no.x"),
        (
            "$no.x == '1' || $yes.x == '1' || $unknown.x == '1'",
            Ok(true),
            "$no.x $yes.x",
        ),
        (
            "$yes.x == '1' && $no.x == '1' && $unknown.x == '1'",
            Ok(false),
            "$yes.x $no.x",
        ),
        (
            "$no.x == '1' && $unknown.x == '1' || $yes.x == '1'",
            Ok(true),
            "$no.x $yes.x",
        ),
        (
            "($yes.x == '1' || $unknown.x == '1') && $no.x == '0'",
            Ok(true),
            "$yes.x $no.x",
        ),
    ];
    for (text, truth, asked) in cases {
        assert_eq!(
            decide(text, &values),
            (truth, asked.split(' ').map(str::to_owned).collect()),
            "{text}"
        );
    }
}

/// ruling 16: a reference that cannot be resolved is the caller's failure, and the first one counts.
#[test]
fn a_failing_lookup_ends_the_evaluation() {
    let (truth, asked) = decide("$x.output == $y.output || 'a' == 'a'", &[]);
    assert_eq!(truth, Err("x is unknown".to_owned()));
    assert_eq!(asked, ["$x.output"]);
    let (truth, asked) = decide("'a' == 'a' && 'a' == $y.output", &[]);
    assert_eq!(truth, Err("y is unknown".to_owned()));
    assert_eq!(asked, ["$y.output"]);
}
