//! Watching by pidfd: one descriptor per running leader, no signal handler, no thread.

use std::{io, os::fd::OwnedFd};

use rustix::{
    io::Errno,
    process::{Pid, PidfdFlags, pidfd_open},
};
use tokio::io::{Interest, unix::AsyncFd};

use super::{
    super::{exit::Exit, ready},
    look,
};

/// A leader and its pidfd.
#[derive(Debug)]
pub(in crate::process) struct PidfdWatch {
    leader: Pid,
    fd: AsyncFd<OwnedFd>,
}

impl PidfdWatch {
    /// Returns `None` where the kernel has no pidfd (before 5.3, or under a filter that hides it).
    pub(super) fn new(leader: Pid) -> io::Result<Option<Self>> {
        let fd = match pidfd_open(leader, PidfdFlags::empty()) {
            Ok(fd) => fd,
            Err(Errno::NOSYS | Errno::PERM | Errno::INVAL) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        Ok(Some(Self {
            leader,
            fd: ready::register(fd, Interest::READABLE)?,
        }))
    }

    pub(super) async fn exited(&mut self) -> Exit {
        loop {
            let Ok(mut guard) = self.fd.readable().await else {
                // The runtime is shutting down; whoever waits here is dropped with it.
                return std::future::pending().await;
            };
            if let Some(exit) = look(self.leader) {
                return exit;
            }
            guard.clear_ready();
        }
    }
}
