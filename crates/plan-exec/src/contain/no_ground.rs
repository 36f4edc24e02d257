//! There are no cgroups here: process groups and limits of each process are all there is.

use std::{path::Path, time::Duration};

use super::{HeldScope, ReachedLimit};
use crate::{bounding::Bounding, call::Attempt, limits::ResourceLimits};

/// What there is to make scopes in: nothing.
#[derive(Debug)]
pub(super) struct Ground;

impl Ground {
    pub(super) const fn none() -> Self {
        Self
    }

    #[expect(
        clippy::unused_async,
        reason = "finding one takes time where there is one"
    )]
    pub(super) async fn find(_: Bounding) -> Self {
        Self
    }

    pub(super) fn held(&self, bounding: Bounding) -> HeldScope {
        match bounding {
            Bounding::Required => HeldScope::Refused,
            Bounding::BestEffort | Bounding::Off => HeldScope::Supervisors {
                unmet: UNMET.into(),
            },
        }
    }

    pub(super) const fn has_cgroup(&self) -> bool {
        false
    }

    pub(super) fn unmet(&self) -> Option<String> {
        Some(UNMET.into())
    }

    pub(super) fn scope(
        &self,
        _: &str,
        _: &ResourceLimits,
        _: &Path,
    ) -> Result<PlanCgroup, String> {
        Err(UNMET.into())
    }
}

/// A cgroup there is none of.
#[derive(Debug)]
pub(super) enum PlanCgroup {}

impl PlanCgroup {
    pub(super) const fn dir(&self) -> &Path {
        match *self {}
    }

    pub(super) const fn slack(&self) -> Vec<String> {
        match *self {}
    }

    pub(super) const fn leaf(&self, _: &Attempt) -> Result<StepLeaf, String> {
        match *self {}
    }

    #[expect(
        clippy::unused_async,
        reason = "ending one takes time where there is one"
    )]
    pub(super) async fn end(&self) -> Result<(), String> {
        match *self {}
    }
}

/// A leaf there is none of.
#[derive(Debug)]
pub(super) enum StepLeaf {}

impl StepLeaf {
    pub(super) const fn processor_time(&self) -> Option<Duration> {
        match *self {}
    }

    pub(super) const fn reached(&self) -> Option<ReachedLimit> {
        match *self {}
    }
}

const UNMET: &str = "this system has no cgroups";
