//! `capabilities.filesystem.read_only`: subtrees of the workdir that steps may not write.
//!
//! Judged here by their text alone: where links lead is seen when the session starts.

use std::path::{Component, Path};

use super::fields::{Fields, Section};
use super::lists::Item;
use super::node::brief;

/// Reads the entries of `filesystem`, in file order.
pub(super) fn read_only<'t>(fields: &mut Fields<'t>, filesystem: &Section<'t>) -> Vec<String> {
    let items = fields.items(
        filesystem,
        "read_only",
        "write a path, or leave the item out",
    );
    for item in &items {
        match where_to(&item.text) {
            Where::Below => {}
            Where::Absolute => outside(fields, item, "is absolute"),
            Where::Out => outside(fields, item, "climbs out of the workdir"),
        }
    }
    items.into_iter().map(|item| item.text).collect()
}

fn outside(fields: &mut Fields<'_>, item: &Item<'_>, what: &str) {
    let message = format!("`{}`, `{}`, {what}", item.path, brief(&item.text));
    let hint = "name a path below the workdir, relative to it, such as `tests`";
    fields.fault(item.node, &item.path, message, hint);
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
