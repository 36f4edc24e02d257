//! A set of steps that gives its lowest member fast. What the members wait for is left to `ready`.

use alloc::{vec, vec::Vec};
use plan_model::StepIdx;

/// A set of steps as a tree of bit words: a bit of a level says whether the word below it has any bit set.
///
/// A word serves 64 steps, so a million steps make four levels, and finding, adding and removing touch one
/// word of each at most. Nothing is allocated before the first member.
#[derive(Debug, Clone)]
pub(crate) struct Lowest {
    /// How many steps the plan has.
    capacity: usize,
    /// How many members there are.
    len: usize,
    /// The levels one after the other, the members' own bits first.
    words: Vec<u64>,
    /// Where each level starts in `words`.
    starts: [usize; MAX_LEVELS],
    /// How many levels are in use.
    levels: usize,
}

impl Lowest {
    pub(crate) fn new(capacity: usize) -> Self {
        Self {
            capacity,
            len: 0,
            words: Vec::new(),
            starts: [0; MAX_LEVELS],
            levels: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn first(&self) -> Option<StepIdx> {
        if self.len == 0 {
            return None;
        }
        let mut at = 0;
        for level in (0..self.levels).rev() {
            let word = self.words[self.starts[level] + at];
            at = (at << SHIFT) + word.trailing_zeros() as usize;
        }
        Some(StepIdx::new(at))
    }

    /// Adds a step that is not a member.
    pub(crate) fn insert(&mut self, step: StepIdx) {
        if self.words.is_empty() {
            self.allocate();
        }
        self.len += 1;
        let mut at = step.get();
        for level in 0..self.levels {
            let word = &mut self.words[self.starts[level] + (at >> SHIFT)];
            let was_empty = *word == 0;
            *word |= 1 << (at & MASK);
            if !was_empty {
                break;
            }
            at >>= SHIFT;
        }
    }

    /// Removes a member; nothing happens when `clear` has removed it before.
    pub(crate) fn remove(&mut self, step: StepIdx) {
        if self.len == 0 {
            return;
        }
        self.len -= 1;
        let mut at = step.get();
        for level in 0..self.levels {
            let word = &mut self.words[self.starts[level] + (at >> SHIFT)];
            *word &= !(1 << (at & MASK));
            if *word != 0 {
                break;
            }
            at >>= SHIFT;
        }
    }

    /// Removes every member.
    pub(crate) fn clear(&mut self) {
        *self = Self::new(self.capacity);
    }

    fn allocate(&mut self) {
        let mut total = 0;
        let mut bits = self.capacity;
        while self.levels == 0 || bits > 1 {
            self.starts[self.levels] = total;
            self.levels += 1;
            bits = bits.div_ceil(1 << SHIFT);
            total += bits;
        }
        self.words = vec![0; total];
    }
}

/// A word has 2^6 bits.
const SHIFT: usize = 6;
const MASK: usize = (1 << SHIFT) - 1;
/// Six levels of 64 cover every `StepIdx`, which has 32 bits.
const MAX_LEVELS: usize = 6;

#[cfg(test)]
mod tests {
    use super::{Lowest, StepIdx};
    use alloc::collections::BTreeSet;

    /// decision: order of choices (the lowest step in file order goes first).
    #[test]
    fn it_agrees_with_an_ordered_set_at_every_depth_of_the_tree() {
        for capacity in [1, 2, 63, 64, 65, 4095, 4096, 4097, 300_000] {
            let mut set = Lowest::new(capacity);
            let mut expected = BTreeSet::new();
            let mut seed = 1_u64;
            for round in 0..4_000 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let member = (seed >> 33) as usize % capacity;
                let step = StepIdx::new(member);
                if round % 3 == 2 || expected.contains(&member) {
                    let gone = if expected.remove(&member) {
                        Some(step)
                    } else {
                        set.first()
                    };
                    if let Some(gone) = gone {
                        expected.remove(&gone.get());
                        set.remove(gone);
                    }
                } else {
                    expected.insert(member);
                    set.insert(step);
                }
                assert_eq!(set.first().map(StepIdx::get), expected.first().copied());
                assert_eq!(set.len(), expected.len());
            }
            while let Some(first) = set.first() {
                assert!(expected.remove(&first.get()));
                set.remove(first);
            }
            assert!(expected.is_empty());
        }
    }
}
