//! Watching by SIGCHLD, where there is no pidfd: every watch looks at its own leader on every signal.

use std::io;

use rustix::process::Pid;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{super::exit::Exit, look};

/// A leader and the stream of signals.
#[derive(Debug)]
pub(in crate::process) struct SigchldWatch {
    leader: Pid,
    signals: Signal,
}

impl SigchldWatch {
    pub(super) fn new(leader: Pid) -> io::Result<Self> {
        Ok(Self {
            leader,
            signals: signal(SignalKind::child())?,
        })
    }

    pub(super) async fn exited(&mut self) -> Exit {
        // Looks first: the leader may have exited before the stream was opened.
        loop {
            if let Some(exit) = look(self.leader) {
                return exit;
            }
            if self.signals.recv().await.is_none() {
                return std::future::pending().await;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{process::Command, time::Duration};

    use super::{Exit, Pid, SigchldWatch};

    /// ruling 34: the way without a pidfd sees the same exits, and leaves the leader unreaped.
    #[tokio::test]
    async fn an_exit_is_seen_without_a_pidfd() {
        for (script, expected) in [("exit 7", Exit::Code(7)), ("kill -9 $$", Exit::Signal(9))] {
            let mut child = Command::new("sh").args(["-c", script]).spawn().unwrap();
            let leader = Pid::from_raw(i32::try_from(child.id()).unwrap()).unwrap();
            let mut watch = SigchldWatch::new(leader).unwrap();
            let exit = tokio::time::timeout(Duration::from_secs(20), watch.exited());
            assert_eq!(exit.await.unwrap(), expected);
            assert!(child.wait().is_ok());
        }
    }
}
