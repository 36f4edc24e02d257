//! Who waits for a choice and for a slot, and who is next. Which phase a step is in is left to `phase`.

use crate::{lowest::Lowest, phase::Phase};
use alloc::collections::VecDeque;
use core::num::NonZeroUsize;
use plan_model::{Kind, StepIdx};

/// How many steps of a kind may be in flight at once (ruling 19). Tools: always one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Shell steps at once.
    pub shell: NonZeroUsize,
    /// Capsule steps at once.
    pub capsule: NonZeroUsize,
}

/// Where the plan stands, for a live view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Progress {
    /// Steps whose dependencies have settled and that wait for a slot, a retry included.
    pub ready: usize,
    /// Steps asked about or dispatched and not ended.
    pub in_flight: usize,
    /// Steps that settled.
    pub settled: usize,
    /// Whether the plan has stopped or was cancelled: nothing more is dispatched.
    pub closed: bool,
}

/// The queues and the slots, derived from the steps' phases by `Board::set_phase`.
#[derive(Debug, Clone)]
pub(crate) struct Ready {
    /// Steps whose condition has not been looked at. Looking takes no slot.
    unlocked: Lowest,
    tool: Lane,
    shell: Lane,
    capsule: Lane,
}

/// The slots of one kind and who waits for one. The tool lane has a depth of one (ruling 19).
#[derive(Debug, Clone)]
struct Lane {
    limit: usize,
    in_flight: usize,
    /// Steps never dispatched.
    waiting: Lowest,
    /// Steps to be tried again, the one that failed first in front: ahead of `waiting` (ruling 22).
    retries: VecDeque<StepIdx>,
}

impl Ready {
    pub(crate) fn new(steps: usize, limits: Limits) -> Self {
        Self {
            unlocked: Lowest::new(steps),
            tool: Lane::new(steps, 1),
            shell: Lane::new(steps, limits.shell.get()),
            capsule: Lane::new(steps, limits.capsule.get()),
        }
    }

    /// Returns the step to be looked at or asked about now: the lowest in file order among those possible.
    pub(crate) fn next(&self) -> Option<StepIdx> {
        [
            self.unlocked.first(),
            self.tool.next(),
            self.shell.next(),
            self.capsule.next(),
        ]
        .into_iter()
        .flatten()
        .min()
    }

    pub(crate) fn enter(&mut self, step: StepIdx, kind: Kind, phase: Phase) {
        match phase {
            Phase::Unlocked => self.unlocked.insert(step),
            Phase::Ready => self.lane(kind).waiting.insert(step),
            Phase::Retrying => self.lane(kind).retries.push_back(step),
            Phase::Asked | Phase::Admitted | Phase::Running => self.lane(kind).in_flight += 1,
            Phase::Blocked | Phase::Withdrawn | Phase::Settled(_) => {}
        }
    }

    pub(crate) fn leave(&mut self, step: StepIdx, kind: Kind, phase: Phase) {
        match phase {
            Phase::Unlocked => self.unlocked.remove(step),
            Phase::Ready => self.lane(kind).waiting.remove(step),
            Phase::Retrying => {
                let front = self.lane(kind).retries.pop_front();
                debug_assert!(front.is_none_or(|front| front == step));
            }
            Phase::Asked | Phase::Admitted | Phase::Running => self.lane(kind).in_flight -= 1,
            Phase::Blocked | Phase::Withdrawn | Phase::Settled(_) => {}
        }
    }

    /// Forgets who waits. Leaving a queue is then no more than a change of phase.
    pub(crate) fn close(&mut self) {
        self.unlocked.clear();
        for lane in [&mut self.tool, &mut self.shell, &mut self.capsule] {
            lane.waiting.clear();
            lane.retries.clear();
        }
    }

    pub(crate) fn waiting(&self) -> usize {
        let lanes = self.lanes();
        self.unlocked.len()
            + lanes
                .map(|lane| lane.waiting.len() + lane.retries.len())
                .iter()
                .sum::<usize>()
    }

    pub(crate) fn in_flight(&self) -> usize {
        self.lanes().map(|lane| lane.in_flight).iter().sum()
    }

    fn lanes(&self) -> [&Lane; 3] {
        [&self.tool, &self.shell, &self.capsule]
    }

    fn lane(&mut self, kind: Kind) -> &mut Lane {
        match kind {
            Kind::Tool => &mut self.tool,
            Kind::Shell => &mut self.shell,
            Kind::Capsule => &mut self.capsule,
        }
    }
}

impl Lane {
    fn new(steps: usize, limit: usize) -> Self {
        Self {
            limit,
            in_flight: 0,
            waiting: Lowest::new(steps),
            retries: VecDeque::new(),
        }
    }

    fn next(&self) -> Option<StepIdx> {
        if self.in_flight >= self.limit {
            return None;
        }
        self.retries
            .front()
            .copied()
            .or_else(|| self.waiting.first())
    }
}
