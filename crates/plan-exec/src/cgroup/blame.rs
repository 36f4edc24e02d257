//! Blame: which limit of the scope a step that failed ran into, if the kernel's counters say so.

use super::counts::{Counts, ScopeCounts};

/// What is known when a step has failed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Evidence {
    /// The step's own leaf, now.
    pub(crate) leaf: Counts,
    /// The scope when the step was dispatched.
    pub(crate) before: ScopeCounts,
    /// The scope now.
    pub(crate) after: ScopeCounts,
    /// Whether nothing else was in the scope while the step was: no other step, nothing left running.
    pub(crate) alone: bool,
    /// The scope's `pids.max`.
    pub(crate) pids_max: u64,
}

/// A limit that a step ran into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Limit {
    /// The scope's memory (`cgroup_memory_bytes`).
    Memory,
    /// The scope's number of processes (`cgroup_pids_max`).
    Pids,
    /// Memory, but of the host or of a cgroup around the scope: the scope's own limit was not reached.
    MemoryOutside,
}

/// Says which limit ended the step.
///
/// A victim is counted in its own leaf, so memory needs no guess. A refused fork is counted, before Linux 6.11
/// (or with the mount option `pids_localevents`), in the leaf that forked, whoever's limit it was; since then in
/// the cgroup whose limit it was, which is the scope, whoever forked. Then it is this step's if nobody else was
/// there, or if it alone had more than half of all the processes allowed.
pub(crate) fn blame(evidence: &Evidence) -> Option<Limit> {
    let Evidence {
        leaf,
        before,
        after,
        alone,
        pids_max,
    } = *evidence;
    if leaf.oom_kills > 0 {
        return Some(if after.memory_exhausted > before.memory_exhausted {
            Limit::Memory
        } else {
            Limit::MemoryOutside
        });
    }
    // A scope that never was full refused nothing: the limit was one around it, or one that the step set itself.
    let was_full = after.pids_peak.is_none_or(|peak| peak >= pids_max);
    let forked_most = leaf.pids_peak.is_some_and(|peak| peak > pids_max / 2);
    let refused = leaf.forks_refused > 0
        || (after.forks_refused > before.forks_refused && (alone || forked_most));
    (refused && was_full).then_some(Limit::Pids)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Evidence = Evidence {
        leaf: Counts {
            oom_kills: 0,
            forks_refused: 0,
            pids_peak: None,
            cpu_usec: None,
        },
        before: ScopeCounts {
            memory_exhausted: 0,
            forks_refused: 0,
            pids_peak: None,
        },
        after: ScopeCounts {
            memory_exhausted: 0,
            forks_refused: 0,
            pids_peak: None,
        },
        alone: false,
        pids_max: 256,
    };

    fn leaf(oom_kills: u64, forks_refused: u64, pids_peak: Option<u64>) -> Counts {
        Counts {
            oom_kills,
            forks_refused,
            pids_peak,
            cpu_usec: None,
        }
    }

    fn scope(memory_exhausted: u64, forks_refused: u64, pids_peak: Option<u64>) -> ScopeCounts {
        ScopeCounts {
            memory_exhausted,
            forks_refused,
            pids_peak,
        }
    }

    /// spec: What a plan may reach. A step is blamed for a limit by what the kernel counted, and by that alone.
    #[test]
    fn a_step_is_blamed_for_what_the_kernel_counted() {
        let table = [
            ("nothing moved", NOTHING, None),
            (
                "a victim in the leaf, the scope exhausted",
                Evidence {
                    leaf: leaf(1, 0, None),
                    before: scope(3, 0, None),
                    after: scope(4, 0, None),
                    ..NOTHING
                },
                Some(Limit::Memory),
            ),
            (
                "a victim in the leaf, the host exhausted",
                Evidence {
                    leaf: leaf(1, 0, None),
                    before: scope(3, 0, None),
                    after: scope(3, 0, None),
                    ..NOTHING
                },
                Some(Limit::MemoryOutside),
            ),
            (
                "the victim was another step's",
                Evidence {
                    after: scope(1, 0, None),
                    ..NOTHING
                },
                None,
            ),
            (
                "memory and forks: the kill is what ended it",
                Evidence {
                    leaf: leaf(1, 5, None),
                    after: scope(1, 5, None),
                    alone: true,
                    ..NOTHING
                },
                Some(Limit::Memory),
            ),
            (
                "an old kernel counts the fork in the leaf",
                Evidence {
                    leaf: leaf(0, 1, None),
                    ..NOTHING
                },
                Some(Limit::Pids),
            ),
            (
                "an old kernel, the limit of a cgroup around the scope",
                Evidence {
                    leaf: leaf(0, 1, Some(9)),
                    after: scope(0, 0, Some(10)),
                    ..NOTHING
                },
                None,
            ),
            (
                "a new kernel, a limit that the step set on a cgroup of its own",
                Evidence {
                    leaf: leaf(0, 1, Some(9)),
                    after: scope(0, 0, Some(255)),
                    alone: true,
                    ..NOTHING
                },
                None,
            ),
            (
                "a new kernel counts it in the scope, nobody else there",
                Evidence {
                    leaf: leaf(0, 0, Some(256)),
                    after: scope(0, 7, Some(256)),
                    alone: true,
                    ..NOTHING
                },
                Some(Limit::Pids),
            ),
            (
                "a new kernel without a peak, nobody else there",
                Evidence {
                    after: scope(0, 7, None),
                    alone: true,
                    ..NOTHING
                },
                Some(Limit::Pids),
            ),
            (
                "the bomb among several",
                Evidence {
                    leaf: leaf(0, 0, Some(200)),
                    after: scope(0, 7, Some(256)),
                    ..NOTHING
                },
                Some(Limit::Pids),
            ),
            (
                "a bystander of the bomb",
                Evidence {
                    leaf: leaf(0, 0, Some(3)),
                    after: scope(0, 7, Some(256)),
                    ..NOTHING
                },
                None,
            ),
            (
                "half is not over half",
                Evidence {
                    leaf: leaf(0, 0, Some(128)),
                    after: scope(0, 7, Some(256)),
                    ..NOTHING
                },
                None,
            ),
            (
                "several, and nobody knows how many each had",
                Evidence {
                    after: scope(0, 7, None),
                    ..NOTHING
                },
                None,
            ),
            (
                "the forks were refused before the step",
                Evidence {
                    leaf: leaf(0, 0, Some(200)),
                    before: scope(0, 7, Some(256)),
                    after: scope(0, 7, Some(256)),
                    alone: true,
                    ..NOTHING
                },
                None,
            ),
            (
                "a limit of one process: the second is refused",
                Evidence {
                    leaf: leaf(0, 0, Some(1)),
                    after: scope(0, 1, Some(1)),
                    pids_max: 1,
                    ..NOTHING
                },
                Some(Limit::Pids),
            ),
        ];
        for (case, evidence, limit) in table {
            assert_eq!(blame(&evidence), limit, "{case}");
        }
    }
}
