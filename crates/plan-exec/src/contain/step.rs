//! What is put around one attempt of a step.

use std::sync::Arc;

use super::{
    ContainmentSpec, HeldScope, Holds, ReachedLimit, ground::StepLeaf, plan_scope::PlanScope,
};
use crate::{
    call::Attempt,
    launcher::{Confinement, ProcessLimits, Walls},
    limits::ResourceLimits,
    process::{Confined, Ending, Launch},
};

/// The bounds of one attempt.
#[derive(Debug)]
pub(crate) enum StepBounds<'s> {
    /// There are none.
    None,
    /// The same for every attempt of a session.
    Fixed(&'s Confinement),
    /// Within its plan's scope.
    Scoped(Box<Scoped<'s>>),
}

/// An attempt within its plan's scope.
#[derive(Debug)]
pub(crate) struct Scoped<'s> {
    spec: &'s ContainmentSpec,
    walls: &'s Walls,
    process_limits: ProcessLimits,
    leaf: Option<StepLeaf>,
    // The scope goes after the leaf.
    _plan: Arc<PlanScope>,
}

impl<'s> StepBounds<'s> {
    /// Returns those that an embedder has set.
    pub(crate) const fn fixed(confinement: &'s Confinement) -> Self {
        Self::Fixed(confinement)
    }

    /// Makes the leaf of an attempt. Fails with the step's error where nothing more is to be started.
    pub(super) fn make(
        spec: &'s ContainmentSpec,
        holds: &Holds,
        walls: &'s Walls,
        plan: Arc<PlanScope>,
        attempt: &Attempt,
    ) -> Result<Self, String> {
        let limits = &spec.limits;
        if plan.is_over() {
            return Err(format!(
                "`capabilities.resources.workdir_max_bytes` ({} bytes) is passed: the workdir with the session's \
                 `home/` and `tmp/` holds more, so nothing more is started",
                limits.workdir_max_bytes
            ));
        }
        let leaf = plan.leaf(attempt)?;
        let (memory_held, processes_held) = match (&leaf, &holds.scope) {
            (Some(_), HeldScope::Cgroup { limits, unmet: _ }) => (limits.memory, limits.pids),
            (
                _,
                HeldScope::Supervisors { unmet: _ } | HeldScope::ProcessGroups | HeldScope::Refused,
            )
            | (None, HeldScope::Cgroup { .. }) => (false, false),
        };
        let address_space = (!memory_held).then_some(ResourceLimits::ADDRESS_SPACE);
        let process_limits = ProcessLimits {
            open_files: Some(limits.max_open_files),
            file_size: Some(limits.max_file_size_bytes),
            cpu_seconds: Some(limits.cpu_seconds),
            address_space: limits.memory_bytes.or(address_space),
            processes: (!processes_held).then(|| {
                plan.user_processes(holds)
                    .saturating_add(limits.max_processes)
            }),
        };
        Ok(Self::Scoped(Box::new(Scoped {
            spec,
            walls,
            process_limits,
            leaf,
            _plan: plan,
        })))
    }

    /// Returns how the attempt's program is to be started.
    pub(crate) fn launch(&self) -> Launch<'_> {
        match self {
            Self::None => Launch::Plain,
            Self::Fixed(confinement) => Launch::Confined(Confined {
                program: &confinement.program,
                #[cfg(target_os = "linux")]
                leaf: None,
                supervised: confinement.supervised,
                limits: &confinement.limits,
                walls: &confinement.walls,
            }),
            Self::Scoped(scoped) => Launch::Confined(Confined {
                program: &scoped.spec.launcher,
                #[cfg(target_os = "linux")]
                leaf: scoped.leaf.as_ref().map(StepLeaf::leaf),
                supervised: scoped.leaf.is_none(),
                limits: &scoped.process_limits,
                walls: scoped.walls,
            }),
        }
    }

    /// Returns which limit the attempt's program ran into, when it has failed of one that the kernel reports.
    pub(crate) fn reached(&self, ending: Ending) -> Option<ReachedLimit> {
        let Self::Scoped(scoped) = self else {
            return None;
        };
        let exit = ending.exit().filter(|exit| !exit.passed())?;
        let used = scoped.leaf.as_ref().and_then(StepLeaf::processor_time);
        ReachedLimit::of_exit(exit, used, &scoped.spec.limits)
            .or_else(|| scoped.leaf.as_ref()?.reached())
    }
}
