//! Which file is the manifest of a plan.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Returns the manifest to read for the plan at `plan`, `None` where there is none (spec: The command).
///
/// That is `explicit`, else `murmur.yaml` beside the plan, else `murmur.yaml` in the current directory. A plan
/// without a path (standard input) has nothing beside it. A file that is there and cannot be read is still the
/// one: reading it says what is wrong.
pub fn find_manifest(plan: Option<&Path>, explicit: Option<&Path>) -> Option<PathBuf> {
    if let Some(explicit) = explicit {
        return Some(explicit.to_owned());
    }
    let beside = plan.map(|plan| plan.with_file_name(NAME));
    beside
        .into_iter()
        .chain([PathBuf::from(NAME)])
        .find(|path| is_there(path))
}

fn is_there(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(_) => true,
        Err(error) => !matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory),
    }
}

const NAME: &str = "murmur.yaml";
