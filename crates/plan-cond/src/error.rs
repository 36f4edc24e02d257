//! Why a condition does not parse: data, and one sentence for each kind. Advice is in `hint`.

use alloc::string::String;
use core::{fmt, ops::Range};

/// Why a condition does not parse, and where.
///
/// `Display` is one sentence without its place; [`column`](Self::column) and [`caret`](Self::caret)
/// tell the place, [`hint`](Self::hint) what to write.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind}")]
pub struct ParseError {
    /// The bytes of the condition at fault; empty where something is missing at the end.
    pub span: Range<usize>,
    /// What is wrong.
    pub kind: ErrorKind,
}

impl ParseError {
    /// Returns where the fault starts in `text`, the condition that was parsed: in characters, from 1,
    /// counted from the beginning of the condition.
    pub fn column(&self, text: &str) -> usize {
        let before = text.get(..self.span.start).unwrap_or(text);
        before.chars().count() + 1
    }
}

/// What is wrong with a condition (ruling 15).
///
/// Texts taken from the condition are cut at 40 characters and their control characters escaped.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ErrorKind {
    /// `'it\'s'`: literals have no escapes.
    #[error("a backslash escapes nothing: the literal ends at {quote}, before {found}")]
    BackslashQuote {
        /// The quote after the backslash.
        quote: char,
        /// What follows the literal.
        found: Found,
    },
    /// A literal without an operator.
    #[error("{literal} is compared with nothing")]
    BareLiteral {
        /// The literal, with its quotes.
        literal: String,
    },
    /// `$a.status` without an operator.
    #[error("`{reference}` is compared with nothing")]
    BareReference {
        /// The reference.
        reference: String,
    },
    /// `true`: a word without an operator.
    #[error("`{word}` is no comparison")]
    BareWord {
        /// The word.
        word: String,
    },
    /// `${a.status}`.
    #[error("`{found}` has braces, and references have none")]
    Braces {
        /// What was found.
        found: String,
        /// The reference without its braces.
        instead: String,
    },
    /// `'a' == 'b' == 'c'`.
    #[error("`{operator}` follows a comparison that is already whole")]
    ChainedComparison {
        /// The second operator.
        operator: String,
        /// The text between the two operators.
        middle: String,
    },
    /// `()`.
    #[error("the parentheses are empty")]
    EmptyParentheses,
    /// A quotation mark that is not one of the two.
    #[error("{quote} does not quote a literal")]
    ForeignQuote {
        /// The mark.
        quote: char,
    },
    /// `success()`.
    #[error("`{name}(` calls a function, and conditions have none")]
    FunctionCall {
        /// The word before the parenthesis.
        name: String,
    },
    /// `('a' == 'b') == 'c'`, or `('a') == 'b'`.
    #[error("`{operator}` compares two texts, not what is in parentheses")]
    GroupCompared {
        /// The operator beside the parenthesis.
        operator: String,
    },
    /// No comparison where one has to be.
    #[error("expected a comparison{}, found {found}", After(.after))]
    MissingComparison {
        /// What stands before the gap, if anything does.
        after: Option<&'static str>,
        /// What stands in its place.
        found: Found,
    },
    /// `== 'a'`.
    #[error("expected a reference or a quoted literal before `{operator}`")]
    MissingLeft {
        /// The operator.
        operator: String,
    },
    /// `$a.status 'failed'`.
    #[error("expected `==`, `!=`, `>` or `<` after {left}, found {found}")]
    MissingOperator {
        /// The left side: a reference in backticks, or a literal in its quotes.
        left: String,
        /// What stands in the operator's place.
        found: Found,
    },
    /// `'a' ==`.
    #[error("expected a reference or a quoted literal after `{operator}`, found {found}")]
    MissingRight {
        /// The operator.
        operator: String,
        /// What stands in the operand's place.
        found: Found,
    },
    /// `!x`, or `not x`.
    #[error("`{found}` negates, and conditions have no negation")]
    Negation {
        /// The sign or the word.
        found: String,
        /// The comparison that says the same, where there is one.
        instead: Option<String>,
    },
    /// `>=` or `<=`.
    #[error("`{found}` is not an operator")]
    OrEqual {
        /// The operator found.
        found: &'static str,
        /// Two comparisons that say the same.
        instead: String,
    },
    /// `'it's'`, or `'it''s'`.
    #[error("the literal ends at {quote}, right before {found}")]
    QuoteInLiteral {
        /// The quote that ends it.
        quote: char,
        /// What follows.
        found: Found,
    },
    /// `$a.5`.
    #[error("`{reference}` does not end in the name of a field")]
    ReferenceField {
        /// What was found.
        reference: String,
        /// The step it seems to name.
        step: String,
    },
    /// `$a`.
    #[error("`{reference}` names a step without a field")]
    ReferenceWithoutField {
        /// What was found.
        reference: String,
    },
    /// `$.output`, or `$`.
    #[error("`{reference}` names no step")]
    ReferenceWithoutStep {
        /// What was found.
        reference: String,
    },
    /// `&`.
    #[error("found `&` where `&&` was expected")]
    SingleAmpersand,
    /// `=`.
    #[error("found `=` where `==` was expected")]
    SingleEquals,
    /// `|`.
    #[error("found `|` where `||` was expected")]
    SinglePipe,
    /// Parentheses within parentheses, too many times.
    #[error("parentheses are nested more than {limit} deep")]
    TooDeep {
        /// How deep they may be: [`MAX_DEPTH`](crate::MAX_DEPTH).
        limit: usize,
    },
    /// A text over 4 GiB.
    #[error("the condition is longer than 4 GiB")]
    TooLong,
    /// Something after a whole comparison that joins nothing.
    #[error("expected {expected} after a whole comparison, found {found}")]
    TrailingText {
        /// What may stand there.
        expected: &'static str,
        /// What stands there.
        found: Found,
    },
    /// `===`, or `!==`.
    #[error("`{found}` has one `=` too many")]
    TripleEquals {
        /// The operator found.
        found: &'static str,
        /// The operator meant.
        instead: &'static str,
    },
    /// `(` without its `)`.
    #[error("the parenthesis is never closed")]
    UnclosedParenthesis,
    /// A literal without its end.
    #[error("the literal is never closed: a second {quote} is missing")]
    UnclosedQuote {
        /// The quote that opens it.
        quote: char,
    },
    /// Operator characters that make none.
    #[error("`{found}` is not an operator")]
    UnknownOperator {
        /// The characters found.
        found: String,
    },
    /// `)` without its `(`.
    #[error("`)` closes nothing")]
    UnopenedParenthesis,
    /// A word or a number without quotes.
    #[error("`{word}` is neither quoted nor a reference")]
    UnquotedWord {
        /// What was found.
        word: String,
        /// The reference it would be with a `$`, when it ends in one of the two fields.
        reference: Option<String>,
    },
    /// `and`, `or`, `is`, `eq`, ….
    #[error("`{found}` is not an operator")]
    WordOperator {
        /// The word found.
        found: String,
        /// The operator that means it.
        instead: &'static str,
    },
}

/// What stands where something else was expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// Nothing: the condition ends.
    End,
    /// A word, an operator, a parenthesis or a literal.
    Text(String),
}

impl fmt::Display for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::End => f.write_str("the end of the condition"),
            Self::Text(text) => write!(f, "`{text}`"),
        }
    }
}

struct After<'a>(&'a Option<&'static str>);

impl fmt::Display for After<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(token) => write!(f, " after `{token}`"),
            None => Ok(()),
        }
    }
}
