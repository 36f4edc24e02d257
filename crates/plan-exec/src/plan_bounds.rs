//! What is put around everything a plan starts, as the driver sees it.

use crate::executor::BoxFuture;

/// Bounds what the plans of a session start, and ends what they leave. [`crate::CommandSession`] is the real one.
pub trait PlanBounds: Send + Sync {
    /// Makes what bounds a plan, before any step of it runs. Returns what of it does not hold, a sentence each,
    /// where the session asked for no more than the host gives.
    ///
    /// # Errors
    /// Why the plan must not run; it is refused with this (`E-RUN-012 ...`).
    fn plan_starting<'a>(
        &'a self,
        plan: PlanStart<'a>,
    ) -> BoxFuture<'a, Result<Vec<String>, Unbounded>>;

    /// Ends what the steps of a plan left running and takes away what bounded it. Called once all of them have
    /// settled (ruling 34); a second call does nothing. `plan_number` is that of [`crate::Attempt`].
    ///
    /// # Errors
    /// What may still be there, and why.
    fn plan_ended(&self, plan_number: u32) -> BoxFuture<'_, Result<(), LeftBehind>>;
}

/// Why a plan must not run.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Unbounded {
    /// One sentence and what to do: the plan's error.
    pub reason: String,
}

/// What a plan that has ended may have left running.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("what the plan started may not all be gone: {why}")]
pub struct LeftBehind {
    /// What could not be done.
    pub why: String,
}

/// A plan that is about to run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlanStart<'a> {
    /// Its number in its session, from 1.
    pub number: u32,
    /// Its own id. Any text.
    pub id: &'a str,
}

/// States that no executor of a session starts a process, so that there is nothing to bound.
///
/// A session whose executors do start processes and that names this instead of a [`crate::CommandSession`] or a
/// scope of its own runs them unbounded.
#[derive(Debug, Clone, Copy)]
pub struct NothingStarted;

impl PlanBounds for NothingStarted {
    fn plan_starting<'a>(
        &'a self,
        _: PlanStart<'a>,
    ) -> BoxFuture<'a, Result<Vec<String>, Unbounded>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    fn plan_ended(&self, _: u32) -> BoxFuture<'_, Result<(), LeftBehind>> {
        Box::pin(std::future::ready(Ok(())))
    }
}
