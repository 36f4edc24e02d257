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

/// Refuses a workdir that lies in one of the folders the runtime keeps for itself: no step could write there.
pub(super) fn ensure_outside(workdir: &Path, own: &[PathBuf]) -> Result<(), Refusal> {
    // A folder that is not there yet holds no workdir.
    let resolved = own
        .iter()
        .filter_map(|folder| fs::canonicalize(folder).ok());
    match resolved
        .into_iter()
        .find(|folder| workdir.starts_with(folder))
    {
        None => Ok(()),
        Some(folder) => Err(Refusal::new(
            format!(
                "cannot work in `{}`: it lies in `{}`, where sessions are kept and no step may write",
                workdir.display(),
                folder.display()
            ),
            "name another folder with `--workdir DIR`, or keep sessions elsewhere with `--home DIR`",
        )),
    }
}

/// What a person writes where the workdir is of no use.
pub(super) const WORKDIR_HINT: &str = "name an existing folder with `--workdir DIR`";
