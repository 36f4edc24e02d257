//! Notices that a leader has exited, without reaping it: its id, and so its group's, stays taken (ruling 34).

#[cfg(target_os = "linux")]
mod pidfd;
mod sigchld;
mod supervised;

use std::{io, os::fd::OwnedFd};

use rustix::{
    io::Errno,
    process::{Pid, WaitId, WaitIdOptions, waitid},
};

use tokio::io::unix::AsyncFd;

use super::exit::Exit;
use crate::launcher::FrameReader;

/// Watches one leader.
#[derive(Debug)]
pub(super) enum Watch {
    /// By a descriptor that becomes readable.
    #[cfg(target_os = "linux")]
    Pidfd(pidfd::PidfdWatch),
    /// By looking again whenever any child has changed.
    Sigchld(sigchld::SigchldWatch),
    /// By what its supervisor says.
    Supervised(supervised::SupervisedWatch),
}

impl Watch {
    /// Starts to watch `leader`, a child of this process that was not reaped.
    pub(super) fn new(leader: Pid) -> io::Result<Self> {
        #[cfg(target_os = "linux")]
        if let Some(watch) = pidfd::PidfdWatch::new(leader)? {
            return Ok(Self::Pidfd(watch));
        }
        Ok(Self::Sigchld(sigchld::SigchldWatch::new(leader)?))
    }

    /// Watches a leader whose supervisor is at the other end of `socket`, of which `reader` has read the beginning.
    pub(super) const fn supervised(socket: AsyncFd<OwnedFd>, reader: FrameReader) -> Self {
        Self::Supervised(supervised::SupervisedWatch::new(socket, reader))
    }

    /// Waits for the exit. Can be dropped and called again.
    pub(super) async fn exited(&mut self) -> Exit {
        match self {
            #[cfg(target_os = "linux")]
            Self::Pidfd(watch) => watch.exited().await,
            Self::Sigchld(watch) => watch.exited().await,
            Self::Supervised(watch) => watch.exited().await,
        }
    }
}

/// Returns how `leader` exited, `None` while it runs.
fn look(leader: Pid) -> Option<Exit> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    loop {
        match waitid(WaitId::Pid(leader), options) {
            Ok(status) => return status.as_ref().map(Exit::from_status),
            Err(Errno::INTR) => {}
            // Somebody else reaped it: the embedder ignores SIGCHLD or waits for any child.
            Err(_) => return Some(Exit::Unknown),
        }
    }
}
