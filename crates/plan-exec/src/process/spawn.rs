//! Builds the one `Command` of this workspace and starts it.
//!
//! Everything asked of it is what the standard library can do through `posix_spawn`: no `pre_exec`, and a path
//! for a program. A fork would copy the page tables of a process that may hold a plan of a million steps.

use std::{
    ffi::{OsStr, OsString},
    io,
    os::{fd::OwnedFd, unix::process::CommandExt},
    path::Path,
    process::{Child, Command, Stdio},
};

use rustix::process::Pid;

use crate::launcher::ARGUMENT as LAUNCHER_ARGUMENT;

/// What to start.
#[derive(Debug)]
pub(super) struct Start<'a> {
    /// The path of the program.
    pub(super) path: &'a Path,
    /// The word it is called by.
    pub(super) word: &'a OsStr,
    /// What follows the word.
    pub(super) arguments: &'a [OsString],
    /// The whole environment.
    pub(super) environment: &'a [(OsString, OsString)],
    /// The working directory.
    pub(super) workdir: &'a Path,
    /// Whether standard input is a pipe; else it is empty.
    pub(super) feeds_input: bool,
}

/// A process that was started, leader of a group of its own, and this side of its pipes.
#[derive(Debug)]
pub(super) struct Started {
    pub(super) leader: Pid,
    pub(super) stdin: Option<OwnedFd>,
    pub(super) stdout: OwnedFd,
    pub(super) stderr: OwnedFd,
}

/// What becomes of a launcher's outputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outputs {
    /// They are the step's.
    Piped,
    /// Nobody reads them.
    Nowhere,
}

/// A launcher that was started, leader of a group of its own.
#[derive(Debug)]
pub(crate) struct Launcher {
    pub(crate) leader: Pid,
    /// This side of its outputs, if they are piped.
    pub(super) outputs: Option<(OwnedFd, OwnedFd)>,
}

/// Starts a launcher at `path`, which holds a `/`, with `socket` as its standard input and no environment.
pub(crate) fn spawn_launcher(
    path: &Path,
    socket: &OwnedFd,
    outputs: Outputs,
) -> io::Result<Launcher> {
    let output = || match outputs {
        Outputs::Piped => Stdio::piped(),
        Outputs::Nowhere => Stdio::null(),
    };
    let child = Command::new(path)
        .arg(LAUNCHER_ARGUMENT)
        .env_clear()
        .process_group(0)
        .stdin(Stdio::from(socket.try_clone()?))
        .stdout(output())
        .stderr(output())
        .spawn()?;
    Ok(Launcher {
        leader: id(&child),
        outputs: match (child.stdout, child.stderr) {
            (Some(stdout), Some(stderr)) => Some((stdout.into(), stderr.into())),
            (_, _) => None,
        },
    })
}

/// Starts it. Returns once the program was loaded, or with why it could not be.
pub(super) fn spawn(start: &Start<'_>) -> io::Result<Started> {
    let mut command = Command::new(start.path);
    command
        .arg0(start.word)
        .args(start.arguments)
        .env_clear()
        .envs(start.environment.iter().map(|(name, value)| (name, value)))
        .current_dir(start.workdir)
        .process_group(0)
        .stdin(if start.feeds_input {
            Stdio::piped()
        } else {
            Stdio::null()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let child = command.spawn()?;
    Ok(Started {
        leader: id(&child),
        stdin: child.stdin.map(OwnedFd::from),
        stdout: child.stdout.expect("standard output was piped").into(),
        stderr: child.stderr.expect("standard error was piped").into(),
    })
}

fn id(child: &Child) -> Pid {
    i32::try_from(child.id())
        .ok()
        .and_then(Pid::from_raw)
        .expect("a child has a positive process id")
}
