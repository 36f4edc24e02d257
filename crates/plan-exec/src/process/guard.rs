//! Kills a run that nobody waits for any more.

use rustix::process::{Pid, Signal};

use super::{exit::Exit, launch::Launch, processes::Processes};

/// A leader that was started, from its start to its exit.
#[derive(Debug)]
pub(super) struct Guard<'a> {
    pub(super) processes: &'a Processes,
    pub(super) plan: u32,
    leader: Pid,
    launch: Launch<'a>,
    runs: bool,
}

impl<'a> Guard<'a> {
    /// Guards `leader`, which `processes` has taken in.
    pub(super) const fn new(
        processes: &'a Processes,
        plan: u32,
        leader: Pid,
        launch: Launch<'a>,
    ) -> Self {
        Self {
            processes,
            plan,
            leader,
            launch,
            runs: true,
        }
    }

    /// Sends a signal to its group. SIGKILL goes to whatever left it as well, where there is a way.
    pub(super) fn signal(&self, signal: Signal) {
        self.processes.signal(self.leader, signal);
        if signal == Signal::KILL {
            self.launch.kill_leaf();
        }
    }

    /// Returns whether anybody but the leader, which has exited, is in its group.
    pub(super) fn inhabited(&self) -> bool {
        self.processes.inhabited(self.leader)
    }

    /// Notes that the leader has exited: what it left may run on (ruling 34).
    pub(super) fn exited(&mut self, exit: Exit) {
        match exit {
            Exit::Code(_) | Exit::Signal(_) | Exit::Unwatched => {
                self.processes.note_exit(self.leader);
            }
            Exit::Unknown => self.processes.strike_out(self.leader),
            Exit::Stuck => {}
        }
        self.runs = false;
    }

    /// Kills a launcher that did not become the program, and waits until it is gone, for 5 s at most.
    pub(super) async fn abandon(mut self) {
        self.signal(Signal::KILL);
        self.runs = false;
        self.processes.discard(self.leader).await;
    }
}

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        if self.runs {
            self.signal(Signal::KILL);
        }
    }
}
