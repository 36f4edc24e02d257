//! A sub-capsule's process: launched with a lifeline, read from, ended, reaped (docs/roost.md).
//!
//! It is in no scope, has no limits and outlives no step: whoever holds this ends it, and dropping it kills it. Its
//! lifeline's only write end is here, so any death of this process is an end-of-file to the child.

use std::{
    ffi::{OsStr, OsString},
    io::{self, PipeWriter, Write as _},
    os::fd::{AsFd as _, OwnedFd},
    path::Path,
    pin::pin,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use tokio::{io::Interest, time::timeout};

use super::{
    exit::Exit,
    groups, lookup, ready,
    reap::reap,
    reason::reason_of,
    spawn::{Outputs, Start, Started, spawn_launcher},
    start::{START_PATIENCE, hear, send},
    streams::Streams,
    watch::Watch,
};
use crate::{
    launcher::{Birth, Born, Job, LauncherProgram, ProcessLimits, Step, Walls, encode, pair},
    output::Sink,
};

/// What to start.
#[derive(Debug)]
pub(crate) struct ChildStart<'a> {
    /// The program that becomes the child.
    pub(crate) launcher: &'a LauncherProgram,
    /// A path, or a bare word that is looked up on `search_path`.
    pub(crate) word: &'a OsStr,
    /// A `PATH`.
    pub(crate) search_path: &'a OsStr,
    /// What follows the word.
    pub(crate) arguments: &'a [OsString],
    /// The whole environment but for the lifeline's number.
    pub(crate) environment: &'a [(OsString, OsString)],
    /// The variable that is to hold the lifeline's number.
    pub(crate) lifeline: &'a str,
    /// Where it starts.
    pub(crate) workdir: &'a Path,
    /// What it reads on its standard input, no more than a pipe holds.
    pub(crate) input: &'a str,
}

/// A child that was launched. Dropping it kills it with its group and reaps it.
#[derive(Debug)]
pub(crate) struct ChildProcess {
    leader: Leader,
    watch: Watch,
    streams: Streams,
    exit: Option<Exit>,
    /// Closed after the child was reaped, never written to.
    _lifeline: PipeWriter,
}

/// A process of this one that was not reaped yet.
#[derive(Debug)]
struct Leader {
    pid: Pid,
    reaped: bool,
}

impl ChildProcess {
    /// Launches it. Fails with the reason.
    pub(crate) async fn start(start: ChildStart<'_>) -> Result<Self, String> {
        let cannot = |why: &dyn std::fmt::Display| {
            format!("cannot start `{}`: {why}", start.word.to_string_lossy())
        };
        let path = lookup::find(start.word, start.search_path, start.workdir)
            .map_err(|error| cannot(&error))?;
        let program = Start {
            path: &path,
            word: start.word,
            arguments: start.arguments,
            environment: start.environment,
            workdir: start.workdir,
            feeds_input: true,
        };
        launch(&start, &program).await.map_err(|why| match why {
            Unborn::System(error) => cannot(&error),
            Unborn::Said(why) => cannot(&why),
        })
    }

    /// Waits until it has exited or has written something, which goes to `out` and `err`. Can be dropped and
    /// called again.
    pub(crate) async fn stir(&mut self, out: &mut dyn Sink, err: &mut dyn Sink) {
        let Self {
            watch,
            streams,
            exit,
            ..
        } = self;
        tokio::select! {
            ended = watch.exited(), if exit.is_none() => *exit = Some(ended),
            () = streams.serve(out, err) => {}
        }
    }

    /// Reads what it has written, without waiting.
    pub(crate) fn read_now(&mut self, out: &mut dyn Sink, err: &mut dyn Sink) {
        self.streams.serve_now(out, err);
    }

    /// Returns how it exited, once it is known that it did.
    pub(crate) const fn exit(&self) -> Option<Exit> {
        self.exit
    }

    /// Returns whether its standard output has come to its end.
    pub(crate) const fn is_silent(&self) -> bool {
        self.streams.stdout.is_none()
    }

    /// Asks it to end. Only it: what it has started is its own to wind down.
    pub(crate) fn ask_to_end(&self) {
        if self.is_ours() {
            // Fails only when it has gone.
            let _ = kill_process(self.leader.pid, Signal::TERM);
        }
    }

    /// Kills it with its group.
    pub(crate) fn kill(&self) {
        if self.is_ours() {
            groups::send(self.leader.pid, Signal::KILL);
        }
    }

    /// Kills what is left of its group and reaps it, if it has exited, and closes its lifeline.
    pub(crate) fn put_to_rest(mut self) {
        self.kill();
        self.leader.reaped = !self.is_ours() || reap(self.leader.pid);
    }

    /// Returns whether its id is surely still its own.
    fn is_ours(&self) -> bool {
        !self.leader.reaped && self.exit != Some(Exit::Unknown)
    }
}

impl Drop for Leader {
    fn drop(&mut self) {
        if self.reaped {
            return;
        }
        groups::send(self.pid, Signal::KILL);
        let deadline = Instant::now() + DROP_PATIENCE;
        while !reap(self.pid) && Instant::now() < deadline {
            std::thread::sleep(DROP_PAUSE);
        }
    }
}

/// Why there is no child.
enum Unborn {
    System(io::Error),
    Said(String),
}

impl From<io::Error> for Unborn {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

async fn launch(start: &ChildStart<'_>, program: &Start<'_>) -> Result<ChildProcess, Unborn> {
    let frame = encode(&Job::Step(Box::new(instructions(start, program))))?;
    let launcher = start
        .launcher
        .path()
        .map_err(|error| Unborn::Said(error.to_string()))?;
    // All of these close when a program is started, so that no other step's program holds them.
    let (end_of_life, lifeline) = io::pipe()?;
    let (stdin, mut input) = io::pipe()?;
    input.write_all(start.input.as_bytes())?;
    drop(input);
    let (socket, theirs) = pair()?;
    let socket = ready::register(socket, Interest::READABLE | Interest::WRITABLE)?;
    let launched = spawn_launcher(&launcher, &theirs, Outputs::Piped).map_err(|error| {
        let name = start.launcher.name();
        Unborn::Said(format!("cannot start {name} as a launcher: {error}"))
    })?;
    let leader = Leader {
        pid: launched.leader,
        reaped: false,
    };
    drop(theirs);
    let (stdout, stderr) = launched.outputs.expect("both outputs were piped");
    let mut birth = Birth::default();
    let born = pin!(timeout(START_PATIENCE, async {
        let descriptors = [stdin.as_fd(), end_of_life.as_fd()];
        send(&socket, &frame, &descriptors).await;
        hear(&socket, &mut birth).await
    }))
    .await;
    let why = match born {
        Ok(Ok(Born::Itself)) => None,
        Ok(Ok(Born::Supervised(_))) => Some("the launcher stayed although it was not to".into()),
        Ok(Err(failure)) => Some(reason_of(&failure, program)),
        Err(_) => Some(format!(
            "the launcher did not start it within {} s",
            START_PATIENCE.as_secs()
        )),
    };
    if let Some(why) = why {
        return Err(Unborn::Said(why));
    }
    let watch = Watch::new(leader.pid)?;
    let started = Started {
        leader: leader.pid,
        stdin: None::<OwnedFd>,
        stdout,
        stderr,
    };
    Ok(ChildProcess {
        leader,
        watch,
        streams: Streams::new(started, Vec::new())?,
        exit: None,
        _lifeline: lifeline,
    })
}

fn instructions<'s>(start: &ChildStart<'s>, program: &Start<'s>) -> Step<'s> {
    let bytes = |text: &'s OsString| text.as_encoded_bytes();
    Step {
        path: program.path.as_os_str().as_encoded_bytes(),
        word: start.word.as_encoded_bytes(),
        arguments: start.arguments.iter().map(bytes).collect(),
        environment: start
            .environment
            .iter()
            .map(|(name, value)| (bytes(name), bytes(value)))
            .collect(),
        workdir: start.workdir.as_os_str().as_encoded_bytes(),
        joins_leaf: false,
        has_input: true,
        lifeline: Some(start.lifeline.as_bytes()),
        supervised: false,
        limits: ProcessLimits::default(),
        walls: (&NO_WALLS).into(),
    }
}

/// A child is confined by its own manifest.
static NO_WALLS: Walls = Walls {
    landlock: false,
    mounts: false,
    writable: Vec::new(),
    read_only: Vec::new(),
    islands: Vec::new(),
    known: Vec::new(),
};

/// How long a thread is blocked to reap a child that was killed because nobody waits for it any more.
const DROP_PATIENCE: Duration = Duration::from_millis(500);

/// How long it waits before it looks again.
const DROP_PAUSE: Duration = Duration::from_millis(2);
