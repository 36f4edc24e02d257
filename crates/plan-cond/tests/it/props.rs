//! What holds for every text.

use plan_cond::{Comparison, Cond, Operand, Spelled, parse};
use proptest::{
    collection::vec,
    prelude::{Just, ProptestConfig, Strategy, any, prop, prop_assert, prop_assert_eq, proptest},
    prop_oneof,
};

use crate::oracle::{self, Outcome};

/// What a reference stands for: enough for every comparison to go either way, and for some to fail.
fn value(reference: &str) -> Option<&'static str> {
    match reference {
        "$a.status" => Some("success"),
        "$b.status" => Some("failed"),
        "$a.output" => Some("x"),
        "$b.c.output" => Some("😀"),
        _ => None,
    }
}

fn decide(text: &str) -> Option<Option<Outcome>> {
    let cond = parse(text).ok()?;
    Some(cond.map(|cond| {
        let mut asked = Vec::new();
        let truth = cond.eval(&mut |reference: &Spelled<'_>| {
            let name = reference.to_string();
            asked.push(name.clone());
            value(&name).ok_or(name)
        });
        (truth, asked)
    }))
}

/// The parts conditions are made of, and those that mistakes are made of.
fn token() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "$a.status",
        "$b.status",
        "$a.output",
        "$b.c.output",
        "$z.output",
        "$a",
        "$",
        "$.output",
        "$a.5",
        "'x'",
        "\"x\"",
        "'success'",
        "\"failed\"",
        "''",
        "'😀'",
        "'\u{ffff}'",
        "'",
        "\"",
        "\\",
        "==",
        "!=",
        ">",
        "<",
        "=",
        "!",
        ">=",
        "===",
        "&&",
        "||",
        "&",
        "|",
        "(",
        ")",
        "()",
        "and",
        "or",
        "not",
        "is",
        "true",
        "5",
        "a.status",
        "${a.status}",
        "{",
        "“",
        "f(",
        " ",
        "\n",
        "\t",
        "\u{a0}",
        "\0",
        "é",
        "日",
    ])
}

fn soup() -> impl Strategy<Value = String> {
    vec((token(), prop_oneof![Just(""), Just(" ")]), 0..14).prop_map(|parts| {
        parts
            .into_iter()
            .flat_map(|(token, gap)| [token, gap])
            .collect()
    })
}

fn operand() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "$a.status",
            "$b.status",
            "$a.output",
            "$b.c.output",
            "$z.output",
            "'x'",
            "\"x\"",
            "'success'",
            "'failed'",
            "''",
            "'a && b'",
            "\"it's\"",
            "'\u{ffff}'",
            "\"😀\"",
        ])
        .prop_map(str::to_owned),
        "'[^']{0,6}'",
        "\"[^\"]{0,6}\"",
        "\\$[a-z.é$-]{1,6}\\.[a-z_][a-z0-9_]{0,4}",
    ]
}

fn gap() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec!["", "", " ", "  ", "\n", "\u{2003}"])
}

/// A condition, with free white space and parentheses where they may be.
fn condition() -> impl Strategy<Value = String> {
    let operator = prop::sample::select(vec!["==", "!=", "<", ">"]);
    let comparison = (operand(), gap(), operator, gap(), operand())
        .prop_map(|(left, before, op, after, right)| format!("{left}{before}{op}{after}{right}"));
    comparison.prop_recursive(5, 24, 4, |inner| {
        let joint = prop::sample::select(vec!["&&", "||"]);
        prop_oneof![
            (gap(), inner.clone(), gap())
                .prop_map(|(before, inner, after)| format!("({before}{inner}{after})")),
            (inner.clone(), vec((gap(), joint, gap(), inner), 1..4)).prop_map(|(first, more)| {
                let more = more
                    .into_iter()
                    .map(|(before, joint, after, side)| format!("{before}{joint}{after}{side}"));
                more.fold(first, |all, side| all + &side)
            }),
        ]
    })
}

/// The same tree with every span empty: all that a condition written anew has to share with the old one.
fn without_spans(cond: Cond<Spelled<'_>>) -> Cond<Spelled<'_>> {
    let bare = |operand: Operand<_>| Operand {
        span: 0..0,
        ..operand
    };
    match cond {
        Cond::Or(sides) => Cond::Or(sides.into_iter().map(without_spans).collect()),
        Cond::And(sides) => Cond::And(sides.into_iter().map(without_spans).collect()),
        Cond::Compare(Comparison { left, op, right }) => Cond::Compare(Comparison {
            left: bare(left),
            op,
            right: bare(right),
        }),
    }
}

/// Checks everything an error promises for any text.
fn explains(text: &str) {
    let Err(error) = parse(text) else { return };
    assert!(
        text.get(error.span.clone()).is_some(),
        "{:?} of {text:?}",
        error.span
    );
    assert!(error.column(text) <= text.chars().count() + 1);
    let (message, hint, drawn) = (
        error.to_string(),
        error.hint(),
        error.caret(text).to_string(),
    );
    for said in [&message, &hint] {
        assert!(!said.is_empty() && said.chars().count() < 220, "{said}");
        assert!(
            !said.contains(char::is_control) && !said.ends_with('.'),
            "{said:?}"
        );
    }
    let lines: Vec<_> = drawn.lines().collect();
    assert_eq!(lines.len(), 6, "{drawn}");
    assert!(lines[4].trim_end().ends_with('^'), "{drawn}");
    assert!(lines[3].chars().count() <= 110, "{drawn}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// ruling 15: no text makes the parser panic, and every error has its place.
    #[test]
    fn any_text_is_read_or_explained(text in any::<String>()) {
        explains(&text);
    }

    /// ruling 15: nor do the parts of conditions in any order; and what is a condition, and what it
    /// decides, the two implementations agree on.
    #[test]
    fn any_order_of_tokens_is_decided_as_the_oracle_decides_it(text in soup()) {
        explains(&text);
        prop_assert_eq!(decide(&text), oracle::decide(&text, value), "{}", text);
    }

    /// rulings 12 to 14.
    #[test]
    fn every_condition_is_decided_as_the_oracle_decides_it(text in condition()) {
        let decided = decide(&text);
        prop_assert!(matches!(decided, Some(Some(_))), "{} was refused", text);
        prop_assert_eq!(decided, oracle::decide(&text, value), "{}", text);
    }

    /// ruling 12: what is written back means the same.
    #[test]
    fn a_condition_written_back_parses_to_the_same_tree(text in condition()) {
        let cond = parse(&text).unwrap().unwrap();
        let written = cond.to_string();
        let again = parse(&written).unwrap().unwrap();
        prop_assert_eq!(again.to_string(), written.clone());
        prop_assert_eq!(without_spans(again.clone()), without_spans(cond));
    }

    /// ruling 12: every prefix of a condition, and a condition with anything put into it, is read or explained.
    #[test]
    fn a_condition_cut_or_disturbed_is_read_or_explained(
        text in condition(), at in any::<prop::sample::Index>(), extra in token(),
    ) {
        let places: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
        let (before, after) = text.split_at(places[at.index(places.len())]);
        explains(before);
        explains(&format!("{before}{extra}{after}"));
        let disturbed = format!("{before}{extra}{after}");
        prop_assert_eq!(decide(&disturbed), oracle::decide(&disturbed, value), "{}", disturbed);
    }

    /// ruling 5: what has the shape is written back as it was.
    #[test]
    fn a_reference_written_back_is_the_same_text(text in "\\$?[^\\x00]{0,8}\\.?[a-z_0-9-]{0,4}") {
        if let Some(spelled) = Spelled::whole(&text) {
            prop_assert_eq!(spelled.to_string(), text.clone());
        }
        if let Some(spelled) = Spelled::in_condition(&text) {
            prop_assert!(text.starts_with(&spelled.to_string()));
        }
        for spelled in Spelled::mentioned_in(&text) {
            prop_assert!(text.contains(&spelled.to_string()));
        }
    }
}
