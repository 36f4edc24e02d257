//! Which steps of a running plan wait, and for what. How that is drawn is `frame.rs`'s.

use std::collections::BTreeSet;
use std::sync::Arc;

use plan_model::{Kind, Plan, StepIdx};
use plan_sched::Limits;

/// The steps of a plan that have been neither dispatched nor settled.
#[derive(Debug)]
pub(super) struct Waiting {
    plan: Arc<Plan>,
    limits: Limits,
    /// How many dependencies of each step have not settled.
    left: Vec<u32>,
    is_settled: Vec<bool>,
    /// Those whose dependencies have settled, in file order.
    ready: BTreeSet<StepIdx>,
    /// Those of them that hold a slot while the gate is asked.
    asked: BTreeSet<StepIdx>,
    /// The others, in file order.
    blocked: BTreeSet<StepIdx>,
}

/// One step that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waits<'w> {
    /// Its id.
    pub id: &'w str,
    /// What will carry it out.
    pub kind: Kind,
    /// What for.
    pub reason: Reason<'w>,
}

/// What a step waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reason<'w> {
    /// Steps that have not settled.
    Steps {
        /// The ids of the first few.
        first: Vec<&'w str>,
        /// How many more there are.
        more: usize,
    },
    /// So many of its kind are in flight, which is as many as there may be.
    Slot(usize),
    /// The gate's answer.
    Gate,
    /// Nothing: it is about to go on.
    Nothing,
}

impl Waiting {
    pub(super) fn new(plan: Arc<Plan>, limits: Limits) -> Self {
        let left: Vec<u32> = plan
            .indices()
            .map(|step| u32::try_from(plan.dependencies(step).len()).unwrap_or(u32::MAX))
            .collect();
        let (ready, blocked) = plan.indices().partition(|step| left[step.get()] == 0);
        Self {
            is_settled: vec![false; left.len()],
            plan,
            limits,
            left,
            ready,
            asked: BTreeSet::new(),
            blocked,
        }
    }

    pub(super) fn asked(&mut self, step: StepIdx) {
        if self.ready.contains(&step) {
            self.asked.insert(step);
        }
    }

    pub(super) fn started(&mut self, step: StepIdx) {
        self.ready.remove(&step);
        self.asked.remove(&step);
    }

    pub(super) fn settled(&mut self, step: StepIdx) {
        self.started(step);
        self.blocked.remove(&step);
        match self.is_settled.get_mut(step.get()) {
            Some(is_settled) if !*is_settled => *is_settled = true,
            _ => return,
        }
        for &dependent in self.plan.dependents(step) {
            let left = &mut self.left[dependent.get()];
            *left -= 1;
            if *left == 0 && self.blocked.remove(&dependent) {
                self.ready.insert(dependent);
            }
        }
    }

    /// Returns how many steps could run but for a slot or the gate.
    pub(super) fn ready(&self) -> usize {
        self.ready.len()
    }

    /// Returns the first steps that wait, `most` at most: ready ones, half of them at least, and then others.
    /// `in_flight` says how many of a kind are dispatched.
    pub(super) fn first(&self, most: usize, in_flight: impl Fn(Kind) -> usize) -> Vec<Waits<'_>> {
        let ready = most
            .saturating_sub(self.blocked.len())
            .max(most.div_ceil(2));
        let mut first: Vec<_> = self
            .ready
            .iter()
            .take(ready)
            .map(|&step| self.waits(step, self.why_ready(step, &in_flight)))
            .collect();
        let room = most - first.len();
        let blocked = self.blocked.iter().take(room);
        first.extend(blocked.map(|&step| self.waits(step, self.why_blocked(step))));
        first
    }

    fn waits<'w>(&'w self, step: StepIdx, reason: Reason<'w>) -> Waits<'w> {
        let view = self.plan.step(step);
        Waits {
            id: view.id(),
            kind: view.kind(),
            reason,
        }
    }

    fn why_ready(&self, step: StepIdx, in_flight: impl Fn(Kind) -> usize) -> Reason<'_> {
        if self.asked.contains(&step) {
            return Reason::Gate;
        }
        let kind = self.plan.step(step).kind();
        let limit = match kind {
            Kind::Tool => 1,
            Kind::Shell => self.limits.shell.get(),
            Kind::Capsule => self.limits.capsule.get(),
        };
        let asked = self
            .asked
            .iter()
            .filter(|&&other| self.plan.step(other).kind() == kind);
        if in_flight(kind) + asked.count() >= limit {
            Reason::Slot(limit)
        } else {
            Reason::Nothing
        }
    }

    fn why_blocked(&self, step: StepIdx) -> Reason<'_> {
        let unsettled = self.plan.dependencies(step).iter();
        let first: Vec<&str> = unsettled
            .filter(|on| !self.is_settled[on.get()])
            .take(MOST_NAMED)
            .map(|&on| self.plan.step(on).id())
            .collect();
        let left = usize::try_from(self.left[step.get()]).unwrap_or(usize::MAX);
        Reason::Steps {
            more: left.saturating_sub(first.len()),
            first,
        }
    }
}

/// More names than this do not fit beside a step.
const MOST_NAMED: usize = 3;
