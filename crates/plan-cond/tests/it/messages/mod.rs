//! Every mistake, as the author of a condition sees it.

mod caret;
mod gaps;
mod kinds;
mod operands;
mod operators;

use plan_cond::{ParseError, parse};

fn refused(text: &str) -> ParseError {
    parse(text).expect_err(text)
}

fn drawn(texts: &[&str]) -> String {
    let each = texts
        .iter()
        .map(|text| refused(text).caret(text).to_string());
    each.collect::<Vec<_>>().join("\n\n")
}
