//! `completion.json`: what a cancel leaves in an ended child's records (docs/roost.md, "Ending a child").

use std::path::Path;

use serde::Serialize;

use super::folder::Folder;

/// A delegation that the parent ended. The keys stand in this order.
#[derive(Debug, Serialize)]
pub(super) struct Completion<'a> {
    pub(super) delegation_id: &'a str,
    pub(super) capsule_name: &'a str,
    pub(super) capsule_version: &'a str,
    pub(super) session_id: &'a str,
    status: &'static str,
    workdir: &'a str,
    duration_ms: u64,
    detail: &'static str,
    reported_by: &'static str,
    delivered: bool,
}

impl<'a> Completion<'a> {
    /// Describes the delegation of `capsule`, a name and a version, that ran for `duration_ms`.
    pub(super) const fn new(
        delegation_id: &'a str,
        (capsule_name, capsule_version): (&'a str, &'a str),
        session_id: &'a str,
        workdir: &'a str,
        duration_ms: u64,
    ) -> Self {
        Self {
            delegation_id,
            capsule_name,
            capsule_version,
            session_id,
            status: "terminated",
            workdir,
            duration_ms,
            detail: "the parent ended this delegation",
            reported_by: "launcher",
            delivered: false,
        }
    }

    /// Writes it to the child's records directory. A directory that is not there any more keeps nothing.
    pub(super) fn write(&self, records_dir: &Path) -> std::io::Result<()> {
        let text = serde_json::to_vec_pretty(self).expect("texts and numbers are JSON");
        Folder::open(records_dir)?.replace("completion.json", &text)
    }
}
