//! What is inside the machine: the built programs, those of this machine that tests call, their libraries, and what to
//! run. Busybox is the first process's, and stands in for programs that this machine has not.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs::{self, File},
    io::BufWriter,
    path::{Path, PathBuf},
    process::Command,
};

use super::{archive::Archive, binaries::Binaries, libraries, options::Options};

/// Writes the image.
pub(super) fn write(
    image: &Path,
    busybox: &Path,
    binaries: &Binaries,
    options: &Options,
) -> Result<(), String> {
    let applets = applets(busybox)?;
    // At the places they have here: a test may know another program of its package by its path.
    let mut files: BTreeSet<PathBuf> = binaries
        .tests
        .iter()
        .map(|(_, path)| path)
        .chain(&binaries.others)
        .chain([&binaries.command])
        .cloned()
        .collect();
    let outside = outside(&applets);
    for program in files
        .iter()
        .chain(outside.values())
        .cloned()
        .collect::<Vec<_>>()
    {
        files.extend(libraries::of(&program)?);
    }
    let fault = |error: std::io::Error| format!("cannot write {}: {error}", image.display());
    let mut archive = Archive::new(BufWriter::new(File::create(image).map_err(fault)?));
    for folder in FOLDERS {
        archive.folder(folder).map_err(fault)?;
    }
    let text = |path: &Path| {
        path.to_str()
            .map(str::to_owned)
            .ok_or_else(|| format!("the path {} is no text", path.display()))
    };
    for path in files {
        archive.file(&text(&path)?, &read(&path)?).map_err(fault)?;
    }
    archive
        .file("bin/busybox", &read(busybox)?)
        .map_err(fault)?;
    for applet in applets.iter().filter(|applet| *applet != "busybox") {
        match outside.get(applet) {
            Some(path) => {
                let bytes = read(path)?;
                archive.file(&format!("bin/{applet}"), &bytes)
            }
            None => archive.link(&format!("bin/{applet}"), "busybox"),
        }
        .map_err(fault)?;
    }
    let mut tests = String::new();
    for (package, path) in &binaries.tests {
        tests.push_str(&format!("{package} {}\n", text(path)?));
    }
    let command = text(&binaries.command)?;
    let filter = options.filter.clone().unwrap_or_default();
    for (path, text) in [
        ("init", include_str!("init.sh")),
        ("vm/tests", &tests),
        ("vm/command", &command),
        ("vm/filter", &filter),
        ("etc/passwd", USERS),
        ("etc/group", "root:x:0:\nuser:x:1000:\n"),
    ] {
        archive.file(path, text.as_bytes()).map_err(fault)?;
    }
    archive.finish().map_err(fault)?;
    Ok(())
}

/// Returns the names busybox answers to.
fn applets(busybox: &Path) -> Result<Vec<String>, String> {
    let fault = |why: String| format!("cannot run here: {} {why}", busybox.display());
    let said = Command::new(busybox)
        .arg("--list")
        .output()
        .map_err(|error| fault(format!("cannot be started ({error})")))?;
    if !said.status.success() {
        return Err(fault(format!("failed ({})", said.status)));
    }
    let names = String::from_utf8_lossy(&said.stdout);
    Ok(names.lines().map(str::to_owned).collect())
}

/// Returns the programs of this machine that busybox would stand in for: what a test sees inside is then what it sees
/// outside, to the wording of an error.
fn outside(applets: &[String]) -> BTreeMap<String, PathBuf> {
    let mut found = BTreeMap::new();
    for applet in applets {
        let places = PROGRAMS.iter().map(|folder| Path::new(folder).join(applet));
        // A name may be a link to what is installed for it.
        let paths = places.filter_map(|path| fs::canonicalize(path).ok());
        if let Some(path) = paths.into_iter().find(|path| path.is_file()) {
            found.insert(applet.clone(), path);
        }
    }
    found
}

fn read(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// Where a machine has its programs.
const PROGRAMS: [&str; 4] = ["/usr/bin", "/bin", "/usr/sbin", "/sbin"];
/// What is mounted on, and where the ordinary user lives.
const FOLDERS: [&str; 6] = ["proc", "sys", "dev", "tmp", "root", "home/user"];
const USERS: &str = "root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:user:/home/user:/bin/sh\n";
