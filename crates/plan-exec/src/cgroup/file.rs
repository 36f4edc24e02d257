//! Control files: what is done with them, and the error that says what could not be done, where and why.

use std::{
    ffi::OsString,
    fmt, io,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    sync::Arc,
};

use rustix::{io::Errno, process::Pid};

use super::kernel::{Kernel, ThisKernel};

/// The files of a hierarchy. Cloning it is cheap.
#[derive(Debug, Clone)]
pub(crate) struct Files(Arc<dyn Kernel>);

impl Files {
    /// Returns the files of the kernel this process runs on.
    pub(crate) fn of_this_host() -> Self {
        Self::of(ThisKernel)
    }

    pub(super) fn of(kernel: impl Kernel + 'static) -> Self {
        Self(Arc::new(kernel))
    }

    pub(super) fn read(&self, path: &Path) -> Result<String, FileError> {
        let bytes = self.0.read(path);
        // The kernel writes ASCII; what is no text is no word that anybody looks for.
        let text = bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        text.map_err(|error| FileError::new(Operation::Read, path, error))
    }

    pub(super) fn write(&self, path: &Path, value: &str) -> Result<(), FileError> {
        self.0
            .write(path, value)
            .map_err(|error| FileError::writing(path, value, error))
    }

    pub(super) fn open(&self, path: &Path) -> Result<OwnedFd, FileError> {
        self.0
            .open(path)
            .map_err(|error| FileError::new(Operation::Open, path, error))
    }

    pub(super) fn make(&self, dir: &Path) -> Result<(), FileError> {
        self.0
            .make(dir)
            .map_err(|error| FileError::new(Operation::Make, dir, error))
    }

    pub(super) fn remove(&self, dir: &Path) -> Result<(), FileError> {
        self.0
            .remove(dir)
            .map_err(|error| FileError::new(Operation::Remove, dir, error))
    }

    pub(super) fn folders(&self, dir: &Path) -> Result<Vec<OsString>, FileError> {
        self.0
            .folders(dir)
            .map_err(|error| FileError::new(Operation::List, dir, error))
    }

    pub(super) fn kill(&self, pid: Pid) {
        self.0.kill(pid);
    }

    /// Returns the processes of the cgroup `dir`, those below it not included, save those this process cannot
    /// see (another PID namespace shows them as 0).
    pub(super) fn processes(&self, dir: &Path) -> Result<Vec<Pid>, FileError> {
        let text = self.read(&dir.join(PROCS))?;
        let pids = text.lines().filter_map(|line| line.trim().parse().ok());
        Ok(pids.filter_map(Pid::from_raw).collect())
    }
}

/// What could not be done to a file or directory of a hierarchy.
#[derive(Debug, thiserror::Error)]
#[error("cannot {operation} `{}`: {error}", path.display())]
pub(crate) struct FileError {
    operation: Operation,
    path: PathBuf,
    error: io::Error,
}

impl FileError {
    fn new(operation: Operation, path: &Path, error: io::Error) -> Self {
        Self {
            operation,
            path: path.into(),
            error,
        }
    }

    /// Makes the error of reading a file outside the hierarchy.
    pub(super) fn reading(path: &Path, error: io::Error) -> Self {
        Self::new(Operation::Read, path, error)
    }

    /// Makes the error of a write that the kernel took and that had to be taken back.
    pub(super) fn writing(path: &Path, value: &str, error: io::Error) -> Self {
        Self::new(Operation::Write(value.into()), path, error)
    }

    /// Returns the kernel's number for it, if the kernel gave one.
    pub(crate) fn errno(&self) -> Option<Errno> {
        Errno::from_io_error(&self.error)
    }

    /// Returns whether there is no such file: an ability this kernel lacks, or a cgroup that is gone.
    ///
    /// A file that was opened before its cgroup went says ENODEV.
    pub(super) fn is_missing(&self) -> bool {
        matches!(self.errno(), Some(Errno::NOENT | Errno::NODEV))
    }
}

/// What was attempted.
#[derive(Debug)]
enum Operation {
    Read,
    Write(String),
    Open,
    Make,
    Remove,
    List,
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Read => f.write_str("read"),
            Self::Write(value) => write!(f, "write `{value}` to"),
            Self::Open => f.write_str("open"),
            Self::Make => f.write_str("make the cgroup"),
            Self::Remove => f.write_str("remove the cgroup"),
            Self::List => f.write_str("list the cgroup"),
        }
    }
}

/// The file that lists a cgroup's processes and takes in another one.
pub(super) const PROCS: &str = "cgroup.procs";
