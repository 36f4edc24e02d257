//! One choice of values for the variables of a command.

use super::{
    expand::expand,
    word::{Change, Word},
};
use crate::gate::protected_path::arg::Arg;

/// The variables that a command names, each with a value to be tried.
pub(super) struct Choice<'c> {
    pub(super) names: &'c [(&'c str, &'c Change)],
    pub(super) values: &'c [Vec<Option<Arg>>],
    /// Which value of each.
    pub(super) picked: Vec<usize>,
}

impl Choice<'_> {
    fn value(&self, name: &str, change: &Change) -> Option<&Arg> {
        let index = self
            .names
            .iter()
            .position(|known| *known == (name, change))?;
        self.values[index][self.picked[index]].as_ref()
    }

    pub(super) fn expand(&self, word: &Word, home: &str) -> Vec<Arg> {
        expand(word, home, &|name, change| self.value(name, change))
    }
}
