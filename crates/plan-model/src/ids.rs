//! How a step is numbered inside a plan. Its text id stays with the plan's text.

/// A step's place in its plan, from 0, in file order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepIdx(u32);

impl StepIdx {
    /// Makes the index of the `n`th step, from 0.
    ///
    /// # Panics
    /// When `n` is over `u32::MAX`; a plan text is bounded far below that many steps.
    pub fn new(n: usize) -> Self {
        Self(u32::try_from(n).expect("a plan has fewer than 2^32 steps"))
    }

    /// Returns the place, from 0.
    pub const fn get(self) -> usize {
        self.0 as usize
    }

    pub(crate) const fn from_u32(n: u32) -> Self {
        Self(n)
    }

    pub(crate) const fn as_u32(self) -> u32 {
        self.0
    }
}
