//! The runtime's side of a watcher: one launcher per scope, which ends the scope when this process has died.

use std::{
    io,
    os::fd::AsFd,
    path::Path,
    time::{Duration, Instant},
};

use super::{
    frame::{encode, put},
    instructions::{Job, Report, Request},
    probe::{Launched, PATIENCE},
    program::LauncherProgram,
};

/// A process that ends a scope when this one dies in any way, and else does nothing.
///
/// Dropping it sends it away, for up to half a second: whoever drops it has ended the scope.
#[derive(Debug)]
pub(crate) struct Watcher {
    launched: Launched,
}

impl Watcher {
    /// Starts one for the scope at `scope_dir` and waits until it watches: some milliseconds, 5 s at most.
    pub(crate) fn start(program: &LauncherProgram, scope_dir: &Path) -> io::Result<Self> {
        let job = encode(&Job::Watch {
            scope: scope_dir.as_os_str().as_encoded_bytes(),
        })?;
        let launched = Launched::start(program, &job).map_err(io::Error::other)?;
        match launched.answer(Instant::now() + PATIENCE) {
            Ok(Report::Ready) => Ok(Self { launched }),
            Ok(Report::Failed(failure)) => Err(io::Error::other(failure.to_string())),
            Ok(_) => Err(io::Error::other("the watcher answered something else")),
            Err(why) => Err(io::Error::other(format!("no watcher: {why}"))),
        }
    }

    /// Sends it away and waits until it has gone. To be called once the scope has ended.
    pub(crate) async fn dismiss(mut self) {
        self.let_go();
        let deadline = Instant::now() + GONE_PATIENCE;
        while !self.launched.reap() && Instant::now() < deadline {
            tokio::time::sleep(GONE_PAUSE).await;
        }
    }

    /// Says that the scope is gone, so that the end of the socket means nothing any more.
    fn let_go(&self) {
        if let Ok(frame) = encode(&Request::Dismiss) {
            let _ = put(self.launched.socket.as_fd(), &frame, 0, &[]);
        }
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.let_go();
        let deadline = Instant::now() + GONE_PATIENCE;
        while !self.launched.reap() && Instant::now() < deadline {
            std::thread::sleep(GONE_PAUSE);
        }
        // What is left is killed with `launched`.
    }
}

/// How long a watcher that was sent away is waited for.
const GONE_PATIENCE: Duration = Duration::from_millis(500);

/// How long it waits before it looks again.
const GONE_PAUSE: Duration = Duration::from_millis(1);
