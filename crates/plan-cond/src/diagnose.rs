//! Names a mistake: from where the grammar stopped and what it asked for, to an [`ErrorKind`].
//!
//! Looks at the text on both sides of the place, never at more of it than once.

use alloc::{borrow::ToOwned, format, string::String};

use crate::{
    error::{ErrorKind, ParseError},
    excerpt::excerpt,
    hint::fails,
    parse::{Expected, Fault, MAX_DEPTH, operand_at},
    place::Place,
    reference::{Field, Spelled},
};

pub(crate) fn diagnose(text: &str, fault: Fault) -> ParseError {
    let place = Place::skipping_blanks(text, fault.at);
    match fault.expected {
        Expected::Term => term(place),
        Expected::Operator => operator(place),
        Expected::Operand => operand(place),
        Expected::JointOrEnd => joint(place, None),
        Expected::JointOrClose { open } => joint(place, Some(open)),
        Expected::Shallower => place.error(ErrorKind::TooDeep { limit: MAX_DEPTH }),
    }
}

/// A comparison or a group should start here.
fn term(place: Place<'_>) -> ParseError {
    let after = place.token_before();
    let run = place.run();
    if let Some(error) = negation(place).or_else(|| broken_operator(place)) {
        return error;
    }
    if !run.is_empty() {
        return match run {
            "&&" | "||" => missing_comparison(place, after),
            _ => lone_operator(place, run).unwrap_or_else(|| {
                place.error(ErrorKind::MissingLeft {
                    operator: excerpt(run),
                })
            }),
        };
    }
    match (place.next(), after) {
        (Some(')'), Some("(")) => place.error_at(
            place.end_before() - 1..place.at + 1,
            ErrorKind::EmptyParentheses,
        ),
        (Some(')'), None) => place.error(ErrorKind::UnopenedParenthesis),
        (None | Some(')'), _) => missing_comparison(place, after),
        _ => match joining_word(place.token()) {
            Some(instead) if !place.after_token().starts_with_comparison() => {
                place.error(ErrorKind::WordOperator {
                    found: excerpt(place.token()),
                    instead,
                })
            }
            _ => bare_word(place).unwrap_or_else(|| not_an_operand(place)),
        },
    }
}

/// `==`, `!=`, `>` or `<` should stand here: the left side of a comparison stands before.
fn operator(place: Place<'_>) -> ParseError {
    let left = place.operand_before();
    let (run, word) = (place.run(), place.token());
    if let Some(instead) = comparing_word(word) {
        return place.error(ErrorKind::WordOperator {
            found: excerpt(word),
            instead,
        });
    }
    if place.next() == Some(')') && place.after_token().starts_with_comparison() {
        return group_compared(place.after_token());
    }
    let stands_alone = matches!(place.next(), None | Some(')'))
        || run.starts_with(['&', '|'])
        || joining_word(word).is_some();
    if stands_alone {
        let spelled = excerpt(&place.text[left.clone()]);
        return place.error_at(
            left,
            if spelled.starts_with('$') {
                ErrorKind::BareReference { reference: spelled }
            } else {
                ErrorKind::BareLiteral { literal: spelled }
            },
        );
    }
    if let Some(error) = lone_operator(place, run) {
        return error;
    }
    if !run.is_empty() {
        return place.error(ErrorKind::UnknownOperator {
            found: excerpt(run),
        });
    }
    if let Some(error) = literal_ends_early(place).or_else(|| unclosed_quote(place)) {
        return error;
    }
    let left = excerpt(&place.text[left]);
    place.error(ErrorKind::MissingOperator {
        left: if left.starts_with('$') {
            format!("`{left}`")
        } else {
            left
        },
        found: place.found(),
    })
}

/// The right side of a comparison should stand here: its operator stands before.
fn operand(place: Place<'_>) -> ParseError {
    if let Some(error) = broken_operator(place) {
        return error;
    }
    if let Some(error) = negation(place).filter(|_| place.next() == Some('!')) {
        return error;
    }
    let operator = place.run_before();
    if place.next() == Some('(') {
        return place.error_at(
            operator.clone(),
            ErrorKind::GroupCompared {
                operator: excerpt(&place.text[operator]),
            },
        );
    }
    if matches!(place.next(), None | Some(')')) || !place.run().is_empty() {
        return place.error(ErrorKind::MissingRight {
            operator: excerpt(&place.text[operator]),
            found: place.found(),
        });
    }
    not_an_operand(place)
}

/// `&&`, `||`, or an end should stand here: a whole comparison or a group stands before.
fn joint(place: Place<'_>, open: Option<usize>) -> ParseError {
    let (run, word) = (place.run(), place.token());
    if let Some(error) = lone_operator(place, run) {
        return error;
    }
    if place.starts_with_comparison() {
        return compared_again(place, run);
    }
    if let Some(instead) = joining_word(word) {
        return place.error(ErrorKind::WordOperator {
            found: excerpt(word),
            instead,
        });
    }
    if let Some(error) = literal_ends_early(place).or_else(|| unclosed_quote(place)) {
        return error;
    }
    match (place.next(), open) {
        (None, Some(open)) => place.error_at(open..open + 1, ErrorKind::UnclosedParenthesis),
        (Some(')'), None) => place.error(ErrorKind::UnopenedParenthesis),
        _ => place.error(ErrorKind::TrailingText {
            expected: match open {
                Some(_) => "`&&`, `||` or `)`",
                None => "`&&`, `||` or the end",
            },
            found: place.found(),
        }),
    }
}

/// A comparison operator after what is already whole.
fn compared_again(place: Place<'_>, run: &str) -> ParseError {
    if place.token_before() == Some(")") {
        return group_compared(place);
    }
    place.error(ErrorKind::ChainedComparison {
        operator: excerpt(run),
        middle: excerpt(&place.text[place.operand_before()]),
    })
}

fn group_compared(place: Place<'_>) -> ParseError {
    place.error(ErrorKind::GroupCompared {
        operator: excerpt(place.run()),
    })
}

fn missing_comparison(place: Place<'_>, after: Option<&'static str>) -> ParseError {
    place.error(ErrorKind::MissingComparison {
        after,
        found: place.found(),
    })
}

/// `=`, `&` and `|`: half an operator.
fn lone_operator(place: Place<'_>, run: &str) -> Option<ParseError> {
    Some(place.error(match run {
        "=" => ErrorKind::SingleEquals,
        "&" => ErrorKind::SingleAmpersand,
        "|" => ErrorKind::SinglePipe,
        _ => return None,
    }))
}

/// `>=`, `===`, `<>`, `&&&`: the grammar took the beginning for an operator and stopped inside.
fn broken_operator(place: Place<'_>) -> Option<ParseError> {
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
fn negation(place: Place<'_>) -> Option<ParseError> {
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

/// `'it\'s'`, `'it's'`, `'it''s'`: the literal ended at a quote that was meant to be part of it.
fn literal_ends_early(place: Place<'_>) -> Option<ParseError> {
    let before = place.text.get(..place.at)?;
    let quote = before.chars().next_back().filter(|&c| is_quote(c))?;
    // Anything else may well follow a literal that was meant to end there.
    let next = place.next()?;
    if !next.is_alphanumeric() && !is_quote(next) {
        return None;
    }
    let found = place.found();
    Some(if before[..before.len() - 1].ends_with('\\') {
        place.error_at(
            place.at - 2..place.at,
            ErrorKind::BackslashQuote { quote, found },
        )
    } else {
        place.error_at(
            place.at - 1..place.at,
            ErrorKind::QuoteInLiteral { quote, found },
        )
    })
}

fn unclosed_quote(place: Place<'_>) -> Option<ParseError> {
    let quote = place.next().filter(|&c| is_quote(c))?;
    let opened_only = place.rest().matches(quote).count() == 1;
    opened_only.then(|| {
        place.error_at(
            place.at..place.text.len(),
            ErrorKind::UnclosedQuote { quote },
        )
    })
}

fn is_quote(c: char) -> bool {
    matches!(c, '\'' | '"')
}

/// Something stands where a reference or a literal has to, and is neither.
fn not_an_operand(place: Place<'_>) -> ParseError {
    if let Some(error) = unclosed_quote(place).or_else(|| braces(place)) {
        return error;
    }
    let token = place.token();
    match place.next() {
        Some('$') => not_a_reference(place),
        Some(quote @ ('‘' | '’' | '“' | '”' | '«' | '»' | '`' | '´')) => place.error_at(
            place.at..place.at + quote.len_utf8(),
            ErrorKind::ForeignQuote { quote },
        ),
        _ if place.text[place.at + token.len()..].starts_with('(') => place.error_at(
            place.at..place.at + token.len() + 1,
            ErrorKind::FunctionCall {
                name: excerpt(token),
            },
        ),
        _ => {
            let dollar = token
                .rsplit_once('.')
                .is_some_and(|(step, field)| !step.is_empty() && Field::from_name(field).is_some());
            place.error(ErrorKind::UnquotedWord {
                word: excerpt(token),
                reference: dollar.then(|| format!("${}", excerpt(token))),
            })
        }
    }
}

/// `true`: a word where a comparison should be, that no operator follows.
fn bare_word(place: Place<'_>) -> Option<ParseError> {
    let word = place.token();
    let after = place.after_token();
    let alone = word.starts_with(|c: char| c.is_alphanumeric())
        && !lacks_dollar(word)
        && after.next() != Some('(')
        && !after.starts_with_comparison()
        && comparing_word(after.token()).is_none();
    alone.then(|| {
        place.error(ErrorKind::BareWord {
            word: excerpt(word),
        })
    })
}

/// `a.status`: a reference but for its `$`.
fn lacks_dollar(word: &str) -> bool {
    word.rsplit_once('.')
        .is_some_and(|(step, field)| !step.is_empty() && Field::from_name(field).is_some())
}

/// `${a.status}`, `{{a.status}}`, `${{`: a reference as other languages write one.
fn braces(place: Place<'_>) -> Option<ParseError> {
    let found = place.token();
    if !found.starts_with('{') && !found.starts_with("${") {
        return None;
    }
    let bare = found.trim_start_matches(['$', '{']).trim_end_matches('}');
    let instead = match format!("${bare}") {
        reference if Spelled::whole(&reference).is_some() => excerpt(&reference),
        step if step.len() > 1 && !bare.contains('.') => format!("{}.status", excerpt(&step)),
        _ => "$<step id>.status".to_owned(),
    };
    Some(place.error(ErrorKind::Braces {
        found: excerpt(found),
        instead,
    }))
}

/// A word that begins with `$` and is no reference.
fn not_a_reference(place: Place<'_>) -> ParseError {
    let found = place.token();
    let named = found.strip_prefix('$').unwrap_or(found);
    let reference = excerpt(found);
    place.error(match named.rsplit_once('.') {
        None if named.is_empty() => ErrorKind::ReferenceWithoutStep { reference },
        None => ErrorKind::ReferenceWithoutField { reference },
        Some(("", _)) => ErrorKind::ReferenceWithoutStep { reference },
        Some((step, _)) => ErrorKind::ReferenceField {
            reference,
            step: excerpt(step),
        },
    })
}

/// Returns the operator that `word` stands for between two comparisons.
fn joining_word(word: &str) -> Option<&'static str> {
    spelled(word, &[("and", "&&"), ("or", "||")])
}

/// Returns the operator that `word` stands for between two texts.
fn comparing_word(word: &str) -> Option<&'static str> {
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
