//! What stands for an operator and is none: halves, doubles, words, negations.

use alloc::{borrow::ToOwned, format, string::String};

use super::place::Place;
use crate::{
    error::{ErrorKind, ParseError},
    excerpt::excerpt,
    hint::fails,
    parse::operand_at,
};

/// `=`, `&` and `|`: half an operator.
pub(super) fn half(place: Place<'_>, run: &str) -> Option<ParseError> {
    Some(place.error(match run {
        "=" => ErrorKind::SingleEquals,
        "&" => ErrorKind::SingleAmpersand,
        "|" => ErrorKind::SinglePipe,
        _ => return None,
    }))
}

/// `>=`, `===`, `<>`, `&&&`: the grammar took the beginning for an operator and stopped inside.
pub(super) fn broken(place: Place<'_>) -> Option<ParseError> {
    let start = place.run_before().start;
    // White space between the two parts makes them two mistakes, not one.
    if start == place.at || place.run_before().end != place.at || place.run().is_empty() {
        return None;
    }
    let end = place.at + place.run().len();
    let whole = place.text.get(start..end)?;
    let kind = match whole {
        ">=" => or_equal(Place { at: start, ..place }, ">=", ">"),
        "<=" => or_equal(Place { at: start, ..place }, "<=", "<"),
        "===" => ErrorKind::TripleEquals {
            found: "===",
            instead: "==",
        },
        "!==" => ErrorKind::TripleEquals {
            found: "!==",
            instead: "!=",
        },
        _ => ErrorKind::UnknownOperator {
            found: excerpt(whole),
        },
    };
    Some(place.error_at(start..end, kind))
}

fn or_equal(place: Place<'_>, found: &'static str, strict: &str) -> ErrorKind {
    let left = excerpt(&place.text[place.operand_before()]);
    let right = operand_at(place.after_token().rest()).map_or("'…'".to_owned(), excerpt);
    ErrorKind::OrEqual {
        found,
        instead: format!("({left} {strict} {right} || {left} == {right})"),
    }
}

/// `!x` and `not x`.
pub(super) fn negation(place: Place<'_>) -> Option<ParseError> {
    let negates = match place.next()? {
        '!' => !place.rest().starts_with("!="),
        _ => {
            place.token().eq_ignore_ascii_case("not")
                && !place.after_token().starts_with_comparison()
        }
    };
    if !negates {
        return None;
    }
    let sign = if place.next() == Some('!') {
        "!"
    } else {
        place.token()
    };
    let negated = Place::skipping_blanks(place.text, place.at + sign.len());
    Some(place.error_at(
        place.at..place.at + sign.len(),
        ErrorKind::Negation {
            found: excerpt(sign),
            instead: turned_round(negated),
        },
    ))
}

/// Spells the comparison that is true when the one at `place` is not.
fn turned_round(place: Place<'_>) -> Option<String> {
    let left = operand_at(place.rest())?;
    let place = Place::skipping_blanks(place.text, place.at + left.len());
    if !left.starts_with('$') && !place.starts_with_comparison() {
        return None;
    }
    let operator = match place.run() {
        "==" => "!=",
        "!=" => "==",
        _ if place.starts_with_comparison() => return None,
        _ => return Some(fails(&excerpt(left))),
    };
    let right = operand_at(place.after_token().rest())?;
    Some(format!("{} {operator} {}", excerpt(left), excerpt(right)))
}

/// Returns the operator that `word` stands for between two comparisons.
pub(super) fn joining_word(word: &str) -> Option<&'static str> {
    spelled(word, &[("and", "&&"), ("or", "||")])
}

/// Returns the operator that `word` stands for between two texts.
pub(super) fn comparing_word(word: &str) -> Option<&'static str> {
    const WORDS: &[(&str, &str)] = &[
        ("is", "=="),
        ("eq", "=="),
        ("equals", "=="),
        ("ne", "!="),
        ("gt", ">"),
        ("lt", "<"),
    ];
    spelled(word, WORDS)
}

fn spelled(word: &str, words: &[(&str, &'static str)]) -> Option<&'static str> {
    let known = words
        .iter()
        .find(|(known, _)| word.eq_ignore_ascii_case(known));
    known.map(|(_, operator)| *operator)
}
