//! Opening the file of a trace: append-only, for its owner alone, never through a link.

use std::{
    fs::File,
    io,
    os::unix::fs::{FileExt, MetadataExt},
    path::{Path, PathBuf},
};

use rustix::{
    fs::{FlockOperation, Mode, OFlags},
    io::Errno,
};

use crate::{
    append::Appender,
    id::{EventId, SessionId},
};

/// Why a trace could not be opened for writing.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The operating system refused.
    #[error("cannot open the trace `{}`: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// A new trace was to begin in a file that holds something.
    #[error("cannot begin a trace in `{}`, which is not empty", path.display())]
    NotEmpty {
        /// The file.
        path: PathBuf,
    },
    /// The file ends within a line; a line written there would be lost with it.
    #[error("cannot continue the trace `{}`, which ends within a line", path.display())]
    Torn {
        /// The file.
        path: PathBuf,
    },
}

impl Appender<File> {
    /// Begins the trace at `path`, which is created with mode 0600 unless it is there and empty.
    pub fn open(path: impl Into<PathBuf>, session: SessionId) -> Result<Self, OpenError> {
        let path = path.into();
        let create = OFlags::WRONLY | OFlags::CREATE;
        let (file, length) = open_append(&path, create).map_err(|error| OpenError::Io {
            path: path.clone(),
            error,
        })?;
        if length > 0 {
            return Err(OpenError::NotEmpty { path });
        }
        // Held for as long as it is written, so that a reader can tell a run going on from one that was killed.
        // A file system without locks only makes that unknown.
        rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).ok();
        Ok(Self::new(file, session).at(path))
    }

    /// Continues the trace that an embedding runtime writes at `path`, whose session and task (or turn) are
    /// `nodes`. See [`Appender::under`].
    pub fn resume(
        path: impl Into<PathBuf>,
        session: SessionId,
        nodes: &[EventId],
    ) -> Result<Self, OpenError> {
        let path = path.into();
        let io_error = |error| OpenError::Io {
            path: path.clone(),
            error,
        };
        let (file, length) = open_append(&path, OFlags::RDWR).map_err(io_error)?;
        if let Some(last) = length.checked_sub(1) {
            let mut byte = [0];
            file.read_exact_at(&mut byte, last).map_err(io_error)?;
            if byte != *b"\n" {
                return Err(OpenError::Torn { path });
            }
        }
        Ok(Self::under(file, session, nodes).at(path))
    }
}

impl Appender<File> {
    /// Returns whether the file is still there under some name. What is appended to one that was removed is
    /// lost when it is closed.
    pub fn is_kept(&self) -> io::Result<bool> {
        Ok(self.writer.metadata()?.nlink() > 0)
    }
}

/// Returns whether an open trace is held by the appender that began it ([`Appender::open`]), so is still being
/// written. A trace that an embedding runtime writes itself is not held.
pub fn is_held(trace: &File) -> io::Result<bool> {
    match rustix::fs::flock(trace, FlockOperation::NonBlockingLockShared) {
        Ok(()) => {
            rustix::fs::flock(trace, FlockOperation::Unlock)?;
            Ok(false)
        }
        Err(Errno::WOULDBLOCK) => Ok(true),
        Err(errno) => Err(errno.into()),
    }
}

fn open_append(path: &Path, flags: OFlags) -> io::Result<(File, u64)> {
    let flags = flags | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = File::from(rustix::fs::open(path, flags, Mode::RUSR | Mode::WUSR)?);
    let length = file.metadata()?.len();
    Ok((file, length))
}
