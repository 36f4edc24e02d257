//! The names of a list's items, each its own.

use std::collections::BTreeSet;

use super::fields::{Fields, Section};
use super::node::{Node, brief};

/// Keeps a fault when `name`, the name of the `noun` that `item` is, was given to another one before.
pub(super) fn own_name<'t>(
    fields: &mut Fields<'t>,
    taken: &mut BTreeSet<String>,
    section: &Section<'t>,
    noun: &str,
    name: &str,
    item: &'t Node,
) {
    // A blank one has its own fault.
    if name.is_empty() || taken.insert(name.to_owned()) {
        return;
    }
    let message = format!("two {noun}s are named `{}`", brief(name));
    let hint = format!("give each {noun} a name of its own");
    let named = section.get("name").unwrap_or(item);
    fields.fault(named, &section.path("name"), message, hint);
}
