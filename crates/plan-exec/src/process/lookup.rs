//! Finding the program a bare word names, on the step's own `PATH`.
//!
//! Done here and not by the standard library: it leaves its fast way of starting a process when the environment
//! it is given sets `PATH` and the program is a bare word.

use std::{
    ffi::OsStr,
    fs, io,
    path::{Path, PathBuf},
};

use rustix::{
    fs::{Access, access},
    io::Errno,
};

/// Returns the path to start for `word`: itself when it holds a `/`, else the first executable file of that name.
///
/// A relative entry of `path` is relative to `workdir`, as is an empty one: that is where the program starts.
pub(crate) fn find(word: &OsStr, path: &OsStr, workdir: &Path) -> Result<PathBuf, NotFound> {
    if word.as_encoded_bytes().contains(&b'/') {
        return Ok(word.into());
    }
    if word.is_empty() {
        return Err(NotFound::Nowhere);
    }
    let mut refused = None;
    for folder in std::env::split_paths(path) {
        let candidate = workdir.join(folder).join(word);
        match executable(&candidate) {
            Ok(true) => return Ok(candidate),
            Ok(false) => {}
            Err(_) => refused = refused.or(Some(candidate)),
        }
    }
    Err(refused.map_or(NotFound::Nowhere, NotFound::Refused))
}

/// Returns the file that `word` names, found as [`crate::ShellCommands`] finds a step's program: on `path`, whose
/// relative entries are relative to `workdir`, unless it holds a `/`. `None` where there is none to start.
pub fn find_program(word: &OsStr, path: &OsStr, workdir: &Path) -> Option<PathBuf> {
    find(word, path, workdir).ok()
}

/// Why there is nothing to start.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotFound {
    /// No entry of `PATH` has a file of that name.
    #[error("not found on PATH")]
    Nowhere,
    /// This one has, but it cannot be executed.
    #[error("`{}` is not executable", .0.display())]
    Refused(PathBuf),
}

/// Returns whether there is an executable file; fails when there is a file that is none.
fn executable(candidate: &Path) -> io::Result<bool> {
    let is_file = || fs::metadata(candidate).is_ok_and(|metadata| metadata.is_file());
    match access(candidate, Access::EXEC_OK) {
        Ok(()) => Ok(is_file()),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(false),
        Err(error) if is_file() => Err(error.into()),
        Err(_) => Ok(false),
    }
}
