//! The signals that cancel a plan. What a cancel means is left to the driver and the scheduler.

use std::io;

use plan_exec::CancelHandle;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// The signals that cancel a plan: the first one cancels, the next one kills what still runs (ruling 27).
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Signals {
    /// Begins to listen: from here on none of them ends this process by itself.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    /// Hands the signals on, for ever.
    pub(super) async fn relay_to(mut self, cancel: CancelHandle) {
        self.next().await;
        cancel.cancel();
        self.next().await;
        cancel.kill();
        // Held, so that further signals do not take the command down before its report.
        std::future::pending::<()>().await;
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
}
