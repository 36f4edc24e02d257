//! The leaves of a scope that outlive their attempt, because something it left running is inside.

use std::{
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use super::file::Files;

/// The retired leaves of one scope.
#[derive(Debug)]
pub(super) struct Leaves {
    scope: PathBuf,
    files: Files,
    inhabited: Mutex<Inhabited>,
}

#[derive(Debug)]
struct Inhabited {
    dirs: Vec<PathBuf>,
    /// How many there may be before it is looked which have emptied.
    tolerated: usize,
}

impl Leaves {
    pub(super) fn of(scope: PathBuf, files: Files) -> Self {
        Self {
            scope,
            files,
            inhabited: Mutex::new(Inhabited {
                dirs: Vec::new(),
                tolerated: TOLERATED,
            }),
        }
    }

    pub(super) fn scope(&self) -> &Path {
        &self.scope
    }

    pub(super) fn files(&self) -> &Files {
        &self.files
    }

    /// Returns whether any retired leaf is remembered.
    pub(super) fn has_left(&self) -> bool {
        !self.lock().dirs.is_empty()
    }

    /// Removes a leaf, or remembers it while somebody is inside. Now and then, those that have emptied meanwhile
    /// are removed: thousands of steps do not leave thousands of directories.
    pub(super) fn retire(&self, leaf: PathBuf) {
        if self.removed(&leaf) {
            return;
        }
        let mut inhabited = self.lock();
        inhabited.dirs.push(leaf);
        if inhabited.dirs.len() > inhabited.tolerated {
            inhabited.dirs.retain(|leaf| !self.removed(leaf));
            // Doubled, so that many that stay inhabited do not make every one after them look at all.
            inhabited.tolerated = TOLERATED.max(2 * inhabited.dirs.len());
        }
    }

    fn lock(&self) -> MutexGuard<'_, Inhabited> {
        self.inhabited
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn removed(&self, leaf: &Path) -> bool {
        match self.files.remove(leaf) {
            Ok(()) => true,
            // With its scope.
            Err(error) => error.is_missing(),
        }
    }
}

/// How many are kept before it is looked which have emptied: a look costs a system call each.
const TOLERATED: usize = 64;
