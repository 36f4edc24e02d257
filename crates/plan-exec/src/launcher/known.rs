//! Opening a tree by a path that no link and no other step may lead elsewhere.

use std::{collections::HashMap, os::fd::OwnedFd, path::Path};

use rustix::{
    fs::{CWD, Mode, OFlags, ResolveFlags, fstat, openat2},
    io::Errno,
};

use super::{
    failure::{Failure, Operation},
    instructions::Known,
    step::path,
};

/// The trees that are what they were, open.
#[derive(Debug)]
pub(super) struct KnownTrees<'a> {
    trees: HashMap<&'a Path, OwnedFd>,
}

impl<'a> KnownTrees<'a> {
    /// Opens what is known and holds it to what it has to be.
    pub(super) fn open(known: &[Known<'a>]) -> Result<Self, Failure> {
        let mut trees = HashMap::new();
        for known in known {
            let at = path(known.path);
            let failed = |errno| Failure::about(Operation::FindTree, &at.to_string_lossy(), errno);
            let tree = open(at).map_err(failed)?;
            if let Some(identity) = known.identity {
                let found = fstat(&tree).map_err(failed)?;
                if (found.st_dev, found.st_ino) != identity {
                    return Err(failed(Errno::STALE));
                }
            }
            trees.insert(at, tree);
        }
        Ok(Self { trees })
    }

    /// Returns that nothing is known.
    pub(super) fn none() -> Self {
        Self {
            trees: HashMap::new(),
        }
    }

    /// Returns the open tree of a path, if it is known.
    pub(super) fn get(&self, path: &Path) -> Option<&OwnedFd> {
        self.trees.get(path)
    }
}

fn open(path: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::PATH | OFlags::CLOEXEC;
    let resolve = ResolveFlags::NO_SYMLINKS;
    loop {
        // A rename somewhere on the host at this moment makes it ask to be asked again.
        match openat2(CWD, path, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            opened => return opened,
        }
    }
}
