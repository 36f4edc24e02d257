//! The `if` language of a plan: parse, list references, evaluate.
#![no_std]

extern crate alloc;

use alloc::{boxed::Box, vec::Vec};
use core::ops::Range;

/// The two fields a reference can read (spec: References).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// `$<id>.output`: the step's output text.
    Output,
    /// `$<id>.status`: `success`, `failed` or `skipped`.
    Status,
}

impl Field {
    /// Returns the field spelled `name`, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "output" => Some(Self::Output),
            "status" => Some(Self::Status),
            _ => None,
        }
    }

    /// Returns the field's spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Output => "output",
            Self::Status => "status",
        }
    }
}

/// A reference as it is spelled, before anyone knows whether its step exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spelled<'a> {
    /// The step id: what stands between the `$` and the last `.`.
    pub step: &'a str,
    /// What follows the last `.`; any identifier, not only `output` and `status`.
    pub field: &'a str,
}

impl<'a> Spelled<'a> {
    /// Reads `text` as a reference when the whole of it has the shape `$<step id>.<field>` (ruling 5).
    pub fn whole(text: &'a str) -> Option<Self> {
        let _ = text;
        todo!()
    }
}

/// A parsed condition. `R` is how a reference is named: [`Spelled`] after parsing, a resolved index later.
///
/// Depth is bounded by the parser, so walking, dropping and evaluating never overflow the stack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cond<R> {
    /// At least two sides joined by `||`.
    Or(Vec<Cond<R>>),
    /// At least two sides joined by `&&`.
    And(Vec<Cond<R>>),
    /// One comparison of text.
    Compare(Comparison<R>),
}

/// One comparison.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison<R> {
    /// The left side.
    pub left: Operand<R>,
    /// The operator.
    pub op: CmpOp,
    /// The right side.
    pub right: Operand<R>,
}

/// A comparison operator. All of them compare text by Unicode code point (ruling 14).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CmpOp {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `>`
    Greater,
    /// `<`
    Less,
}

/// One side of a comparison, with the bytes of the condition it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand<R> {
    /// What it is.
    pub value: Value<R>,
    /// Where it stands in the condition's text, in bytes.
    pub span: Range<u32>,
}

/// What an operand is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value<R> {
    /// `$<id>.<field>`.
    Reference(R),
    /// A quoted literal, without its quotes.
    Literal(Box<str>),
}

impl<R> Cond<R> {
    /// Visits every reference, left to right, with its span.
    pub fn each_reference<'c>(&'c self, visit: &mut dyn FnMut(&'c R, &Range<u32>)) {
        let _ = visit;
        todo!()
    }

    /// Renames every reference, left to right; the first error ends it.
    pub fn try_map<T, E>(self, rename: &mut dyn FnMut(R) -> Result<T, E>) -> Result<Cond<T>, E> {
        let _ = rename;
        todo!()
    }

    /// Decides the condition. `&&` and `||` stop at the first side that decides (ruling 14). Allocates nothing.
    pub fn eval<'v, E>(&self, lookup: &mut impl FnMut(&R) -> Result<&'v str, E>) -> Result<bool, E>
    where
        R: 'v,
    {
        let _ = lookup;
        todo!()
    }
}

/// Parses a condition. A blank one is `None`, as if absent (ruling 15).
pub fn parse(text: &str) -> Result<Option<Cond<Spelled<'_>>>, ParseError> {
    let _ = text;
    todo!()
}

/// Why a condition does not parse. `Display` is one sentence, no full stop; `hint` says what to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ParseError {
    /// The bytes of the condition at fault.
    pub span: Range<usize>,
}

impl ParseError {
    /// Returns what to write instead.
    pub fn hint(&self) -> alloc::string::String {
        todo!()
    }
}

impl core::fmt::Display for ParseError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("")
    }
}

impl core::error::Error for ParseError {}
