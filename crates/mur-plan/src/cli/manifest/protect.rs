//! `capabilities.filesystem.read_only`: subtrees of the workdir that steps may not write.
//!
//! Judged here by their text alone: where links lead is seen when the session starts.

use plan_exec::ReadOnlyFault;

use super::fields::{Fields, Section};
use super::node::brief;

/// Reads the entries of `filesystem`, in file order.
pub(super) fn read_only<'t>(fields: &mut Fields<'t>, filesystem: &Section<'t>) -> Vec<String> {
    let list = filesystem.path("read_only");
    let mut entries = Vec::new();
    for (at, item) in fields.list(filesystem, "read_only").iter().enumerate() {
        let path = format!("{list}[{at}]");
        let Some(entry) = fields.item_text(item, &path, HINT) else {
            continue;
        };
        if let Some(fault) = ReadOnlyFault::of_text(&entry) {
            let entry = brief(&entry);
            let message =
                format!("`{path}` must be a path below the workdir, and `{entry}` {fault}");
            fields.fault(item, &path, message, HINT);
        }
        entries.push(entry);
    }
    entries
}

const HINT: &str = "name a path below the workdir, relative to it, such as `tests`";
