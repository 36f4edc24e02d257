//! A protected subtree: where it lies, and which entry of `read_only` or what else protects it.

use std::{
    fs, io,
    path::{Component, Path, PathBuf},
};

use super::{
    finding::Rule,
    resolve::{existing_prefix, lexical},
};

/// A rule with the places it stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Subtree {
    /// Why it is protected.
    pub(super) rule: Rule,
    /// Where it leads, links followed.
    pub(super) resolved: PathBuf,
    /// Where it stands as written. Another place than `resolved` when a link is on the way: that link is
    /// protected with what it leads to.
    pub(super) spelled: PathBuf,
}

/// An entry of `read_only` that cannot be protected (spec: What a plan may reach).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{entry}` in capabilities.filesystem.read_only {fault}; write a path relative to the workdir that stays in \
     it, such as `tests` or `docs/spec.md`"
)]
pub struct ReadOnlyError {
    /// The entry as declared.
    pub entry: String,
    /// What is wrong with it.
    pub fault: ReadOnlyFault,
}

/// What is wrong with an entry of `read_only`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ReadOnlyFault {
    /// It is empty, or blank.
    #[error("is empty")]
    Empty,
    /// It begins at the root.
    #[error("is absolute")]
    Absolute,
    /// It climbs out of the workdir by `..`.
    #[error("climbs out of the workdir")]
    Climbs,
    /// A link on its way leads out of the workdir.
    #[error("leads out of the workdir through a link")]
    LeadsOut,
    /// It holds a NUL, as no path can.
    #[error("holds a NUL")]
    Nul,
    /// The system cannot say what is there: a name too long, links in a circle, a folder that may not be read.
    #[error("cannot be looked at: {}", io::Error::from_raw_os_error(*errno))]
    Unseen {
        /// The system's error number.
        errno: i32,
    },
}

impl ReadOnlyFault {
    /// Returns what the text of an entry shows to be wrong with it. Where links lead is seen when it is resolved.
    pub fn of_text(entry: &str) -> Option<Self> {
        if entry.trim().is_empty() {
            return Some(Self::Empty);
        }
        if entry.contains('\0') {
            return Some(Self::Nul);
        }
        let mut depth = 0_usize;
        for component in Path::new(entry).components() {
            match component {
                Component::RootDir | Component::Prefix(_) => return Some(Self::Absolute),
                Component::CurDir => {}
                Component::Normal(_) => depth += 1,
                Component::ParentDir => match depth.checked_sub(1) {
                    Some(above) => depth = above,
                    None => return Some(Self::Climbs),
                },
            }
        }
        None
    }
}

impl Subtree {
    /// Resolves `entry` in `workdir`, which is canonical.
    ///
    /// The whole workdir (`.`) is a subtree of itself and allowed. The entry need not exist.
    ///
    /// # Errors
    /// When the entry is not below the workdir, as it is written or where it leads, or cannot be looked at.
    pub(super) fn declared(entry: &str, workdir: &Path) -> Result<Self, ReadOnlyError> {
        let refused = |fault| ReadOnlyError {
            entry: entry.to_owned(),
            fault,
        };
        if let Some(fault) = ReadOnlyFault::of_text(entry) {
            return Err(refused(fault));
        }
        let spelled = lexical(workdir, entry);
        let resolved = existing_prefix(&spelled);
        if !resolved.starts_with(workdir) {
            return Err(refused(ReadOnlyFault::LeadsOut));
        }
        if let Err(error) = fs::metadata(&resolved) {
            // What is not there can be made later, and is protected then.
            let is_missing = matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            );
            if !is_missing {
                let errno = error.raw_os_error().unwrap_or_default();
                return Err(refused(ReadOnlyFault::Unseen { errno }));
            }
        }
        Ok(Self {
            rule: Rule::Entry(entry.to_owned()),
            resolved,
            spelled,
        })
    }

    /// Takes in `path`, which is absolute, as a part of `what`.
    pub(super) fn part_of(what: String, path: &Path) -> Self {
        let spelled = lexical(Path::new("/"), path);
        Self {
            rule: Rule::PartOf(what),
            resolved: existing_prefix(&spelled),
            spelled,
        }
    }

    /// Returns whether `path` is this subtree or lies in it.
    pub(super) fn covers(&self, path: &Path) -> bool {
        path.starts_with(&self.resolved) || path.starts_with(&self.spelled)
    }

    /// Returns whether this subtree lies in `path`.
    pub(super) fn lies_in(&self, path: &Path) -> bool {
        self.resolved.starts_with(path) || self.spelled.starts_with(path)
    }
}
