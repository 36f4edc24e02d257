//! The plans of a trace, each held to the rules of its lines.

use std::collections::HashMap;

use super::{Findings, Seen, plan::Plan};
use crate::record::{PlanEnd, Record};

/// The plans seen so far.
#[derive(Default)]
pub(super) struct Plans {
    plans: Vec<Plan>,
    /// A plan by the id of its `plan_start`.
    by_line: HashMap<String, usize>,
    /// The latest plan of each id, for a trace without parents.
    by_plan: HashMap<String, usize>,
}

impl Plans {
    pub(super) fn see(&mut self, seen: &Seen<'_>, found: &mut Findings) {
        match seen.record {
            Record::PlanStart(start) => {
                let index = self.plans.len();
                self.plans.push(Plan::new(seen.line, start, found));
                if let Some(id) = seen.envelope.event_id.as_deref() {
                    self.by_line.insert(id.to_owned(), index);
                }
                self.by_plan.insert(start.plan_id.to_string(), index);
            }
            Record::PlanStepStart(start) => {
                if let Some(plan) = self.plan_of(seen, &start.plan_id, found) {
                    plan.see_start(start, found);
                }
            }
            Record::PlanStep(step) => {
                if let Some(plan) = self.plan_of(seen, &step.plan_id, found) {
                    plan.see_step(step, found);
                }
            }
            Record::PlanEnd(end) => match self.find(seen, &end.plan_id) {
                Some(plan) => plan.see_end(end, found),
                None => check_unparsed(end, found),
            },
            Record::SessionStart(_)
            | Record::TaskStart(_)
            | Record::DelegationStart(_)
            | Record::Delegation(_)
            | Record::CallDenied(_)
            | Record::ProtectedPathDenied(_)
            | Record::TaskCanceled(_)
            | Record::TaskEnd(_)
            | Record::SpawnerEnded(_)
            | Record::SessionEnd(_) => {}
        }
    }

    /// Returns the line of a plan that has not ended, if there is one.
    pub(super) fn running(&self) -> Option<usize> {
        let running = self.plans.iter().rev().find(|plan| !plan.ended());
        running.map(Plan::line)
    }

    pub(super) fn end(&self, found: &mut Findings) {
        for plan in self.plans.iter().filter(|plan| !plan.ended()) {
            let message = format!("the plan `{}` has no `plan_end`", plan.id());
            found.add_at(plan.line(), message);
        }
    }

    fn plan_of(
        &mut self,
        seen: &Seen<'_>,
        plan_id: &str,
        found: &mut Findings,
    ) -> Option<&mut Plan> {
        let plan = self.find(seen, plan_id);
        if plan.is_none() {
            found.add(format!("`{}` has no `plan_start`", seen.event.name()));
        }
        plan
    }

    fn find(&mut self, seen: &Seen<'_>, plan_id: &str) -> Option<&mut Plan> {
        let index = match seen.envelope.parent_id.as_deref() {
            Some(parent) => self.by_line.get(parent),
            None => self.by_plan.get(plan_id),
        }?;
        self.plans.get_mut(*index)
    }
}

/// Checks the end of a plan whose text had not a plan's shape.
fn check_unparsed(end: &PlanEnd<'_>, found: &mut Findings) {
    if end.outcome.name() != "failed" || end.reason.is_none() {
        found.add("a plan that did not parse ends without outcome `failed` and a reason");
    }
    if [end.steps_succeeded, end.steps_failed, end.steps_skipped] != [0; 3] {
        found.add("a plan that did not parse counts settled steps");
    }
}
