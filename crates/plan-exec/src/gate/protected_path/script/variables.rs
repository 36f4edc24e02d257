//! The variables of a script, as far as it sets them itself to what can be read.

use std::{collections::HashMap, rc::Rc};

use super::word::Change;
use crate::gate::protected_path::arg::Arg;

/// What each variable may hold. Cheap to copy.
#[derive(Debug, Clone, Default)]
pub(super) struct Variables(Rc<HashMap<String, Vec<Arg>>>);

impl Variables {
    /// Notes that `name` may hold `values`, and nothing else any more if `replaces`.
    ///
    /// Past the bounds a variable is one that is not known.
    pub(super) fn set(&mut self, name: &str, values: Vec<Arg>, replaces: bool) {
        let variables = Rc::make_mut(&mut self.0);
        if !variables.contains_key(name) && variables.len() >= NAMES_MAX {
            return;
        }
        let known = variables.entry(name.to_owned()).or_default();
        if replaces {
            known.clear();
        }
        for value in values {
            if known.len() < VALUES_MAX
                && value.as_str().len() <= VALUE_MAX
                && !known.contains(&value)
            {
                known.push(value);
            }
        }
    }

    /// Forgets what `name` may hold.
    pub(super) fn forget(&mut self, name: &str) {
        if self.0.contains_key(name) {
            Rc::make_mut(&mut self.0).remove(name);
        }
    }

    /// Returns what `name` may hold after `change`, `None` in it for what is not known.
    pub(super) fn get(&self, name: &str, change: &Change) -> Vec<Option<Arg>> {
        let mut values: Vec<Option<Arg>> = match self.0.get(name) {
            Some(known) if !known.is_empty() => known.iter().cloned().map(Some).collect(),
            // What is not set is nothing; what the environment sets is not known.
            _ => vec![None, Some(Arg::default())],
        };
        if let Change::Or(text) = change {
            let text = text.trim_matches(['"', '\'']);
            let known = !text.contains(['$', '`', '\\', '"', '\'']);
            values.push(known.then(|| Arg::plain(text)));
        }
        values
    }
}

/// The variables followed.
const NAMES_MAX: usize = 256;

/// The values of a variable followed.
const VALUES_MAX: usize = 16;

/// The bytes of a value followed: no path is longer.
const VALUE_MAX: usize = 4096;
