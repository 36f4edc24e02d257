//! `plans/plan-<n>.json` in the runtime directory: numbered, written, read back (spec: Shape).
//!
//! Everything goes through open directories, so that no link planted under the runtime directory is followed.

use std::{
    ffi::OsStr,
    fs::File,
    io::{self, Read, Write},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

use nix::{
    dir::Dir,
    errno::Errno,
    fcntl::{OFlag, openat, renameat},
    sys::stat::{Mode, mkdirat},
    unistd::{UnlinkatFlags, unlinkat},
};

/// The folder of plan files in the runtime directory.
const FOLDER: &str = "plans";

/// Writes and reads back the plan files of one session.
#[derive(Debug)]
pub(crate) struct PlanFiles {
    folder: OwnedFd,
    next: u32,
}

/// Why a plan file could not be written or read back.
#[derive(Debug, thiserror::Error)]
#[error("cannot {operation} `{path}` in the runtime directory: {source}")]
pub struct PlanFileError {
    operation: &'static str,
    path: String,
    source: io::Error,
}

impl PlanFiles {
    /// Opens `plans/` beneath the runtime directory, making it (mode 0700) when it is not there.
    pub(crate) fn open(runtime_dir: BorrowedFd<'_>) -> Result<Self, PlanFileError> {
        match mkdirat(runtime_dir, FOLDER, Mode::S_IRWXU) {
            Ok(()) | Err(Errno::EEXIST) => {}
            Err(errno) => return Err(failed("make", FOLDER, errno)),
        }
        let flags = OFlag::O_DIRECTORY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let folder = openat(runtime_dir, FOLDER, flags, Mode::empty())
            .map_err(|errno| failed("open", FOLDER, errno))?;
        let next = next_number(folder.as_fd()).map_err(|errno| failed("list", FOLDER, errno))?;
        Ok(Self { folder, next })
    }

    /// Writes `text` as the next plan of the session and returns its number and what a reader finds there.
    ///
    /// The text goes to a temporary file that is then renamed, so that no reader sees half a plan.
    pub(crate) fn store(&mut self, text: &[u8]) -> Result<(u32, Vec<u8>), PlanFileError> {
        let number = self.next;
        let name = format!("plan-{number}.json");
        let temporary = format!(".plan-{number}.json.new");
        // A leftover of a run that was killed here would make O_EXCL fail for ever.
        match unlinkat(&self.folder, temporary.as_str(), UnlinkatFlags::NoRemoveDir) {
            Ok(()) | Err(Errno::ENOENT) => {}
            Err(errno) => return Err(failed("clear", &temporary, errno)),
        }
        let written = self.write(&temporary, text).and_then(|()| {
            renameat(
                &self.folder,
                temporary.as_str(),
                &self.folder,
                name.as_str(),
            )
            .map_err(io::Error::from)
        });
        if let Err(source) = written {
            // The error worth telling is the write's; a leftover is cleared by the next plan.
            unlinkat(&self.folder, temporary.as_str(), UnlinkatFlags::NoRemoveDir).ok();
            return Err(PlanFileError {
                operation: "write",
                path: format!("{FOLDER}/{name}"),
                source,
            });
        }
        self.next = number.saturating_add(1);
        let text = self.read(&name).map_err(|source| PlanFileError {
            operation: "read back",
            path: format!("{FOLDER}/{name}"),
            source,
        })?;
        Ok((number, text))
    }

    fn write(&self, name: &str, text: &[u8]) -> io::Result<()> {
        let flags =
            OFlag::O_WRONLY | OFlag::O_CREAT | OFlag::O_EXCL | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        // Readable by the plan's own commands, which run as this user; written by nobody after this.
        let file = openat(&self.folder, name, flags, Mode::S_IRUSR | Mode::S_IWUSR)?;
        File::from(file).write_all(text)
    }

    fn read(&self, name: &str) -> io::Result<Vec<u8>> {
        let flags = OFlag::O_RDONLY | OFlag::O_NOFOLLOW | OFlag::O_CLOEXEC;
        let mut file = File::from(openat(&self.folder, name, flags, Mode::empty())?);
        let length = file.metadata()?.len();
        let mut text = Vec::with_capacity(usize::try_from(length).unwrap_or(0));
        file.read_to_end(&mut text)?;
        Ok(text)
    }
}

/// Returns the number after the highest one in use, so that a session taken up again overwrites no plan.
fn next_number(folder: BorrowedFd<'_>) -> nix::Result<u32> {
    let mut listing = Dir::from_fd(nix::unistd::dup(folder)?)?;
    let mut highest = 0;
    for entry in listing.iter() {
        highest = highest.max(number_of(entry?.file_name().to_bytes()).unwrap_or(0));
    }
    Ok(highest.saturating_add(1))
}

fn number_of(name: &[u8]) -> Option<u32> {
    let name = str::from_utf8(name).ok()?;
    name.strip_prefix("plan-")?
        .strip_suffix(".json")?
        .parse()
        .ok()
}

fn failed(operation: &'static str, path: impl AsRef<OsStr>, errno: Errno) -> PlanFileError {
    PlanFileError {
        operation,
        path: path.as_ref().to_string_lossy().into_owned(),
        source: errno.into(),
    }
}
