//! What a session asks to have around its plans.

use std::{
    fs,
    path::{Path, PathBuf},
};

use super::{Holds, workdir_size::Measured};
use crate::{
    bounding::Bounding,
    launcher::{KnownTree, LauncherProgram, Walls},
    limits::ResourceLimits,
};

/// What is to be put around everything a session's plans start (spec: What a plan may reach).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ContainmentSpec {
    /// What to do where the host cannot give all of it.
    pub bounding: Bounding,
    /// The program that becomes each step's program.
    pub launcher: LauncherProgram,
    /// The ceilings.
    pub limits: ResourceLimits,
    /// Trees beside the workdir a step may write: the session's `home/` and `tmp/`. Absolute.
    pub writable: Vec<PathBuf>,
    /// Trees no step may write, save what of `writable` lies inside them: declared `read_only` subtrees of the
    /// workdir, and where the runtime keeps its own. Absolute.
    pub read_only: Vec<PathBuf>,
    /// Trees that do not count against `workdir_max_bytes` where they lie inside the workdir, save what of
    /// `writable` lies inside them. Absolute.
    pub uncounted: Vec<PathBuf>,
}

impl ContainmentSpec {
    /// Returns a spec that puts nothing around a plan: process groups alone.
    pub fn off() -> Self {
        Self {
            bounding: Bounding::Off,
            launcher: LauncherProgram::ThisProgram,
            limits: ResourceLimits::default(),
            writable: Vec::new(),
            read_only: Vec::new(),
            uncounted: Vec::new(),
        }
    }

    /// Returns what counts against `workdir_max_bytes`.
    pub(super) fn measured(&self, workdir: &Path) -> Measured {
        let mut roots = vec![workdir.to_owned()];
        roots.extend(self.writable.iter().cloned());
        Measured {
            roots,
            left_out: self.uncounted.clone(),
            limit: self.limits.workdir_max_bytes,
        }
    }

    /// Returns where a step's program may write, held by what the host has.
    pub(super) fn walls(&self, workdir: &Path, holds: &Holds) -> Walls {
        // A path whose links are followed once leads to one place, whatever a step does to what lies on the way.
        let followed = |path: &PathBuf| fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        let islands: Vec<PathBuf> = self.writable.iter().map(followed).collect();
        let read_only: Vec<PathBuf> = self.read_only.iter().map(followed).collect();
        let mut writable = vec![followed(&workdir.to_owned())];
        writable.extend(islands.iter().cloned());
        let fixed = writable.iter().map(|path| KnownTree::find(path, true));
        let there = read_only.iter().map(|path| KnownTree::find(path, false));
        Walls {
            landlock: holds.landlock.is_ok(),
            mounts: holds.mounts.is_ok(),
            known: fixed.chain(there).flatten().collect(),
            writable,
            read_only,
            islands,
        }
    }
}
