//! Pipes that outlive their step, because something it left running holds them.
//!
//! They are read until they end or their plan does, and what is read is dropped: whoever holds them is neither
//! blocked by a full pipe nor killed by a closed one.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tokio::task::JoinSet;

use super::streams::Pipe;
use crate::output::Sink;

/// The readers of every plan's leftover pipes.
#[derive(Debug)]
pub(super) struct Leftovers {
    readers: Mutex<BTreeMap<u32, JoinSet<()>>>,
}

impl Leftovers {
    pub(super) const fn new() -> Self {
        Self {
            readers: Mutex::new(BTreeMap::new()),
        }
    }

    /// Goes on reading `pipe` for as long as the plan runs.
    pub(super) fn adopt(&self, plan: u32, pipe: Pipe) {
        let mut readers = self.lock();
        let readers = readers.entry(plan).or_default();
        // Those that ended meanwhile, so that the set stays as small as what is left running.
        while readers.try_join_next().is_some() {}
        readers.spawn(async move { while pipe.read(&mut Nowhere).await {} });
    }

    /// Closes the pipes of a plan that has ended.
    pub(super) fn close(&self, plan: u32) {
        drop(self.lock().remove(&plan));
    }

    /// Closes the pipes of every plan.
    pub(super) fn close_all(&self) {
        self.lock().clear();
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u32, JoinSet<()>>> {
        self.readers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Nowhere;

impl Sink for Nowhere {
    fn take(&mut self, _bytes: &[u8]) {}
}
