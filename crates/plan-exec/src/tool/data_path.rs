//! Reads the file a tool names in `data_path`: beneath the workdir, no link followed, bounded (ruling 24).

use std::{
    fs::File,
    io::{self, Read},
    os::fd::{BorrowedFd, OwnedFd},
    path::{Component, Path},
};

use rustix::{
    fs::{Mode, OFlags, openat},
    io::Errno,
};

use super::OUTPUT_BYTES;
use crate::output::into_text;

/// Returns the text of the file, or the step's error.
pub(super) fn read(workdir: BorrowedFd<'_>, path: &str) -> Result<String, String> {
    let refused = |why: &dyn std::fmt::Display| format!("`data_path` {}: {why}", Quoted(path));
    if path.starts_with('/') {
        return Err(refused(&"it is absolute; name a file beneath the workdir"));
    }
    if path.is_empty() || path.contains('\0') {
        return Err(refused(&"it names no file"));
    }
    let file = open(workdir, path).map_err(|errno| match errno {
        Errno::LOOP => refused(&"it is, or leads through, a symbolic link"),
        Errno::XDEV => refused(&"it leads out of the workdir"),
        Errno::NOENT | Errno::NOTDIR => refused(&"there is no such file"),
        other => refused(&io::Error::from(other)),
    })?;
    let mut file = File::from(file);
    let metadata = file.metadata().map_err(|error| refused(&error))?;
    if !metadata.is_file() {
        return Err(refused(&"it is not a regular file"));
    }
    let mut bytes = Vec::new();
    (&mut file)
        .take(OUTPUT_BYTES as u64 + 1)
        .read_to_end(&mut bytes)
        .map_err(|error| refused(&error))?;
    if bytes.len() > OUTPUT_BYTES {
        return Err(refused(&format!(
            "the file is larger than {OUTPUT_BYTES} bytes (10 MiB)"
        )));
    }
    Ok(into_text(bytes))
}

/// Opens without following any link. What is no regular file is opened as well (without waiting for a writer, if
/// it is a pipe), and is refused once it is looked at.
fn open(workdir: BorrowedFd<'_>, path: &str) -> Result<OwnedFd, Errno> {
    #[cfg(target_os = "linux")]
    for _ in 0..RENAME_RACES {
        use rustix::fs::{ResolveFlags, openat2};
        let resolve =
            ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match openat2(workdir, path, READ, Mode::empty(), resolve) {
            // Something was renamed meanwhile, and the kernel cannot tell that `..` stays beneath.
            Err(Errno::AGAIN) => {}
            Err(Errno::NOSYS | Errno::PERM) => break,
            opened => return opened,
        }
    }
    open_by_component(workdir, path)
}

/// The same, one component at a time.
fn open_by_component(workdir: BorrowedFd<'_>, path: &str) -> Result<OwnedFd, Errno> {
    let mut components = Path::new(path).components().peekable();
    // The folders entered so far, so that `..` goes back the way that was come.
    let mut entered: Vec<OwnedFd> = Vec::new();
    let mut opened = None;
    while let Some(component) = components.next() {
        let last = components.peek().is_none();
        let parent = entered
            .last()
            .map_or(workdir, |folder| std::os::fd::AsFd::as_fd(folder));
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                entered.pop().ok_or(Errno::XDEV)?;
            }
            Component::Normal(name) if last => {
                opened = Some(openat(
                    parent,
                    name,
                    READ | OFlags::NOFOLLOW,
                    Mode::empty(),
                )?);
            }
            Component::Normal(name) => {
                let flags = READ | OFlags::NOFOLLOW | OFlags::DIRECTORY;
                let folder = openat(parent, name, flags, Mode::empty())
                    .map_err(|errno| link_or(parent, name, errno))?;
                entered.push(folder);
            }
            Component::RootDir | Component::Prefix(_) => return Err(Errno::XDEV),
        }
    }
    // A path that ends in `.` or `..` is a folder's.
    opened.ok_or(Errno::ISDIR)
}

/// A link that is opened as a folder fails as one that is none.
fn link_or(parent: BorrowedFd<'_>, name: &std::ffi::OsStr, errno: Errno) -> Errno {
    use rustix::fs::{AtFlags, FileType, statat};
    match statat(parent, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(stat) if FileType::from_raw_mode(stat.st_mode) == FileType::Symlink => Errno::LOOP,
        _ => errno,
    }
}

/// A path as an error shows it: its beginning, if a tool wrote something endless.
struct Quoted<'a>(&'a str);

impl std::fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let shown: String = self.0.chars().take(SHOWN_CHARACTERS).collect();
        let mark = if shown.len() < self.0.len() {
            "…"
        } else {
            ""
        };
        write!(f, "`{}{mark}`", shown.escape_debug())
    }
}

const READ: OFlags = OFlags::RDONLY
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

/// How often a path is tried that is renamed under our hands.
#[cfg(target_os = "linux")]
const RENAME_RACES: usize = 16;

/// The most an error shows of a path.
const SHOWN_CHARACTERS: usize = 200;
