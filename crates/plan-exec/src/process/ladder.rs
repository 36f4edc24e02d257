//! Ending a process group: SIGTERM, a grace, SIGKILL (ruling 33). Pure: `now` is passed in, nothing is sent.

use std::time::Duration;

use tokio::time::Instant;

/// How far the ending of one group has gone.
#[derive(Debug, Clone)]
pub(super) struct Ladder {
    grace: Duration,
    rung: Rung,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rung {
    /// It runs; `None` when its bound is further off than the clock can count.
    Running { until: Option<Instant> },
    /// It was sent SIGTERM.
    Asked { until: Instant },
    /// It was sent SIGKILL.
    Killed { until: Instant },
    /// Nothing more can be done.
    GivenUp,
}

/// What to do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub(super) enum Move {
    /// Nothing before the deadline.
    Wait,
    /// Send SIGTERM to the group.
    Terminate,
    /// Send SIGKILL to the group.
    Kill,
    /// Stop waiting for the leader: SIGKILL has had its time.
    GiveUp,
}

impl Ladder {
    /// Starts the bound.
    pub(super) fn new(now: Instant, bound: Duration, grace: Duration) -> Self {
        Self {
            grace,
            rung: Rung::Running {
                until: now.checked_add(bound),
            },
        }
    }

    /// Returns when to call [`Ladder::climb`] next, `None` for never.
    pub(super) const fn deadline(&self) -> Option<Instant> {
        match self.rung {
            Rung::Running { until } => until,
            Rung::Asked { until } | Rung::Killed { until } => Some(until),
            Rung::GivenUp => None,
        }
    }

    /// Takes the next rung if its time has come.
    pub(super) fn climb(&mut self, now: Instant) -> Move {
        if self.deadline().is_none_or(|deadline| now < deadline) {
            return Move::Wait;
        }
        match self.rung {
            Rung::Running { .. } => self.ask(now),
            Rung::Asked { .. } => self.kill(now),
            Rung::Killed { .. } => {
                self.rung = Rung::GivenUp;
                Move::GiveUp
            }
            Rung::GivenUp => Move::Wait,
        }
    }

    /// Goes to SIGTERM before the bound, unless that was sent before.
    pub(super) fn ask(&mut self, now: Instant) -> Move {
        match self.rung {
            Rung::Running { .. } => {
                self.rung = Rung::Asked {
                    until: now + self.grace,
                };
                Move::Terminate
            }
            Rung::Asked { .. } | Rung::Killed { .. } | Rung::GivenUp => Move::Wait,
        }
    }

    /// Goes to SIGKILL at once, unless that was sent before.
    pub(super) fn kill(&mut self, now: Instant) -> Move {
        match self.rung {
            Rung::Running { .. } | Rung::Asked { .. } => {
                self.rung = Rung::Killed {
                    until: now + KILL_PATIENCE,
                };
                Move::Kill
            }
            Rung::Killed { .. } | Rung::GivenUp => Move::Wait,
        }
    }
}

/// How long a leader sent SIGKILL is waited for. Only one the kernel holds takes longer than milliseconds, and
/// that one must not hold the plan as well.
const KILL_PATIENCE: Duration = Duration::from_secs(5);

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::time::Instant;

    use super::{Ladder, Move};

    const SECOND: Duration = Duration::from_secs(1);

    /// Climbs every half second of virtual time and logs what is to be sent, and when.
    fn climb(kill_at: Option<u32>) -> String {
        let start = Instant::now();
        let mut ladder = Ladder::new(start, 2 * SECOND, 5 * SECOND);
        let mut log = Vec::new();
        for half in 0..60 {
            let now = start + SECOND / 2 * half;
            let mut moves = vec![ladder.climb(now)];
            if kill_at == Some(half) {
                moves.push(ladder.kill(now));
            }
            for step in moves {
                if step != Move::Wait {
                    log.push(format!("{:?} {step:?}", now - start));
                }
            }
        }
        log.join(", ")
    }

    /// ruling 33: SIGTERM at the bound, SIGKILL 5 s later.
    #[test]
    fn a_group_is_asked_then_killed_then_given_up() {
        assert_eq!(climb(None), "2s Terminate, 7s Kill, 12s GiveUp");
    }

    /// ruling 27: a second signal kills at once, and nothing is sent twice.
    #[test]
    fn a_kill_takes_the_place_of_what_was_to_come() {
        assert_eq!(climb(Some(2)), "1s Kill, 6s GiveUp");
        assert_eq!(climb(Some(8)), "2s Terminate, 4s Kill, 9s GiveUp");
        assert_eq!(climb(Some(16)), "2s Terminate, 7s Kill, 12s GiveUp");
        assert_eq!(climb(Some(40)), "2s Terminate, 7s Kill, 12s GiveUp");
    }

    /// ruling 33: the deadline is the next rung's, and a late look does not shorten the grace.
    #[test]
    fn a_late_look_leaves_the_whole_grace() {
        let start = Instant::now();
        let mut ladder = Ladder::new(start, SECOND, 5 * SECOND);
        assert_eq!(ladder.deadline(), Some(start + SECOND));
        let late = start + 100 * SECOND;
        assert_eq!(ladder.climb(late), Move::Terminate);
        assert_eq!(ladder.climb(late), Move::Wait);
        assert_eq!(ladder.deadline(), Some(late + 5 * SECOND));
    }

    /// ruling 33: a bound past the end of the clock is none.
    #[test]
    fn an_endless_bound_never_comes() {
        let start = Instant::now();
        let mut ladder = Ladder::new(start, Duration::MAX, SECOND);
        assert_eq!(ladder.deadline(), None);
        assert_eq!(ladder.climb(start + 1_000_000 * SECOND), Move::Wait);
        assert_eq!(ladder.kill(start), Move::Kill);
    }
}
