//! A scope: the cgroup around everything that one plan starts.

use std::{
    path::{Path, PathBuf},
    process,
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Duration,
};

use rustix::io::Errno;

use super::{
    base::{Base, Limits},
    candidate::SUBTREE_CONTROL,
    controllers::{Controller, Controllers, enabling},
    counts::ScopeCounts,
    disk::{DEVICES, Disk, NoDisk},
    end::{self, EndError},
    file::{FileError, Files},
    leaf::Leaf,
    leaves::Leaves,
    limits::ScopeLimits,
    name,
};

/// The cgroup of a plan. Dropping it ends it, blocking the thread for half a second at the most.
#[derive(Debug)]
pub(crate) struct Scope {
    leaves: Arc<Leaves>,
    slack: Vec<Slack>,
    ended: AtomicBool,
}

/// A ceiling that does not hold.
#[derive(Debug)]
pub(crate) struct Slack {
    /// What is not bounded.
    pub(crate) controller: Controller,
    /// Why.
    pub(crate) cause: Cause,
}

/// Why a ceiling does not hold.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Cause {
    /// The base does not offer the controller.
    #[error("the controller `{}` is not to be had", .0.name())]
    NoController(Controller),
    /// The kernel refuses it.
    #[error(transparent)]
    Refused(FileError),
    /// There is no disk to bound.
    #[error(transparent)]
    NoDisk(NoDisk),
}

impl Scope {
    /// Makes the scope of a plan, with its limits, below `base`. `workdir` says which disk is bounded.
    ///
    /// Fails when it cannot be made, or under a full base when a limit on memory, processes or processor cannot be
    /// set; then nothing is left of it. Any other limit that cannot be set is in [`Scope::slack`].
    pub(crate) fn create(
        base: &Base,
        plan_id: &str,
        limits: &ScopeLimits,
        workdir: &Path,
    ) -> Result<Self, FileError> {
        let dir = make(base, plan_id)?;
        let draft = Draft {
            files: &base.files,
            dir: &dir,
            controllers: base.controllers,
        };
        match draft.bound(limits, workdir, base.limits) {
            Ok(slack) => Ok(Self {
                leaves: Arc::new(Leaves::of(dir, base.files.clone())),
                slack,
                ended: AtomicBool::new(false),
            }),
            Err(error) => {
                // Nobody is inside yet, so what keeps it from going is what keeps the limit from being set.
                drop(base.files.remove(&dir));
                Err(error)
            }
        }
    }

    /// Returns the directory of the scope: what [`end::end_scope_at`] needs once this process is gone.
    pub(crate) fn dir(&self) -> &Path {
        self.leaves.scope()
    }

    /// Returns the ceilings that do not hold.
    pub(crate) fn slack(&self) -> &[Slack] {
        &self.slack
    }

    /// Returns how often its limits were reached.
    pub(crate) fn counts(&self) -> ScopeCounts {
        ScopeCounts::of(self.leaves.files(), self.dir())
    }

    /// Returns whether a retired leaf still has somebody in it, as far as was looked last.
    pub(crate) fn has_left(&self) -> bool {
        self.leaves.has_left()
    }

    /// Makes the leaf of an attempt. Its counters begin at 0.
    pub(crate) fn leaf(&self, step_number: usize, attempt: u32) -> Result<Leaf, FileError> {
        Leaf::make(
            Arc::clone(&self.leaves),
            &format!("s{step_number}-a{attempt}"),
        )
    }

    /// Kills everything inside and removes the scope, 5 s later at the most.
    pub(crate) async fn end(&self) -> Result<(), EndError> {
        end::waiting(self.leaves.files(), self.dir()).await?;
        self.ended.store(true, Ordering::Relaxed);
        Ok(())
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        if !*self.ended.get_mut() {
            // There is nobody to tell.
            drop(end::blocking(
                self.leaves.files(),
                self.dir(),
                DROP_PATIENCE,
            ));
        }
    }
}

/// Makes its directory, under a name that no other has.
fn make(base: &Base, plan_id: &str) -> Result<PathBuf, FileError> {
    loop {
        let serial = SERIAL.fetch_add(1, Ordering::Relaxed);
        let dir = base.dir.join(name::scope(plan_id, process::id(), serial));
        match base.files.make(&dir) {
            Ok(()) => return Ok(dir),
            // Left behind by a process that had our id.
            Err(error) if error.errno() == Some(Errno::EXIST) => {}
            Err(error) => return Err(error),
        }
    }
}

/// A scope without its limits.
struct Draft<'a> {
    files: &'a Files,
    dir: &'a Path,
    controllers: Controllers,
}

impl Draft<'_> {
    /// Sets the limits and has the leaves counted; returns the ceilings that do not hold.
    fn bound(
        &self,
        limits: &ScopeLimits,
        workdir: &Path,
        demand: Limits,
    ) -> Result<Vec<Slack>, FileError> {
        let mut slack = Vec::new();
        for controller in Controller::NEEDED {
            match self.limit(controller, limits) {
                Ok(()) => {}
                Err(Cause::Refused(error)) if demand == Limits::Required => return Err(error),
                Err(cause) => slack.push(Slack { controller, cause }),
            }
        }
        let controller = Controller::Io;
        if let Err(cause) = self.limit_disk(limits, workdir) {
            slack.push(Slack { controller, cause });
        }
        // Not what a plan is bounded by, but what keeps the paths in it short enough to be removed.
        drop(self.write("cgroup.max.depth", MAX_DEPTH));
        self.count_in_leaves(demand)?;
        Ok(slack)
    }

    fn limit(&self, controller: Controller, limits: &ScopeLimits) -> Result<(), Cause> {
        if !self.controllers.has(controller) {
            return Err(Cause::NoController(controller));
        }
        let written = match controller {
            Controller::Memory => self.limit_memory(limits),
            Controller::Pids => self.write("pids.max", &limits.pids_max()),
            Controller::Cpu => self.write("cpu.max", &limits.cpu_max()),
            Controller::Io => Ok(()),
        };
        written.map_err(Cause::Refused)
    }

    fn limit_memory(&self, limits: &ScopeLimits) -> Result<(), FileError> {
        self.write("memory.max", &limits.memory_max())?;
        match self.write("memory.swap.max", "0") {
            // A kernel without swap.
            Err(error) if error.is_missing() => Ok(()),
            written => written,
        }
    }

    fn limit_disk(&self, limits: &ScopeLimits, workdir: &Path) -> Result<(), Cause> {
        if !self.controllers.io {
            return Err(Cause::NoController(Controller::Io));
        }
        let disk = Disk::of(self.files, Path::new(DEVICES), workdir).map_err(Cause::NoDisk)?;
        self.write("io.max", &limits.io_max(disk))
            .map_err(Cause::Refused)
    }

    /// Enables the controllers in the leaves: memory and processes for their counters, the others so that a
    /// supervisor that runs as a step finds a full base of its own.
    fn count_in_leaves(&self, demand: Limits) -> Result<(), FileError> {
        for controller in [
            Controller::Memory,
            Controller::Pids,
            Controller::Cpu,
            Controller::Io,
        ] {
            if !self.controllers.has(controller) {
                continue;
            }
            let counts = matches!(controller, Controller::Memory | Controller::Pids);
            match self.write(SUBTREE_CONTROL, &enabling(&[controller])) {
                Err(error) if counts && demand == Limits::Required => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    fn write(&self, file: &str, value: &str) -> Result<(), FileError> {
        self.files.write(&self.dir.join(file), value)
    }
}

/// Counts the scopes of this process.
static SERIAL: AtomicU64 = AtomicU64::new(0);

/// How deep cgroups may be nested in a scope: a path to the lowest is then shorter than Linux allows, whatever
/// the steps that make them call them.
const MAX_DEPTH: &str = "12";

/// How long dropping a scope blocks.
const DROP_PATIENCE: Duration = Duration::from_millis(500);
