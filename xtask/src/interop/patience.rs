//! Waiting for what another process does, within a bound.

use std::{
    thread,
    time::{Duration, Instant},
};

/// Looks again and again until `look` has something. `None` when `bound` has passed.
pub(super) fn until<T>(bound: Duration, mut look: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + bound;
    loop {
        if let Some(seen) = look() {
            return Some(seen);
        }
        if Instant::now() > end {
            return None;
        }
        thread::sleep(PAUSE);
    }
}

/// Short beside anything that is waited for, long beside a look.
const PAUSE: Duration = Duration::from_millis(20);
