//! Builds the one `Command` of this workspace and starts it.
//!
//! Everything asked of it is what the standard library can do through `posix_spawn`: no `pre_exec`, and a path
//! for a program. A fork would copy the page tables of a process that may hold a plan of a million steps.

use std::{
    ffi::{OsStr, OsString},
    io,
    os::{fd::OwnedFd, unix::process::CommandExt},
    path::Path,
    process::{Command, Stdio},
};

use rustix::process::Pid;

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
    let leader = i32::try_from(child.id())
        .ok()
        .and_then(Pid::from_raw)
        .expect("a child has a positive process id");
    Ok(Started {
        leader,
        stdin: child.stdin.map(OwnedFd::from),
        stdout: child.stdout.expect("standard output was piped").into(),
        stderr: child.stderr.expect("standard error was piped").into(),
    })
}
