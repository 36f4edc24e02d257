//! The runtime's side of a supervisor: a launcher that stays with its step (`launcher/supervise.rs`).

use std::{
    collections::HashSet,
    io,
    os::fd::{AsFd, OwnedFd},
    sync::OnceLock,
};

use rustix::{
    net::Shutdown,
    process::{Pid, Signal},
};

use super::groups;
use crate::launcher::{Request, again, encode, put};

/// A supervisor and the group of its step.
#[derive(Debug)]
pub(super) struct Supervisor {
    socket: OwnedFd,
    group: OnceLock<Pid>,
}

impl Supervisor {
    /// Talks to the supervisor at the other end of `socket`.
    pub(super) fn new(socket: &OwnedFd) -> io::Result<Self> {
        Ok(Self {
            socket: again(socket)?,
            group: OnceLock::new(),
        })
    }

    /// Notes the group of the step once it runs. It stays the step's for as long as the supervisor does.
    pub(super) fn born(&self, group: Pid) {
        let _ = self.group.set(group);
    }

    /// Has it signal the step's group. SIGKILL goes to everything the step has started, wherever it is.
    pub(super) fn signal(&self, own: Pid, signal: Signal) {
        let request = match signal {
            Signal::KILL => Request::KillAll,
            signal => Request::Signal {
                number: signal.as_raw(),
            },
        };
        if let Ok(frame) = encode(&request) {
            // Fails only when it has gone, and everything of the step with it.
            let _ = put(self.socket.as_fd(), &frame, 0, &[]);
        }
        if signal == Signal::KILL {
            wake(own);
        }
    }

    /// Has it end everything and go.
    pub(super) fn end(&self, own: Pid) {
        // Whatever it still says is about what has ended.
        let _ = rustix::net::shutdown(&self.socket, Shutdown::Write);
        wake(own);
    }

    /// Returns whether somebody is left in the step's group; `true` when that is unknown.
    pub(super) fn inhabited(&self) -> bool {
        match self.group.get() {
            Some(&group) => groups::inhabited(&HashSet::from([group]))
                .is_none_or(|inhabited| !inhabited.is_empty()),
            None => true,
        }
    }
}

/// Has a supervisor go on that a step has stopped.
fn wake(own: Pid) {
    groups::send(own, Signal::CONT);
}
