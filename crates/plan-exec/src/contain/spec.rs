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

    /// Returns a place that is there, to try mounts on. Not the workdir where there is another one: a workdir that
    /// is the root cannot be mounted over.
    pub(super) fn trial_place<'s>(&'s self, workdir: &'s Path) -> &'s Path {
        self.writable
            .iter()
            .chain(&self.read_only)
            .find(|place| place.exists())
            .map_or(workdir, PathBuf::as_path)
    }

    /// Returns where a step's program may write, held by what the host has. `hierarchies` are the mounts of cgroups:
    /// a step that may write there could leave its own.
    pub(super) fn walls(&self, workdir: &Path, holds: &Holds, hierarchies: Vec<PathBuf>) -> Walls {
        // A path whose links are followed once leads to one place, whatever a step does to what lies on the way.
        let followed = |path: &PathBuf| fs::canonicalize(path).unwrap_or_else(|_| path.clone());
        let islands: Vec<PathBuf> = self.writable.iter().map(followed).collect();
        let mut writable = vec![followed(&workdir.to_owned())];
        writable.extend(islands.iter().cloned());
        let mut read_only: Vec<PathBuf> = self.read_only.iter().map(followed).collect();
        let within = |mount: &PathBuf| writable.iter().any(|tree| mount.starts_with(tree));
        read_only.extend(hierarchies.into_iter().filter(within));
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

#[cfg(test)]
mod tests {
    use std::path::{Path, PathBuf};

    use super::{ContainmentSpec, Holds};

    /// spec: What a plan may reach. Mounts are tried where they can be had, whatever the workdir is.
    #[test]
    fn mounts_are_not_tried_on_the_workdir_where_something_else_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new("/");
        let missing = folder.path().join("missing");
        let there = folder.path().to_owned();
        let spec = |writable: &[&PathBuf], read_only: &[&PathBuf]| ContainmentSpec {
            writable: writable.iter().copied().cloned().collect(),
            read_only: read_only.iter().copied().cloned().collect(),
            ..ContainmentSpec::off()
        };
        assert_eq!(spec(&[&there], &[]).trial_place(root), there);
        assert_eq!(spec(&[&missing], &[&there]).trial_place(root), there);
        assert_eq!(spec(&[], &[&missing]).trial_place(root), root);
    }

    /// spec: What a plan may reach. Where cgroups lie below the workdir, no step may move itself out of its own.
    #[test]
    fn cgroups_below_the_workdir_are_read_only() {
        let hierarchies = || {
            vec![
                PathBuf::from("/sys/fs/cgroup"),
                PathBuf::from("/mnt/cgroup"),
            ]
        };
        let spec = ContainmentSpec {
            read_only: vec![PathBuf::from("/a")],
            ..ContainmentSpec::off()
        };
        for (workdir, expected) in [
            ("/", &["/a", "/sys/fs/cgroup", "/mnt/cgroup"][..]),
            ("/sys", &["/a", "/sys/fs/cgroup"]),
            ("/work", &["/a"]),
        ] {
            let walls = spec.walls(Path::new(workdir), &Holds::nothing(), hierarchies());
            let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(walls.read_only, expected, "{workdir}");
        }
    }
}
