//! What a launcher puts around a step's program.

use std::{
    fs,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use super::{limits::ProcessLimits, program::LauncherProgram};

/// How a session's commands and tools are launched, when they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Confinement {
    /// What is started as their launcher.
    pub program: LauncherProgram,
    /// What one process of theirs may use.
    pub limits: ProcessLimits,
    /// Where they may write.
    pub walls: Walls,
    /// Whether the launcher stays with its step, to end what leaves the step's process group as well: the way
    /// where no cgroup can. Linux only.
    pub supervised: bool,
}

/// What the kernel is to keep a step's program from writing.
///
/// Paths are absolute and without links. Either way of holding it can be had without the other. One that is asked for and then fails fails the start:
/// nothing runs with less than was asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Walls {
    /// Whether Landlock holds it to `writable` and the standard devices. Reading and executing stay as they are.
    pub landlock: bool,
    /// Whether `read_only` is made so by mounts in a namespace of its own.
    pub mounts: bool,
    /// The trees it may write. One that does not exist is passed over.
    pub writable: Vec<PathBuf>,
    /// The trees and files it may not write, whatever else allows it. One that does not exist is passed over. What
    /// lies inside of another one, an island too, is protected all the same.
    pub read_only: Vec<PathBuf>,
    /// Trees inside `read_only` that stay writable.
    pub islands: Vec<PathBuf>,
    /// What some of these paths have to lead to, without any link on the way. A start fails where one leads
    /// elsewhere: another step may have moved it.
    pub known: Vec<KnownTree>,
}

/// A tree as it was found when a session began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KnownTree {
    /// Its path, absolute and without links.
    pub path: PathBuf,
    /// Its device and its number there; `None` when anything at that path will do.
    pub identity: Option<(u64, u64)>,
}

impl KnownTree {
    /// Finds a tree and remembers its path without links, and what it is if it `is_fixed`; `None` when there is none.
    pub(crate) fn find(path: &Path, is_fixed: bool) -> Option<Self> {
        let path = fs::canonicalize(path).ok()?;
        let identity = match is_fixed {
            true => {
                let metadata = fs::metadata(&path).ok()?;
                Some((metadata.dev(), metadata.ino()))
            }
            false => None,
        };
        Some(Self { path, identity })
    }
}
