//! What is put around a program before its first instruction.

use std::os::fd::BorrowedFd;

#[cfg(target_os = "linux")]
use crate::cgroup::leaf::Leaf;
use crate::launcher::{LauncherProgram, ProcessLimits, Walls};

/// How a program is started.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Launch<'a> {
    /// As it is, in a process group of its own.
    Plain,
    /// By a launcher, which confines itself first.
    Confined(Confined<'a>),
}

/// What a launcher puts around a program.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Confined<'a> {
    /// The launcher.
    pub(crate) program: &'a LauncherProgram,
    /// The cgroup it joins first. Whatever is in it is killed when the step is.
    #[cfg(target_os = "linux")]
    pub(crate) leaf: Option<&'a Leaf>,
    /// Whether the launcher stays, to keep hold of what leaves the program's group: for want of a cgroup.
    pub(crate) supervised: bool,
    /// What one process may use.
    pub(crate) limits: &'a ProcessLimits,
    /// Where it may write.
    pub(crate) walls: &'a Walls,
}

impl Launch<'_> {
    /// Kills whatever is in the leaf, if there is one.
    #[cfg(target_os = "linux")]
    pub(super) fn kill_leaf(&self) {
        if let Self::Confined(Confined {
            leaf: Some(leaf), ..
        }) = self
        {
            leaf.kill();
        }
    }

    /// Does nothing: there are no leaves here.
    #[cfg(not(target_os = "linux"))]
    pub(super) fn kill_leaf(&self) {}
}

impl<'a> Confined<'a> {
    /// Returns what the launcher writes to to join the leaf.
    #[cfg(target_os = "linux")]
    pub(super) fn leaf_descriptor(&self) -> Option<BorrowedFd<'a>> {
        self.leaf.map(Leaf::procs)
    }

    /// Returns `None`: there are no leaves here.
    #[cfg(not(target_os = "linux"))]
    pub(super) const fn leaf_descriptor(&self) -> Option<BorrowedFd<'a>> {
        None
    }
}
