//! Writes a tree back as a condition, with no more parentheses than it needs.

use core::fmt::{self, Display, Formatter};

use crate::ast::{CmpOp, Comparison, Cond, Operand, Value};

impl<R: Display> Display for Cond<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Self::Or(sides) => joined(f, sides, " || ", |side| match side {
                // The parser never puts an `Or` right inside an `Or`, save where parentheses did.
                Self::Or(_) => true,
                Self::And(_) | Self::Compare(_) => false,
            }),
            Self::And(sides) => joined(f, sides, " && ", |side| match side {
                Self::Or(_) | Self::And(_) => true,
                Self::Compare(_) => false,
            }),
            Self::Compare(comparison) => comparison.fmt(f),
        }
    }
}

fn joined<R: Display>(
    f: &mut Formatter<'_>,
    sides: &[Cond<R>],
    joint: &str,
    in_parentheses: impl Fn(&Cond<R>) -> bool,
) -> fmt::Result {
    for (n, side) in sides.iter().enumerate() {
        if n > 0 {
            f.write_str(joint)?;
        }
        if in_parentheses(side) {
            write!(f, "({side})")?;
        } else {
            side.fmt(f)?;
        }
    }
    Ok(())
}

impl<R: Display> Display for Comparison<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.left, self.op, self.right)
    }
}

impl Display for CmpOp {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(self.spelling())
    }
}

impl<R: Display> Display for Operand<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.value {
            Value::Reference(reference) => reference.fmt(f),
            // A parsed literal holds at most one of the two quotes: not its own.
            Value::Literal(text) if text.contains('\'') => write!(f, "\"{text}\""),
            Value::Literal(text) => write!(f, "'{text}'"),
        }
    }
}
