//! What bounds one plan, from before its first step to after its last.

use std::{
    path::Path,
    sync::{Arc, OnceLock},
};

use super::{
    ContainmentSpec, Holds,
    ground::{Ground, PlanCgroup, StepLeaf},
    user_processes,
    workdir_size::{Measured, WorkdirSize},
};
use crate::{call::Attempt, launcher::Watcher};

/// The bounds of one plan. Dropping it ends what is inside.
#[derive(Debug)]
pub(super) struct PlanScope {
    /// `None` where a supervisor per step takes its place.
    cgroup: Option<Bounded>,
    size: Option<WorkdirSize>,
    /// How many processes of the user's count against what a step may start, where no cgroup limits the plan's.
    user_processes: OnceLock<u64>,
}

/// A cgroup, and who ends it when this process is killed.
#[derive(Debug)]
struct Bounded {
    // Dropped first: a watcher is sent away once the scope is gone.
    cgroup: PlanCgroup,
    watcher: Watcher,
}

impl PlanScope {
    /// Makes the cgroup of a plan and its watcher.
    pub(super) fn make(
        ground: &Ground,
        spec: &ContainmentSpec,
        plan_id: &str,
        workdir: &Path,
    ) -> Result<Self, String> {
        let cgroup = ground.scope(plan_id, &spec.limits, workdir)?;
        let watcher = Watcher::start(&spec.launcher, cgroup.dir())
            .map_err(|error| format!("nobody could watch over the scope: {error}"))?;
        Ok(Self {
            cgroup: Some(Bounded { cgroup, watcher }),
            ..Self::without_cgroup()
        })
    }

    /// Makes the bounds of a plan that supervisors have to hold.
    pub(super) fn without_cgroup() -> Self {
        Self {
            cgroup: None,
            size: None,
            user_processes: OnceLock::new(),
        }
    }

    /// Watches over the size of the workdir as well.
    pub(super) fn measuring(self, measured: Measured) -> Self {
        Self {
            size: Some(WorkdirSize::watch(measured)),
            ..self
        }
    }

    /// Returns how many processes count against `max_processes` before a step has started one. They are counted for
    /// the first step that asks: where a scope limits processes, none does.
    pub(super) fn user_processes(&self, holds: &Holds) -> u64 {
        *self.user_processes.get_or_init(|| {
            if holds.mounts.is_ok() && user_processes::start_anew_with_mounts() {
                0
            } else {
                user_processes::running()
            }
        })
    }

    /// Returns which ceilings do not hold, though their controllers are there.
    pub(super) fn slack(&self) -> Vec<String> {
        let cgroup = self.cgroup.as_ref();
        cgroup.map_or_else(Vec::new, |bounded| bounded.cgroup.slack())
    }

    /// Returns whether the workdir holds more than it may.
    pub(super) fn is_over(&self) -> bool {
        self.size.as_ref().is_some_and(WorkdirSize::is_over)
    }

    /// Makes the leaf of an attempt; `None` where there is no cgroup.
    pub(super) fn leaf(&self, attempt: &Attempt) -> Result<Option<StepLeaf>, String> {
        let Some(bounded) = &self.cgroup else {
            return Ok(None);
        };
        bounded.cgroup.leaf(attempt).map(Some)
    }

    /// Ends what is inside and takes the bounds away.
    pub(super) async fn end(self: Arc<Self>) -> Result<(), String> {
        let Some(bounded) = &self.cgroup else {
            return Ok(());
        };
        let ended = bounded.cgroup.end().await;
        // Nobody else holds it once the plan's steps have settled; if somebody did, dropping it would do the rest.
        if let Some(Bounded { cgroup, watcher }) = Arc::into_inner(self).and_then(|own| own.cgroup)
        {
            drop(cgroup);
            watcher.dismiss().await;
        }
        ended
    }
}
