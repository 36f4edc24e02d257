//! Where a path leads, read as the command that is handed it would, and as the text says.

use std::{
    collections::{HashMap, VecDeque},
    ffi::{OsStr, OsString},
    fs, io,
    path::{Component, Path, PathBuf},
};

/// Returns where `path` may lead when opened in `base`, which is absolute and resolved.
///
/// There are up to three readings: `.` and `..` removed from the text and the longest existing prefix resolved;
/// each component followed as the kernel does it; and the same without following the last one, for what is done
/// to a link itself. Empty when it is a descriptor's name, such as `/dev/fd/3`.
pub(super) fn readings(base: &Path, path: &str, made: &Links) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Vec::with_capacity(3);
    if path.len() > PATH_MAX {
        // The kernel takes no such path, but a program may shorten it first.
        found.push(lexical(base, path));
        return found;
    }
    // Without `..` the text says what the kernel does.
    let climbs = Path::new(path)
        .components()
        .any(|component| component == Component::ParentDir);
    let direct = [
        walk(base, Path::new(path), Last::Followed, made),
        walk(base, Path::new(path), Last::Kept, made),
        climbs
            .then(|| walk(base, &lexical(base, path), Last::Followed, made))
            .flatten(),
    ];
    for reading in direct.into_iter().flatten() {
        if !found.contains(&reading) {
            found.push(reading);
        }
    }
    found
}

/// Returns `path` in `base` with `.` and `..` removed from the text, links or not.
pub(super) fn lexical(base: &Path, path: impl AsRef<Path>) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in base.join(path).components() {
        match component {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) | Component::Normal(_) => {
                plain.push(component)
            }
        }
    }
    plain
}

/// Returns `path` with its longest existing prefix canonical. `path` is absolute, without `..`.
pub(super) fn existing_prefix(path: &Path) -> PathBuf {
    walk(Path::new("/"), path, Last::Followed, &Links::default()).unwrap_or_else(|| path.to_owned())
}

/// Symbolic links that a call makes itself before it uses them: where each stands, resolved, and what it holds.
pub(super) type Links = HashMap<PathBuf, PathBuf>;

/// What is done about the last component when it is a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    Followed,
    Kept,
}

/// Walks `path` from `base` one component at a time, as the kernel would in the process that is judged.
///
/// That process is not this one, so `/proc/<any>/cwd` is `base` and `/proc/<any>/root` is the root, and a
/// descriptor (`/proc/<any>/fd/N`) leads nowhere that can be known. A component that does not exist ends the
/// looking: the rest is taken as text, because the command may make it first.
fn walk(base: &Path, path: &Path, last: Last, made: &Links) -> Option<PathBuf> {
    let mut current = base.to_owned();
    let mut ahead: VecDeque<OsString> = VecDeque::new();
    put_before(&mut ahead, &mut current, path);
    let mut links = 0;
    // How many components lie below one that does not exist: nothing is there to be looked at.
    let mut below_nothing = 0_usize;
    while let Some(name) = ahead.pop_front() {
        if name == ".." {
            current.pop();
            below_nothing = below_nothing.saturating_sub(1);
            continue;
        }
        if current == Path::new("/proc") {
            match in_proc(&mut ahead) {
                Proc::Cwd => current = base.to_owned(),
                Proc::Root => current = PathBuf::from("/"),
                Proc::Descriptor => return None,
                Proc::Other => current.push(&name),
            }
            continue;
        }
        let keep = last == Last::Kept && ahead.is_empty();
        current.push(name);
        let mut was_missing = below_nothing > 0;
        // Hashing a path takes as long as the path is: not for nothing.
        let made_here = if made.is_empty() {
            None
        } else {
            made.get(&current)
        };
        let target = match made_here {
            _ if keep => None,
            Some(target) => Some(target.clone()),
            None if below_nothing > 0 => None,
            None => match fs::read_link(&current) {
                Ok(target) => Some(target),
                Err(error) => {
                    was_missing = error.kind() == io::ErrorKind::NotFound;
                    None
                }
            },
        };
        match target {
            Some(target) if links < LINKS_MAX => {
                links += 1;
                current.pop();
                put_before(&mut ahead, &mut current, &target);
            }
            None if was_missing => below_nothing += 1,
            Some(_) | None => {}
        }
    }
    Some(current)
}

/// Puts the components of `path` before those ahead, and goes back to the root if it is absolute.
fn put_before(ahead: &mut VecDeque<OsString>, current: &mut PathBuf, path: &Path) {
    if path.is_absolute() {
        *current = PathBuf::from("/");
    }
    for component in path.components().rev() {
        match component {
            Component::Normal(name) => ahead.push_front(name.to_owned()),
            Component::ParentDir => ahead.push_front(OsString::from("..")),
            Component::CurDir | Component::RootDir | Component::Prefix(_) => {}
        }
    }
}

/// What follows `/proc/<any>`.
enum Proc {
    Cwd,
    Root,
    Descriptor,
    Other,
}

/// Reads what follows `/proc/<any>`, and takes it from `ahead` when it is known. `task/<any>` is passed over.
fn in_proc(ahead: &mut VecDeque<OsString>) -> Proc {
    let name = |index: usize| ahead.get(index).map(OsString::as_os_str);
    let skipped = if name(0) == Some(OsStr::new("task")) {
        2
    } else {
        0
    };
    let known = match name(skipped).and_then(OsStr::to_str) {
        Some("cwd") => Proc::Cwd,
        Some("root") => Proc::Root,
        Some("fd") => Proc::Descriptor,
        _ => return Proc::Other,
    };
    ahead.drain(..=skipped);
    known
}

/// The longest path the kernel takes, in bytes (`PATH_MAX`).
const PATH_MAX: usize = 4096;

/// The links the kernel follows in one path before it gives up (`MAXSYMLINKS`).
const LINKS_MAX: usize = 40;
