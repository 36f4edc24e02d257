//! What is put around everything a session's plans start, and what of it the host gives.
//!
//! ```text
//! Containment: probed once per session
//!   PlanScope: made when a plan starts, gone when it has ended
//!     StepBounds: one attempt, from its leaf to which limit ended it
//! ```

mod ground;
mod holds;
mod limit;
mod plan_scope;
mod spec;
mod step;
mod user_processes;
mod workdir_size;

use std::{
    collections::HashMap,
    path::Path,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

pub(crate) use limit::ReachedLimit;
pub(crate) use step::StepBounds;
pub use {
    holds::{HeldLimits, HeldScope, Holds},
    spec::ContainmentSpec,
};

use crate::{
    bounding::Bounding,
    call::Attempt,
    launcher::{LauncherError, Walls},
    limits::ResourceLimits,
    plan_bounds::{LeftBehind, PlanStart, Unbounded},
};
use ground::Ground;
use plan_scope::PlanScope;
use workdir_size::Measured;

/// What a session puts around its plans.
#[derive(Debug)]
pub(crate) struct Containment {
    spec: ContainmentSpec,
    holds: Holds,
    ground: Ground,
    walls: Walls,
    measured: Measured,
    plans: Mutex<HashMap<u32, Arc<PlanScope>>>,
}

impl Containment {
    /// Finds out what the host gives. `workdir` is absolute.
    ///
    /// Fails when there is no launcher. That a scope cannot be had refuses the plans, not the session.
    pub(crate) async fn open(spec: ContainmentSpec, workdir: &Path) -> Result<Self, LauncherError> {
        if spec.bounding == Bounding::Off {
            return Ok(Self::of_nothing(spec));
        }
        spec.launcher.ready()?;
        let abilities = spec.launcher.probe(spec.trial_place(workdir))?;
        let ground = Ground::find(spec.bounding).await;
        let holds = Holds {
            scope: ground.held(spec.bounding),
            landlock: abilities.landlock.map_err(|missing| missing.to_string()),
            mounts: abilities.mounts.map_err(|missing| missing.to_string()),
            address_space: match spec.limits.memory_bytes {
                Some(_) => None,
                None => Some(ResourceLimits::ADDRESS_SPACE),
            },
        };
        Ok(Self {
            walls: spec.walls(workdir, &holds, ground::hierarchies()),
            measured: spec.measured(workdir),
            holds,
            ground,
            plans: Mutex::default(),
            spec,
        })
    }

    /// Puts nothing around anything.
    pub(crate) fn none() -> Self {
        Self::of_nothing(ContainmentSpec::off())
    }

    /// Asks the host for nothing, and looks at nothing there.
    fn of_nothing(spec: ContainmentSpec) -> Self {
        Self {
            holds: Holds::nothing(),
            ground: Ground::none(),
            walls: Walls::default(),
            measured: spec.measured(Path::new("")),
            plans: Mutex::default(),
            spec,
        }
    }

    /// Returns what the host gave.
    pub(crate) const fn holds(&self) -> &Holds {
        &self.holds
    }

    /// Makes what bounds a plan; see [`crate::PlanBounds::plan_starting`].
    pub(crate) fn start_plan(
        &self,
        plan: PlanStart<'_>,
        workdir: &Path,
    ) -> Result<Vec<String>, Unbounded> {
        let (scope, shortfalls) = match self.spec.bounding {
            Bounding::Off => return Ok(Vec::new()),
            Bounding::Required => (self.required_scope(plan, workdir)?, Vec::new()),
            Bounding::BestEffort => self.scope_if_possible(plan, workdir),
        };
        let scope = scope.measuring(self.measured.clone());
        self.lock().insert(plan.number, Arc::new(scope));
        Ok(shortfalls)
    }

    fn required_scope(&self, plan: PlanStart<'_>, workdir: &Path) -> Result<PlanScope, Unbounded> {
        let made = match self.ground.unmet() {
            Some(unmet) => Err(unmet),
            None => PlanScope::make(&self.ground, &self.spec, plan.id, workdir),
        };
        made.map_err(|why| Unbounded {
            reason: format!("{NO_SCOPE}: {why}; {WITHOUT_HINT}"),
        })
    }

    fn scope_if_possible(&self, plan: PlanStart<'_>, workdir: &Path) -> (PlanScope, Vec<String>) {
        if !self.ground.has_cgroup() {
            return (PlanScope::without_cgroup(), Vec::new());
        }
        match PlanScope::make(&self.ground, &self.spec, plan.id, workdir) {
            Ok(scope) => {
                let slack = scope.slack();
                (scope, slack)
            }
            Err(why) => (
                PlanScope::without_cgroup(),
                vec![format!("this plan has no scope: {why}")],
            ),
        }
    }

    /// Makes the bounds of an attempt, or says why it is not to be started.
    pub(crate) fn bound_step(&self, attempt: &Attempt) -> Result<StepBounds<'_>, String> {
        if self.spec.bounding == Bounding::Off {
            return Ok(StepBounds::None);
        }
        let plan = self.lock().get(&attempt.plan_number).cloned();
        // Ours to keep: the driver starts a plan before its steps.
        let plan =
            plan.ok_or("this step's plan was not started, so nothing would bound the step")?;
        StepBounds::make(&self.spec, &self.holds, &self.walls, plan, attempt)
    }

    /// Ends what a plan left running and takes its scope away; says so when that fails.
    pub(crate) async fn end_plan(&self, plan_number: u32) -> Result<(), LeftBehind> {
        let plan = self.lock().remove(&plan_number);
        match plan {
            Some(plan) => plan.end().await.map_err(|why| LeftBehind { why }),
            None => Ok(()),
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<u32, Arc<PlanScope>>> {
        self.plans.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What a refusal for want of a scope begins with.
const NO_SCOPE: &str = "E-RUN-012";

/// What to do where a scope cannot be had.
const WITHOUT_HINT: &str = "or ask for bounding `best-effort` to go on with what this host gives";
