//! There are no cgroups here: process groups and limits of each process are all there is.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    bounding::Bounding,
    call::Attempt,
    contain::{HeldScope, ReachedLimit},
    limits::ResourceLimits,
};

/// What there is to make scopes in: nothing.
#[derive(Debug)]
pub(in crate::contain) struct Ground;

impl Ground {
    pub(in crate::contain) const fn none() -> Self {
        Self
    }

    #[expect(
        clippy::unused_async,
        reason = "finding one takes time where there is one"
    )]
    pub(in crate::contain) async fn find(_: Bounding) -> Self {
        Self
    }

    pub(in crate::contain) fn held(&self, bounding: Bounding) -> HeldScope {
        match bounding {
            Bounding::Required => HeldScope::Refused,
            Bounding::BestEffort | Bounding::Off => HeldScope::Supervisors {
                unmet: UNMET.into(),
            },
        }
    }

    pub(in crate::contain) const fn has_cgroup(&self) -> bool {
        false
    }

    pub(in crate::contain) fn unmet(&self) -> Option<String> {
        Some(UNMET.into())
    }

    pub(in crate::contain) fn scope(
        &self,
        _: &str,
        _: &ResourceLimits,
        _: &Path,
    ) -> Result<PlanCgroup, String> {
        Err(UNMET.into())
    }
}

/// Returns where cgroups can be written: nowhere.
pub(in crate::contain) const fn hierarchies() -> Vec<PathBuf> {
    Vec::new()
}

/// A cgroup there is none of.
#[derive(Debug)]
pub(in crate::contain) enum PlanCgroup {}

impl PlanCgroup {
    pub(in crate::contain) const fn dir(&self) -> &Path {
        match *self {}
    }

    pub(in crate::contain) const fn slack(&self) -> Vec<String> {
        match *self {}
    }

    pub(in crate::contain) const fn leaf(&self, _: &Attempt) -> Result<StepLeaf, String> {
        match *self {}
    }

    #[expect(
        clippy::unused_async,
        reason = "ending one takes time where there is one"
    )]
    pub(in crate::contain) async fn end(&self) -> Result<(), String> {
        match *self {}
    }
}

/// A leaf there is none of.
#[derive(Debug)]
pub(in crate::contain) enum StepLeaf {}

impl StepLeaf {
    pub(in crate::contain) const fn processor_time(&self) -> Option<Duration> {
        match *self {}
    }

    pub(in crate::contain) const fn reached(&self) -> Option<ReachedLimit> {
        match *self {}
    }
}

const UNMET: &str = "this system has no cgroups";
