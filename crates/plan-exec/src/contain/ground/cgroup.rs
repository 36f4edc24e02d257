//! The cgroup of this process as a ground for scopes, and a plan's scope on it.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use crate::{
    bounding::Bounding,
    call::Attempt,
    cgroup::{
        base::Base,
        blame::{Evidence, Limit, blame},
        controllers::Controller,
        counts::ScopeCounts,
        leaf::Leaf,
        limits::ScopeLimits,
        mount,
        scope::Scope,
        slack::{Cause, Slack},
    },
    contain::{HeldLimits, HeldScope, ReachedLimit},
    limits::ResourceLimits,
};

/// What there is to make scopes in.
#[derive(Debug)]
pub(in crate::contain) struct Ground {
    base: Option<&'static Base>,
    /// Which condition of a full scope is not met, and how to meet it.
    unmet: Option<Unmet>,
}

#[derive(Debug)]
struct Unmet {
    condition: String,
    fix: String,
}

impl Ground {
    /// Returns that there is none, since none was asked for.
    pub(in crate::contain) const fn none() -> Self {
        Self {
            base: None,
            unmet: None,
        }
    }

    /// Finds the base, once per process.
    pub(in crate::contain) async fn find(bounding: Bounding) -> Self {
        let unmet = match Base::full().await {
            Ok(base) => {
                return Self {
                    base: Some(base),
                    unmet: None,
                };
            }
            Err(unmet) => Unmet {
                condition: unmet.to_string(),
                fix: unmet.fix(),
            },
        };
        let base = match bounding {
            Bounding::BestEffort => Base::best_effort().await.ok(),
            Bounding::Required | Bounding::Off => None,
        };
        Self {
            base,
            unmet: Some(unmet),
        }
    }

    /// Returns what it holds.
    pub(in crate::contain) fn held(&self, bounding: Bounding) -> HeldScope {
        let unmet = self.unmet.as_ref().map(|unmet| unmet.condition.clone());
        match (self.base, bounding) {
            (Some(base), _) => HeldScope::Cgroup {
                limits: HeldLimits {
                    memory: base.controllers.memory,
                    pids: base.controllers.pids,
                    cpu: base.controllers.cpu,
                    io: base.controllers.io,
                },
                unmet,
            },
            (None, Bounding::Required) => HeldScope::Refused,
            (None, Bounding::BestEffort | Bounding::Off) => HeldScope::Supervisors {
                unmet: unmet.unwrap_or_default(),
            },
        }
    }

    /// Returns whether scopes can be made at all.
    pub(in crate::contain) const fn has_cgroup(&self) -> bool {
        self.base.is_some()
    }

    /// Returns which condition of a full scope is not met and how to meet it.
    pub(in crate::contain) fn unmet(&self) -> Option<String> {
        let Unmet { condition, fix } = self.unmet.as_ref()?;
        Some(format!("{condition}; {fix}"))
    }

    /// Makes a plan's scope.
    pub(in crate::contain) fn scope(
        &self,
        plan_id: &str,
        limits: &ResourceLimits,
        workdir: &Path,
    ) -> Result<PlanCgroup, String> {
        let base = self.base.ok_or("there is no cgroup to make it in")?;
        let limits = ScopeLimits {
            memory_bytes: limits.cgroup_memory_bytes,
            pids: limits.cgroup_pids_max,
            cpu_percent: limits.cgroup_cpu_percent,
            io_bytes_per_sec: limits.cgroup_io_bytes_per_sec,
        };
        let scope = Scope::create(base, plan_id, &limits, workdir);
        Ok(PlanCgroup {
            shared: Arc::new(Shared {
                scope: scope.map_err(|error| error.to_string())?,
                limits,
                started: AtomicU64::new(0),
                running: AtomicU64::new(0),
            }),
        })
    }
}

/// Returns where cgroups can be written, as far as this process reaches it.
pub(in crate::contain) fn hierarchies() -> Vec<PathBuf> {
    mount::reached()
}

/// The cgroup of one plan.
#[derive(Debug)]
pub(in crate::contain) struct PlanCgroup {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    scope: Scope,
    limits: ScopeLimits,
    /// How many leaves were made.
    started: AtomicU64,
    /// How many of them are still an attempt's.
    running: AtomicU64,
}

impl PlanCgroup {
    pub(in crate::contain) fn dir(&self) -> &Path {
        self.shared.scope.dir()
    }

    /// Returns which ceilings do not hold, though their controllers are there.
    pub(in crate::contain) fn slack(&self) -> Vec<String> {
        let slack = self.shared.scope.slack().iter();
        slack
            .filter(|slack| !matches!(slack.cause, Cause::NoController(_)))
            .map(|Slack { controller, cause }| {
                let key = match controller {
                    Controller::Memory => "cgroup_memory_bytes",
                    Controller::Pids => "cgroup_pids_max",
                    Controller::Cpu => "cgroup_cpu_percent",
                    Controller::Io => "cgroup_io_bytes_per_sec",
                };
                format!("`{key}` does not hold: {cause}")
            })
            .collect()
    }

    /// Makes the leaf of an attempt.
    pub(in crate::contain) fn leaf(&self, attempt: &Attempt) -> Result<StepLeaf, String> {
        let scope = &self.shared.scope;
        let leaf = scope.leaf(attempt.step_number, attempt.attempt);
        let leaf = leaf.map_err(|error| format!("cannot bound this step: {error}"))?;
        let others = self.shared.running.fetch_add(1, Ordering::Relaxed) > 0 || scope.has_left();
        Ok(StepLeaf {
            leaf,
            number: self.shared.started.fetch_add(1, Ordering::Relaxed),
            before: scope.counts(),
            others,
            plan: Arc::clone(&self.shared),
        })
    }

    /// Kills what is inside and removes it.
    pub(in crate::contain) async fn end(&self) -> Result<(), String> {
        let ended = self.shared.scope.end().await;
        ended.map_err(|error| error.to_string())
    }
}

/// The cgroup of one attempt.
#[derive(Debug)]
pub(in crate::contain) struct StepLeaf {
    leaf: Leaf,
    number: u64,
    before: ScopeCounts,
    /// Whether somebody else was inside the scope when it was made.
    others: bool,
    plan: Arc<Shared>,
}

impl StepLeaf {
    pub(in crate::contain) const fn leaf(&self) -> &Leaf {
        &self.leaf
    }

    /// Returns the processor time used inside.
    pub(in crate::contain) fn processor_time(&self) -> Option<Duration> {
        self.leaf.counts().cpu_usec.map(Duration::from_micros)
    }

    /// Returns which limit of the scope the attempt ran into, if the kernel counted one.
    pub(in crate::contain) fn reached(&self) -> Option<ReachedLimit> {
        let started = self.plan.started.load(Ordering::Relaxed);
        let evidence = Evidence {
            leaf: self.leaf.counts(),
            before: self.before,
            after: self.plan.scope.counts(),
            alone: !self.others && started == self.number + 1,
            pids_max: self.plan.limits.pids,
        };
        blame(&evidence).map(|limit| match limit {
            Limit::Memory => ReachedLimit::Memory(self.plan.limits.memory_bytes),
            Limit::MemoryOutside => ReachedLimit::MemoryOutside,
            Limit::Pids => ReachedLimit::Processes(self.plan.limits.pids),
        })
    }
}

impl Drop for StepLeaf {
    fn drop(&mut self) {
        self.plan.running.fetch_sub(1, Ordering::Relaxed);
    }
}
