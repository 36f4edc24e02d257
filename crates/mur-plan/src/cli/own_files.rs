//! What judges a session's steps and lies where they work: the manifest, and what its policy hooks are started from.
//! No step may rewrite it. What a hook reads besides is the manifest's to declare `read_only`.

use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
};

use plan_exec::find_program;

use super::manifest::{Hook, Manifest};

/// Returns the manifest's file, links followed, if it lies below `workdir`, which is canonical.
pub(super) fn manifest_file(manifest: &Manifest, workdir: &Path) -> Option<PathBuf> {
    let file = fs::canonicalize(&manifest.path).ok()?;
    is_below(&file, workdir).then_some(file)
}

/// Returns each hook's name with the files and folders below `workdir`, which is canonical, that its command names:
/// its program, found as the hook finds it, and what is there by the name of an argument or of what follows a `=` in
/// one.
///
/// Each path is absolute; its last component may be a link.
pub(super) fn hook_files<'m>(
    manifest: &'m Manifest,
    workdir: &Path,
    path: &OsStr,
) -> Vec<(&'m str, PathBuf)> {
    // One that is not there has no files either.
    let folder = fs::canonicalize(manifest.folder()).unwrap_or_else(|_| workdir.to_owned());
    let of_hook = |hook: &'m Hook| {
        let mut places = program(hook, workdir, path, &folder);
        for argument in &hook.command.arguments {
            let value = argument.split_once('=').map(|(_, value)| value);
            for name in [Some(argument.as_str()), value].into_iter().flatten() {
                // Hooks run in the workdir, and are written down beside the manifest.
                let named = [workdir, &*folder].map(|base| base.join(name));
                places.extend(named.into_iter().filter(|place| place.exists()));
            }
        }
        let places = places.into_iter().filter_map(|place| standing(&place));
        let mut places: Vec<PathBuf> = places.filter(|place| is_held_by(place, workdir)).collect();
        places.sort();
        places.dedup();
        places.into_iter().map(|place| (&*hook.name, place))
    };
    manifest.hooks.iter().flat_map(of_hook).collect()
}

fn program(hook: &Hook, workdir: &Path, path: &OsStr, folder: &Path) -> Vec<PathBuf> {
    let name = &hook.command.name;
    if name.contains('/') {
        // Also one that is not there: nothing but the operator may put it there.
        return vec![folder.join(name)];
    }
    find_program(OsStr::new(name), path, workdir)
        .into_iter()
        .collect()
}

/// Returns `path` with the folder it is in canonical: where a link stands, not where it leads.
fn standing(path: &Path) -> Option<PathBuf> {
    match (path.parent(), path.file_name()) {
        (Some(folder), Some(name)) => Some(fs::canonicalize(folder).ok()?.join(name)),
        (_, _) => fs::canonicalize(path).ok(),
    }
}

/// Returns whether `place` or what it leads to lies below the workdir, and protecting it leaves the workdir writable.
fn is_held_by(place: &Path, workdir: &Path) -> bool {
    let led = fs::canonicalize(place).unwrap_or_else(|_| place.to_owned());
    let is_inside = is_below(place, workdir) || is_below(&led, workdir);
    is_inside && !workdir.starts_with(&led)
}

fn is_below(path: &Path, workdir: &Path) -> bool {
    path != workdir && path.starts_with(workdir)
}
