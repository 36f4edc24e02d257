//! Confines this process and becomes a step's program.

use std::{
    convert::Infallible,
    ffi::{CString, OsStr},
    io::Write as _,
    os::{
        fd::{BorrowedFd, OwnedFd},
        unix::ffi::OsStrExt as _,
    },
    path::Path,
};

use rustix::io::Errno;

use super::{
    failure::{Failure, Operation},
    instructions::{Report, Step},
    limits, serve, sys,
};

/// Does what `step` says and becomes its program; returns only what went wrong.
///
/// Says [`Report::Ready`] over `socket`, which closes by itself, right before it becomes the program.
pub(super) fn become_program(
    step: &Step<'_>,
    descriptors: Vec<OwnedFd>,
    socket: BorrowedFd<'_>,
) -> Failure {
    match try_become(step, descriptors, socket) {
        Err(failure) => failure,
        Ok(never) => match never {},
    }
}

/// The order matters. The leaf comes first, so that nothing of the step is outside of it. Mounts come before
/// Landlock, which forbids changing them, and before the workdir is entered, which may lie under one. Limits come
/// last, since what is done here is not to be held to them.
fn try_become(
    step: &Step<'_>,
    descriptors: Vec<OwnedFd>,
    socket: BorrowedFd<'_>,
) -> Result<Infallible, Failure> {
    let mut descriptors = descriptors.into_iter();
    let mut expected = |what: &str| {
        descriptors
            .next()
            .ok_or_else(|| Failure::about(Operation::ReadInstructions, what, Errno::BADF))
    };
    if step.joins_leaf {
        join(expected("the leaf's descriptor")?)?;
    }
    let input = match step.has_input {
        true => Some(expected("the descriptor of standard input")?),
        false => None,
    };
    enclose(step)?;
    let workdir = path(step.workdir);
    rustix::process::chdir(workdir).map_err(|errno| {
        Failure::about(Operation::EnterWorkdir, &workdir.to_string_lossy(), errno)
    })?;
    restrict(step)?;
    if let Some(input) = input {
        nix::unistd::dup2_stdin(&input).map_err(|errno| {
            Failure::from_io(Operation::PlaceStream, "standard input", &errno.into())
        })?;
    }
    let program = c_string(step.path)?;
    let arguments = words(step)?;
    let environment = step
        .environment
        .iter()
        .map(|(name, value)| c_string(&[name, &b"="[..], value].concat()))
        .collect::<Result<Vec<_>, _>>()?;
    sys::reset_signals();
    limits::set(&step.limits)?;
    serve::report(socket, &Report::Ready);
    nix::unistd::execve(&program, &arguments, &environment)
        .map_err(|errno| Failure::from_io(Operation::Execute, "", &errno.into()))
}

fn words(step: &Step<'_>) -> Result<Vec<CString>, Failure> {
    std::iter::once(&step.word)
        .chain(&step.arguments)
        .map(|word| c_string(word))
        .collect()
}

fn c_string(bytes: &[u8]) -> Result<CString, Failure> {
    CString::new(bytes).map_err(|_| {
        let subject = String::from_utf8_lossy(bytes);
        Failure::about(Operation::SpellWords, &subject, Errno::INVAL)
    })
}

/// Joins the leaf whose `cgroup.procs` this is. There, `0` stands for the process that writes it.
fn join(procs: OwnedFd) -> Result<(), Failure> {
    std::fs::File::from(procs)
        .write_all(b"0")
        .map_err(|error| Failure::from_io(Operation::JoinLeaf, "", &error))
}

#[cfg(target_os = "linux")]
fn enclose(step: &Step<'_>) -> Result<(), Failure> {
    if step.walls.mounts {
        super::mounts::enclose(&step.walls)?;
    }
    Ok(())
}

#[cfg(target_os = "linux")]
fn restrict(step: &Step<'_>) -> Result<(), Failure> {
    if step.walls.landlock {
        super::rules::restrict(step.walls.writable.iter().map(|bytes| path(bytes)))?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
fn enclose(step: &Step<'_>) -> Result<(), Failure> {
    match step.walls.mounts {
        true => Err(Failure::new(Operation::EnterNamespace, Errno::NOTSUP)),
        false => Ok(()),
    }
}

#[cfg(not(target_os = "linux"))]
fn restrict(step: &Step<'_>) -> Result<(), Failure> {
    match step.walls.landlock {
        true => Err(Failure::new(Operation::Restrict, Errno::NOTSUP)),
        false => Ok(()),
    }
}

/// Returns the path these bytes spell.
pub(super) fn path(bytes: &[u8]) -> &Path {
    Path::new(OsStr::from_bytes(bytes))
}
