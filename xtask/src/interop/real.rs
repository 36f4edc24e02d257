//! The real programs, installed once, and the components that their crate's own tests run.

use std::{
    fs,
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::Instant,
};

/// What is not ours.
#[derive(Debug)]
pub(super) struct Real {
    /// The folder with `mur` and `mur-roost`.
    pub(super) programs: PathBuf,
    /// What the unpacked source of `murmur-cli` has for its own tests.
    pub(super) fixtures: PathBuf,
}

/// The release that is compared with.
const VERSION: &str = "0.8.0";

impl Real {
    /// Installs them into `folder` unless they are there.
    pub(super) fn provide(folder: &Path) -> Result<Self, String> {
        let programs = folder.join("bin");
        let is_there = |name: &str| {
            let asked = Command::new(programs.join(name)).arg("--version").output();
            asked.is_ok_and(|told| String::from_utf8_lossy(&told.stdout).contains(VERSION))
        };
        let are_there = || is_there("mur") && is_there("mur-roost");
        if !are_there() {
            install(folder)?;
        }
        if !are_there() {
            let folder = folder.display();
            return Err(format!(
                "cargo says that it installed {VERSION}, but it does not run; remove {folder} to install anew"
            ));
        }
        let fixtures = fixtures()?;
        Ok(Self { programs, fixtures })
    }

    pub(super) fn mur(&self) -> PathBuf {
        self.programs.join("mur")
    }

    pub(super) fn roost(&self) -> PathBuf {
        self.programs.join("mur-roost")
    }

    /// Reads a component of the fixtures.
    pub(super) fn component(&self, path: &str) -> Result<Vec<u8>, String> {
        let path = self.fixtures.join(path);
        fs::read(&path).map_err(|error| format!("cannot read {}: {error}", path.display()))
    }
}

fn install(folder: &Path) -> Result<(), String> {
    seccomp_is_there(folder)?;
    let build = folder.with_file_name("interop-build");
    println!(
        "==> installing murmur-cli and mur-roost {VERSION}; this takes 20 to 60 minutes, once"
    );
    let begin = Instant::now();
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(cargo)
        .arg("install")
        .args(["murmur-cli", "mur-roost"].map(|name| format!("{name}@{VERSION}")))
        .arg("--root")
        .arg(folder)
        .arg("--target-dir")
        .arg(&build)
        .status()
        .map_err(|error| format!("cannot start cargo: {error}"))?;
    if !status.success() {
        return Err(format!("`cargo install` failed ({status})"));
    }
    // Several gigabytes, and of no further use. What cannot be removed is only in the way.
    drop(fs::remove_dir_all(&build));
    println!("==> installed in {} s", begin.elapsed().as_secs());
    Ok(())
}

/// Fails when the library is missing that the programs link, which the linker would tell at the very end.
fn seccomp_is_there(folder: &Path) -> Result<(), String> {
    let program = folder.join("links-seccomp");
    fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let mut child = Command::new("cc")
        .args(["-x", "c", "-", "-lseccomp", "-o"])
        .arg(&program)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("cannot run here: cannot start `cc` ({error})"))?;
    if let Some(mut input) = child.stdin.take() {
        // A compiler that does not listen fails by its status.
        drop(input.write_all(b"int main(void) { return 0; }\n"));
    }
    let linked = child.wait();
    // It was never there when it could not be linked.
    drop(fs::remove_file(&program));
    match linked {
        Ok(status) if status.success() => Ok(()),
        _ => Err(
            "cannot run here: the programs link libseccomp, and `cc` cannot; install its development \
             package (`libseccomp-dev` on Debian)"
                .into(),
        ),
    }
}

/// Finds the source that cargo unpacked to install the programs.
fn fixtures() -> Result<PathBuf, String> {
    let cargo_home = std::env::var_os("CARGO_HOME")
        .map(PathBuf::from)
        .or_else(|| std::env::home_dir().map(|home| home.join(".cargo")))
        .ok_or("nothing says where cargo's home is")?;
    let sources = cargo_home.join("registry/src");
    let registries = fs::read_dir(&sources)
        .map_err(|error| format!("cannot read {}: {error}", sources.display()))?;
    registries
        .flatten()
        .map(|registry| {
            let source = registry.path().join(format!("murmur-cli-{VERSION}"));
            source.join("tests/fixtures")
        })
        .find(|fixtures| fixtures.is_dir())
        .ok_or_else(|| {
            format!(
                "the source of murmur-cli {VERSION} is gone from {}; remove `target/interop` to install anew",
                sources.display()
            )
        })
}
