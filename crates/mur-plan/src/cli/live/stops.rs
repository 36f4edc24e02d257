//! Ctrl-Z while a plan is drawn: the terminal is left as it was found before the process stops.

use std::io;

use nix::sys::signal::{Signal as SignalNumber, raise};
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::cli::signals::is_ignored;

/// Hears of the wish to stop this process.
pub(in crate::cli) struct Stops(Option<Signal>);

impl Stops {
    /// Begins to listen, where `is_drawn`: elsewhere, and where it cannot listen, the signal does what it always does.
    pub(in crate::cli) fn listen(is_drawn: bool) -> Self {
        let kind = SignalKind::from_raw(SignalNumber::SIGTSTP as i32);
        let listens = is_drawn && !is_ignored(kind);
        Self(listens.then(|| signal(kind).ok()).flatten())
    }

    /// Waits until this process is to stop.
    pub(in crate::cli) async fn next(&mut self) {
        match &mut self.0 {
            Some(signal) => {
                signal.recv().await;
            }
            None => std::future::pending().await,
        }
    }

    /// Stops this process, and returns once it is let go on.
    ///
    /// # Errors
    /// Where it may not be stopped.
    pub(in crate::cli) fn stop() -> io::Result<()> {
        Ok(raise(SignalNumber::SIGSTOP)?)
    }
}
