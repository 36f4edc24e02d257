//! An open folder, below which no link is followed: what stands there may have been planted.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::Path,
};

use rustix::{
    fs::{AtFlags, FileType, Mode, OFlags, fstat, mkdirat, openat, renameat, unlinkat},
    io::Errno,
};

/// An open folder.
#[derive(Debug)]
pub(super) struct Folder(OwnedFd);

impl Folder {
    /// Opens one by its path, the links in which are followed but for the last part.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let fd = rustix::fs::open(path, AS_FOLDER, Mode::empty())?;
        Ok(Self(fd))
    }

    /// Takes one that is open already.
    pub(super) fn of(fd: BorrowedFd<'_>) -> io::Result<Self> {
        fd.try_clone_to_owned().map(Self)
    }

    /// Opens a folder in it.
    pub(super) fn enter(&self, name: &str) -> io::Result<Self> {
        Ok(Self(openat(&self.0, name, AS_FOLDER, Mode::empty())?))
    }

    /// Makes a folder in it, for its owner alone, and opens it. Fails when there is something of that name.
    pub(super) fn make(&self, name: &str) -> io::Result<Self> {
        mkdirat(&self.0, name, Mode::RWXU)?;
        self.enter(name)
    }

    /// The same, where the folder may be there already.
    pub(super) fn make_or_enter(&self, name: &str) -> io::Result<Self> {
        match mkdirat(&self.0, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => self.enter(name),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns its device and inode as `<device>:<inode>`.
    pub(super) fn identity(&self) -> io::Result<String> {
        let found = fstat(&self.0)?;
        Ok(format!("{}:{}", found.st_dev, found.st_ino))
    }

    /// Returns the names in it.
    pub(super) fn names(&self) -> io::Result<Vec<Vec<u8>>> {
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::read_from(&self.0)? {
            names.push(entry?.file_name().to_bytes().to_vec());
        }
        Ok(names)
    }

    /// Reads a file in it; `None` when it is not there.
    ///
    /// Fails when it is anything but a file, a link included, or holds more than `most` bytes.
    pub(super) fn read(&self, name: &str, most: usize) -> io::Result<Option<Vec<u8>>> {
        // Without waiting, since opening a pipe waits for a writer.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = match openat(&self.0, name, flags, Mode::empty()) {
            Ok(file) => File::from(file),
            Err(Errno::NOENT) => return Ok(None),
            Err(Errno::LOOP) => return Err(io::Error::other("it is a link")),
            Err(error) => return Err(error.into()),
        };
        if FileType::from_raw_mode(fstat(&file)?.st_mode) != FileType::RegularFile {
            return Err(io::Error::other("it is not a regular file"));
        }
        let mut bytes = Vec::new();
        file.take(most as u64 + 1).read_to_end(&mut bytes)?;
        if bytes.len() > most {
            let why = format!("it holds more than {} MiB", most / (1024 * 1024));
            return Err(io::Error::other(why));
        }
        Ok(Some(bytes))
    }

    /// Writes a new file in it, for its owner alone; of one that could not be written nothing stays.
    pub(super) fn write_new(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let flags =
            OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = openat(&self.0, name, flags, Mode::RUSR | Mode::WUSR)?;
        File::from(file).write_all(bytes).inspect_err(|_| {
            // The write that failed is what is told.
            let _ = unlinkat(&self.0, name, AtFlags::empty());
        })
    }

    /// Writes a file in it in one stroke: whoever reads it sees all of it or what was there before.
    pub(super) fn replace(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let temporary = format!(".{name}.{:016x}", random()?);
        self.write_new(&temporary, bytes)?;
        renameat(&self.0, &temporary, &self.0, name).inspect_err(|_| {
            let _ = unlinkat(&self.0, &temporary, AtFlags::empty());
        })?;
        Ok(())
    }
}

impl AsFd for Folder {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Returns 64 random bits.
pub(super) fn random() -> io::Result<u64> {
    let mut bytes = [0; 8];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(u64::from_ne_bytes(bytes))
}

const AS_FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);
