//! A launcher's life: its instructions read from standard input, one job done.

use std::{
    fs::File,
    io::{self, IsTerminal},
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

use rustix::io::{Errno, fcntl_dupfd_cloexec};

use super::{
    failure::{Failure, Operation},
    frame::{Arrival, FrameReader, decode, encode, put_all},
    instructions::{Job, Report},
    step, sys,
};

/// Does the job that comes over standard input. Returns the exit status when this has not become another program.
pub(super) fn serve() -> i32 {
    sys::close_inherited();
    match take_socket() {
        Ok(socket) => serve_on(&socket),
        Err(_) => explain(),
    }
}

/// Moves the socket off standard input, which is empty from now on.
fn take_socket() -> io::Result<OwnedFd> {
    let stdin = io::stdin();
    if stdin.is_terminal() {
        return Err(Errno::NOTSOCK.into());
    }
    let socket = fcntl_dupfd_cloexec(stdin.as_fd(), FIRST_OWN)?;
    nix::unistd::dup2_stdin(File::open("/dev/null")?)?;
    Ok(socket)
}

fn serve_on(socket: &OwnedFd) -> i32 {
    let mut reader = FrameReader::default();
    let garbled = |why: &str| Failure::about(Operation::ReadInstructions, why, Errno::BADMSG);
    let body = loop {
        match reader.next_body() {
            Ok(Some(body)) => break Ok(body),
            Ok(None) => {}
            Err(error) => break Err(garbled(&error.to_string())),
        }
        match reader.fill(socket.as_fd()) {
            Ok(Arrival::Some | Arrival::None) => {}
            // Whoever started this has gone.
            Ok(Arrival::End) => return FAILED,
            Err(Errno::NOTSOCK) => return explain(),
            Err(errno) => break Err(Failure::new(Operation::ReadInstructions, errno)),
        }
    };
    let descriptors = reader.take_descriptors();
    let done = body.and_then(|body| match decode(&body) {
        Ok(job) => act(&job, descriptors, socket.as_fd(), reader),
        Err(error) => Err(garbled(&error.to_string())),
    });
    match done {
        Ok(()) => 0,
        Err(failure) => {
            report(socket.as_fd(), &Report::Failed(failure));
            FAILED
        }
    }
}

/// Does the job. What came with it and was not looked at is in `reader`: it may be called off already.
#[cfg(target_os = "linux")]
fn act(
    job: &Job<'_>,
    descriptors: Vec<OwnedFd>,
    socket: BorrowedFd<'_>,
    reader: FrameReader,
) -> Result<(), Failure> {
    match job {
        Job::Step(step) if step.supervised => {
            super::supervise::serve(step, descriptors, socket, reader)
        }
        Job::Step(step) => Err(step::become_program(step, descriptors, socket)),
        Job::Probe { directory } => {
            report(socket, &super::probe::look(directory));
            Ok(())
        }
        Job::Watch { scope } => super::watch::serve(scope, socket, reader),
    }
}

#[cfg(not(target_os = "linux"))]
fn act(
    job: &Job<'_>,
    descriptors: Vec<OwnedFd>,
    socket: BorrowedFd<'_>,
    _reader: FrameReader,
) -> Result<(), Failure> {
    let unsupported = |what: &str| Failure::about(Operation::Support, what, Errno::NOTSUP);
    match job {
        Job::Step(step) if step.supervised => Err(unsupported("supervise a step")),
        Job::Step(step) => Err(step::become_program(step, descriptors, socket)),
        Job::Probe { .. } => {
            let found = Report::Found {
                landlock: Err(unsupported("restrict itself with Landlock")),
                mounts: Err(unsupported("get a mount namespace")),
            };
            report(socket, &found);
            Ok(())
        }
        Job::Watch { .. } => Err(unsupported("watch a scope")),
    }
}

/// Says something. When nobody listens any more, the next read says so.
pub(super) fn report(socket: BorrowedFd<'_>, report: &Report) {
    if let Ok(frame) = encode(report) {
        let _ = put_all(socket, &frame);
    }
}

#[expect(
    clippy::print_stderr,
    reason = "somebody called this by hand; there is no other way to tell them"
)]
fn explain() -> i32 {
    eprintln!(
        "this is how commands of a plan are started: the instructions come over a socket on standard input, \
         so it is of no use to call it by hand"
    );
    FAILED
}

/// The exit status of a launcher that did not do its job.
pub(super) const FAILED: i32 = 125;

/// The first descriptor that is no standard stream.
const FIRST_OWN: i32 = 3;
