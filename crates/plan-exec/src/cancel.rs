//! Whether the task running the plan was cancelled, and how far that has gone.
//!
//! One [`CancelHandle`] says so, from a signal task or an embedder's own; every call carries a [`Cancel`] that
//! reads it. What a cancel means for a step is the scheduler's and the executors' to know.

use std::fmt;

use tokio::sync::watch;

/// How far a cancel has gone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum CancelLevel {
    /// Not cancelled.
    No,
    /// Cancelled: running tool and shell steps go on, sub-capsules are ended.
    Cancelled,
    /// Everything that runs is to be killed at once.
    Killed,
}

impl fmt::Display for CancelLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::No => "not cancelled",
            Self::Cancelled => "cancelled",
            Self::Killed => "killed",
        })
    }
}

/// Cancels the task running the plan. Clones cancel the same task.
#[derive(Debug, Clone)]
pub struct CancelHandle {
    level: watch::Sender<CancelLevel>,
}

impl CancelHandle {
    /// Makes a handle and what reads it.
    pub fn new() -> (Self, Cancel) {
        let (sender, receiver) = watch::channel(CancelLevel::No);
        (Self { level: sender }, Cancel { level: receiver })
    }

    /// Returns another reader.
    pub fn reader(&self) -> Cancel {
        Cancel {
            level: self.level.subscribe(),
        }
    }

    /// Cancels the task. Does nothing when it was cancelled or killed before.
    pub fn cancel(&self) {
        self.raise(CancelLevel::Cancelled);
    }

    /// Has everything that runs killed at once; cancels the task as well when that was not done before.
    pub fn kill(&self) {
        self.raise(CancelLevel::Killed);
    }

    fn raise(&self, to: CancelLevel) {
        self.level.send_if_modified(|level| {
            let raised = to > *level;
            if raised {
                *level = to;
            }
            raised
        });
    }
}

/// Reads whether the task running the plan was cancelled. A clone costs a reference count.
#[derive(Debug, Clone)]
pub struct Cancel {
    level: watch::Receiver<CancelLevel>,
}

impl Cancel {
    /// Returns one that is never cancelled.
    pub fn never() -> Self {
        CancelHandle::new().1
    }

    /// Returns how far the cancel has gone.
    pub fn level(&self) -> CancelLevel {
        *self.level.borrow()
    }

    /// Waits until the cancel has gone at least as far as `level`; for ever when nobody is left to cancel.
    pub async fn reached(&self, level: CancelLevel) {
        let mut receiver = self.level.clone();
        if receiver.wait_for(|now| *now >= level).await.is_err() {
            // The last handle is gone, so the level can no longer change.
            std::future::pending::<()>().await;
        }
    }
}
