//! Starting a program: as it is, or by a launcher, which is told what to do and says how it went.

use std::{
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    pin::pin,
};

use rustix::io::Errno;
use tokio::{
    io::{Interest, unix::AsyncFd},
    time::{Duration, timeout},
};

use super::{
    exit::KILLED,
    guard::Guard,
    launch::{Confined, Launch},
    lookup,
    processes::{Hold, Processes},
    ready,
    reason::{reason, reason_of},
    run::Program,
    spawn::{Outputs, Start, Started, spawn, spawn_launcher},
    streams::Streams,
    supervisor::Supervisor,
    watch::Watch,
};
use crate::{
    cancel::{Cancel, CancelLevel},
    launcher::{Birth, Born, Failure, Job, Operation, Step, encode, pair, put},
    session::CommandSession,
};

/// A program that runs.
#[derive(Debug)]
pub(super) struct Begun<'a> {
    pub(super) guard: Guard<'a>,
    pub(super) watch: Watch,
    pub(super) streams: Streams,
}

/// Starts `program`, or returns the step's error.
///
/// A launcher is waited for, 30 s at most, while other steps go on; a repeated cancel ends that.
pub(super) async fn begin<'a>(
    session: &'a CommandSession,
    plan: u32,
    program: Program<'a>,
    cancel: &Cancel,
) -> Result<Begun<'a>, String> {
    let cannot = |why: &dyn std::fmt::Display| {
        format!("cannot start `{}`: {why}", program.word.to_string_lossy())
    };
    let path = lookup::find(program.word, session.path(), session.workdir())
        .map_err(|error| cannot(&error))?;
    let start = Start {
        path: &path,
        word: program.word,
        arguments: program.arguments,
        environment: session.environment(),
        workdir: session.workdir(),
        feeds_input: program.input.is_some(),
    };
    let processes = session.processes();
    let (guard, watch, started) = match program.launch {
        Launch::Plain => {
            let started = with_room(processes, || spawn(&start))
                .map_err(|error| cannot(&reason(&error, &start)))?;
            processes.add(plan, started.leader, Hold::Group);
            let guard = Guard::new(processes, plan, started.leader, program.launch);
            let watch = Watch::new(started.leader).map_err(|error| cannot(&error))?;
            (guard, watch, started)
        }
        Launch::Confined(confined) => {
            let launched =
                Launching::start(processes, plan, &start, &confined).map_err(|why| cannot(&why))?;
            launched.finish(cancel).await.map_err(|why| match why {
                Unborn::Killed => KILLED.to_owned(),
                Unborn::Failed(failure) => cannot(&reason_of(&failure, &start)),
                Unborn::Silent => cannot(&format!(
                    "the launcher did not start it within {} s",
                    START_PATIENCE.as_secs()
                )),
                Unborn::Unwatched(error) => cannot(&error),
            })?
        }
    };
    let streams =
        Streams::new(started, program.input.unwrap_or_default()).map_err(|error| cannot(&error))?;
    Ok(Begun {
        guard,
        watch,
        streams,
    })
}

/// Starts a process, a second time after reaping when there were too many.
fn with_room<T>(processes: &Processes, start: impl Fn() -> io::Result<T>) -> io::Result<T> {
    start().or_else(|error| {
        if error.raw_os_error() != Some(Errno::AGAIN.raw_os_error()) {
            return Err(error);
        }
        processes.make_room();
        start()
    })
}

/// A launcher that was started and not heard of.
struct Launching<'a> {
    guard: Guard<'a>,
    confined: Confined<'a>,
    started: Started,
    /// The program's end of its standard input.
    input: Option<OwnedFd>,
    socket: AsyncFd<OwnedFd>,
    frame: Vec<u8>,
}

/// Why there is no program.
enum Unborn {
    /// A repeated cancel ended it.
    Killed,
    /// The launcher could not do something.
    Failed(Failure),
    /// It said nothing for too long.
    Silent,
    /// It was started and cannot be watched.
    Unwatched(io::Error),
}

impl<'a> Launching<'a> {
    /// Starts the launcher. Fails with the reason.
    fn start(
        processes: &'a Processes,
        plan: u32,
        start: &Start<'_>,
        confined: &Confined<'a>,
    ) -> Result<Self, String> {
        let why = |error: io::Error| error.to_string();
        let frame = encode(&Job::Step(Box::new(instructions(start, confined)))).map_err(why)?;
        let path = confined.program.path().map_err(|error| error.to_string())?;
        let (socket, theirs) = pair().map_err(why)?;
        let hold = match confined.supervised {
            true => Hold::Supervisor(Supervisor::new(&socket).map_err(why)?),
            false => Hold::Group,
        };
        let (input, stdin) = match start.feeds_input {
            true => {
                let (input, stdin) = io::pipe().map_err(why)?;
                (Some(input.into()), Some(stdin.into()))
            }
            false => (None, None),
        };
        let socket =
            ready::register(socket, Interest::READABLE | Interest::WRITABLE).map_err(why)?;
        let launcher = with_room(processes, || spawn_launcher(&path, &theirs, Outputs::Piped))
            .map_err(|error| confined.program.not_started(&path, error).to_string())?;
        processes.add(plan, launcher.leader, hold);
        let (stdout, stderr) = launcher.outputs.expect("both outputs were piped");
        Ok(Self {
            guard: Guard::new(
                processes,
                plan,
                launcher.leader,
                Launch::Confined(*confined),
            ),
            confined: *confined,
            started: Started {
                leader: launcher.leader,
                stdin,
                stdout,
                stderr,
            },
            input,
            socket,
            frame,
        })
    }

    /// Tells it what to do and waits until the program runs.
    async fn finish(self, cancel: &Cancel) -> Result<(Guard<'a>, Watch, Started), Unborn> {
        let Self {
            guard,
            confined,
            started,
            input,
            socket,
            frame,
        } = self;
        let mut birth = Birth::default();
        let born = {
            let mut talk = pin!(timeout(START_PATIENCE, async {
                let mut descriptors: Vec<BorrowedFd<'_>> = Vec::new();
                descriptors.extend(confined.leaf_descriptor());
                descriptors.extend(input.as_ref().map(AsFd::as_fd));
                send(&socket, &frame, &descriptors).await;
                hear(&socket, &mut birth).await
            }));
            tokio::select! {
                biased;
                () = cancel.reached(CancelLevel::Killed) => Err(Unborn::Killed),
                born = &mut talk => match born {
                    Ok(Ok(born)) => Ok(born),
                    Ok(Err(failure)) => Err(Unborn::Failed(failure)),
                    Err(_) => Err(Unborn::Silent),
                },
            }
        };
        let watch = match born {
            Ok(Born::Itself) => Watch::new(started.leader).map_err(Unborn::Unwatched),
            Ok(Born::Supervised(group)) => {
                guard.processes.born(started.leader, group);
                Ok(Watch::supervised(socket, birth.into_reader()))
            }
            Err(unborn) => Err(unborn),
        };
        match watch {
            Ok(watch) => Ok((guard, watch, started)),
            Err(unborn) => {
                guard.abandon().await;
                Err(unborn)
            }
        }
    }
}

fn instructions<'s>(start: &Start<'s>, confined: &Confined<'s>) -> Step<'s> {
    let bytes = |text: &'s std::ffi::OsString| text.as_encoded_bytes();
    Step {
        path: start.path.as_os_str().as_encoded_bytes(),
        word: start.word.as_encoded_bytes(),
        arguments: start.arguments.iter().map(bytes).collect(),
        environment: start
            .environment
            .iter()
            .map(|(name, value)| (bytes(name), bytes(value)))
            .collect(),
        workdir: start.workdir.as_os_str().as_encoded_bytes(),
        joins_leaf: confined.leaf_descriptor().is_some(),
        has_input: start.feeds_input,
        lifeline: None,
        supervised: confined.supervised,
        limits: *confined.limits,
        walls: confined.walls.into(),
    }
}

/// Sends all of `frame`. A launcher that has gone is heard of next.
pub(super) async fn send(socket: &AsyncFd<OwnedFd>, frame: &[u8], descriptors: &[BorrowedFd<'_>]) {
    let mut written = 0;
    while written < frame.len() {
        match put(socket.get_ref().as_fd(), frame, written, descriptors) {
            Ok(count) => written += count,
            Err(Errno::AGAIN) => match socket.writable().await {
                Ok(mut guard) => guard.clear_ready(),
                Err(_) => return,
            },
            Err(_) => return,
        }
    }
}

/// Waits until it is known how a start went.
pub(super) async fn hear(socket: &AsyncFd<OwnedFd>, birth: &mut Birth) -> Result<Born, Failure> {
    loop {
        let Ok(mut guard) = socket.readable().await else {
            return Err(Failure::new(Operation::Survive, Errno::CANCELED));
        };
        match birth.look(socket.get_ref().as_fd()) {
            Some(born) => return born,
            None => guard.clear_ready(),
        }
    }
}

/// How long a launcher may take. It does its work in a millisecond, on a host that is out of memory in seconds.
pub(super) const START_PATIENCE: Duration = Duration::from_secs(30);
