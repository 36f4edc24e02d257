//! That every kind of mistake has an error of its own.

use std::collections::BTreeSet;

use plan_cond::{ErrorKind, ParseError};

use super::refused;

/// ruling 15: each kind of mistake has an error of its own.
#[test]
fn every_kind_of_mistake_has_its_error() {
    let too_deep = "(".repeat(200);
    let mistakes = [
        ("BackslashQuote", r"'it\'s' == 'x'"),
        ("BareLiteral", "'x'"),
        ("BareReference", "$a.status"),
        ("BareWord", "true"),
        ("Braces", "${a.status} == 'x'"),
        ("ChainedComparison", "'a' == 'b' == 'c'"),
        ("EmptyParentheses", "()"),
        ("ForeignQuote", "“x” == 'x'"),
        ("FunctionCall", "success()"),
        ("GroupCompared", "('a' == 'b') == 'c'"),
        ("MissingComparison", "'a' == 'b' &&"),
        ("MissingLeft", "== 'x'"),
        ("MissingOperator", "'a' 'b'"),
        ("MissingRight", "'a' =="),
        ("Negation", "!$a.status"),
        ("OrEqual", "'a' >= 'b'"),
        ("QuoteInLiteral", "'a' == 'it's'"),
        ("ReferenceField", "$a.5 == 'x'"),
        ("ReferenceWithoutField", "$a == 'x'"),
        ("ReferenceWithoutStep", "$.output == 'x'"),
        ("SingleAmpersand", "'a' == 'b' & 'c' == 'd'"),
        ("SingleEquals", "'a' = 'b'"),
        ("SinglePipe", "'a' == 'b' | 'c' == 'd'"),
        ("TrailingText", "'a' == 'b' 'c'"),
        ("TripleEquals", "'a' === 'b'"),
        ("UnclosedParenthesis", "('a' == 'b'"),
        ("UnclosedQuote", "'a' == 'b"),
        ("UnknownOperator", "'a' <> 'b'"),
        ("UnopenedParenthesis", "'a' == 'b')"),
        ("UnquotedWord", "'a' == b"),
        ("WordOperator", "'a' == 'b' and 'c' == 'd'"),
        ("TooDeep", too_deep.as_str()),
    ];
    for (kind, text) in mistakes {
        assert_eq!(name(&refused(text).kind), kind, "{text}");
    }
    // A text over 4 GiB is left out: it would take as much memory to see.
    let kinds: BTreeSet<_> = mistakes.map(|(kind, _)| kind).into();
    assert_eq!(kinds.len() + 1, KINDS);
    let too_long = ParseError {
        span: 0..0,
        kind: ErrorKind::TooLong,
    };
    insta::assert_snapshot!(format!("{too_long}; hint: {}", too_long.hint()), @r"the condition is longer than 4 GiB; hint: let a step decide and compare its output");
}

/// How many kinds [`name`] names.
const KINDS: usize = 33;

/// Names a kind. A new one does not compile until it is counted and shown.
fn name(kind: &ErrorKind) -> &'static str {
    match kind {
        ErrorKind::BackslashQuote { .. } => "BackslashQuote",
        ErrorKind::BareLiteral { .. } => "BareLiteral",
        ErrorKind::BareReference { .. } => "BareReference",
        ErrorKind::BareWord { .. } => "BareWord",
        ErrorKind::Braces { .. } => "Braces",
        ErrorKind::ChainedComparison { .. } => "ChainedComparison",
        ErrorKind::EmptyParentheses => "EmptyParentheses",
        ErrorKind::ForeignQuote { .. } => "ForeignQuote",
        ErrorKind::FunctionCall { .. } => "FunctionCall",
        ErrorKind::GroupCompared { .. } => "GroupCompared",
        ErrorKind::MissingComparison { .. } => "MissingComparison",
        ErrorKind::MissingLeft { .. } => "MissingLeft",
        ErrorKind::MissingOperator { .. } => "MissingOperator",
        ErrorKind::MissingRight { .. } => "MissingRight",
        ErrorKind::Negation { .. } => "Negation",
        ErrorKind::OrEqual { .. } => "OrEqual",
        ErrorKind::QuoteInLiteral { .. } => "QuoteInLiteral",
        ErrorKind::ReferenceField { .. } => "ReferenceField",
        ErrorKind::ReferenceWithoutField { .. } => "ReferenceWithoutField",
        ErrorKind::ReferenceWithoutStep { .. } => "ReferenceWithoutStep",
        ErrorKind::SingleAmpersand => "SingleAmpersand",
        ErrorKind::SingleEquals => "SingleEquals",
        ErrorKind::SinglePipe => "SinglePipe",
        ErrorKind::TooDeep { .. } => "TooDeep",
        ErrorKind::TooLong => "TooLong",
        ErrorKind::TrailingText { .. } => "TrailingText",
        ErrorKind::TripleEquals { .. } => "TripleEquals",
        ErrorKind::UnclosedParenthesis => "UnclosedParenthesis",
        ErrorKind::UnclosedQuote { .. } => "UnclosedQuote",
        ErrorKind::UnknownOperator { .. } => "UnknownOperator",
        ErrorKind::UnopenedParenthesis => "UnopenedParenthesis",
        ErrorKind::UnquotedWord { .. } => "UnquotedWord",
        ErrorKind::WordOperator { .. } => "WordOperator",
    }
}
