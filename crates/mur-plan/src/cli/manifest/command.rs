//! `command: [program, argument…]`, as tools and hooks have it.

use super::fields::{Fields, Section};
use super::node::Node;

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// With a `/` relative to the manifest's folder, without one looked up on `PATH`.
    pub name: String,
    /// Its arguments, as they are handed over.
    pub arguments: Vec<String>,
}

/// Reads the `command` of `owner`, which `item` is.
pub(super) fn command<'t>(
    fields: &mut Fields<'t>,
    owner: &Section<'t>,
    item: &'t Node,
) -> Option<Program> {
    let path = owner.path("command");
    let place = owner.get("command").unwrap_or(item);
    let faults = fields.faults.len();
    let mut words = Vec::new();
    for (at, word) in fields.list(owner, "command").iter().enumerate() {
        words.push(
            fields
                .text(word, &format!("{path}[{at}]"))
                .unwrap_or_default(),
        );
    }
    if fields.faults.len() > faults {
        return None;
    }
    let mut words = words.into_iter();
    match words.next() {
        None => {
            let message = format!("`{path}` names no program");
            fields.fault(place, &path, message, HINT);
            None
        }
        Some(name) if name.trim().is_empty() => {
            let message = format!("`{path}[0]`, the program, is blank");
            fields.fault(place, &path, message, HINT);
            None
        }
        Some(name) => Some(Program {
            name,
            arguments: words.collect(),
        }),
    }
}

const HINT: &str = "write `command: [program, argument]`";
