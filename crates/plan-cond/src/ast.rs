//! The tree of a condition. How it is written is left to `parse` and `print`.

use alloc::{boxed::Box, vec::Vec};
use core::ops::Range;

/// A parsed condition. `R` is how a reference is named: [`Spelled`](crate::Spelled) after parsing, a
/// resolved index later.
///
/// Depth is bounded by the parser ([`MAX_DEPTH`](crate::MAX_DEPTH)), and length is a vector, so
/// walking, dropping and evaluating never overflow the stack. `Display` writes a condition that
/// parses to the same tree, its spans apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cond<R> {
    /// At least two sides joined by `||`.
    Or(Vec<Self>),
    /// At least two sides joined by `&&`.
    And(Vec<Self>),
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
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

impl CmpOp {
    /// Returns the operator's spelling.
    pub const fn spelling(self) -> &'static str {
        match self {
            Self::Equal => "==",
            Self::NotEqual => "!=",
            Self::Greater => ">",
            Self::Less => "<",
        }
    }
}

/// One side of a comparison, with the bytes of the condition it came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operand<R> {
    /// What it is.
    pub value: Value<R>,
    /// Where it stands in the condition's text, in bytes; a literal's quotes are in it.
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
        match self {
            Self::Or(sides) | Self::And(sides) => {
                for side in sides {
                    side.each_reference(visit);
                }
            }
            Self::Compare(comparison) => {
                for operand in [&comparison.left, &comparison.right] {
                    match &operand.value {
                        Value::Reference(reference) => visit(reference, &operand.span),
                        Value::Literal(_) => {}
                    }
                }
            }
        }
    }

    /// Renames every reference, left to right; the first error ends it.
    pub fn try_map<T, E>(self, rename: &mut dyn FnMut(R) -> Result<T, E>) -> Result<Cond<T>, E> {
        Ok(match self {
            Self::Or(sides) => Cond::Or(try_map_each(sides, rename)?),
            Self::And(sides) => Cond::And(try_map_each(sides, rename)?),
            Self::Compare(comparison) => Cond::Compare(Comparison {
                left: comparison.left.try_map(rename)?,
                op: comparison.op,
                right: comparison.right.try_map(rename)?,
            }),
        })
    }
}

fn try_map_each<R, T, E>(
    sides: Vec<Cond<R>>,
    rename: &mut dyn FnMut(R) -> Result<T, E>,
) -> Result<Vec<Cond<T>>, E> {
    let sides = sides.into_iter().map(|side| side.try_map(&mut *rename));
    sides.collect()
}

impl<R> Operand<R> {
    fn try_map<T, E>(self, rename: &mut dyn FnMut(R) -> Result<T, E>) -> Result<Operand<T>, E> {
        let value = match self.value {
            Value::Reference(reference) => Value::Reference(rename(reference)?),
            Value::Literal(literal) => Value::Literal(literal),
        };
        Ok(Operand {
            value,
            span: self.span,
        })
    }
}
