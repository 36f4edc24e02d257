//! Where records live: `<home>/records/<workdir>/<session>/`, each level for its owner alone.

use std::{
    ffi::OsStr,
    fs, io,
    os::unix::fs::DirBuilderExt,
    path::{Component, Path, PathBuf},
};

use rustix::{
    fd::OwnedFd,
    fs::{CWD, Mode, OFlags},
    io::Errno,
};

use crate::id::SessionId;

/// The trace's name in the directory of its session.
pub const TRACE_FILE: &str = "trace.jsonl";

/// A directory for records that could not be made.
#[derive(Debug, thiserror::Error)]
#[error("cannot make the records directory `{}`: {error}", path.display())]
pub struct RecordsError {
    /// The level at fault.
    pub path: PathBuf,
    /// The error of the operating system; for a link in the way, that it is no directory.
    pub error: io::Error,
}

/// Returns the directory that holds the records of every session in `workdir`, which is an absolute path:
/// `<home>/records/<workdir without its leading />` (trace.md).
pub fn records_dir(home: &Path, workdir: &Path) -> PathBuf {
    let mut dir = home.join(RECORDS);
    dir.extend(levels(workdir));
    dir
}

/// Makes the directory of one session's records, with every level above it that is missing, and returns it.
///
/// Made levels have mode 0700. Below `home` no link is followed: one in the way is an error.
pub fn create_session_dir(
    home: &Path,
    workdir: &Path,
    session: SessionId,
) -> Result<PathBuf, RecordsError> {
    let at = |path: &Path, error: io::Error| RecordsError {
        path: path.to_owned(),
        error,
    };
    fs::DirBuilder::new()
        .recursive(true)
        .mode(0o700)
        .create(home)
        .map_err(|error| at(home, error))?;
    let mut open =
        open_dir(CWD, home.as_os_str(), OFlags::empty()).map_err(|errno| at(home, errno.into()))?;
    let mut path = home.to_owned();
    let session = session.to_string();
    let names = [OsStr::new(RECORDS)]
        .into_iter()
        .chain(levels(workdir))
        .chain([OsStr::new(&session)]);
    for name in names {
        path.push(name);
        open = make_level(&open, name).map_err(|errno| at(&path, errno.into()))?;
    }
    Ok(path)
}

const RECORDS: &str = "records";

/// Returns the names of a path from the root down, `.` and `..` resolved by name alone, never above the root.
fn levels(path: &Path) -> Vec<&OsStr> {
    let mut names = Vec::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => names.push(name),
            Component::ParentDir => {
                names.pop();
            }
            Component::Prefix(_) | Component::RootDir | Component::CurDir => {}
        }
    }
    names
}

fn make_level(parent: &OwnedFd, name: &OsStr) -> Result<OwnedFd, Errno> {
    match rustix::fs::mkdirat(parent, name, Mode::RWXU) {
        Ok(()) | Err(Errno::EXIST) => {}
        Err(errno) => return Err(errno),
    }
    open_dir(parent, name, OFlags::NOFOLLOW)
}

fn open_dir(parent: impl rustix::fd::AsFd, name: &OsStr, follow: OFlags) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | follow;
    rustix::fs::openat(parent, name, flags, Mode::empty())
}
