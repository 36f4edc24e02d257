//! What to write instead, for each kind of [`ParseError`].

use alloc::{borrow::ToOwned, format, string::String};

use crate::error::{ErrorKind, Found, ParseError};

const OPERATORS: &str =
    "compare with `==`, `!=`, `>` or `<`, and join comparisons with `&&` or `||`";
const COMPARISON: &str = "write a comparison such as `$build.status == 'success'`";
const OPERAND: &str =
    "write a reference such as `$build.status`, or a quoted literal such as 'failed'";

impl ParseError {
    /// Returns what to write instead.
    pub fn hint(&self) -> String {
        match &self.kind {
            ErrorKind::BackslashQuote { quote, found: _ } => {
                let other = other_quote(*quote);
                format!("quote a literal that holds {quote} with {other}, and leave the backslash out")
            }
            ErrorKind::BareLiteral { literal } => {
                format!("compare it with a reference, such as `$build.output == {literal}`")
            }
            ErrorKind::BareReference { reference } => format!("write `{}`", holds(reference)),
            ErrorKind::BareWord { word: _ } => {
                format!("{COMPARISON}, or leave the condition out of a step that always runs")
            }
            ErrorKind::Braces { found: _, instead }
            | ErrorKind::OrEqual { found: _, instead } => format!("write `{instead}`"),
            ErrorKind::ChainedComparison { operator, middle } => match operator.as_str() {
                "==" | "!=" | ">" | "<" => format!(
                    "compare two texts at a time, joined by `&&`: write `&& {middle} {operator}`"
                ),
                _ => OPERATORS.to_owned(),
            },
            ErrorKind::EmptyParentheses => {
                "put a comparison between them, or take them away".to_owned()
            }
            ErrorKind::ForeignQuote { quote: _ } => "quote with ' or \"".to_owned(),
            ErrorKind::FunctionCall { name: _ } | ErrorKind::MissingComparison { after: _, found: _ } => {
                COMPARISON.to_owned()
            }
            ErrorKind::GroupCompared { operator: _ } => {
                "put parentheses around whole comparisons only, and join those with `&&` or `||`"
                    .to_owned()
            }
            ErrorKind::MissingLeft { operator: _ }
            | ErrorKind::MissingRight { operator: _, found: _ } => OPERAND.to_owned(),
            ErrorKind::MissingOperator { left, found } => match found {
                Found::Text(right) if right.starts_with(['\'', '"', '$']) => {
                    format!("write `{} == {right}`", left.trim_matches('`'))
                }
                Found::Text(_) | Found::End => OPERATORS.to_owned(),
            },
            ErrorKind::Negation { found: _, instead } => match instead {
                Some(instead) => format!("write `{instead}`"),
                None => "turn each comparison round: `!=` for `==`, `==` for `!=`".to_owned(),
            },
            ErrorKind::QuoteInLiteral { quote, found: _ } => {
                let other = other_quote(*quote);
                format!("quote a literal that holds {quote} with {other}")
            }
            ErrorKind::ReferenceField { reference: _, step } => fields(&format!("${step}")),
            ErrorKind::ReferenceWithoutField { reference } => fields(reference),
            ErrorKind::ReferenceWithoutStep { reference: _ } => fields("$<step id>"),
            ErrorKind::SingleAmpersand => "write `&&`".to_owned(),
            ErrorKind::SingleEquals => "write `==`".to_owned(),
            ErrorKind::SinglePipe => "write `||`".to_owned(),
            ErrorKind::TooDeep { limit: _ } => {
                "take away parentheses that change nothing, or let a step decide and compare its output"
                    .to_owned()
            }
            ErrorKind::TooLong => "let a step decide and compare its output".to_owned(),
            ErrorKind::TrailingText { expected: _, found: _ } => {
                "join two comparisons with `&&` or `||`, or take the rest away".to_owned()
            }
            ErrorKind::TripleEquals { found: _, instead }
            | ErrorKind::WordOperator { found: _, instead } => format!("write `{instead}`"),
            ErrorKind::UnclosedParenthesis => {
                "write `)` after the last comparison that belongs to it".to_owned()
            }
            ErrorKind::UnclosedQuote { quote } => format!("write {quote} where the literal ends"),
            ErrorKind::UnknownOperator { found } => match meant(found) {
                Some(operator) => format!("write `{operator}`"),
                None => OPERATORS.to_owned(),
            },
            ErrorKind::UnopenedParenthesis => {
                "take it away, or write `(` before the first comparison that belongs to it".to_owned()
            }
            ErrorKind::UnquotedWord { word, reference } => match reference {
                Some(reference) => {
                    format!("write `{reference}` for the step's result, or '{word}' for the text")
                }
                None if is_number(word) => {
                    format!("quote it: '{word}'; it is compared as text, so '10' < '9'")
                }
                None => format!("quote it: '{word}'"),
            },
        }
    }
}

/// Spells the comparison that a bare reference most likely stands for.
pub(crate) fn holds(reference: &str) -> String {
    compared(reference, "==")
}

/// Spells the comparison that a negated reference most likely stands for.
pub(crate) fn fails(reference: &str) -> String {
    compared(reference, "!=")
}

fn compared(reference: &str, operator: &str) -> String {
    if reference.ends_with(".status") {
        format!("{reference} {operator} 'success'")
    } else {
        format!("{reference} {operator} 'some text'")
    }
}

fn fields(step: &str) -> String {
    format!("write `{step}.status` or `{step}.output`")
}

/// Returns the operator that a run of operator characters most likely means.
fn meant(found: &str) -> Option<&'static str> {
    match found {
        "!" | "<>" | "=!" | "><" => Some("!="),
        "<<" => Some("<"),
        ">>" => Some(">"),
        _ if found.bytes().all(|b| b == b'&') => Some("&&"),
        _ if found.bytes().all(|b| b == b'|') => Some("||"),
        _ if found.bytes().all(|b| b == b'=') => Some("=="),
        _ => None,
    }
}

fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix(['-', '+']).unwrap_or(word);
    digits.starts_with(|c: char| c.is_ascii_digit())
}

fn other_quote(quote: char) -> char {
    if quote == '\'' { '"' } else { '\'' }
}
