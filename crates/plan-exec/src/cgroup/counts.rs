//! Counters: what the kernel says it did to the processes of a leaf or a scope.

use std::path::Path;

use super::file::Files;

/// What happened inside a leaf since it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Counts {
    /// Processes inside that the kernel killed for want of memory, whoever's limit was reached.
    pub(crate) oom_kills: u64,
    /// Forks refused because a limit on processes was reached.
    pub(crate) forks_refused: u64,
    /// The most processes and threads there were at once; unknown before Linux 6.1 or without `pids`.
    pub(crate) pids_peak: Option<u64>,
    /// Processor time used, in microseconds; every leaf counts it, whatever its controllers.
    pub(crate) cpu_usec: Option<u64>,
}

impl Counts {
    /// Reads the counters of the leaf `dir`; one that cannot be read counts nothing.
    pub(super) fn of(files: &Files, dir: &Path) -> Self {
        Self {
            oom_kills: event(files, dir, "memory.events", "oom_kill").unwrap_or_default(),
            forks_refused: event(files, dir, "pids.events", "max").unwrap_or_default(),
            pids_peak: number(files, &dir.join(PIDS_PEAK)),
            cpu_usec: event(files, dir, "cpu.stat", "usage_usec"),
        }
    }
}

/// How often the limits of a scope were reached since it was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ScopeCounts {
    /// Allocations that would have passed the scope's own `memory.max`, with nothing left to reclaim.
    pub(crate) memory_exhausted: u64,
    /// Forks refused by the scope's own `pids.max`. Linux before 6.11 counts them in the leaf alone.
    pub(crate) forks_refused: u64,
    /// As [`Counts::pids_peak`].
    pub(crate) pids_peak: Option<u64>,
}

impl ScopeCounts {
    /// Reads the counters of the scope `dir`; one that cannot be read counts nothing.
    pub(super) fn of(files: &Files, dir: &Path) -> Self {
        // The local files, where the kernel has them, leave out limits that a step set on cgroups of its own.
        let own = |file: &str, key| {
            event(files, dir, &format!("{file}.local"), key)
                .or_else(|| event(files, dir, file, key))
                .unwrap_or_default()
        };
        Self {
            memory_exhausted: own("memory.events", "oom"),
            forks_refused: own("pids.events", "max"),
            pids_peak: number(files, &dir.join(PIDS_PEAK)),
        }
    }
}

/// Returns the number behind `key` in a file of lines such as `oom_kill 3`; `None` when there is none.
pub(super) fn event(files: &Files, dir: &Path, file: &str, key: &str) -> Option<u64> {
    value_of(&files.read(&dir.join(file)).ok()?, key)
}

fn value_of(text: &str, key: &str) -> Option<u64> {
    text.lines().find_map(|line| {
        let mut words = line.split_ascii_whitespace();
        let value = words.next().filter(|&word| word == key).and(words.next())?;
        value.parse().ok()
    })
}

fn number(files: &Files, path: &Path) -> Option<u64> {
    files.read(path).ok()?.trim().parse().ok()
}

const PIDS_PEAK: &str = "pids.peak";

#[cfg(test)]
mod tests {
    use super::*;

    /// spec: What a plan may reach. A counter is found among others, and garbage is no counter.
    #[test]
    fn a_counter_is_read_and_garbage_is_none() {
        let text = "low 0\noom 2\noom_kill 3\noom_group_kill 4\n";
        assert_eq!(value_of(text, "oom_kill"), Some(3));
        assert_eq!(value_of(text, "oom"), Some(2));
        for garbage in [
            "",
            "\n\n",
            "oom_kill",
            "oom_kill \n",
            "oom_kill -1",
            "oom_kill 99999999999999999999999",
            "oom_kill x 3",
            "xoom_kill 3",
            "oom_killed 3",
            "3 oom_kill",
            "\u{fffd}\0\u{fffd} 1",
        ] {
            assert_eq!(value_of(garbage, "oom_kill"), None, "{garbage:?}");
        }
        assert_eq!(value_of("oom_kill ?\noom_kill 5", "oom_kill"), Some(5));
    }
}
