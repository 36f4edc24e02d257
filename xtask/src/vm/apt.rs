//! Debian's package tool, asked with lists and a cache of our own.
//!
//! So it needs no rights, and changes nothing outside a folder of ours. Which packages are wanted is left to others.

use std::{
    ffi::OsString,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The package tool, kept to a folder.
#[derive(Debug)]
pub(super) struct Apt {
    folder: PathBuf,
}

impl Apt {
    /// Makes the folder anew and fetches the lists into it.
    pub(super) fn begin(folder: PathBuf) -> Result<Self, String> {
        let apt = Self { folder };
        apt.remove();
        for name in [LISTS, ARCHIVES, DOWNLOADS] {
            let folder = apt.folder.join(name);
            fs::create_dir_all(&folder)
                .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        }
        apt.say("apt-get", &["update", "-qq"])?;
        Ok(apt)
    }

    /// Removes everything it fetched.
    pub(super) fn remove(&self) {
        // What cannot be removed is found when it is to be made anew.
        drop(fs::remove_dir_all(&self.folder));
    }

    /// Returns the first package that `package` needs whose name begins so; `None` where there is no such package.
    pub(super) fn dependency(&self, package: &str, beginning: &str) -> Option<String> {
        let told = self.say("apt-cache", &["depends", "--important", package]);
        dependency(&told.ok()?, beginning)
    }

    /// Returns a package and everything it needs that this machine has not.
    pub(super) fn needed(&self, package: &str) -> Result<Vec<String>, String> {
        let words = [
            "install",
            "-qq",
            "--simulate",
            "--no-install-recommends",
            package,
        ];
        Ok(installed(&self.say("apt-get", &words)?))
    }

    /// Fetches packages and unpacks them into `into`.
    pub(super) fn unpack(&self, packages: &[String], into: &Path) -> Result<(), String> {
        let mut words = vec!["download", "-qq"];
        words.extend(packages.iter().map(String::as_str));
        self.say("apt-get", &words)?;
        let downloads = self.folder.join(DOWNLOADS);
        let entries = fs::read_dir(&downloads)
            .map_err(|error| format!("cannot read {}: {error}", downloads.display()))?;
        for package in entries.flatten().map(|entry| entry.path()) {
            let words = [OsString::from("-x"), package.into(), into.into()];
            said("dpkg", Command::new("dpkg").args(words))?;
        }
        Ok(())
    }

    fn say(&self, program: &str, words: &[&str]) -> Result<String, String> {
        let option = |name: &str, value: &Path| {
            let mut option = OsString::from(format!("{name}="));
            option.push(value);
            ["-o".into(), option]
        };
        said(
            program,
            Command::new(program)
                .args(option("Dir::State::Lists", &self.folder.join("lists")))
                .args(option("Dir::Cache", &self.folder.join("cache")))
                // A network that swallows what is sent is to be told from one that is slow before anybody gives up.
                .args(["-o", "Acquire::http::Timeout=20", "-o", "Acquire::Retries=1"])
                // Started by root it would change to a user that may not write here.
                .args(["-o", "APT::Sandbox::User=root"])
                .args(["-o", "APT::Update::Error-Mode=any"])
                .args(["-o", "Debug::NoLocking=true"])
                .args(words)
                .current_dir(self.folder.join(DOWNLOADS)),
        )
    }
}

/// Reads what `apt-cache depends` says.
fn dependency(told: &str, beginning: &str) -> Option<String> {
    let mut names = told
        .lines()
        .filter_map(|line| line.trim().strip_prefix("Depends: "));
    names
        .find(|name| name.starts_with(beginning))
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

const LISTS: &str = "lists/partial";
const ARCHIVES: &str = "cache/archives/partial";
/// Where packages are downloaded to.
const DOWNLOADS: &str = "downloads";

#[cfg(test)]
mod tests {
    use super::*;

    /// Decision: what is fetched is what this machine lacks, and the kernel a package stands for.
    #[test]
    fn names_of_packages_are_read() {
        let told =
            "linux-image-amd64\n  Depends: linux-base\n  Depends: linux-image-6.1.0-57-amd64\n";
        assert_eq!(
            dependency(told, "linux-image-").as_deref(),
            Some("linux-image-6.1.0-57-amd64")
        );
        assert_eq!(dependency("linux-image-amd64\n", "linux-image-"), None);
        let told = "NOTE: only a simulation\nInst seabios (1.16.2-1 Debian:12.1 [all])\nInst libfdt1 [1.6.0] (1.6.1 x)\nConf seabios (1.16.2-1)\n";
        assert_eq!(installed(told), ["seabios", "libfdt1"]);
    }
}
