//! Where a session's steps work.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use super::{manifest::Manifest, refusal::Refusal};

/// Returns the workdir as an absolute path without links, under which its records are filed: what was named, else
/// the manifest's folder.
pub(super) fn workdir(named: Option<&Path>, manifest: &Manifest) -> Result<PathBuf, Refusal> {
    let path = named.unwrap_or_else(|| manifest.folder());
    let found = fs::canonicalize(path).and_then(|found| {
        if fs::metadata(&found)?.is_dir() {
            Ok(found)
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    });
    found.map_err(|error| {
        let message = format!("cannot work in `{}`: {error}", path.display());
        Refusal::new(message, WORKDIR_HINT)
    })
}

/// What a person writes where the workdir is of no use.
pub(super) const WORKDIR_HINT: &str = "name an existing folder with `--workdir DIR`";
