//! The runtime of a run: with threads of its own, or with none where the system gives none.

use std::{io, thread};

use tokio::runtime::{Builder, Runtime};

/// Builds the runtime.
///
/// Starting a process blocks its thread until the program is loaded, so a second worker keeps the rest going.
pub(super) fn runtime() -> io::Result<Runtime> {
    // The runtime panics where a thread cannot be started, so that is tried first. One thread is enough to run a
    // plan and to say what went wrong.
    let mut builder = if can_start(WORKERS + BLOCKING) {
        let mut builder = Builder::new_multi_thread();
        builder.worker_threads(WORKERS);
        builder
    } else {
        Builder::new_current_thread()
    };
    builder.enable_all().build()
}

/// Returns whether this process may start `count` threads.
fn can_start(count: usize) -> bool {
    let started: io::Result<Vec<_>> = (0..count)
        .map(|_| thread::Builder::new().spawn(thread::park))
        .collect();
    let Ok(started) = started else {
        // Those that did start park until this process ends: their handles are gone with the error.
        return false;
    };
    for thread in started {
        thread.thread().unpark();
        // It did nothing, so it cannot have panicked.
        thread.join().ok();
    }
    true
}

/// Threads that start processes and read what they print, beside the one that drives the plan.
const WORKERS: usize = 2;
/// The thread that shows the run as it goes.
const BLOCKING: usize = 1;
