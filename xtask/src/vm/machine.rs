//! The emulated machine: started, listened to, and ended in time.

use std::{
    io::{BufRead, BufReader},
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc::{self, RecvTimeoutError},
    thread,
    time::{Duration, Instant},
};

use super::packages::{EMULATOR, Emulator, Parts};

/// How long the machine may run. Everything takes a minute or two on two idle cores, and some times that on busy ones.
const BOUND: Duration = Duration::from_secs(600);
/// Enough for the image, which lies in memory, and for the tests beside one another.
const MEMORY: &str = "1536M";
/// So that steps run beside one another in truth.
const PROCESSORS: &str = "2";
/// The second serial line is for what the tests say; the kernel keeps to the first.
const KERNEL_WORDS: &str = "console=ttyS0 panic=-1 cgroup_no_v1=all quiet";

/// Boots the machine and hands every line it tells to `hear`, until it is switched off.
pub(super) fn boot(
    parts: &Parts,
    image: &Path,
    log: &Path,
    hear: &mut dyn FnMut(&str),
) -> Result<(), String> {
    let mut command = emulator(&parts.emulator);
    command
        .args([
            "-machine",
            "pc",
            "-accel",
            "tcg",
            "-nographic",
            "-no-reboot",
            "-nodefaults",
        ])
        .args(["-smp", PROCESSORS, "-m", MEMORY])
        .arg("-kernel")
        .arg(&parts.kernel)
        .arg("-initrd")
        .arg(image)
        .args(["-append", KERNEL_WORDS])
        .arg("-serial")
        .arg(format!("file:{}", log.display()))
        .args(["-serial", "stdio", "-monitor", "none"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut machine = Machine(
        command
            .spawn()
            .map_err(|error| format!("cannot run here: cannot start `{EMULATOR}` ({error})"))?,
    );
    let deadline = Instant::now() + BOUND;
    let stdout = machine.0.stdout.take().expect("it was piped");
    let (sender, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(stdout).split(b'\n').map_while(Result::ok) {
            if sender
                .send(String::from_utf8_lossy(&line).into_owned())
                .is_err()
            {
                break;
            }
        }
    });
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match lines.recv_timeout(left) {
            Ok(line) => hear(line.trim_end()),
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!(
                    "the machine was not through after {} s",
                    BOUND.as_secs()
                ));
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = machine.0.wait();
    let status = status.map_err(|error| format!("cannot wait for `{EMULATOR}`: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{EMULATOR}` failed ({status})"))
    }
}

fn emulator(emulator: &Emulator) -> Command {
    match emulator {
        Emulator::Installed => Command::new(EMULATOR),
        Emulator::Unpacked(root) => {
            let libraries = root.join("usr/lib/x86_64-linux-gnu");
            let mut path = libraries.clone().into_os_string();
            path.push(":");
            path.push(root.join("lib/x86_64-linux-gnu"));
            let mut command = Command::new(root.join("usr/bin").join(EMULATOR));
            command
                .env("LD_LIBRARY_PATH", path)
                .env("QEMU_MODULE_DIR", libraries.join("qemu"));
            for folder in ["qemu", "seabios"] {
                command.arg("-L").arg(root.join("usr/share").join(folder));
            }
            command
        }
    }
}

/// A running emulator, which is ended when nobody waits for it any more.
struct Machine(Child);

impl Drop for Machine {
    fn drop(&mut self) {
        // Both do nothing to one that has been waited for.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
