//! The emulator, a kernel and busybox, from Debian packages unpacked below `target/vm`, never installed.
//!
//! The package tool is asked with lists and a cache of its own, so that it needs no rights and changes nothing of this
//! machine's. What was unpacked once is used again; removing the folder fetches it anew.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

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
/// Where they are downloaded to.
const PACKAGES: &str = "packages";
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
    let apt = Apt::at(folder)?;
    apt.say("apt-get", &["update", "-qq"])?;
    let mut names = vec![BUSYBOX.to_owned(), apt.kernel()?];
    if !is_installed {
        names.extend(apt.needed(QEMU)?);
    }
    names.retain(|name| !NOT_WANTED.contains(&name.as_str()));

    let (packages, part) = (folder.join(PACKAGES), folder.join("root.part"));
    for folder in [&packages, &part] {
        if folder.exists() {
            let gone = fs::remove_dir_all(folder);
            gone.map_err(|error| format!("cannot remove {}: {error}", folder.display()))?;
        }
        make(folder)?;
    }
    let mut words = vec!["download", "-qq"];
    words.extend(names.iter().map(String::as_str));
    apt.say("apt-get", &words)?;
    let entries = fs::read_dir(&packages)
        .map_err(|error| format!("cannot read {}: {error}", packages.display()))?;
    for package in entries.flatten().map(|entry| entry.path()) {
        let words = [OsString::from("-x"), package.into(), part.clone().into()];
        said("dpkg", Command::new("dpkg").args(words))?;
    }
    let whole = folder.join("root");
    fs::rename(&part, &whole)
        .map_err(|error| format!("cannot rename {}: {error}", part.display()))?;
    // What is unpacked is all that is needed from here on.
    drop(fs::remove_dir_all(&packages));
    Ok(())
}

/// The package tool, kept to a folder of ours.
struct Apt<'a> {
    folder: &'a Path,
}

impl<'a> Apt<'a> {
    fn at(folder: &'a Path) -> Result<Self, String> {
        for name in ["apt/lists/partial", "apt/cache/archives/partial", PACKAGES] {
            make(&folder.join(name))?;
        }
        Ok(Self { folder })
    }

    /// Returns the package of the newest kernel.
    fn kernel(&self) -> Result<String, String> {
        for name in KERNELS {
            // A name that is not known is an error of the tool, and the next one is tried.
            let told = self.say("apt-cache", &["depends", "--important", name]);
            if let Some(kernel) = told.ok().and_then(|told| dependency(&told)) {
                return Ok(kernel);
            }
        }
        let names = KERNELS.join("` or `");
        Err(format!(
            "cannot run here: the package tool knows no `{names}`, so this is no Debian"
        ))
    }

    /// Returns a package and everything it needs that this machine has not.
    fn needed(&self, package: &str) -> Result<Vec<String>, String> {
        let words = [
            "install",
            "-qq",
            "--simulate",
            "--no-install-recommends",
            package,
        ];
        Ok(installed(&self.say("apt-get", &words)?))
    }

    fn say(&self, program: &str, words: &[&str]) -> Result<String, String> {
        let option = |name: &str, value: &Path| {
            let mut option = OsString::from(format!("{name}="));
            option.push(value);
            ["-o".into(), option]
        };
        let apt = self.folder.join("apt");
        said(
            program,
            Command::new(program)
                .args(option("Dir::State::Lists", &apt.join("lists")))
                .args(option("Dir::Cache", &apt.join("cache")))
                // Started by root it would change to a user that may not write here.
                .args(["-o", "APT::Sandbox::User=root"])
                .args(["-o", "APT::Update::Error-Mode=any"])
                .args(["-o", "Debug::NoLocking=true"])
                .args(words)
                .current_dir(self.folder.join(PACKAGES)),
        )
    }
}

/// Reads the one package that `apt-cache depends` names.
fn dependency(told: &str) -> Option<String> {
    let mut names = told
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Depends: "));
    names
        .find(|name| name.starts_with("linux-image-"))
        .map(str::to_owned)
}

/// Reads what a simulated installation would install.
fn installed(told: &str) -> Vec<String> {
    told.lines()
        .filter_map(|line| line.strip_prefix("Inst "))
        .filter_map(|rest| rest.split_whitespace().next())
        .map(str::to_owned)
        .collect()
}

fn said(program: &str, command: &mut Command) -> Result<String, String> {
    let output = command
        .stdin(Stdio::null())
        .env("LC_ALL", "C")
        .output()
        .map_err(|error| format!("cannot run here: cannot start `{program}` ({error})"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    let complaint = String::from_utf8_lossy(&output.stderr);
    let last = complaint.trim().lines().next_back().unwrap_or_default();
    Err(format!(
        "cannot run here: `{program}` failed ({}): {last}",
        output.status
    ))
}

fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decision: what is fetched is what this machine lacks, and the kernel a package stands for.
    #[test]
    fn names_of_packages_are_read() {
        let told =
            "linux-image-amd64\n  Depends: linux-base\n  Depends: linux-image-6.1.0-57-amd64\n";
        assert_eq!(
            dependency(told).as_deref(),
            Some("linux-image-6.1.0-57-amd64")
        );
        assert_eq!(dependency("linux-image-amd64\n"), None);
        let told = "NOTE: only a simulation\nInst seabios (1.16.2-1 Debian:12.1 [all])\nInst libfdt1 [1.6.0] (1.6.1 x)\nConf seabios (1.16.2-1)\n";
        assert_eq!(installed(told), ["seabios", "libfdt1"]);
    }
}
