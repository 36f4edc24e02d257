//! The base: the cgroup below which the scopes of this process are made, found once.

use std::{
    path::PathBuf,
    process,
    time::{Duration, Instant},
};

use rustix::{io::Errno, process::getpid};
use tokio::sync::OnceCell;

use super::{
    controllers::{Controller, Controllers, enabling},
    file::{FileError, Files, PROCS},
    manager::{self, Declined},
    mount::Hierarchy,
    step_aside::{Failure, Order, StepAside},
    unmet::{Condition, Unmet},
};

/// Where scopes are made, and what can be limited in them.
#[derive(Debug, Clone)]
pub(crate) struct Base {
    pub(super) dir: PathBuf,
    pub(super) files: Files,
    /// Those enabled for the scopes.
    pub(crate) controllers: Controllers,
    /// Whether a scope without its limits on memory, processes and processor is none.
    pub(super) limits: Limits,
}

/// What a limit that cannot be set means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limits {
    /// There is no scope.
    Required,
    /// The scope goes without.
    Wanted,
}

impl Base {
    /// Returns the base that offers every limit, or which condition this host fails.
    ///
    /// The first call finds it: it may move this process into a scope of the systemd user manager's, else into a
    /// leaf `murmur-supervisor`, and takes 6 s at the most. Others wait for it, and all get the same answer.
    pub(crate) async fn full() -> Result<&'static Self, &'static Unmet> {
        let found = FULL.get_or_init(|| async {
            let (hierarchy, declined) = place().await?;
            let found = Self::full_in(&Files::of_this_host(), &hierarchy, PATIENCE).await;
            found.map_err(|condition| Unmet {
                condition,
                declined,
            })
        });
        found.await.as_ref()
    }

    /// Returns the full base if there is one, else one with what limits can be had, maybe none. What is in its
    /// scopes can still be killed as one.
    pub(crate) async fn best_effort() -> Result<&'static Self, &'static Unmet> {
        let unmet = match Self::full().await {
            Ok(full) => return Ok(full),
            Err(unmet) => unmet,
        };
        let patience = match unmet.condition {
            Condition::MissingControllers { .. } => PATIENCE,
            // It was waited for, or waiting does not help.
            Condition::NoHierarchy(_)
            | Condition::Unreadable(_)
            | Condition::NotDelegated(_)
            | Condition::CannotEnable(_)
            | Condition::CannotStepAside(_)
            | Condition::Occupied { .. } => Duration::ZERO,
        };
        let found = LESSER.get_or_init(|| async move {
            let (hierarchy, declined) = place().await?;
            let found = Self::lesser_in(&Files::of_this_host(), &hierarchy, patience).await;
            found.map_err(|condition| Unmet {
                condition,
                declined,
            })
        });
        found.await.as_ref()
    }

    /// Makes the full base in `hierarchy`.
    pub(super) async fn full_in(
        files: &Files,
        hierarchy: &Hierarchy,
        patience: Duration,
    ) -> Result<Self, Condition> {
        let base = Self::new(files, hierarchy, Limits::Required);
        base.with_every_limit(hierarchy, patience).await
    }

    /// Makes the best base that `hierarchy` gives. With no patience, this process is not moved.
    pub(super) async fn lesser_in(
        files: &Files,
        hierarchy: &Hierarchy,
        patience: Duration,
    ) -> Result<Self, Condition> {
        let base = Self::new(files, hierarchy, Limits::Wanted);
        base.with_what_there_is(patience).await
    }

    fn new(files: &Files, hierarchy: &Hierarchy, limits: Limits) -> Self {
        // Whoever started this process may be a supervisor that stepped aside: what is above it is delegated.
        let own = hierarchy.own.as_path();
        let above = own.parent().filter(|_| own.ends_with(SUPERVISOR));
        Self {
            dir: above.unwrap_or(own).into(),
            files: files.clone(),
            controllers: Controllers::default(),
            limits,
        }
    }

    async fn with_every_limit(
        mut self,
        hierarchy: &Hierarchy,
        patience: Duration,
    ) -> Result<Self, Condition> {
        let offered = self.offered().map_err(Condition::Unreadable)?;
        let missing = offered.missing();
        if !missing.is_empty() {
            let held = |controller: &Controller| {
                let names = &hierarchy.held_by_v1;
                names.iter().any(|name| name == controller.name())
            };
            return Err(Condition::MissingControllers {
                held_by_v1: missing.iter().any(held),
                dir: self.dir,
                missing,
            });
        }
        self.probe().map_err(Condition::NotDelegated)?;
        self.enable(&Controller::NEEDED, patience).await?;
        self.controllers = Controllers {
            memory: true,
            pids: true,
            cpu: true,
            io: offered.io && self.try_enabling(&[Controller::Io]).is_ok(),
        };
        Ok(self)
    }

    async fn with_what_there_is(mut self, patience: Duration) -> Result<Self, Condition> {
        self.probe().map_err(Condition::NotDelegated)?;
        let offered = self.offered().unwrap_or_default();
        let wanted = offered.needed();
        if !wanted.is_empty() && self.enable(&wanted, patience).await.is_err() {
            // Some may be enabled already, or be refused alone.
            for controller in wanted {
                drop(self.try_enabling(&[controller]));
            }
        }
        if offered.io {
            drop(self.try_enabling(&[Controller::Io]));
        }
        let enabled = self.files.read(&self.dir.join(SUBTREE_CONTROL));
        self.controllers =
            enabled.map_or_else(|_| Controllers::default(), |text| Controllers::read(&text));
        Ok(self)
    }

    fn offered(&self) -> Result<Controllers, FileError> {
        let text = self.files.read(&self.dir.join("cgroup.controllers"))?;
        Ok(Controllers::read(&text))
    }

    /// Makes a child and removes it again; what has to be written for a process to be moved there is opened.
    fn probe(&self) -> Result<(), FileError> {
        let child = self.dir.join(format!("murmur-probe-{}", process::id()));
        match self.files.make(&child) {
            // Left behind by a process that had our id and was killed here.
            Err(error) if error.errno() == Some(Errno::EXIST) => {}
            made => made?,
        }
        // The kernel asks for the right to write to the one above as well.
        let opened = [&child, &self.dir].map(|dir| self.files.open(&dir.join(PROCS)));
        self.files.remove(&child)?;
        for file in opened {
            file?;
        }
        Ok(())
    }

    /// Enables `controllers` for the children of the base, stepping aside if need be.
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

    fn try_enabling(&self, controllers: &[Controller]) -> Result<(), FileError> {
        let file = self.dir.join(SUBTREE_CONTROL);
        self.files.write(&file, &enabling(controllers))
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
            Failure::Occupied(_) => {
                let pids = self.files.processes(&self.dir).unwrap_or_default();
                Condition::Occupied {
                    dir: self.dir.clone(),
                    pids: pids.into_iter().filter(|&pid| pid != getpid()).collect(),
                }
            }
        }
    }
}

/// Returns where this process is once the user manager was asked to move it, and why it was not moved.
async fn place() -> Result<(Hierarchy, Option<Declined>), Unmet> {
    let placed = |declined| {
        Hierarchy::of_this_process().map_err(|error| Unmet {
            condition: Condition::NoHierarchy(error),
            declined,
        })
    };
    placed(None)?;
    let declined = DECLINED.get_or_init(|| async { manager::ask().await.err() });
    let declined = declined.await.clone();
    Ok((placed(declined.clone())?, declined))
}

/// What [`Base::full`] has found.
static FULL: OnceCell<Result<Base, Unmet>> = OnceCell::const_new();

/// What [`Base::best_effort`] has found where there is no full base.
static LESSER: OnceCell<Result<Base, Unmet>> = OnceCell::const_new();

/// What came of asking the user manager.
static DECLINED: OnceCell<Option<Declined>> = OnceCell::const_new();

/// The leaf this process steps aside into.
const SUPERVISOR: &str = "murmur-supervisor";

/// The file that says what the children of a cgroup may limit.
pub(super) const SUBTREE_CONTROL: &str = "cgroup.subtree_control";

/// What moves the process that writes it.
const MYSELF: &str = "0";

/// How long it is tried to enable controllers (spec: What a plan may reach).
const PATIENCE: Duration = Duration::from_secs(2);

/// How long it is waited before it is tried again.
const PAUSE: Duration = Duration::from_millis(10);
