//! The hierarchy: where cgroup v2 is mounted, and which directory there is the cgroup of this process.

use std::{
    fs,
    os::unix::ffi::OsStringExt as _,
    path::{Component, Path, PathBuf},
};

use procfs::{FromRead as _, ProcessCGroups, process::MountInfo};

use super::file::{FileError, PROCS};

/// Where the hierarchy is seen, and this process in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hierarchy {
    /// Where it is mounted.
    pub(crate) mount: PathBuf,
    /// The directory of this process's cgroup, below the mount or the mount itself.
    pub(crate) own: PathBuf,
    /// Controllers that are held by hierarchies of version 1, so that this one cannot have them.
    pub(crate) held_by_v1: Vec<String>,
}

impl Hierarchy {
    /// Finds both for this process, from `/proc/self/mountinfo` and `/proc/self/cgroup`.
    pub(crate) fn of_this_process() -> Result<Self, NoHierarchy> {
        let [mounts, cgroups] = [MOUNTINFO, CGROUP].map(|path| {
            let path = Path::new(path);
            fs::read(path).map_err(|error| NoHierarchy::Unreadable(FileError::reading(path, error)))
        });
        // A mount may be hidden under another one: then there is something else at its place.
        Self::locate(&mounts?, &cgroups?, |dir| dir.join(PROCS).is_file())
    }

    /// Finds both from the text of the two files. `is_cgroup` says whether a directory is a cgroup's.
    pub(super) fn locate(
        mountinfo: &[u8],
        cgroup: &[u8],
        is_cgroup: impl Fn(&Path) -> bool,
    ) -> Result<Self, NoHierarchy> {
        let mounts = mounts(mountinfo);
        let membership = Membership::read(cgroup);
        let own = membership.own.filter(|_| !mounts.is_empty());
        let own = own.ok_or(NoHierarchy::NotMounted)?;
        let seen = mounts.iter().find_map(|mount| {
            let dir = mount.directory(&own).filter(|dir| is_cgroup(dir))?;
            Some((mount.point.clone(), dir))
        });
        match seen {
            Some((mount, dir)) => Ok(Self {
                mount,
                own: dir,
                held_by_v1: membership.v1,
            }),
            None => Err(NoHierarchy::NotShown {
                own,
                mounts: mounts.into_iter().map(|mount| mount.point).collect(),
            }),
        }
    }
}

/// Why there is no place in a hierarchy.
#[derive(Debug, thiserror::Error)]
pub(crate) enum NoHierarchy {
    /// `/proc` does not say.
    #[error(transparent)]
    Unreadable(FileError),
    /// There is no mount of version 2, or the kernel keeps this process in none.
    #[error("no cgroup v2 hierarchy is mounted")]
    NotMounted,
    /// There are mounts, but this process's cgroup is outside what they show, or was removed.
    #[error(
        "cgroup v2 is mounted at {}, which does not show this process's own cgroup `{own}`",
        listed(mounts)
    )]
    NotShown {
        /// The cgroup as `/proc/self/cgroup` names it.
        own: String,
        /// Where version 2 is mounted.
        mounts: Vec<PathBuf>,
    },
}

/// Returns which cgroup of version 2 this process is in, as the kernel names it; `None` when that is unknown.
#[cfg(feature = "systemd")]
pub(super) fn own_path() -> Option<String> {
    Membership::read(&fs::read(CGROUP).ok()?).own
}

/// Returns where version 2 is mounted, each place once; without those this process cannot look at.
pub(crate) fn reached() -> Vec<PathBuf> {
    let mounts = mounts(&fs::read(MOUNTINFO).unwrap_or_default());
    let mut points: Vec<PathBuf> = mounts.into_iter().map(|mount| mount.point).collect();
    points.sort();
    points.dedup();
    points.retain(|point| point.is_dir());
    points
}

/// One mount of version 2.
#[derive(Debug)]
struct Mount {
    /// The cgroup that is seen at the mount point.
    root: PathBuf,
    point: PathBuf,
}

impl Mount {
    /// Returns where the cgroup `own` is seen through this mount.
    ///
    /// Both names are relative to the root of the cgroup namespace, so one begins with the other or the mount
    /// shows another part of the tree. A name with `..` in it is of a cgroup outside that namespace.
    fn directory(&self, own: &str) -> Option<PathBuf> {
        let below = Path::new(own).strip_prefix(&self.root).ok()?;
        let inside = below
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        // Nothing below is the mount point itself, without the slash at the end that joining would put there.
        inside.then(|| self.point.iter().chain(below).collect())
    }
}

/// Reads the mounts of version 2, the ones mounted last first: they cover the others.
fn mounts(mountinfo: &[u8]) -> Vec<Mount> {
    let text = String::from_utf8_lossy(mountinfo);
    // Line by line: anybody may have mounted something whose line does not parse.
    let parsed = text.lines().filter_map(|line| {
        let mount = MountInfo::from_line(line).ok()?;
        (mount.fs_type == "cgroup2").then(|| Mount {
            root: unescape(&mount.root),
            point: unescape(&mount.mount_point.to_string_lossy()),
        })
    });
    let mut mounts: Vec<_> = parsed.collect();
    mounts.reverse();
    mounts
}

/// Undoes the kernel's octal escapes of blanks, line ends and backslashes.
fn unescape(field: &str) -> PathBuf {
    let mut bytes = Vec::with_capacity(field.len());
    let mut rest = field.as_bytes();
    while let Some((&first, after)) = rest.split_first() {
        let code = match (first, after) {
            (b'\\', [a @ b'0'..=b'3', b @ b'0'..=b'7', c @ b'0'..=b'7', ..]) => {
                Some((a - b'0') * 0o100 + (b - b'0') * 0o10 + (c - b'0'))
            }
            _ => None,
        };
        bytes.push(code.unwrap_or(first));
        rest = code.map_or(after, |_| &after[3..]);
    }
    std::ffi::OsString::from_vec(bytes).into()
}

/// What `/proc/self/cgroup` says.
#[derive(Debug, Default)]
struct Membership {
    own: Option<String>,
    v1: Vec<String>,
}

impl Membership {
    fn read(text: &[u8]) -> Self {
        let mut membership = Self::default();
        for line in text.split(|&byte| byte == b'\n') {
            let line = String::from_utf8_lossy(line);
            let Ok(ProcessCGroups(parsed)) = ProcessCGroups::from_read(line.as_bytes()) else {
                continue;
            };
            for group in parsed {
                if group.hierarchy == 0 {
                    membership.own = Some(group.pathname);
                } else {
                    membership.v1.extend(group.controllers);
                }
            }
        }
        membership
    }
}

fn listed(mounts: &[PathBuf]) -> String {
    let mounts: Vec<_> = mounts
        .iter()
        .map(|mount| format!("`{}`", mount.display()))
        .collect();
    mounts.join(", ")
}

const MOUNTINFO: &str = "/proc/self/mountinfo";
const CGROUP: &str = "/proc/self/cgroup";
