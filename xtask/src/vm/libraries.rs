//! The shared libraries a built program needs, as this machine's loader finds them.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Returns the files that have to lie at the same places for `program` to start.
pub(super) fn of(program: &Path) -> Result<Vec<PathBuf>, String> {
    let shown = format!("ldd {}", program.display());
    let said = Command::new("ldd")
        .arg(program)
        .output()
        .map_err(|error| format!("cannot run here: cannot start `ldd` ({error})"))?;
    // A script and a static program need none, and it says so by failing.
    if said.status.code() == Some(1) {
        return Ok(Vec::new());
    }
    let text = String::from_utf8_lossy(&said.stdout);
    if !said.status.success() {
        return Err(format!("`{shown}` failed ({})", said.status));
    }
    read(&text).map_err(|missing| format!("`{shown}` does not find `{missing}`"))
}

/// Reads what `ldd` says: `name => path (address)`, or `path (address)` for the loader itself.
fn read(text: &str) -> Result<Vec<PathBuf>, &str> {
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        let (name, place) = line.split_once(" => ").unwrap_or((line, line));
        if place.starts_with("not found") {
            return Err(name);
        }
        // What the kernel itself brings has no path.
        if let (true, Some((path, _))) = (place.starts_with('/'), place.split_once(" (")) {
            found.push(PathBuf::from(path));
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decision: a library that is missing is told before anything boots.
    #[test]
    fn paths_are_read_and_what_is_missing_is_named() {
        let text = "\tlinux-vdso.so.1 (0x00007ffd)\n\tlibc.so.6 => /lib/libc.so.6 (0x00007f)\n\t/lib64/ld.so.2 (0x00007f)\n";
        assert_eq!(
            read(text).unwrap(),
            [Path::new("/lib/libc.so.6"), Path::new("/lib64/ld.so.2")]
        );
        assert_eq!(read("\tlibx.so.1 => not found\n"), Err("libx.so.1"));
        assert_eq!(
            read("\tstatically linked\n").unwrap(),
            [""; 0].map(Path::new)
        );
    }
}
