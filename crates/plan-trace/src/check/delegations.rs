//! The delegations of a trace: starts joined with ends, and how an end may be worded.

use std::collections::HashMap;

use super::{Findings, Seen};
use crate::{
    canceled::CANCELED,
    record::{Delegation, DelegationStart, Record},
    word::DelegationOutcome,
};

/// The delegations seen so far, by id.
#[derive(Default)]
pub(super) struct Delegations {
    by_id: HashMap<String, State>,
}

struct State {
    line: usize,
    start: DelegationStart<'static>,
    /// A `task_canceled` named it.
    named: bool,
    ended: bool,
}

impl Delegations {
    pub(super) fn see(&mut self, seen: &Seen<'_>, found: &mut Findings) {
        match seen.record {
            Record::DelegationStart(start) => self.see_start(seen.line, start, found),
            Record::Delegation(end) => self.see_end(end, found),
            Record::TaskCanceled(canceled) => {
                for id in &canceled.delegation_ids {
                    self.see_named(id, found);
                }
            }
            Record::SessionStart(_)
            | Record::TaskStart(_)
            | Record::PlanStart(_)
            | Record::PlanStepStart(_)
            | Record::PlanStep(_)
            | Record::PlanEnd(_)
            | Record::CallDenied(_)
            | Record::ProtectedPathDenied(_)
            | Record::TaskEnd(_)
            | Record::SpawnerEnded(_)
            | Record::SessionEnd(_) => {}
        }
    }

    /// Returns whether a delegation has its `delegation` line.
    pub(super) fn ended(&self, id: &str) -> bool {
        self.by_id.get(id).is_none_or(|state| state.ended)
    }

    pub(super) fn end(&self, found: &mut Findings) {
        for (id, state) in self.by_id.iter().filter(|(_, state)| !state.ended) {
            let message = format!("the delegation `{id}` has no `delegation` line");
            found.add_at(state.line, message);
        }
    }

    fn see_start(&mut self, line: usize, start: &DelegationStart<'_>, found: &mut Findings) {
        let state = State {
            line,
            start: start.clone().into_owned(),
            named: false,
            ended: false,
        };
        let id = start.delegation_id.to_string();
        if self.by_id.insert(id, state).is_some() {
            found.add(format!(
                "the delegation `{}` starts twice",
                start.delegation_id
            ));
        }
    }

    fn see_named(&mut self, id: &str, found: &mut Findings) {
        match self.by_id.get_mut(id) {
            None => found.add(format!("`task_canceled` names `{id}`, which never started")),
            Some(state) if state.ended => {
                found.add(format!("`task_canceled` names `{id}`, which had ended"));
            }
            Some(state) => state.named = true,
        }
    }

    fn see_end(&mut self, end: &Delegation<'_>, found: &mut Findings) {
        check_wording(end, found);
        let (id, child) = match (&end.delegation_id, &end.child_session_id) {
            (Some(id), Some(child)) => (id.as_str(), child.as_str()),
            (None, None) => {
                if !matches!(
                    end.outcome,
                    DelegationOutcome::Refused | DelegationOutcome::Failed
                ) {
                    let outcome = end.outcome.name();
                    found.add(format!("a delegation without ids is `{outcome}`"));
                }
                return;
            }
            (Some(_), None) | (None, Some(_)) => {
                return found.add("a delegation has one of its two ids");
            }
        };
        let Some(state) = self.by_id.get_mut(id) else {
            return found.add(format!("the delegation `{id}` ends without a start"));
        };
        let start = &state.start;
        if (
            start.capsule.as_str(),
            start.version.as_str(),
            start.child_session_id.as_str(),
        ) != (end.capsule.as_str(), end.version.as_str(), child)
        {
            found.add(format!(
                "the delegation `{id}` ends with another child than it started"
            ));
        }
        if state.ended {
            found.add(format!("the delegation `{id}` ends twice"));
        }
        let terminated = end.outcome == DelegationOutcome::Terminated;
        if terminated && !state.named {
            found.add(format!(
                "the delegation `{id}` is terminated before a `task_canceled` names it"
            ));
        }
        if !terminated && state.named {
            found.add(format!(
                "the delegation `{id}` was cancelled and is not `terminated`"
            ));
        }
        state.ended = true;
    }
}

fn check_wording(end: &Delegation<'_>, found: &mut Findings) {
    let reason = end.reason.as_deref();
    match &end.outcome {
        DelegationOutcome::Completed => {
            if reason.is_some() {
                found.add("a completed delegation has a `reason`");
            }
        }
        DelegationOutcome::TimedOut | DelegationOutcome::Failed | DelegationOutcome::Refused => {
            if reason.is_none() {
                found.add(format!(
                    "a delegation is `{}` without a `reason`",
                    end.outcome.name()
                ));
            }
        }
        DelegationOutcome::Terminated => {
            if reason != Some(CANCELED) {
                found.add(format!(
                    "a terminated delegation has not the reason `{CANCELED}`"
                ));
            }
        }
        DelegationOutcome::Other(word) => {
            found.add(format!("`{word}` is no outcome of a delegation"));
        }
    }
}
