//! The base: the cgroup below which the scopes of this process are made, found once.

use std::{path::PathBuf, time::Duration};

use tokio::sync::OnceCell;

use super::{
    candidate,
    controllers::Controllers,
    file::Files,
    manager::{self, Declined},
    mount::Hierarchy,
    unmet::{Condition, Unmet},
};

/// Where scopes are made, and what can be limited in them.
#[derive(Debug, Clone)]
pub(crate) struct Base {
    pub(super) dir: PathBuf,
    pub(super) files: Files,
    /// Those enabled for the scopes.
    pub(crate) controllers: Controllers,
    /// Whether a scope without its limits on memory, processes and processor is one.
    pub(super) demand: Demand,
}

/// What a limit that cannot be set means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Demand {
    /// There is no scope.
    EveryLimit,
    /// The scope goes without.
    WhatThereIs,
}

impl Base {
    /// Returns the base that offers every limit, or which condition this host fails.
    ///
    /// The first call finds it: it may move this process into a scope of the systemd user manager's, else into a
    /// leaf `murmur-supervisor`, and takes 6 s at the most. Others wait for it, and all get the same answer.
    pub(crate) async fn full() -> Result<&'static Self, &'static Unmet> {
        let found = FULL.get_or_init(|| async {
            let (hierarchy, declined) = place().await?;
            let found = candidate::full(&Files::of_this_host(), &hierarchy, PATIENCE).await;
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
            | Condition::Threaded(_)
            | Condition::CannotEnable(_)
            | Condition::CannotStepAside(_)
            | Condition::Occupied { .. } => Duration::ZERO,
        };
        let found = LESSER.get_or_init(|| async move {
            let (hierarchy, declined) = place().await?;
            let found = candidate::lesser(&Files::of_this_host(), &hierarchy, patience).await;
            found.map_err(|condition| Unmet {
                condition,
                declined,
            })
        });
        found.await.as_ref()
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

/// How long it is tried to enable controllers (spec: What a plan may reach).
const PATIENCE: Duration = Duration::from_secs(2);
