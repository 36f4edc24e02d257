//! What the host allows a launcher: found out by having one try.

use std::{
    fmt,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::Path,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    io::Errno,
    process::Pid,
};

use super::{
    failure::Failure,
    frame::{Arrival, FrameReader, encode, pair, put},
    instructions::{Job, Report},
    program::{LauncherError, LauncherProgram},
};
use crate::process::{Outputs, kill_and_reap, reap, spawn_launcher};

/// What the host allows a step to be put behind ([`super::Walls`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Abilities {
    /// The kernel's Landlock ABI, or why there is none to be had.
    pub landlock: Result<u32, Missing>,
    /// Whether read-only mounts in a namespace of a step's own can be had, or why not.
    pub mounts: Result<(), Missing>,
}

/// Why an ability is missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    failure: Failure,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failure.fmt(f)
    }
}

impl LauncherProgram {
    /// Has a launcher try, on `directory`, which it makes read-only for itself alone, and returns what the host
    /// allows. Blocks for some milliseconds, and 5 s at most.
    ///
    /// # Errors
    /// When there is no launcher: [`LauncherProgram::ready`], or a path that names something else.
    pub fn probe(&self, directory: &Path) -> Result<Abilities, LauncherError> {
        let no_launcher = |why: String| LauncherError::NoLauncher {
            program: self.name(),
            why,
        };
        let job = encode(&Job::Probe {
            directory: directory.as_os_str().as_encoded_bytes(),
        });
        let launcher =
            Launched::start(self, &job.map_err(|error| no_launcher(error.to_string()))?)?;
        match launcher.answer(Instant::now() + PATIENCE) {
            Ok(Report::Found { landlock, mounts }) => Ok(Abilities {
                landlock: landlock.map_err(|failure| Missing { failure }),
                mounts: mounts.map_err(|failure| Missing { failure }),
            }),
            Ok(Report::Failed(failure)) => Err(no_launcher(failure.to_string())),
            Ok(_) => Err(no_launcher("it answered something else".into())),
            Err(why) => Err(no_launcher(why)),
        }
    }
}

/// A launcher that was started and is talked to while this thread waits. Killed and reaped when dropped.
#[derive(Debug)]
pub(super) struct Launched {
    pid: Pid,
    /// Whether it was reaped: its id may be anybody's then.
    reaped: bool,
    pub(super) socket: OwnedFd,
}

impl Launched {
    /// Starts `program` with nothing open but the socket, and gives it its job, which has to be small.
    pub(super) fn start(program: &LauncherProgram, job: &[u8]) -> Result<Self, LauncherError> {
        let path = program.path()?;
        let not_started = |source| program.not_started(&path, source);
        let (socket, theirs) = pair().map_err(not_started)?;
        let pid = spawn_launcher(&path, &theirs, Outputs::Nowhere)
            .map_err(not_started)?
            .leader;
        let launched = Self {
            pid,
            reaped: false,
            socket,
        };
        // One that has gone already, or that reads nothing, gives no answer either.
        let _ = put(launched.socket.as_fd(), job, 0, &[]);
        Ok(launched)
    }

    /// Waits for its answer.
    pub(super) fn answer(&self, deadline: Instant) -> Result<Report, String> {
        let mut reader = FrameReader::default();
        loop {
            match reader.next() {
                Ok(Some(report)) => return Ok(report),
                Ok(None) => {}
                Err(error) => return Err(error.to_string()),
            }
            match reader.fill(self.socket.as_fd()) {
                Ok(Arrival::Some) => {}
                Ok(Arrival::End) => return Err("it ended without an answer".into()),
                Ok(Arrival::None) if readable(self.socket.as_fd(), deadline) => {}
                Ok(Arrival::None) => return Err("it did not answer in 5 s".into()),
                Err(errno) => return Err(errno.to_string()),
            }
        }
    }
}

impl Launched {
    /// Returns its id, its own until it was reaped.
    #[cfg(all(test, target_os = "linux"))]
    pub(super) const fn pid(&self) -> Pid {
        self.pid
    }

    /// Reaps it if it has ended; returns whether it is gone.
    pub(super) fn reap(&mut self) -> bool {
        self.reaped = self.reaped || reap(self.pid);
        self.reaped
    }
}

impl Drop for Launched {
    fn drop(&mut self) {
        if !self.reaped {
            kill_and_reap(self.pid);
        }
    }
}

/// Waits until there is something to read; returns whether that came before the deadline.
fn readable(socket: BorrowedFd<'_>, deadline: Instant) -> bool {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let left = Timespec::try_from(left).unwrap_or(Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        });
        let mut one = [PollFd::from_borrowed_fd(socket, PollFlags::IN)];
        match poll(&mut one, Some(&left)) {
            Err(Errno::INTR) => {}
            Ok(ready) => return ready > 0,
            Err(_) => return false,
        }
    }
}

/// In the launcher: tries it all.
#[cfg(target_os = "linux")]
pub(super) fn look(directory: &[u8]) -> Report {
    Report::Found {
        mounts: super::mounts::probe(directory),
        // After the mounts, which it forbids.
        landlock: super::rules::restrict(
            std::iter::empty(),
            &super::known::KnownTrees::none(),
            false,
        ),
    }
}

/// How long a launcher may take to answer.
pub(super) const PATIENCE: Duration = Duration::from_secs(5);
