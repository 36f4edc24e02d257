//! What stands for a reference or a literal and is neither, or is one that ended too soon.

use alloc::{borrow::ToOwned, format};

use super::{operator::comparing_word, place::Place};
use crate::{
    error::{ErrorKind, ParseError},
    excerpt::excerpt,
    reference::{Field, Spelled},
};

/// Something stands where a reference or a literal has to, and is neither.
pub(super) fn not_an_operand(place: Place<'_>) -> ParseError {
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
        _ => place.error(ErrorKind::UnquotedWord {
            word: excerpt(token),
            reference: lacks_dollar(token).then(|| format!("${}", excerpt(token))),
        }),
    }
}

/// `true`: a word where a comparison should be, that no operator follows.
pub(super) fn bare_word(place: Place<'_>) -> Option<ParseError> {
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

/// `'it\'s'`, `'it's'`, `'it''s'`: the literal ended at a quote that was meant to be part of it.
pub(super) fn literal_ends_early(place: Place<'_>) -> Option<ParseError> {
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

pub(super) fn unclosed_quote(place: Place<'_>) -> Option<ParseError> {
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
