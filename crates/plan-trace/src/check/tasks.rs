//! The tasks of a trace: start, cancel and end, and what a cancel must have behind it and ahead of it.

use std::collections::HashMap;

use super::{Findings, Seen, delegations::Delegations, plans::Plans};
use crate::{
    record::{Record, TaskCanceled, TaskEnd},
    word::ExitStatus,
};

/// The tasks seen so far, by id.
#[derive(Default)]
pub(super) struct Tasks {
    by_id: HashMap<String, Task>,
}

struct Task {
    line: usize,
    /// The delegations its `task_canceled` names.
    canceled: Option<Vec<String>>,
    ended: bool,
}

impl Tasks {
    pub(super) fn see(
        &mut self,
        seen: &Seen<'_>,
        plans: &Plans,
        delegations: &Delegations,
        found: &mut Findings,
    ) {
        match seen.record {
            Record::TaskStart(start) => {
                let task = Task {
                    line: seen.line,
                    canceled: None,
                    ended: false,
                };
                if self.by_id.insert(start.task_id.to_string(), task).is_some() {
                    found.add(format!("the task `{}` starts twice", start.task_id));
                }
            }
            Record::TaskCanceled(canceled) => self.see_canceled(canceled, plans, found),
            Record::TaskEnd(end) => self.see_end(end, plans, delegations, found),
            Record::SessionStart(_)
            | Record::PlanStart(_)
            | Record::PlanStepStart(_)
            | Record::PlanStep(_)
            | Record::PlanEnd(_)
            | Record::DelegationStart(_)
            | Record::Delegation(_)
            | Record::CallDenied(_)
            | Record::ProtectedPathDenied(_)
            | Record::SpawnerEnded(_)
            | Record::SessionEnd(_) => {}
        }
    }

    pub(super) fn end(&self, found: &mut Findings) {
        for (id, task) in self.by_id.iter().filter(|(_, task)| !task.ended) {
            found.add_at(task.line, format!("the task `{id}` has no `task_end`"));
        }
    }

    fn see_canceled(&mut self, canceled: &TaskCanceled<'_>, plans: &Plans, found: &mut Findings) {
        let id = &canceled.task_id;
        if let Some(line) = plans.running() {
            found.add(format!(
                "the task `{id}` is cancelled before the plan of line {line} ended"
            ));
        }
        let Some(task) = self.by_id.get_mut(id.as_str()) else {
            return found.add(format!("the task `{id}` is cancelled and never started"));
        };
        if task.ended {
            found.add(format!("the task `{id}` is cancelled after its end"));
        }
        let named = canceled.delegation_ids.iter();
        let named = named.map(|id| id.to_string()).collect();
        if task.canceled.replace(named).is_some() {
            found.add(format!("the task `{id}` is cancelled twice"));
        }
    }

    fn see_end(
        &mut self,
        end: &TaskEnd<'_>,
        plans: &Plans,
        delegations: &Delegations,
        found: &mut Findings,
    ) {
        let id = &end.task_id;
        if let Some(line) = plans.running() {
            found.add(format!(
                "the task `{id}` ends before the plan of line {line}"
            ));
        }
        let Some(task) = self.by_id.get_mut(id.as_str()) else {
            return found.add(format!("the task `{id}` ends and never started"));
        };
        if task.ended {
            found.add(format!("the task `{id}` ends twice"));
        }
        task.ended = true;
        match (&task.canceled, &end.exit_status) {
            (Some(_), ExitStatus::Canceled) | (None, ExitStatus::Ok | ExitStatus::Failed) => {}
            (_, ExitStatus::Other(word)) => found.add(format!("`{word}` is no exit status")),
            (Some(_), ExitStatus::Ok | ExitStatus::Failed) => {
                found.add(format!(
                    "the task `{id}` was cancelled and does not end `canceled`"
                ));
            }
            (None, ExitStatus::Canceled) => {
                found.add(format!(
                    "the task `{id}` ends `canceled` without a `task_canceled`"
                ));
            }
        }
        for named in task.canceled.iter().flatten() {
            if !delegations.ended(named) {
                found.add(format!(
                    "the task `{id}` ends before the `delegation` line of `{named}`"
                ));
            }
        }
    }
}
