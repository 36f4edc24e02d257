//! Where the scopes of plans are made, and a plan's scope there.

#[cfg(target_os = "linux")]
mod cgroup;
#[cfg(not(target_os = "linux"))]
mod nowhere;

#[cfg(target_os = "linux")]
pub(super) use cgroup::{Ground, PlanCgroup, StepLeaf, hierarchies};
#[cfg(not(target_os = "linux"))]
pub(super) use nowhere::{Ground, PlanCgroup, StepLeaf, hierarchies};
