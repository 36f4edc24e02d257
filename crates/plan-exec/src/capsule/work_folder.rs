//! The folder a child works in: new and private (docs/roost.md, "Launching the approved child").

use std::{
    io,
    path::{Path, PathBuf},
};

use super::folder::{Folder, random};

/// A child's work folder.
#[derive(Debug)]
pub(super) struct WorkFolder {
    pub(super) path: PathBuf,
    /// By which the child sees that the folder was not swapped.
    pub(super) identity: String,
}

impl WorkFolder {
    /// Makes `children/<name>-<16 random hex digits>` in a session's records directory.
    pub(super) fn make(records_dir: &Path, name: &str) -> Result<Self, String> {
        let make = || {
            let name = format!("{name}-{:016x}", random()?);
            let children = Folder::open(records_dir)?.make_or_enter(CHILDREN)?;
            let identity = children.make(&name)?.identity()?;
            let path = records_dir.join(CHILDREN).join(name);
            Ok(Self { path, identity })
        };
        make().map_err(|error: io::Error| {
            format!(
                "cannot make a work folder in `{}`: {error}",
                records_dir.join(CHILDREN).display()
            )
        })
    }
}

/// The folder of every child in the records directory.
const CHILDREN: &str = "children";
