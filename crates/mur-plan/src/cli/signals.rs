//! The signals that cancel a plan. What a cancel means is left to the driver and the scheduler.

use std::{fs, io};

use nix::sys::signal::{self as nix_signal, SigSet};
use plan_exec::CancelHandle;
use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    sync::oneshot,
};

/// The signals that cancel a plan: the first one cancels, the next one kills what still runs (ruling 27). SIGQUIT
/// kills at once.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    /// `None` where it is ignored, as for a job that a plain shell put into the background.
    quit: Option<Signal>,
    /// `None` where the command was started to outlive its terminal (`nohup`).
    hang_up: Option<Signal>,
    /// Listened to for its handler alone: a file that may not grow is then an error of the write, not the end of
    /// this process.
    _file_size: Signal,
    /// The same: where this process was started with it ignored, no step could be waited for.
    _child: Signal,
}

impl Signals {
    /// Lets this process be sent every signal, whatever whoever started it had blocked. To be called before there is
    /// a second thread, which would inherit the mask.
    pub(super) fn unblock() -> io::Result<()> {
        Ok(SigSet::empty().thread_set_mask()?)
    }

    /// Begins to listen: from here on none of them ends this process by itself.
    pub(super) fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            quit: unless_ignored(SignalKind::quit())?,
            hang_up: unless_ignored(SignalKind::hangup())?,
            _file_size: signal(SignalKind::from_raw(nix_signal::Signal::SIGXFSZ as i32))?,
            _child: signal(SignalKind::child())?,
        })
    }

    /// Hands the signals on until `over` gives the exit status of a run that only has to be shown. Showing may
    /// block on a reader that does not read; from then on a signal ends this process at once.
    pub(super) async fn relay_to(mut self, cancel: CancelHandle, mut over: oneshot::Receiver<u8>) {
        let mut is_first = true;
        let status = loop {
            tokio::select! {
                biased;
                status = &mut over => break status,
                asked = self.next() => match asked {
                    Asked::ToEnd if is_first => cancel.cancel(),
                    Asked::ToEnd | Asked::AtOnce => cancel.kill(),
                },
            }
            is_first = false;
        };
        if let Ok(status) = status {
            self.next().await;
            // The main thread may be blocked for ever, writing what nobody reads.
            std::process::exit(status.into());
        }
    }

    async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.interrupt.recv() => Asked::ToEnd,
            _ = self.terminate.recv() => Asked::ToEnd,
            () = heard(&mut self.hang_up) => Asked::ToEnd,
            () = heard(&mut self.quit) => Asked::AtOnce,
        }
    }
}

/// What a signal asks for.
enum Asked {
    /// That the plan ends, and what runs with it once it is asked for again.
    ToEnd,
    /// That everything ends now.
    AtOnce,
}

/// Begins to listen to a signal that this process was not started to ignore.
fn unless_ignored(kind: SignalKind) -> io::Result<Option<Signal>> {
    (!is_ignored(kind)).then(|| signal(kind)).transpose()
}

async fn heard(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => {
            signal.recv().await;
        }
        None => std::future::pending().await,
    }
}

/// Returns whether this process was started with `kind` ignored; `false` where the system does not say.
pub(super) fn is_ignored(kind: SignalKind) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or(0) & (1 << (kind.as_raw_value() - 1)) != 0
}
