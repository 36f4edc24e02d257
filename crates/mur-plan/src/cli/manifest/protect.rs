//! `capabilities.filesystem.read_only`: subtrees of the workdir that steps may not write.
//!
//! Judged here by their text alone: where links lead is seen when the session starts.

use std::path::{Component, Path};

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
        let wrong = match where_to(&entry) {
            Where::Below => None,
            Where::Absolute => Some("is absolute"),
            Where::Out => Some("climbs out of it"),
        };
        if let Some(wrong) = wrong {
            let entry = brief(&entry);
            let message =
                format!("`{path}` must be a path below the workdir, and `{entry}` {wrong}");
            fields.fault(item, &path, message, HINT);
        }
        entries.push(entry);
    }
    entries
}

/// Where an entry leads, links left out.
enum Where {
    Below,
    Absolute,
    Out,
}

fn where_to(entry: &str) -> Where {
    let mut depth = 0_usize;
    for component in Path::new(entry).components() {
        match component {
            Component::RootDir | Component::Prefix(_) => return Where::Absolute,
            Component::CurDir => {}
            Component::Normal(_) => depth += 1,
            Component::ParentDir => match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return Where::Out,
            },
        }
    }
    Where::Below
}

const HINT: &str = "name a path below the workdir, relative to it, such as `tests`";
