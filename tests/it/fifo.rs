//! Named pipes that steps and tests tell each other by, so that no test waits for a while and hopes.

use std::{
    fs::{File, OpenOptions},
    io::{Read, Write},
    os::{fd::AsFd, unix::fs::OpenOptionsExt},
    path::Path,
    time::{Duration, Instant},
};

use nix::{
    fcntl::OFlag,
    poll::{PollFd, PollFlags, PollTimeout, poll},
    sys::stat::Mode,
    unistd::mkfifo,
};

/// A pipe with both of its ends open here: no step that opens it blocks, and it never looks closed.
#[derive(Debug)]
pub(crate) struct Fifo {
    reader: Held,
    writer: File,
}

/// A pipe whose writers are all steps: it looks closed when the last process that holds it is gone.
#[derive(Debug)]
pub(crate) struct Held {
    file: File,
}

impl Fifo {
    pub(crate) fn make(path: &Path) -> Self {
        let reader = Held::make(path);
        let writer = OpenOptions::new()
            .write(true)
            .open(path)
            .expect("a reader is there");
        Self { reader, writer }
    }

    /// Waits until a step wrote a line.
    pub(crate) fn wait(&mut self) -> String {
        self.reader.wait()
    }

    /// Lets one step that reads a line go on.
    pub(crate) fn tell(&mut self) {
        self.writer
            .write_all(b"go\n")
            .expect("the pipe has a reader");
    }
}

impl Held {
    pub(crate) fn make(path: &Path) -> Self {
        mkfifo(path, Mode::from_bits_truncate(0o600)).expect("the pipe can be made");
        let mut open = OpenOptions::new();
        let open = open.read(true).custom_flags(OFlag::O_NONBLOCK.bits());
        Self {
            file: open.open(path).expect("opening without waiting"),
        }
    }

    /// Waits until a step wrote a line.
    pub(crate) fn wait(&mut self) -> String {
        let mut line = Vec::new();
        let deadline = Instant::now() + PATIENCE;
        while line.last() != Some(&b'\n') {
            let events = self.poll(PollFlags::POLLIN, deadline);
            assert!(events.contains(PollFlags::POLLIN), "the writers are gone");
            let mut byte = [0];
            // A byte at a time: what follows the line is for the next call.
            if self.file.read(&mut byte).expect("the pipe can be read") == 1 {
                line.push(byte[0]);
            }
        }
        line.pop();
        String::from_utf8(line).expect("steps write text")
    }

    /// Waits until every process that held the pipe has gone.
    pub(crate) fn wait_closed(&mut self) {
        self.poll(PollFlags::empty(), Instant::now() + PATIENCE);
    }

    /// Returns whether a process still holds the pipe.
    pub(crate) fn is_held(&self) -> bool {
        let mut polled = [PollFd::new(self.file.as_fd(), PollFlags::empty())];
        poll(&mut polled, PollTimeout::ZERO).expect("the pipe can be polled");
        !polled[0]
            .revents()
            .is_some_and(|events| events.contains(PollFlags::POLLHUP))
    }

    fn poll(&self, events: PollFlags, deadline: Instant) -> PollFlags {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = PollTimeout::try_from(left).expect("the patience fits");
        let mut polled = [PollFd::new(self.file.as_fd(), events)];
        let ready = poll(&mut polled, left).expect("the pipe can be polled");
        assert!(ready > 0, "nothing came through the pipe in {PATIENCE:?}");
        polled[0].revents().unwrap_or(PollFlags::empty())
    }
}

/// Longer than anything takes that a test waits for, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(40);
