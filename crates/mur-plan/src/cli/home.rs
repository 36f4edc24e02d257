//! A session's folders under `<home>`: made, and put away at its end. What goes into them is left to others.
//!
//! ```text
//! <home>/sessions/<ses_id>/runtime/     removed at the end; plans/, outputs/
//! <home>/records/<workdir>/<ses_id>/    stays; trace.jsonl, home/, tmp/
//! ```

use std::{
    fs::{self, DirBuilder, File},
    io,
    os::{fd::OwnedFd, unix::fs::DirBuilderExt},
    path::{Path, PathBuf},
};

use nix::errno::Errno;
use plan_trace::{RecordsError, SessionId, TRACE_FILE};

/// The folders of one session.
#[derive(Debug)]
pub(crate) struct SessionFolders {
    /// `<home>/sessions/<ses_id>`.
    session: PathBuf,
    /// Where plans and whole outputs are kept while the session lasts.
    pub(crate) runtime: PathBuf,
    /// What stays: the trace, the commands' home and temporary folder.
    pub(crate) records: PathBuf,
}

/// A folder that could not be made, read, moved or removed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FolderError {
    #[error("cannot {operation} `{}`: {source}", path.display())]
    Io {
        operation: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error(transparent)]
    Records(#[from] RecordsError),
}

impl FolderError {
    /// Returns what to do about one that could not be made.
    pub(crate) fn hint(&self) -> &'static str {
        let system = match self {
            Self::Io { source, .. } => source,
            Self::Records(records) => &records.error,
        };
        match system.raw_os_error().map(Errno::from_raw) {
            Some(Errno::EMFILE | Errno::ENFILE) => {
                "let this process open more files at once, as by `ulimit -n 1024`"
            }
            Some(Errno::ENOSPC | Errno::EDQUOT) => {
                "make room, or name a folder on another disk with `--home DIR`"
            }
            Some(_) | None => "name a folder you may write to with `--home DIR`",
        }
    }
}

/// What is kept whole in the runtime directory because a step's output was cut.
const KEPT: [&str; 2] = ["outputs", "delegations"];

impl SessionFolders {
    /// Makes the folders of the session `id` that works in `workdir`, an absolute path.
    pub(crate) fn make(home: &Path, workdir: &Path, id: SessionId) -> Result<Self, FolderError> {
        let session = home.join("sessions").join(id.to_string());
        let runtime = session.join("runtime");
        let records = plan_trace::create_session_dir(home, workdir, id)?;
        let folders = Self {
            session,
            runtime,
            records,
        };
        make_private(&folders.runtime)?;
        make_private(&folders.command_home())?;
        make_private(&folders.command_tmp())?;
        Ok(folders)
    }

    /// Returns what commands see as `HOME`.
    pub(crate) fn command_home(&self) -> PathBuf {
        self.records.join("home")
    }

    /// Returns what commands see as `TMPDIR`.
    pub(crate) fn command_tmp(&self) -> PathBuf {
        self.records.join("tmp")
    }

    /// Returns where the trace goes.
    pub(crate) fn trace(&self) -> PathBuf {
        self.records.join(TRACE_FILE)
    }

    /// Opens the runtime directory.
    pub(crate) fn open_runtime(&self) -> Result<OwnedFd, FolderError> {
        let opened = File::open(&self.runtime);
        Ok(opened
            .map_err(|source| failed("open", &self.runtime, source))?
            .into())
    }

    /// Moves what was kept whole to the records and removes the rest. Returns the files moved.
    ///
    /// What cannot be moved is not removed: the error says where it still is.
    pub(crate) fn put_away(self) -> Result<Vec<PathBuf>, FolderError> {
        let mut kept = Vec::new();
        for name in KEPT {
            let from = self.runtime.join(name);
            let to = self.records.join(name);
            match fs::symlink_metadata(&from) {
                Ok(found) if found.is_dir() => {}
                // A step may put anything there. What is no folder keeps nothing, and a link is not followed.
                Ok(_) => continue,
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(source) => return Err(failed("look at", &from, source)),
            }
            fs::rename(&from, &to)
                .map_err(|source| failed("move to the records", &from, source))?;
            list_files(to, &mut kept)?;
        }
        fs::remove_dir_all(&self.session)
            .map_err(|source| failed("remove", &self.session, source))?;
        kept.sort();
        Ok(kept)
    }
}

/// Makes a folder and every missing one above it, readable by this user alone.
fn make_private(path: &Path) -> Result<(), FolderError> {
    let made = DirBuilder::new().recursive(true).mode(0o700).create(path);
    made.map_err(|source| failed("make", path, source))
}

fn list_files(folder: PathBuf, files: &mut Vec<PathBuf>) -> Result<(), FolderError> {
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).map_err(|source| failed("list", &folder, source))?;
        for entry in entries {
            let entry = entry.map_err(|source| failed("list", &folder, source))?;
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                Ok(kind) if kind.is_file() => files.push(entry.path()),
                // A step may have put links, pipes and sockets there: they keep nothing.
                Ok(_) => {}
                Err(source) => return Err(failed("look at", &entry.path(), source)),
            }
        }
    }
    Ok(())
}

fn failed(operation: &'static str, path: &Path, source: io::Error) -> FolderError {
    FolderError::Io {
        operation,
        path: path.to_owned(),
        source,
    }
}
