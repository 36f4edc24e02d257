//! Where a running plan stands, kept up to date by its events. No clock: the time comes with each event.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::time::Instant;

use plan_model::{Kind, Status, StepIdx};

use crate::Progress;

/// Where a running plan stands.
#[derive(Debug, Default)]
pub struct Watch {
    started: Option<Instant>,
    total: usize,
    settled: usize,
    failed: usize,
    is_canceled: bool,
    /// By the order of first dispatch, so that the oldest comes first.
    running: BTreeMap<u64, Running>,
    order: HashMap<StepIdx, u64>,
    dispatched: u64,
    /// The last few, in settle order.
    recent: VecDeque<Settled>,
}

/// A step that has been dispatched and not settled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Running {
    /// Its id.
    pub id: String,
    /// What carries it out.
    pub kind: Kind,
    /// The attempt under way, from 1.
    pub attempt: u32,
    /// When its first attempt was dispatched.
    pub since: Instant,
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
    /// Takes in one event that happened at `now`.
    pub fn on(&mut self, event: Progress, now: Instant) {
        match event {
            // Told by whoever has the plan's text.
            Progress::Warned { warnings: _ } | Progress::Unbounded { shortfall: _ } => {}
            Progress::PlanStarted { steps } => {
                self.started = Some(now);
                self.total = steps;
            }
            Progress::StepStarted {
                index,
                id,
                kind,
                attempt,
            } => {
                let place = *self.order.entry(index).or_insert(self.dispatched);
                self.dispatched += 1;
                self.running
                    .entry(place)
                    .and_modify(|running| running.attempt = attempt)
                    .or_insert(Running {
                        id,
                        kind,
                        attempt,
                        since: now,
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
                ready: _,
                in_flight: _,
            } => self.settled = settled,
            Progress::Cancelled => self.is_canceled = true,
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
