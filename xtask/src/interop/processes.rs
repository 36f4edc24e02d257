//! Which processes of a scene there are: those that have a path in its folder among their arguments.

use std::{fs, path::Path, time::Duration};

use super::patience;

/// Waits until there is none but the process `daemon`.
///
/// # Errors
/// Those that are left after ten seconds, longer than anything is given to end.
pub(super) fn none_but(daemon: u32, folder: &Path) -> Result<(), String> {
    let mut left = Vec::new();
    let gone = patience::until(BOUND, || {
        left = all_but(daemon, folder);
        left.is_empty().then_some(())
    });
    gone.ok_or_else(|| format!("left running: {}", left.join(", ")))
}

fn all_but(daemon: u32, folder: &Path) -> Vec<String> {
    let (daemon, folder) = (daemon.to_string(), folder.to_string_lossy());
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter(|entry| entry.file_name().to_string_lossy() != *daemon)
        .filter_map(|entry| {
            // What has ended since is no process.
            let words = fs::read(entry.path().join("cmdline")).ok()?;
            let words = String::from_utf8_lossy(&words).replace('\0', " ");
            words
                .contains(&*folder)
                .then(|| format!("{} ({})", entry.file_name().to_string_lossy(), words.trim()))
        })
        .collect()
}

const BOUND: Duration = Duration::from_secs(10);
