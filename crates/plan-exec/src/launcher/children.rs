//! The children of a supervisor: what the step's program is, what it has left, and the end of it all.
//!
//! A supervisor is a subreaper, so whatever below it loses its parent becomes its child: when it has no child left,
//! nothing is left at all. A child that nobody but this process can reap keeps its id and its group's, so no signal
//! sent here reaches a stranger.

use std::time::Duration;

use nix::unistd::{getpgid, getsid};
use procfs::process::{Process, all_processes};
use rustix::{
    io::Errno,
    process::{
        Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, kill_process_group,
        setpriority_process, wait, waitid,
    },
};

/// What is known of the process that became the step's program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Leader {
    /// It has not exited, as far as was looked.
    Runs,
    /// It exited and is kept, so that its group's id stays its own.
    Exited,
    /// It was reaped: its id may be anybody's.
    Reaped,
}

/// The children of this process.
#[derive(Debug)]
pub(super) struct Children {
    leader: Pid,
    state: Leader,
}

/// How a process exited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LeaderExit {
    Code(i32),
    Signal(i32),
}

impl Children {
    pub(super) const fn new(leader: Pid) -> Self {
        Self {
            leader,
            state: Leader::Runs,
        }
    }

    /// Sends a signal to the leader's group, unless its id may be another's by now.
    pub(super) fn signal(&self, number: i32) {
        if self.state != Leader::Reaped
            && let Some(signal) = Signal::from_named_raw(number)
        {
            // Fails only when there is nobody left to send to.
            let _ = kill_process_group(self.leader, signal);
        }
    }

    /// Reaps who has exited, and notes but keeps the leader. Returns how the leader exited, once.
    pub(super) fn reap(&mut self) -> Option<LeaderExit> {
        let exit = self.note_leader();
        for child in listed() {
            // Once the leader was reaped, its id may be another child's.
            if child != self.leader || self.state == Leader::Reaped {
                reap_one(child);
            }
        }
        exit
    }

    /// Returns whether the leader has exited and nothing it started is left.
    pub(super) fn all_gone(&mut self) -> bool {
        match self.state {
            Leader::Runs => false,
            Leader::Exited if listed().iter().any(|&child| child != self.leader) => false,
            Leader::Exited | Leader::Reaped => {
                // A listing may miss somebody. Whether there is a child, the kernel itself says; the group of the
                // leader is not signalled any more.
                reap_one(self.leader);
                self.state = Leader::Reaped;
                look(WaitId::All) == Seen::Nobody
            }
        }
    }

    /// Kills everything and returns when it is gone, with how the leader exited if that is news.
    ///
    /// Each round kills every child, and with each child that has died its whole group at once, which no fork
    /// escapes. What that orphans is the next round's.
    pub(super) fn kill_all(&mut self) -> Option<LeaderExit> {
        // Whatever forks as fast as it can competes for the processor; the superuser can be ahead of it.
        let _ = setpriority_process(None, FOREMOST);
        self.signal(Signal::KILL.as_raw());
        let mut news = None;
        loop {
            news = self.note_leader().or(news);
            let (mut ours, mut reaped) = (false, false);
            for child in listed() {
                // Where `/proc` numbers processes differently, it is none of ours.
                match look(WaitId::Pid(child)) {
                    Seen::Nobody => continue,
                    Seen::Running => {
                        let _ = kill_process(child, Signal::KILL);
                    }
                    Seen::Exited(_) => {
                        // It may have exited since that was looked at above.
                        news = self.note_leader().or(news);
                        kill_group_of(child);
                        self.reap_now(child);
                        reaped = true;
                    }
                }
                ours = true;
            }
            match look(WaitId::All) {
                Seen::Nobody => return news,
                // Without a listing, whomever the kernel names.
                Seen::Exited(_) if !ours => {
                    news = self.note_leader().or(news);
                    if let Ok(Some((child, _))) = wait(WaitOptions::NOHANG)
                        && child == self.leader
                    {
                        self.state = Leader::Reaped;
                    }
                }
                Seen::Exited(_) => {}
                Seen::Running if reaped => {}
                Seen::Running => std::thread::sleep(PAUSE),
            }
        }
    }

    fn reap_now(&mut self, child: Pid) {
        reap_one(child);
        if child == self.leader {
            self.state = Leader::Reaped;
        }
    }

    fn note_leader(&mut self) -> Option<LeaderExit> {
        if self.state != Leader::Runs {
            return None;
        }
        let Seen::Exited(exit) = look(WaitId::Pid(self.leader)) else {
            return None;
        };
        self.state = Leader::Exited;
        Some(exit)
    }
}

/// Kills the group of a child that has died and was not reaped: that keeps the group's id from being reused.
///
/// Only a group of a session that was made below this process, or one that the child leads. In this process's own
/// session there are groups of others, which a program may have joined.
fn kill_group_of(dead: Pid) {
    let raw = nix::unistd::Pid::from_raw(dead.as_raw_nonzero().get());
    let (Ok(group), Ok(session)) = (getpgid(Some(raw)), getsid(Some(raw))) else {
        return;
    };
    let own = getsid(None).ok();
    if (group == raw || own.is_some_and(|own| own != session))
        && let Some(group) = Pid::from_raw(group.as_raw())
        && group != getpid()
    {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

/// Lists the children of this process, as `/proc` has them.
fn listed() -> Vec<Pid> {
    let own = getpid().as_raw_nonzero().get();
    let children = Process::myself()
        .and_then(|process| process.task_main_thread())
        .and_then(|task| task.children());
    let ids = match children {
        Ok(children) => children
            .into_iter()
            .filter_map(|child| i32::try_from(child).ok())
            .collect(),
        // A kernel without that list.
        Err(_) => match all_processes() {
            Ok(processes) => processes
                .filter_map(|process| process.ok()?.stat().ok())
                .filter(|stat| stat.ppid == own)
                .map(|stat| stat.pid)
                .collect(),
            Err(_) => Vec::new(),
        },
    };
    ids.into_iter().filter_map(Pid::from_raw).collect()
}

/// What there is among the children.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Seen {
    /// No such child.
    Nobody,
    /// None of those has exited.
    Running,
    /// One has, and is still there.
    Exited(LeaderExit),
}

fn look(who: WaitId<'static>) -> Seen {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    loop {
        return match waitid(who.clone(), options) {
            Ok(None) => Seen::Running,
            Ok(Some(status)) => Seen::Exited(match status.exit_status() {
                Some(code) => LeaderExit::Code(code),
                None => LeaderExit::Signal(status.terminating_signal().unwrap_or_default()),
            }),
            Err(Errno::INTR) => continue,
            Err(_) => Seen::Nobody,
        };
    }
}

/// Reaps a child if it has exited.
fn reap_one(child: Pid) {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    while let Err(Errno::INTR) = waitid(WaitId::Pid(child), options) {}
}

/// The priority before every other one.
const FOREMOST: i32 = -20;

/// How long it waits for what was sent SIGKILL and has not gone.
const PAUSE: Duration = Duration::from_millis(1);
