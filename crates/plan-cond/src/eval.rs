//! The truth of a condition, given what its references stand for. Every comparison is of text.

use crate::ast::{CmpOp, Comparison, Cond, Operand, Value};

impl<R> Cond<R> {
    /// Decides the condition. `&&` and `||` stop at the first side that decides (ruling 14), so the
    /// references of the other sides are not looked up. Allocates nothing.
    ///
    /// Text is compared by Unicode code point: `"10" < "9"` holds.
    ///
    /// # Errors
    /// The first error of `lookup`.
    pub fn eval<'v, E>(&self, lookup: &mut impl FnMut(&R) -> Result<&'v str, E>) -> Result<bool, E>
    where
        R: 'v,
    {
        match self {
            Self::Or(sides) => {
                for side in sides {
                    if side.eval(lookup)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Self::And(sides) => {
                for side in sides {
                    if !side.eval(lookup)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            Self::Compare(comparison) => comparison.eval(lookup),
        }
    }
}

impl<R> Comparison<R> {
    fn eval<'v, E>(&self, lookup: &mut impl FnMut(&R) -> Result<&'v str, E>) -> Result<bool, E>
    where
        R: 'v,
    {
        let left = self.left.text(lookup)?;
        let right = self.right.text(lookup)?;
        // `str` orders by its UTF-8 bytes, which is the order of its code points.
        Ok(match self.op {
            CmpOp::Equal => left == right,
            CmpOp::NotEqual => left != right,
            CmpOp::Greater => left > right,
            CmpOp::Less => left < right,
        })
    }
}

impl<R> Operand<R> {
    fn text<'a, 'v: 'a, E>(
        &'a self,
        lookup: &mut impl FnMut(&R) -> Result<&'v str, E>,
    ) -> Result<&'a str, E> {
        match &self.value {
            Value::Reference(reference) => lookup(reference),
            Value::Literal(text) => Ok(text),
        }
    }
}
