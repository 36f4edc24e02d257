//! A draft: a scope just made, in which the limits are being set.

use std::path::Path;

use super::{
    base::Demand,
    candidate::SUBTREE_CONTROL,
    controllers::{Controller, Controllers, enabling},
    disk::{DEVICES, Disk},
    file::{FileError, Files},
    limits::ScopeLimits,
    slack::{Cause, Slack},
};

/// A scope without its limits.
pub(super) struct Draft<'a> {
    pub(super) files: &'a Files,
    pub(super) dir: &'a Path,
    pub(super) controllers: Controllers,
}

impl Draft<'_> {
    /// Sets the limits and has the leaves counted; returns the ceilings that do not hold.
    pub(super) fn bound(
        &self,
        limits: &ScopeLimits,
        workdir: &Path,
        demand: Demand,
    ) -> Result<Vec<Slack>, FileError> {
        let mut slack = Vec::new();
        for controller in Controller::NEEDED {
            match self.limit(controller, limits) {
                Ok(()) => {}
                Err(Cause::Refused(error)) if demand == Demand::EveryLimit => return Err(error),
                Err(cause) => slack.push(Slack { controller, cause }),
            }
        }
        let controller = Controller::Io;
        if let Err(cause) = self.limit_disk(limits, workdir) {
            slack.push(Slack { controller, cause });
        }
        // Not what a plan is bounded by, but what lets its end be reached in time.
        drop(self.write("cgroup.max.depth", MAX_DEPTH));
        drop(self.write("cgroup.max.descendants", MAX_DESCENDANTS));
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
    fn count_in_leaves(&self, demand: Demand) -> Result<(), FileError> {
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
                Err(error) if counts && demand == Demand::EveryLimit => return Err(error),
                Ok(()) | Err(_) => {}
            }
        }
        Ok(())
    }

    fn write(&self, file: &str, value: &str) -> Result<(), FileError> {
        self.files.write(&self.dir.join(file), value)
    }
}

/// How deep cgroups may be nested in a scope: a path to the lowest is then shorter than Linux allows, whatever
/// the steps that make them call them.
const MAX_DEPTH: &str = "12";

/// How many cgroups there may be in a scope: many more than steps with something left inside, and not too many to
/// be removed within a second.
const MAX_DESCENDANTS: &str = "4096";
