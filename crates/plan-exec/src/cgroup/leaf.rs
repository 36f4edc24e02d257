//! A leaf: the cgroup of one attempt of one step, made before it starts and gone with its plan.

use std::{
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::PathBuf,
    sync::Arc,
};

use super::{
    counts::Counts,
    end,
    file::{FileError, PROCS},
    leaves::Leaves,
};

/// The cgroup of one attempt. Dropping it removes it if it is empty; if not, it stays for what is inside until the
/// scope ends (ruling 34).
#[derive(Debug)]
pub(crate) struct Leaf {
    dir: PathBuf,
    procs: OwnedFd,
    leaves: Arc<Leaves>,
}

impl Leaf {
    pub(super) fn make(leaves: Arc<Leaves>, name: &str) -> Result<Self, FileError> {
        let dir = leaves.scope().join(name);
        leaves.files().make(&dir)?;
        match leaves.files().open(&dir.join(PROCS)) {
            Ok(procs) => Ok(Self { dir, procs, leaves }),
            Err(error) => {
                leaves.retire(dir);
                Err(error)
            }
        }
    }

    /// Returns its `cgroup.procs`, open for writing: a process that writes `0` there joins it.
    pub(crate) fn procs(&self) -> BorrowedFd<'_> {
        self.procs.as_fd()
    }

    /// Sends SIGKILL to everything inside.
    pub(crate) fn kill(&self) {
        // What cannot be killed now is tried again at the end of the scope, which says so.
        drop(end::kill(self.leaves.files(), &self.dir));
    }

    /// Returns what the kernel counted inside.
    pub(crate) fn counts(&self) -> Counts {
        Counts::of(self.leaves.files(), &self.dir)
    }
}

impl Drop for Leaf {
    fn drop(&mut self) {
        self.leaves.retire(std::mem::take(&mut self.dir));
    }
}
