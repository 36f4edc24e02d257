//! The emulator, a kernel and busybox, from Debian packages unpacked below `target/vm`, never installed.
//!
//! What was unpacked once is used again; removing the folder fetches it anew.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::apt::Apt;

/// What a machine is made of.
#[derive(Debug)]
pub(super) struct Parts {
    /// The emulator, and what it needs to start.
    pub(super) emulator: Emulator,
    /// The kernel's image.
    pub(super) kernel: PathBuf,
    /// A static busybox.
    pub(super) busybox: PathBuf,
}

/// Where the emulator is.
#[derive(Debug)]
pub(super) enum Emulator {
    /// Installed on this machine.
    Installed,
    /// Unpacked below this folder.
    Unpacked(PathBuf),
}

/// The program that emulates.
pub(super) const EMULATOR: &str = "qemu-system-x86_64";
/// Packages that name a kernel, the smaller first: the first one there is gets used.
const KERNELS: [&str; 2] = ["linux-image-cloud-amd64", "linux-image-amd64"];
const QEMU: &str = "qemu-system-x86";
const BUSYBOX: &str = "busybox-static";
/// Part of every machine, and of a loader that is running already: a second one beside it would not fit.
const NOT_WANTED: [&str; 2] = ["libc6", "libc-bin"];

/// Returns the parts, fetched and unpacked by the first call.
pub(super) fn provide(folder: &Path) -> Result<Parts, String> {
    let unpacked = folder.join("root");
    let is_installed = Command::new(EMULATOR)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    // Whole or not there: it is renamed when everything is in it.
    if !unpacked.exists() {
        fetch(folder, is_installed)?;
    }
    let there = |names: &[&str]| {
        let mut paths = names.iter().map(|name| unpacked.join(name));
        paths.find(|path| path.exists()).ok_or_else(|| {
            format!(
                "{} has no {}; remove it and call again",
                unpacked.display(),
                names[0]
            )
        })
    };
    let emulator = if is_installed {
        Emulator::Installed
    } else {
        there(&["usr/bin/qemu-system-x86_64"])?;
        Emulator::Unpacked(unpacked.clone())
    };
    Ok(Parts {
        emulator,
        kernel: kernel(&unpacked.join("boot"))?,
        // Releases differ in where it lies.
        busybox: there(&["bin/busybox", "usr/bin/busybox"])?,
    })
}

fn kernel(boot: &Path) -> Result<PathBuf, String> {
    let entries =
        fs::read_dir(boot).map_err(|error| format!("cannot read {}: {error}", boot.display()))?;
    let is_kernel = |path: &PathBuf| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("vmlinuz-"))
    };
    let mut paths = entries.flatten().map(|entry| entry.path());
    paths
        .find(is_kernel)
        .ok_or_else(|| format!("no kernel in {}", boot.display()))
}

/// Fetches the packages and unpacks them.
fn fetch(folder: &Path, is_installed: bool) -> Result<(), String> {
    println!("==> fetching the emulator and a kernel, once");
    let apt = Apt::begin(folder.join("apt"))?;
    let mut kernels = KERNELS.iter();
    let kernel = kernels
        .find_map(|name| apt.dependency(name, "linux-image-"))
        .ok_or_else(|| {
            let names = KERNELS.join("` or `");
            format!("cannot run here: the package tool knows no `{names}`, so this is no Debian")
        })?;
    let mut names = vec![BUSYBOX.to_owned(), kernel];
    if !is_installed {
        names.extend(apt.needed(QEMU)?);
    }
    names.retain(|name| !NOT_WANTED.contains(&name.as_str()));

    let (part, whole) = (folder.join("root.part"), folder.join("root"));
    drop(fs::remove_dir_all(&part));
    fs::create_dir_all(&part)
        .map_err(|error| format!("cannot make {}: {error}", part.display()))?;
    apt.unpack(&names, &part)?;
    // What is unpacked is all that is needed from here on.
    apt.remove();
    fs::rename(&part, &whole).map_err(|error| format!("cannot rename {}: {error}", part.display()))
}
