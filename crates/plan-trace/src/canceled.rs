//! The lines that the owner of a cancelled task writes after `plan_end` (spec: When the task is cancelled).

use crate::{
    record::{Delegation, Record, TaskCanceled},
    text::Text,
    word::DelegationOutcome,
};

/// A delegation that a cancelled task has ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedDelegation<'a> {
    /// `dlg_…`.
    pub delegation_id: Text<'a>,
    /// The child's full name.
    pub capsule: Text<'a>,
    /// The child's version.
    pub version: Text<'a>,
    /// `ses_…`.
    pub child_session_id: Text<'a>,
    /// How long the delegation took, in milliseconds.
    pub duration_ms: u64,
}

/// Which line a record of [`canceled_task`] hangs off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hanging {
    /// The task's.
    Task,
    /// The session's.
    Session,
}

/// Returns the lines of a task that was cancelled while a plan ran, each with the line it hangs off, in the order
/// they are to be written: `task_canceled` naming the delegations, then each one's `delegation`.
///
/// To be written after the plan's `plan_end` and before the `task_end`, whose owner writes these as well. `turn` is
/// the turn the task was in, where there are turns.
pub fn canceled_task<'a>(
    task_id: Text<'a>,
    turn: Option<u64>,
    ended: &'a [EndedDelegation<'a>],
) -> impl Iterator<Item = (Hanging, Record<'a>)> {
    let borrowed = |text: &'a Text<'a>| Text::from(text.as_str());
    let canceled = TaskCanceled {
        task_id,
        turn,
        phase: "plan".into(),
        detached_work_ids: Vec::new(),
        delegation_ids: ended
            .iter()
            .map(|one| borrowed(&one.delegation_id))
            .collect(),
    };
    let delegations = ended.iter().map(move |one| Delegation {
        capsule: borrowed(&one.capsule),
        version: borrowed(&one.version),
        delegation_id: Some(borrowed(&one.delegation_id)),
        child_session_id: Some(borrowed(&one.child_session_id)),
        duration_ms: one.duration_ms,
        outcome: DelegationOutcome::Terminated,
        reason: Some(CANCELED.into()),
    });
    std::iter::once((Hanging::Task, Record::TaskCanceled(canceled)))
        .chain(delegations.map(|line| (Hanging::Session, Record::Delegation(line))))
}

/// The reason of a delegation that a cancelled task ended (spec: When the task is cancelled).
pub(crate) const CANCELED: &str = "the delegating task was cancelled";
