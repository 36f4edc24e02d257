//! A candidate for the base: one cgroup, looked at and made ready for scopes.

use std::{
    path::{Path, PathBuf},
    process,
    time::{Duration, Instant},
};

use rustix::{io::Errno, process::getpid};

use super::{
    base::{Base, Demand},
    controllers::{Controller, Controllers, disabling, enabling},
    file::{FileError, Files, PROCS},
    mount::Hierarchy,
    step_aside::{Failure, Order, StepAside},
    unmet::Condition,
};

/// Makes the full base in `hierarchy`.
pub(super) async fn full(
    files: &Files,
    hierarchy: &Hierarchy,
    patience: Duration,
) -> Result<Base, Condition> {
    let candidate = Candidate::new(files, hierarchy);
    let offered = candidate.offered().map_err(Condition::Unreadable)?;
    let missing = offered.missing();
    if !missing.is_empty() {
        let held = |controller: &Controller| {
            let names = &hierarchy.held_by_v1;
            names.iter().any(|name| name == controller.name())
        };
        return Err(Condition::MissingControllers {
            held_by_v1: missing.iter().any(held),
            dir: candidate.dir,
            missing,
        });
    }
    candidate.probe()?;
    candidate.enable(&Controller::NEEDED, patience).await?;
    let controllers = Controllers {
        memory: true,
        pids: true,
        cpu: true,
        io: offered.io && candidate.try_enabling(&[Controller::Io]).is_ok(),
    };
    Ok(candidate.base(controllers, Demand::EveryLimit))
}

/// Makes the best base that `hierarchy` gives. With no patience, this process is not moved.
pub(super) async fn lesser(
    files: &Files,
    hierarchy: &Hierarchy,
    patience: Duration,
) -> Result<Base, Condition> {
    let candidate = Candidate::new(files, hierarchy);
    candidate.probe()?;
    let offered = candidate.offered().unwrap_or_default();
    let wanted = offered.needed();
    if !wanted.is_empty()
        && let Err(Condition::CannotEnable(_)) = candidate.enable(&wanted, patience).await
    {
        // One that is refused for itself keeps the others from being enabled with it.
        for controller in wanted {
            drop(candidate.enable(&[controller], patience).await);
        }
    }
    if offered.io {
        drop(candidate.try_enabling(&[Controller::Io]));
    }
    let controllers = candidate.enabled();
    Ok(candidate.base(controllers, Demand::WhatThereIs))
}

#[derive(Debug)]
struct Candidate<'a> {
    dir: PathBuf,
    files: &'a Files,
}

impl<'a> Candidate<'a> {
    fn new(files: &'a Files, hierarchy: &Hierarchy) -> Self {
        // Whoever started this process may be a supervisor that stepped aside: what is above it is delegated.
        let own = hierarchy.own.as_path();
        let above = own.parent().filter(|_| own.ends_with(SUPERVISOR));
        let dir = above.unwrap_or(own).into();
        Self { dir, files }
    }

    fn base(self, controllers: Controllers, demand: Demand) -> Base {
        Base {
            dir: self.dir,
            files: self.files.clone(),
            controllers,
            demand,
        }
    }

    fn offered(&self) -> Result<Controllers, FileError> {
        let text = self.files.read(&self.dir.join("cgroup.controllers"))?;
        Ok(Controllers::read(&text))
    }

    fn enabled(&self) -> Controllers {
        let text = self.files.read(&self.dir.join(SUBTREE_CONTROL));
        text.map_or_else(|_| Controllers::default(), |text| Controllers::read(&text))
    }

    /// Makes a child, looks whether a process could be moved there, and removes it again.
    fn probe(&self) -> Result<(), Condition> {
        let child = self.dir.join(format!("murmur-probe-{}", process::id()));
        match self.files.make(&child) {
            // Left behind by a process that had our id and was killed here.
            Err(error) if error.errno() == Some(Errno::EXIST) => {}
            made => made.map_err(Condition::NotDelegated)?,
        }
        let usable = self.usable(&child);
        self.files.remove(&child).map_err(Condition::NotDelegated)?;
        usable
    }

    fn usable(&self, child: &Path) -> Result<(), Condition> {
        // The kernel asks for the right to write to the one above as well.
        for dir in [child, &self.dir] {
            let opened = self.files.open(&dir.join(PROCS));
            drop(opened.map_err(Condition::NotDelegated)?);
        }
        match self.files.read(&child.join("cgroup.type")) {
            Ok(kind) if kind.trim() != "domain" => Err(Condition::Threaded(self.dir.clone())),
            // A kernel without threaded cgroups has no types.
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Enables `controllers` for the children of the candidate, stepping aside if need be.
    async fn enable(
        &self,
        controllers: &[Controller],
        patience: Duration,
    ) -> Result<(), Condition> {
        let began = Instant::now();
        let (mut state, mut order) = StepAside::new(patience);
        loop {
            order = match order {
                Order::Enable => state.enabled(self.try_enabling(controllers), began.elapsed()),
                Order::Enter => state.entered(self.step_aside()),
                Order::Pause => {
                    tokio::time::sleep(PAUSE).await;
                    Order::Enable
                }
                Order::Done => return Ok(()),
                Order::Fail { cause, back } => {
                    let condition = self.condition(cause);
                    if back {
                        self.step_back();
                    }
                    return Err(condition);
                }
            };
        }
    }

    /// Enables all of `controllers` or none; fails with EBUSY when processes in the cgroup are in the way.
    fn try_enabling(&self, controllers: &[Controller]) -> Result<(), FileError> {
        let file = self.dir.join(SUBTREE_CONTROL);
        let value = enabling(controllers);
        self.files.write(&file, &value)?;
        // `pids` and `cpu` alone are not refused while processes are in the cgroup. It becomes a threaded one
        // instead, and no process can be moved into its children any more.
        if let Err(Condition::Threaded(_)) = self.probe() {
            self.files.write(&file, &disabling(controllers))?;
            return Err(FileError::writing(&file, &value, Errno::BUSY.into()));
        }
        Ok(())
    }

    fn step_aside(&self) -> Result<(), FileError> {
        let leaf = self.dir.join(SUPERVISOR);
        match self.files.make(&leaf) {
            // Another process of ours stepped aside before.
            Err(error) if error.errno() == Some(Errno::EXIST) => {}
            made => made?,
        }
        let entered = self.files.write(&leaf.join(PROCS), MYSELF);
        if entered.is_err() {
            drop(self.files.remove(&leaf));
        }
        entered
    }

    fn step_back(&self) {
        // If it cannot, being in the leaf is as good.
        drop(self.files.write(&self.dir.join(PROCS), MYSELF));
        // It stays while another process of ours is in it.
        drop(self.files.remove(&self.dir.join(SUPERVISOR)));
    }

    fn condition(&self, cause: Failure) -> Condition {
        match cause {
            Failure::Refused(error) => Condition::CannotEnable(error),
            Failure::CannotEnter(error) => Condition::CannotStepAside(error),
            Failure::Occupied => {
                let pids = self.files.processes(&self.dir).unwrap_or_default();
                Condition::Occupied {
                    dir: self.dir.clone(),
                    pids: pids.into_iter().filter(|&pid| pid != getpid()).collect(),
                }
            }
        }
    }
}

/// The leaf this process steps aside into.
const SUPERVISOR: &str = "murmur-supervisor";

/// The file that says what the children of a cgroup may limit.
pub(super) const SUBTREE_CONTROL: &str = "cgroup.subtree_control";

/// What moves the process that writes it.
const MYSELF: &str = "0";

/// How long it is waited before it is tried again to enable controllers.
const PAUSE: Duration = Duration::from_millis(10);
