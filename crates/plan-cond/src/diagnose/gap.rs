//! What stands at the place of a mistake, seen from what the grammar asked for there.

use alloc::format;

use super::{
    operand::{bare_word, literal_ends_early, not_an_operand, unclosed_quote},
    operator::{broken, comparing_word, half, joining_word, negation},
    place::Place,
};
use crate::{
    error::{ErrorKind, ParseError},
    excerpt::excerpt,
};

/// A comparison or a group should start here.
pub(super) fn term(place: Place<'_>) -> ParseError {
    let after = place.token_before();
    let run = place.run();
    if let Some(error) = negation(place).or_else(|| broken(place)) {
        return error;
    }
    if place.starts_with_comparison() {
        return place.error(ErrorKind::MissingLeft {
            operator: excerpt(run),
        });
    }
    if !run.is_empty() {
        return missing_comparison(place, after);
    }
    match (place.next(), after) {
        (Some(')'), Some("(")) => place.error_at(
            place.end_before() - 1..place.at + 1,
            ErrorKind::EmptyParentheses,
        ),
        (Some(')'), None) => place.error(ErrorKind::UnopenedParenthesis),
        (None | Some(')'), _) => missing_comparison(place, after),
        _ if joining_word(place.token()).is_some()
            && !place.after_token().starts_with_comparison() =>
        {
            missing_comparison(place, after)
        }
        _ => bare_word(place).unwrap_or_else(|| not_an_operand(place)),
    }
}

/// `==`, `!=`, `>` or `<` should stand here: the left side of a comparison stands before.
pub(super) fn operator(place: Place<'_>) -> ParseError {
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
    if let Some(error) = half(place, run) {
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
pub(super) fn operand(place: Place<'_>) -> ParseError {
    if let Some(error) = broken(place) {
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
pub(super) fn joint(place: Place<'_>, open: Option<usize>) -> ParseError {
    let (run, word) = (place.run(), place.token());
    if let Some(error) = half(place, run) {
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
