//! Read-only trees in a mount namespace of this process's own.
//!
//! Landlock alone cannot protect a tree inside one that may be written: its rules only grant. A read-only mount on
//! top of the tree can, and makes the tree impossible to move away besides.

use std::{
    collections::BTreeSet,
    os::fd::{AsFd, OwnedFd},
    path::Path,
};

use nix::sched::{CloneFlags, unshare};
use rustix::{
    fs::{CWD, StatVfsMountFlags, statvfs},
    io::Errno,
    mount::{
        MountFlags, MountPropagationFlags, MoveMountFlags, OpenTreeFlags, mount, mount_bind,
        mount_change, move_mount, open_tree,
    },
    process::{getegid, geteuid},
};

use super::{
    failure::{Failure, Operation},
    instructions::Enclosure,
    known::KnownTrees,
    step::path,
    sys,
};

/// Gets a mount namespace of this process's own. What is opened before belongs to the one it leaves.
pub(super) fn enter() -> Result<(), Failure> {
    enter_namespace()?;
    // What is mounted here must not show on the host.
    mount_change(
        "/",
        MountPropagationFlags::PRIVATE | MountPropagationFlags::REC,
    )
    .map_err(|errno| Failure::new(Operation::MakePrivate, errno))
}

/// In a namespace of this process's own, makes the read-only trees of `walls` so, and its islands writable again. The
/// folders above them, as far as they can be written, are held in their places. Returns whether terminals are this
/// process's own from now on.
pub(super) fn enclose(walls: &Enclosure<'_>, known: &KnownTrees<'_>) -> Result<bool, Failure> {
    let own_terminals = own_terminals();
    let mut trees: Vec<Tree<'_>> = held_in_place(walls)
        .into_iter()
        .map(|path| Tree {
            path,
            what: What::Held,
        })
        .collect();
    for bytes in &walls.read_only {
        trees.push(Tree {
            path: path(bytes),
            // Copied when its turn comes: it may lie inside of an island.
            what: What::ReadOnly,
        });
    }
    for bytes in &walls.islands {
        // Copied while it is still writable.
        let copied = match known.get(path(bytes)) {
            Some(tree) => Some(
                copy_of(tree).map_err(|errno| failure(Operation::CloneTree, path(bytes), errno))?,
            ),
            None => copy(path(bytes))?,
        };
        if let Some(copy) = copied {
            trees.push(Tree {
                path: path(bytes),
                what: What::Island(copy),
            });
        }
    }
    // What lies inside of another one is mounted after it, on top. Stable: of two with one path, the island wins.
    trees.sort_by_key(|tree| tree.path.components().count());
    for tree in trees {
        let copy = match tree.what {
            What::Island(copy) => copy,
            What::Held | What::ReadOnly => {
                let Some(copy) = copy(tree.path)? else {
                    continue;
                };
                if matches!(tree.what, What::ReadOnly) {
                    sys::make_read_only(copy.as_fd())
                        .map_err(|errno| failure(Operation::MakeReadOnly, tree.path, errno))?;
                }
                copy
            }
        };
        move_mount(
            copy.as_fd(),
            "",
            CWD,
            tree.path,
            MoveMountFlags::MOVE_MOUNT_F_EMPTY_PATH,
        )
        .map_err(|errno| failure(Operation::AttachTree, tree.path, errno))?;
    }
    Ok(own_terminals)
}

/// Tries it all on one directory.
pub(super) fn probe(directory: &[u8]) -> Result<(), Failure> {
    let walls = Enclosure {
        mounts: true,
        read_only: vec![directory],
        ..Enclosure::default()
    };
    enter()?;
    enclose(&walls, &KnownTrees::none())?;
    let seen = |errno| failure(Operation::SeeReadOnly, path(directory), errno);
    let flags = statvfs(path(directory)).map_err(seen)?.f_flag;
    if flags.contains(StatVfsMountFlags::RDONLY) {
        Ok(())
    } else {
        Err(seen(Errno::PERM))
    }
}

struct Tree<'a> {
    path: &'a Path,
    what: What,
}

/// What is mounted at a tree's path.
enum What {
    /// The tree itself, so that it cannot be moved away.
    Held,
    /// The tree, read-only.
    ReadOnly,
    /// The tree as it was before what is around it became read-only.
    Island(OwnedFd),
}

/// Returns the folders between a tree that may be written and one inside that is mounted: if one of these could be
/// renamed, what is mounted below it would be found by another name, and something else at the old one.
fn held_in_place<'a>(walls: &'a Enclosure<'_>) -> BTreeSet<&'a Path> {
    let mut held = BTreeSet::new();
    for mounted in walls.read_only.iter().chain(&walls.islands) {
        for writable in &walls.writable {
            let (mounted, writable) = (path(mounted), path(writable));
            if !mounted.starts_with(writable) {
                continue;
            }
            let above = mounted.ancestors().skip(1);
            held.extend(above.take_while(|folder| *folder != writable));
        }
    }
    // What is read-only already cannot be renamed, nor can anything in it.
    held.retain(|folder| {
        let mut read_only = walls.read_only.iter().map(|bytes| path(bytes));
        !read_only.any(|tree| folder.starts_with(tree))
    });
    held
}

/// Gives this process terminals of its own: those of others cannot be opened any more. Returns whether they can be had.
fn own_terminals() -> bool {
    const FOLDER: &str = "/dev/pts";
    let flags = MountFlags::NOSUID | MountFlags::NOEXEC;
    let options = c"newinstance,ptmxmode=0666,mode=0620";
    mount("devpts", FOLDER, "devpts", flags, Some(options)).is_ok()
        // Where this is a link it leads there already; a device of its own would make terminals of the host's.
        && mount_bind("/dev/pts/ptmx", "/dev/ptmx").is_ok()
}

/// Gets a mount namespace, as somebody who may, else in a user namespace where everybody may.
fn enter_namespace() -> Result<(), Failure> {
    let failed =
        |errno: nix::errno::Errno| Failure::from_io(Operation::EnterNamespace, "", &errno.into());
    match unshare(CloneFlags::CLONE_NEWNS) {
        Err(nix::errno::Errno::EPERM) => {}
        result => return result.map_err(failed),
    }
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    unshare(CloneFlags::CLONE_NEWUSER | CloneFlags::CLONE_NEWNS).map_err(failed)?;
    for (file, text) in [
        ("/proc/self/setgroups", "deny".to_owned()),
        ("/proc/self/uid_map", format!("{user} {user} 1")),
        ("/proc/self/gid_map", format!("{group} {group} 1")),
    ] {
        std::fs::write(file, text)
            .map_err(|error| Failure::from_io(Operation::MapIds, file, &error))?;
    }
    Ok(())
}

/// Copies a tree's mounts, `None` when there is no such tree.
fn copy(tree: &Path) -> Result<Option<OwnedFd>, Failure> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE;
    match open_tree(CWD, tree, flags) {
        Ok(copy) => Ok(Some(copy)),
        Err(Errno::NOENT | Errno::NOTDIR) => Ok(None),
        Err(errno) => Err(failure(Operation::CloneTree, tree, errno)),
    }
}

/// Copies the mounts of a tree that is open.
fn copy_of(tree: &OwnedFd) -> Result<OwnedFd, Errno> {
    let flags = OpenTreeFlags::OPEN_TREE_CLONE
        | OpenTreeFlags::OPEN_TREE_CLOEXEC
        | OpenTreeFlags::AT_RECURSIVE
        | OpenTreeFlags::AT_EMPTY_PATH;
    open_tree(tree, "", flags)
}

fn failure(operation: Operation, tree: &Path, errno: Errno) -> Failure {
    Failure::about(operation, &tree.to_string_lossy(), errno)
}
