//! Every leader that was started and not yet reaped, by plan.
//!
//! A leader that has exited stays a zombie until its group is empty or its plan ends (ruling 34): as long as it
//! is one, its id cannot become another process's, so a signal to its group reaches no stranger. Signals are
//! sent under the table's lock and only for an id that is in it.

use std::{
    collections::{HashMap, HashSet},
    sync::{Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal};

use super::{groups, leftovers::Leftovers, reap::reap, streams::Pipe, supervisor::Supervisor};

/// The processes of a session's plans. Dropping it kills and reaps them all.
#[derive(Debug)]
pub(crate) struct Processes {
    table: Mutex<Table>,
    leftovers: Leftovers,
}

#[derive(Debug)]
struct Table {
    leaders: HashMap<Pid, Leader>,
    /// How many of them have exited.
    exited: usize,
    /// How many may have exited before it is looked which groups are empty.
    tolerated: usize,
}

#[derive(Debug)]
struct Leader {
    plan: u32,
    exited: bool,
    hold: Hold,
}

/// How a leader and what it has started are reached.
#[derive(Debug)]
pub(super) enum Hold {
    /// Through the group it leads.
    Group,
    /// It is a supervisor, and does what it is asked to the step below it.
    Supervisor(Supervisor),
}

impl Processes {
    pub(crate) fn new() -> Self {
        Self {
            table: Mutex::new(Table {
                leaders: HashMap::new(),
                exited: 0,
                tolerated: TOLERATED,
            }),
            leftovers: Leftovers::new(),
        }
    }

    /// Takes in a leader that was just started.
    pub(super) fn add(&self, plan: u32, leader: Pid, hold: Hold) {
        self.lock().leaders.insert(
            leader,
            Leader {
                plan,
                exited: false,
                hold,
            },
        );
    }

    /// Notes the group of a step whose supervisor has started it.
    pub(super) fn born(&self, supervisor: Pid, group: Pid) {
        if let Some(leader) = self.lock().leaders.get(&supervisor) {
            match &leader.hold {
                Hold::Group => {}
                Hold::Supervisor(supervisor) => supervisor.born(group),
            }
        }
    }

    /// Notes that a leader has exited, and now and then reaps those whose groups are empty.
    pub(super) fn note_exit(&self, leader: Pid) {
        let mut table = self.lock();
        if let Some(entry) = table.leaders.get_mut(&leader)
            && !entry.exited
        {
            entry.exited = true;
            table.exited += 1;
        }
        if table.exited > table.tolerated {
            table.reap_empty();
        }
    }

    /// Strikes out a leader that somebody else has reaped: its id may be anybody's by now.
    pub(super) fn strike_out(&self, leader: Pid) {
        self.lock().remove(leader);
    }

    /// Sends a signal to a leader's group, if the leader was not reaped.
    pub(super) fn signal(&self, leader: Pid, signal: Signal) {
        let table = self.lock();
        match table.leaders.get(&leader).map(|entry| &entry.hold) {
            Some(Hold::Group) => groups::send(leader, signal),
            Some(Hold::Supervisor(supervisor)) => supervisor.signal(leader, signal),
            None => {}
        }
    }

    /// Returns whether anybody but the leader, which has exited, is in its group; `true` when that is unknown.
    pub(super) fn inhabited(&self, leader: Pid) -> bool {
        let table = self.lock();
        match table.leaders.get(&leader).map(|entry| &entry.hold) {
            Some(Hold::Group) => groups::inhabited(&HashSet::from([leader]))
                .is_none_or(|inhabited| !inhabited.is_empty()),
            Some(Hold::Supervisor(supervisor)) => supervisor.inhabited(),
            // One that was reaped had an empty group.
            None => false,
        }
    }

    /// Reaps every leader whose group is empty: there were too many processes to start another one.
    pub(super) fn make_room(&self) {
        self.lock().reap_empty();
    }

    /// Reaps a leader that is being killed and has nothing to leave behind; waits for it, 5 s at most.
    pub(super) async fn discard(&self, leader: Pid) {
        let deadline = Instant::now() + END_PATIENCE;
        while !self.lock().reap(leader) && Instant::now() < deadline {
            tokio::time::sleep(END_PAUSE).await;
        }
    }

    /// Goes on reading a pipe that outlives its step.
    pub(super) fn adopt(&self, plan: u32, pipe: Pipe) {
        self.leftovers.adopt(plan, pipe);
    }

    /// Kills what a plan left running, waits until it is gone, and reaps its leaders.
    ///
    /// Bounded by 5 s, which only what the kernel holds can use up.
    pub(crate) async fn end_plan(&self, plan: u32) {
        let leaders = self.lock().kill(|leader| leader.plan == plan);
        let deadline = Instant::now() + END_PATIENCE;
        while !self.lock().settle(&leaders) && Instant::now() < deadline {
            tokio::time::sleep(END_PAUSE).await;
        }
        self.leftovers.close(plan);
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Processes {
    fn drop(&mut self) {
        let table = self.table.get_mut().unwrap_or_else(PoisonError::into_inner);
        let leaders = table.kill(|_| true);
        let deadline = Instant::now() + DROP_PATIENCE;
        while !table.settle(&leaders) && Instant::now() < deadline {
            thread::sleep(END_PAUSE);
        }
        self.leftovers.close_all();
    }
}

impl Table {
    /// Sends SIGKILL to the groups of the leaders that are `meant`, has supervisors end, and returns all these.
    fn kill(&self, meant: impl Fn(&Leader) -> bool) -> HashSet<Pid> {
        let meant = self.leaders.iter().filter(|(_, leader)| meant(leader));
        meant
            .map(|(&pid, leader)| {
                match &leader.hold {
                    Hold::Group => groups::send(pid, Signal::KILL),
                    Hold::Supervisor(supervisor) => supervisor.end(pid),
                }
                pid
            })
            .collect()
    }

    /// Reaps those of `leaders`, all sent SIGKILL, whose groups have emptied, and supervisors that have ended;
    /// returns whether that was all.
    ///
    /// Where it cannot be known which groups have emptied, the leaders that have exited are reaped: SIGKILL
    /// leaves nobody behind.
    fn settle(&mut self, leaders: &HashSet<Pid>) -> bool {
        let left = self.divided(|pid, _| leaders.contains(&pid));
        if left.groups.is_empty() && left.supervisors.is_empty() {
            return true;
        }
        let mut all = true;
        if !left.groups.is_empty() {
            let inhabited = groups::inhabited(&left.groups).unwrap_or_default();
            for pid in left.groups {
                all &= !inhabited.contains(&pid) && self.reap(pid);
            }
        }
        for pid in left.supervisors {
            all &= self.reap(pid);
        }
        self.tolerate_again();
        all
    }

    /// Reaps the exited leaders whose groups are empty, and supervisors that have ended, as they do once nothing is
    /// left below them.
    fn reap_empty(&mut self) {
        let exited = self.divided(|_, leader| leader.exited);
        if let Some(inhabited) = groups::inhabited(&exited.groups) {
            for &pid in exited.groups.difference(&inhabited) {
                self.reap(pid);
            }
        }
        for pid in exited.supervisors {
            self.reap(pid);
        }
        self.tolerate_again();
    }

    /// Returns those that are `meant`, by how they are held.
    fn divided(&self, meant: impl Fn(Pid, &Leader) -> bool) -> Divided {
        let mut divided = Divided::default();
        for (&pid, leader) in &self.leaders {
            if meant(pid, leader) {
                match leader.hold {
                    Hold::Group => divided.groups.insert(pid),
                    Hold::Supervisor(_) => divided.supervisors.insert(pid),
                };
            }
        }
        divided
    }

    /// Doubled, so that many groups that stay inhabited do not make every exit look at all of them.
    fn tolerate_again(&mut self) {
        self.tolerated = TOLERATED.max(2 * self.exited);
    }

    /// Reaps one leader; returns whether it is gone. It is not while it still runs.
    fn reap(&mut self, pid: Pid) -> bool {
        let gone = reap(pid);
        if gone {
            self.remove(pid);
        }
        gone
    }

    fn remove(&mut self, pid: Pid) {
        if self
            .leaders
            .remove(&pid)
            .is_some_and(|leader| leader.exited)
        {
            self.exited -= 1;
        }
    }
}

/// Leaders by how they are held.
#[derive(Debug, Default)]
struct Divided {
    groups: HashSet<Pid>,
    supervisors: HashSet<Pid>,
}

/// How many exited leaders are kept before it is looked which groups are empty. Looking costs a system call per
/// process of the host, so it is made once for many.
const TOLERATED: usize = 128;

/// How long the end of a plan waits for what was sent SIGKILL. Only what the kernel holds takes that long.
const END_PATIENCE: Duration = Duration::from_secs(5);

/// The same where a thread is blocked for it.
const DROP_PATIENCE: Duration = Duration::from_millis(500);

/// How long it waits before it looks again.
const END_PAUSE: Duration = Duration::from_millis(2);
