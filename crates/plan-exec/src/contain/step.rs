//! What is put around one attempt of a step.

use std::{ffi::OsStr, path::Path, sync::Arc};

use super::{
    ContainmentSpec, HeldScope, Holds, ReachedLimit, ground::StepLeaf, plan_scope::PlanScope,
};
use crate::{
    call::Attempt,
    launcher::{LauncherProgram, ProcessLimits, Walls},
    limits::ResourceLimits,
    process::{Confined, Ending, Launch},
};

/// The bounds of one attempt.
#[derive(Debug)]
pub(crate) struct StepBounds<'s> {
    around: Option<Around<'s>>,
}

#[derive(Debug)]
struct Around<'s> {
    launcher: &'s LauncherProgram,
    walls: &'s Walls,
    limits: &'s ResourceLimits,
    process_limits: ProcessLimits,
    leaf: Option<StepLeaf>,
    // The scope goes after the leaf.
    _plan: Arc<PlanScope>,
}

impl<'s> StepBounds<'s> {
    /// Returns that nothing is put around it.
    pub(super) const fn none() -> Self {
        Self { around: None }
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
            (_, HeldScope::Supervisors { unmet: _ } | HeldScope::ProcessGroups | HeldScope::Refused)
            | (None, HeldScope::Cgroup { .. }) => (false, false),
        };
        let address_space = (!memory_held).then_some(ResourceLimits::ADDRESS_SPACE);
        let process_limits = ProcessLimits {
            open_files: Some(limits.max_open_files),
            file_size: Some(limits.max_file_size_bytes),
            cpu_seconds: Some(limits.cpu_seconds),
            address_space: limits.memory_bytes.or(address_space),
            processes: (!processes_held)
                .then(|| plan.user_processes.saturating_add(limits.max_processes)),
        };
        Ok(Self {
            around: Some(Around {
                launcher: &spec.launcher,
                walls,
                limits,
                process_limits,
                leaf,
                _plan: plan,
            }),
        })
    }

    /// Returns how the attempt's program is to be started.
    pub(crate) fn launch(&self) -> Launch<'_> {
        match &self.around {
            None => Launch::Plain,
            Some(around) => Launch::Confined(Confined {
                program: around.launcher,
                #[cfg(target_os = "linux")]
                leaf: around.leaf.as_ref().map(StepLeaf::leaf),
                supervise: around.leaf.is_none(),
                limits: around.process_limits,
                walls: around.walls,
            }),
        }
    }

    /// Returns which limit the attempt's program ran into, when it has failed of one that the kernel reports.
    pub(crate) fn reached(&self, ending: Ending, program: &OsStr) -> Option<ReachedLimit> {
        let around = self.around.as_ref()?;
        let exit = ending.exit().filter(|exit| !exit.passed())?;
        ReachedLimit::of_exit(exit, is_shell(program), around.limits)
            .or_else(|| around.leaf.as_ref()?.reached())
    }
}

/// Returns whether a program is known to report the signal that ended its last command.
fn is_shell(program: &OsStr) -> bool {
    let name = Path::new(program).file_name().and_then(OsStr::to_str);
    name.is_some_and(|name| SHELLS.contains(&name))
}

const SHELLS: [&str; 6] = ["bash", "dash", "fish", "ksh", "sh", "zsh"];
