//! `cargo xtask vm`: runs the kernel tests inside a virtual machine with cgroup v2 and Landlock.
//!
//! The kernel, the emulator and a shell for the inside come from Debian packages that are unpacked below `target/vm`
//! and never installed; nothing else on this machine is changed. The inside is an archive made here, with the built
//! programs in it. Which tests there are is not known here: every test target named `kernel` is run.

mod apt;
mod archive;
mod binaries;
mod console;
mod image;
mod libraries;
mod machine;
mod options;
mod packages;

use std::{fs, path::Path, time::Instant};

use console::Console;
use options::Options;

/// Why the tests did not all pass in the machine.
pub(crate) enum VmError {
    /// There is no machine to be had here.
    Cannot(String),
    /// Something in it, or on the way to it, failed.
    Failed(String),
}

impl VmError {
    /// Returns the sentence for whoever asked for the tests.
    pub(crate) fn reason(self) -> String {
        match self {
            Self::Cannot(reason) | Self::Failed(reason) => reason,
        }
    }
}

impl From<String> for VmError {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}

/// Boots the machine, runs the tests in it as each of its users, and fails unless all that ran passed.
pub(crate) fn run(root: &Path, words: &[&str]) -> Result<(), VmError> {
    let options = Options::read(words)?;
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return Err(VmError::Cannot(
            "cannot run here: `vm` boots a Linux of x86_64 and needs one as its host".into(),
        ));
    }
    let begin = Instant::now();
    let mut timed = begin;
    let binaries = binaries::build(root)?;
    tell(&mut timed, "built the programs");
    let folder = binaries.target.join("vm");
    fs::create_dir_all(&folder)
        .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
    let parts = packages::provide(&folder).map_err(VmError::Cannot)?;
    tell(&mut timed, "have the emulator and the kernel");
    let image = folder.join("image.cpio");
    image::write(&image, &parts.busybox, &binaries, &options)?;
    tell(&mut timed, "wrote the image");
    let log = folder.join("kernel.log");
    let mut console = Console::default();
    let booted = machine::boot(&parts, &image, &log, &mut |line| {
        println!("{line}");
        console.hear(line);
    });
    tell(&mut timed, "ran the machine");
    let verdict = booted.and_then(|()| console.verdict(options.filter.is_some()));
    println!("==> {} s in all", begin.elapsed().as_secs());
    match verdict {
        Ok(told) => {
            println!("==> {told}");
            if !options.keep {
                // Its traces are of use to somebody who looks for a fault.
                drop(fs::remove_file(&image));
                drop(fs::remove_file(&log));
            }
            Ok(())
        }
        Err(reason) => Err(VmError::Failed(format!(
            "{reason}; what its kernel said is in {}",
            log.display()
        ))),
    }
}

/// Tells how long a part took, and starts the clock for the next.
fn tell(since: &mut Instant, what: &str) {
    println!("==> {what} in {:.1} s", since.elapsed().as_secs_f64());
    *since = Instant::now();
}
