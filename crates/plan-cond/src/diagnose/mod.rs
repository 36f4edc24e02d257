//! Names a mistake: from where the grammar stopped and what it asked for there, to an error.
//!
//! Only a condition that does not parse comes here, and every look at the text on either side of the
//! place is linear in it.

mod gap;
mod operand;
mod operator;
mod place;

use crate::{
    error::{ErrorKind, ParseError},
    parse::{Expected, Fault, MAX_DEPTH},
};
use place::Place;

/// Returns the error that a [`Fault`] of `text` is.
pub(crate) fn diagnose(text: &str, fault: Fault) -> ParseError {
    let place = Place::skipping_blanks(text, fault.at);
    match fault.expected {
        Expected::Term => gap::term(place),
        Expected::Operator => gap::operator(place),
        Expected::Operand => gap::operand(place),
        Expected::JointOrEnd => gap::joint(place, None),
        Expected::JointOrClose { open } => gap::joint(place, Some(open)),
        Expected::Shallower => place.error(ErrorKind::TooDeep { limit: MAX_DEPTH }),
    }
}
