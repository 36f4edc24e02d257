//! The kernel's side of a control group: directories made and removed, files read and written, a signal sent.

use std::{
    ffi::OsString,
    fmt, fs,
    io::{self, Write as _},
    os::fd::OwnedFd,
    path::Path,
};

use rustix::process::{Pid, Signal, kill_process};

/// What is asked of a hierarchy; a test answers in the kernel's place.
pub(super) trait Kernel: fmt::Debug + Send + Sync {
    /// Reads a whole file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// Writes `value` to a file that exists, in one write: a control file takes a command per write.
    fn write(&self, path: &Path, value: &str) -> io::Result<()>;
    /// Opens a file that exists for writing. It is closed when a program is executed.
    fn open(&self, path: &Path) -> io::Result<OwnedFd>;
    /// Makes a directory.
    fn make(&self, dir: &Path) -> io::Result<()>;
    /// Removes a directory; what the kernel shows in it goes along.
    fn remove(&self, dir: &Path) -> io::Result<()>;
    /// Returns the names of the directories in `dir`.
    fn folders(&self, dir: &Path) -> io::Result<Vec<OsString>>;
    /// Sends SIGKILL to one process.
    fn kill(&self, pid: Pid);
}

/// The kernel this process runs on.
#[derive(Debug)]
pub(super) struct ThisKernel;

impl Kernel for ThisKernel {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        fs::read(path)
    }

    fn write(&self, path: &Path, value: &str) -> io::Result<()> {
        let mut file = fs::OpenOptions::new().write(true).open(path)?;
        file.write_all(value.as_bytes())
    }

    fn open(&self, path: &Path) -> io::Result<OwnedFd> {
        let file = fs::OpenOptions::new().write(true).open(path)?;
        Ok(file.into())
    }

    fn make(&self, dir: &Path) -> io::Result<()> {
        fs::create_dir(dir)
    }

    fn remove(&self, dir: &Path) -> io::Result<()> {
        fs::remove_dir(dir)
    }

    fn folders(&self, dir: &Path) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in fs::read_dir(dir)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                names.push(entry.file_name());
            }
        }
        Ok(names)
    }

    fn kill(&self, pid: Pid) {
        // It may have exited since it was listed.
        _ = kill_process(pid, Signal::KILL);
    }
}
