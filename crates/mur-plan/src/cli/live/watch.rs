//! Where a running plan stands, kept up to date by its events. No clock: the time comes with each event.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Instant;

use plan_exec::LastLine;
use plan_model::{Kind, Status, StepIdx};

use super::waiting::{Waiting, Waits};
use crate::Progress;

/// Where a running plan stands.
#[derive(Debug, Default)]
pub struct Watch {
    started: Option<Instant>,
    total: usize,
    settled: usize,
    failed: usize,
    is_canceled: bool,
    is_closed: bool,
    /// By the order of first dispatch, so that the oldest comes first.
    running: BTreeMap<u64, Running>,
    order: HashMap<StepIdx, u64>,
    dispatched: u64,
    /// The last few, in settle order.
    recent: VecDeque<Settled>,
    /// `None` where it is not asked who waits.
    waiting: Option<Waiting>,
    asks_who_waits: bool,
}

/// A step that has been dispatched and not settled.
#[derive(Debug, Clone)]
pub struct Running {
    /// Its id.
    pub id: String,
    /// What carries it out.
    pub kind: Kind,
    /// The attempt under way, from 1.
    pub attempt: u32,
    /// When its first attempt was dispatched.
    pub since: Instant,
    /// The last line of what this attempt writes; `None` where it writes none.
    pub last_line: Option<LastLine>,
}

/// A step that has settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// Its id.
    pub id: String,
    /// What carried it out.
    pub kind: Kind,
    /// How it settled.
    pub status: Status,
    /// How many times it was dispatched.
    pub attempts: u32,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Why it failed.
    pub error: Option<String>,
}

impl Watch {
    /// Makes one that also knows which steps wait and for what, which costs about 20 bytes a step.
    pub fn of_the_waiting() -> Self {
        Self {
            asks_who_waits: true,
            ..Self::default()
        }
    }

    /// Takes in one event that happened at `now`.
    pub fn on(&mut self, event: Progress, now: Instant) {
        match event {
            // Told by whoever has the plan's text.
            Progress::Warned { warnings: _ } | Progress::Unbounded { shortfall: _ } => {}
            Progress::PlanStarted { plan, limits } => {
                self.started = Some(now);
                self.total = plan.len();
                self.waiting = self.asks_who_waits.then(|| Waiting::new(plan, limits));
            }
            Progress::StepAsked { index } => {
                if let Some(waiting) = &mut self.waiting {
                    waiting.asked(index);
                }
            }
            Progress::StepStarted {
                index,
                id,
                kind,
                attempt,
                last_line,
            } => {
                if let Some(waiting) = &mut self.waiting {
                    waiting.started(index);
                }
                let place = *self.order.entry(index).or_insert(self.dispatched);
                self.dispatched += 1;
                self.running
                    .entry(place)
                    .and_modify(|running| {
                        running.attempt = attempt;
                        running.last_line.clone_from(&last_line);
                    })
                    .or_insert(Running {
                        id,
                        kind,
                        attempt,
                        since: now,
                        last_line,
                    });
            }
            Progress::StepSettled {
                index,
                id,
                kind,
                status,
                attempts,
                duration_ms,
                error,
            } => {
                if let Some(waiting) = &mut self.waiting {
                    waiting.settled(index);
                }
                if let Some(place) = self.order.remove(&index) {
                    self.running.remove(&place);
                }
                self.settled += 1;
                self.failed += usize::from(status == Status::Failed);
                if self.recent.len() == MOST_RECENT {
                    self.recent.pop_front();
                }
                self.recent.push_back(Settled {
                    id,
                    kind,
                    status,
                    attempts,
                    duration_ms,
                    error,
                });
            }
            Progress::Counts {
                settled,
                closed,
                ready: _,
                in_flight: _,
            } => {
                self.settled = settled;
                self.is_closed = closed;
            }
            Progress::Cancelled => {
                self.is_canceled = true;
                self.is_closed = true;
            }
            Progress::Finished => {}
        }
    }

    /// Returns when the plan started, `None` before it has.
    pub fn started(&self) -> Option<Instant> {
        self.started
    }

    /// Returns how many steps the plan declares.
    pub fn total(&self) -> usize {
        self.total
    }

    /// Returns how many steps have settled.
    pub fn settled(&self) -> usize {
        self.settled
    }

    /// Returns how many steps settled as failed.
    pub fn failed(&self) -> usize {
        self.failed
    }

    /// Returns how many steps have been neither dispatched nor settled.
    pub fn waiting(&self) -> usize {
        self.total.saturating_sub(self.settled + self.running.len())
    }

    /// Returns whether the plan was cancelled.
    pub fn is_canceled(&self) -> bool {
        self.is_canceled
    }

    /// Returns whether nothing more is dispatched: the plan has stopped or was cancelled.
    pub fn is_closed(&self) -> bool {
        self.is_closed
    }

    /// Returns how many of the waiting steps could run but for a slot or the gate, where that is known.
    pub fn ready(&self) -> usize {
        self.waiting.as_ref().map_or(0, Waiting::ready)
    }

    /// Returns the first steps in file order that still wait to be dispatched, `most` at most, where that is known.
    pub fn first_waiting(&self, most: usize) -> Vec<Waits<'_>> {
        if self.is_closed || most == 0 {
            return Vec::new();
        }
        let in_flight = |kind| self.running().filter(|step| step.kind == kind).count();
        match &self.waiting {
            Some(waiting) => waiting.first(most, in_flight),
            None => Vec::new(),
        }
    }

    /// Returns the steps under way, the longest running first.
    pub fn running(&self) -> impl ExactSizeIterator<Item = &Running> {
        self.running.values()
    }

    /// Returns the last steps that settled, the latest last.
    pub fn recent(&self) -> impl ExactSizeIterator<Item = &Settled> {
        self.recent.iter()
    }
}

/// No view shows more settled steps than this.
const MOST_RECENT: usize = 20;
