//! The pipes of one run: standard input fed, both outputs read as they come.

use std::{io, mem::MaybeUninit, os::fd::OwnedFd};

use rustix::io::{Errno, ioctl_fionbio};
use tokio::io::{
    Interest,
    unix::{AsyncFd, AsyncFdReadyGuard},
};

use super::{ready, spawn::Started};
use crate::output::Sink;

/// This side of the pipes. One that is closed is `None`.
#[derive(Debug)]
pub(super) struct Streams {
    stdin: Option<Feed>,
    pub(super) stdout: Option<Pipe>,
    pub(super) stderr: Option<Pipe>,
}

impl Streams {
    /// Takes over the pipes of a process that was just started, and `input` to be written to it.
    pub(super) fn new(started: Started, input: Vec<u8>) -> io::Result<Self> {
        let stdin = match started.stdin {
            Some(fd) => Feed::new(fd, input)?,
            None => None,
        };
        Ok(Self {
            stdin,
            stdout: Some(Pipe::new(started.stdout)?),
            stderr: Some(Pipe::new(started.stderr)?),
        })
    }

    /// Waits until a pipe can be served and serves it. Never returns once all are closed. Can be dropped and
    /// called again.
    pub(super) async fn serve(&mut self, out: &mut dyn Sink, err: &mut dyn Sink) {
        let Self {
            stdin,
            stdout,
            stderr,
        } = self;
        tokio::select! {
            open = read(stdout, out) => if !open { *stdout = None },
            open = read(stderr, err) => if !open { *stderr = None },
            open = feed(stdin) => if !open { *stdin = None },
        }
    }

    /// Reads what is there, without waiting.
    pub(super) fn serve_now(&mut self, out: &mut dyn Sink, err: &mut dyn Sink) {
        let ended = |pipe: &Option<Pipe>, sink: &mut dyn Sink| {
            pipe.as_ref()
                .is_some_and(|open| matches!(open.take(sink), Taken::Closed))
        };
        if ended(&self.stdout, out) {
            self.stdout = None;
        }
        if ended(&self.stderr, err) {
            self.stderr = None;
        }
    }

    /// Stops to feed: nobody is left whose input it was.
    pub(super) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Returns whether both outputs have come to their end.
    pub(super) const fn ended(&self) -> bool {
        self.stdout.is_none() && self.stderr.is_none()
    }
}

async fn read(pipe: &Option<Pipe>, sink: &mut dyn Sink) -> bool {
    match pipe {
        Some(pipe) => pipe.read(sink).await,
        None => std::future::pending().await,
    }
}

async fn feed(stdin: &mut Option<Feed>) -> bool {
    match stdin {
        Some(feed) => feed.write().await,
        None => std::future::pending().await,
    }
}

/// The read end of one output.
#[derive(Debug)]
pub(super) struct Pipe {
    fd: AsyncFd<OwnedFd>,
}

/// What a look at a pipe gave.
enum Taken {
    /// It is empty for now.
    Empty,
    /// There may be more.
    More,
    /// Its end was reached.
    Closed,
}

impl Pipe {
    fn new(fd: OwnedFd) -> io::Result<Self> {
        // The other end is a description of its own, so the program's writes stay blocking.
        ioctl_fionbio(&fd, true)?;
        Ok(Self {
            fd: ready::register(fd, Interest::READABLE)?,
        })
    }

    /// Waits until there is something to read and reads it; returns whether there may be more to come.
    pub(super) async fn read(&self, sink: &mut dyn Sink) -> bool {
        let Ok(mut guard): io::Result<AsyncFdReadyGuard<'_, _>> = self.fd.readable().await else {
            return false;
        };
        match self.take(sink) {
            Taken::Empty => {
                guard.clear_ready();
                true
            }
            Taken::More => true,
            Taken::Closed => false,
        }
    }

    /// Reads a few times at most, so that one that writes without end leaves the thread to others.
    fn take(&self, sink: &mut dyn Sink) -> Taken {
        let mut scratch = [MaybeUninit::<u8>::uninit(); READ_BYTES];
        for _ in 0..READS_AT_ONCE {
            match rustix::io::read(self.fd.get_ref(), &mut scratch[..]) {
                Ok(([], _)) => return Taken::Closed,
                Ok((bytes, _)) => sink.take(bytes),
                Err(Errno::AGAIN) => return Taken::Empty,
                Err(Errno::INTR) => {}
                Err(_) => return Taken::Closed,
            }
        }
        Taken::More
    }
}

/// The write end of standard input, and what is still to be written.
#[derive(Debug)]
struct Feed {
    fd: AsyncFd<OwnedFd>,
    input: Vec<u8>,
    written: usize,
}

impl Feed {
    /// Writes what the pipe has room for; returns `None` when that was all.
    fn new(fd: OwnedFd, input: Vec<u8>) -> io::Result<Option<Self>> {
        ioctl_fionbio(&fd, true)?;
        let mut written = 0;
        Ok(match put(&fd, &input, &mut written) {
            Put::All => None,
            Put::Full => Some(Self {
                fd: ready::register(fd, Interest::WRITABLE)?,
                input,
                written,
            }),
        })
    }

    /// Waits for room and writes; returns whether there is more to write.
    async fn write(&mut self) -> bool {
        let Ok(mut guard) = self.fd.writable().await else {
            return false;
        };
        match put(self.fd.get_ref(), &self.input, &mut self.written) {
            Put::All => false,
            Put::Full => {
                guard.clear_ready();
                true
            }
        }
    }
}

/// What became of a write.
enum Put {
    /// Everything is written, or nobody reads any more, which is a tool's own choice.
    All,
    /// The pipe is full.
    Full,
}

fn put(fd: &OwnedFd, input: &[u8], written: &mut usize) -> Put {
    while *written < input.len() {
        match rustix::io::write(fd, &input[*written..]) {
            Ok(count) => *written += count,
            Err(Errno::AGAIN) => return Put::Full,
            Err(Errno::INTR) => {}
            Err(_) => return Put::All,
        }
    }
    Put::All
}

/// The most one read takes, in bytes: what a pipe holds by default.
const READ_BYTES: usize = 64 * 1024;

/// The most reads of one pipe before the other one, the bound and the cancel are looked at again.
const READS_AT_ONCE: usize = 8;
