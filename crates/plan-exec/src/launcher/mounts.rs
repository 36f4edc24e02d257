//! Read-only trees in a mount namespace of this process's own.
//!
//! Landlock alone cannot protect a tree inside one that may be written: its rules only grant. A read-only mount on
//! top of the tree can, and makes the tree impossible to move away besides.

use std::{
    os::fd::{AsFd, OwnedFd},
    path::Path,
};

use nix::sched::{CloneFlags, unshare};
use rustix::{
    fs::{CWD, StatVfsMountFlags, statvfs},
    io::Errno,
    mount::{
        MountPropagationFlags, MoveMountFlags, OpenTreeFlags, mount_change, move_mount, open_tree,
    },
    process::{getegid, geteuid},
};

use super::{
    failure::{Failure, Operation},
    instructions::Enclosure,
    step::path,
    sys,
};

/// Makes the read-only trees of `walls` so, and its islands writable again.
pub(super) fn enclose(walls: &Enclosure<'_>) -> Result<(), Failure> {
    enter_namespace()?;
    // What is mounted here must not show on the host.
    mount_change(
        "/",
        MountPropagationFlags::PRIVATE | MountPropagationFlags::REC,
    )
    .map_err(|errno| Failure::new(Operation::MakePrivate, errno))?;
    let mut trees = Vec::new();
    for bytes in &walls.read_only {
        trees.push(Tree {
            path: path(bytes),
            // Copied when its turn comes: it may lie inside of an island.
            island: None,
        });
    }
    for bytes in &walls.islands {
        // Copied while it is still writable.
        if let Some(copy) = copy(path(bytes))? {
            trees.push(Tree {
                path: path(bytes),
                island: Some(copy),
            });
        }
    }
    // What lies inside of another one is mounted after it, on top. Stable: of two with one path, the island wins.
    trees.sort_by_key(|tree| tree.path.components().count());
    for tree in trees {
        let copy = match tree.island {
            Some(copy) => copy,
            None => match copy(tree.path)? {
                Some(copy) => {
                    sys::make_read_only(copy.as_fd())
                        .map_err(|errno| failure(Operation::MakeReadOnly, tree.path, errno))?;
                    copy
                }
                None => continue,
            },
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
    Ok(())
}

/// Tries it all on one directory.
pub(super) fn probe(directory: &[u8]) -> Result<(), Failure> {
    enclose(&Enclosure {
        mounts: true,
        read_only: vec![directory],
        ..Enclosure::default()
    })?;
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
    island: Option<OwnedFd>,
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

fn failure(operation: Operation, tree: &Path, errno: Errno) -> Failure {
    Failure::about(operation, &tree.to_string_lossy(), errno)
}
