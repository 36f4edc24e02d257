//! What the driver tells whoever watches a plan run; how it is shown is left to the watcher.

use std::sync::Arc;

use plan_exec::LastLine;
use plan_model::{Diagnostic, Kind, Plan, Status, StepIdx};
use plan_sched::Limits;

/// Carries what happens to whoever watches; a watcher that is gone is no error.
pub type ProgressSender = tokio::sync::mpsc::UnboundedSender<Progress>;

/// One thing that happened while a plan ran, in the order it happened.
#[derive(Debug, Clone)]
pub enum Progress {
    /// What deserves a look in the plan that is about to run; not sent when nothing does.
    Warned {
        /// The warnings, in document order. They stand beside the result as well.
        warnings: Vec<Diagnostic>,
    },
    /// A ceiling that was asked for does not hold around the plan that is about to run.
    Unbounded {
        /// Which one, and why. It stands beside the result as well.
        shortfall: String,
    },
    /// The plan was accepted and its steps begin.
    PlanStarted {
        /// The plan: which step waits for which.
        plan: Arc<Plan>,
        /// How many steps of a kind may be in flight at once.
        limits: Limits,
    },
    /// An attempt of a step is put to the gate; it holds its slot from here on. Not sent where there is no gate.
    StepAsked {
        /// The step.
        index: StepIdx,
    },
    /// An attempt of a step was dispatched.
    StepStarted {
        /// The step.
        index: StepIdx,
        /// Its id.
        id: String,
        /// What carries it out.
        kind: Kind,
        /// The attempt, from 1.
        attempt: u32,
        /// The last line of what it writes, to be read whenever it is wanted; `None` where it writes none.
        last_line: Option<LastLine>,
    },
    /// A step settled. One that was never dispatched settles without a [`Progress::StepStarted`].
    StepSettled {
        /// The step.
        index: StepIdx,
        /// Its id.
        id: String,
        /// What carried it out.
        kind: Kind,
        /// How it settled, after `on_error`.
        status: Status,
        /// How many times it was dispatched (ruling 22).
        attempts: u32,
        /// From the first dispatch to here, in milliseconds; 0 for a step never dispatched.
        duration_ms: u64,
        /// Why it failed.
        error: Option<String>,
    },
    /// Where the plan stands, after a round of effects.
    Counts {
        /// Steps that wait for a free slot.
        ready: usize,
        /// Steps asked about or dispatched, and not ended.
        in_flight: usize,
        /// Steps that settled.
        settled: usize,
        /// Whether the plan has stopped or was cancelled, so that nothing more is dispatched.
        closed: bool,
    },
    /// The task running the plan was cancelled; what runs may still finish.
    Cancelled,
    /// Every step that will settle has settled.
    Finished,
}

/// Tells whoever watches, if anybody does. The event is made only then.
pub(crate) fn tell(watcher: Option<&ProgressSender>, event: impl FnOnce() -> Progress) {
    if let Some(watcher) = watcher {
        // Whoever watched may have stopped watching.
        watcher.send(event()).ok();
    }
}
