//! The end of a scope: everything inside killed, and its directories removed.

use std::{
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rustix::{io::Errno, process::getpid};

use super::{
    counts::event,
    file::{FileError, Files},
};

/// Ends the scope at `dir` and returns when it is gone, 5 s later at the most. One that is gone already is fine.
///
/// It needs no runtime and nothing but the path, so that it can be called by a process that is left when the one
/// that made the scope was killed.
pub(crate) fn end_scope_at(dir: &Path) -> Result<(), EndError> {
    blocking(&Files::of_this_host(), dir, PATIENCE)
}

/// As [`end_scope_at`], blocking the thread for `patience` at the most.
pub(super) fn blocking(files: &Files, dir: &Path, patience: Duration) -> Result<(), EndError> {
    let mut ending = Ending::new(patience);
    loop {
        match ending.round(files, dir) {
            Some(result) => return result,
            None => thread::sleep(PAUSE),
        }
    }
}

/// As [`end_scope_at`], on a runtime.
pub(super) async fn waiting(files: &Files, dir: &Path) -> Result<(), EndError> {
    let mut ending = Ending::new(PATIENCE);
    loop {
        match ending.round(files, dir) {
            Some(result) => return result,
            None => tokio::time::sleep(PAUSE).await,
        }
    }
}

/// Why a scope is still there.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EndError {
    /// What is inside cannot be killed.
    #[error("cannot kill what a plan left running: {0}")]
    NotKilled(FileError),
    /// What is inside was killed and does not go: the kernel holds it.
    #[error("killed what a plan left running, and some of `{}` does not go", .0.display())]
    Remaining(PathBuf),
    /// It is empty and stays.
    #[error(transparent)]
    NotRemoved(FileError),
    /// There was no time to remove all of the cgroups that steps made inside.
    #[error("could not remove all cgroups below `{}` in time", .0.display())]
    Unfinished(PathBuf),
}

/// Sends SIGKILL to everything in the cgroup `dir` and below it.
pub(super) fn kill(files: &Files, dir: &Path) -> Result<(), FileError> {
    match files.write(&dir.join("cgroup.kill"), "1") {
        Ok(()) => Ok(()),
        // Linux before 5.14 has no such file.
        Err(_) => kill_each(files, dir),
    }
}

/// Returns whether a process is in the cgroup `dir` or below it; `true` when that is unknown.
pub(super) fn populated(files: &Files, dir: &Path) -> bool {
    match event(files, dir, "cgroup.events", "populated") {
        Some(populated) => populated != 0,
        // There is nobody in a cgroup that is gone.
        None => files
            .folders(dir)
            .err()
            .is_none_or(|error| !error.is_missing()),
    }
}

/// The rounds until a scope is gone or there is no time left.
struct Ending {
    deadline: Instant,
    /// What kept the last round from being the last one.
    obstacle: Option<EndError>,
}

enum Round {
    Over(Result<(), EndError>),
    NotYet(EndError),
}

impl Ending {
    fn new(patience: Duration) -> Self {
        Self {
            deadline: Instant::now() + patience,
            obstacle: None,
        }
    }

    /// Kills and removes what can be now; returns `None` when it is to be tried again after a pause.
    fn round(&mut self, files: &Files, dir: &Path) -> Option<Result<(), EndError>> {
        match round(files, dir, self.deadline) {
            Round::Over(result) => return Some(result),
            // What used up the time says more than that it is used up.
            Round::NotYet(EndError::Unfinished(_)) if self.obstacle.is_some() => {}
            Round::NotYet(obstacle) => self.obstacle = Some(obstacle),
        }
        if Instant::now() < self.deadline {
            return None;
        }
        self.obstacle.take().map(Err)
    }
}

fn round(files: &Files, dir: &Path, deadline: Instant) -> Round {
    let killed = kill(files, dir);
    if !populated(files, dir) {
        return remove(files, dir, deadline);
    }
    Round::NotYet(match killed {
        Err(error) => EndError::NotKilled(error),
        Ok(()) => EndError::Remaining(dir.into()),
    })
}

/// Removes the cgroups below `dir` and itself, the lowest first.
fn remove(files: &Files, dir: &Path, deadline: Instant) -> Round {
    let unfinished = || EndError::Unfinished(dir.into());
    let tree = tree(files, dir, deadline);
    if !tree.complete {
        return Round::NotYet(unfinished());
    }
    for (removed, cgroup) in tree.cgroups.iter().rev().enumerate() {
        if is_late(removed, deadline) {
            return Round::NotYet(unfinished());
        }
        match files.remove(cgroup) {
            Ok(()) => {}
            Err(error) if error.is_missing() => {}
            // Somebody came in between, or is not quite gone.
            Err(error) if error.errno() == Some(Errno::BUSY) => {
                return Round::NotYet(EndError::NotRemoved(error));
            }
            Err(error) => return Round::Over(Err(EndError::NotRemoved(error))),
        }
    }
    Round::Over(Ok(()))
}

/// Stops everything, so that nothing starts another process meanwhile, and kills one after the other.
fn kill_each(files: &Files, dir: &Path) -> Result<(), FileError> {
    let freezer = dir.join("cgroup.freeze");
    // Without a freezer, what starts meanwhile is found in the next round.
    drop(files.write(&freezer, "1"));
    let deadline = Instant::now() + PATIENCE;
    let mut listed = Ok(());
    for cgroup in tree(files, dir, deadline).cgroups {
        match files.processes(&cgroup) {
            Ok(pids) => {
                let others = pids.into_iter().filter(|&pid| pid != getpid());
                others.for_each(|pid| files.kill(pid));
            }
            Err(error) if error.is_missing() => {}
            Err(error) => listed = Err(error),
        }
    }
    // A process is killed while frozen, but whoever could not be killed is not to stay so.
    drop(files.write(&freezer, "0"));
    listed
}

/// A cgroup and all below it, each before what is below it.
struct Tree {
    cgroups: Vec<PathBuf>,
    /// Whether there was time to list them all.
    complete: bool,
}

fn tree(files: &Files, dir: &Path, deadline: Instant) -> Tree {
    let mut cgroups = vec![dir.to_owned()];
    let mut listed = 0;
    while let Some(cgroup) = cgroups.get(listed) {
        if is_late(listed, deadline) {
            break;
        }
        // One that is gone has none below it.
        let names = files.folders(cgroup).unwrap_or_default();
        let below: Vec<_> = names.iter().map(|name| cgroup.join(name)).collect();
        cgroups.extend(below);
        listed += 1;
    }
    Tree {
        complete: listed == cgroups.len(),
        cgroups,
    }
}

/// Returns whether there is no time for another step of a long way. A short one is gone to its end.
fn is_late(steps: usize, deadline: Instant) -> bool {
    steps % STRIDE == STRIDE - 1 && Instant::now() >= deadline
}

/// How many directories are listed or removed between two looks at the clock: some milliseconds' worth.
const STRIDE: usize = 64;

/// How long the end of a scope waits. Only what the kernel holds takes that long.
const PATIENCE: Duration = Duration::from_secs(5);

/// How long it waits before it looks again.
const PAUSE: Duration = Duration::from_millis(1);
