//! A limit that a step ran into, and the words that name it.

use std::{fmt, time::Duration};

use nix::sys::signal::Signal;

use crate::{limits::ResourceLimits, process::Exit};

/// A limit the kernel reports, with its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ReachedLimit {
    /// The scope's memory, in bytes.
    Memory(u64),
    /// Memory around the scope: the host's, or a cgroup's that this process itself is in.
    MemoryOutside,
    /// The scope's processes and threads.
    Processes(u64),
    /// Processor time of one process, in seconds.
    CpuSeconds(u64),
    /// The size of one file, in bytes.
    FileSize(u64),
}

impl ReachedLimit {
    /// Returns the limit of one process that an exit shows. `used` is the processor time of the whole attempt
    /// where it is known: clearly less than the limit shows a signal that somebody else sent.
    ///
    /// A shell whose last command was ended by a signal exits with 128 and the signal's number. That is believed
    /// where `used` confirms it: a program may exit as it likes.
    pub(super) fn of_exit(
        exit: Exit,
        used: Option<Duration>,
        limits: &ResourceLimits,
    ) -> Option<Self> {
        let had_used_all =
            used.map(|used| used + SAMPLING >= Duration::from_secs(limits.cpu_seconds));
        match exit {
            Exit::Signal(SIGXCPU) if had_used_all.unwrap_or(true) => {
                Some(Self::CpuSeconds(limits.cpu_seconds))
            }
            Exit::Code(SHELLS_SIGXCPU) if had_used_all.unwrap_or(false) => {
                Some(Self::CpuSeconds(limits.cpu_seconds))
            }
            Exit::Signal(SIGXFSZ) => Some(Self::FileSize(limits.max_file_size_bytes)),
            Exit::Signal(_) | Exit::Code(_) | Exit::Unknown | Exit::Stuck | Exit::Unwatched => None,
        }
    }
}

impl fmt::Display for ReachedLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (key, value, what) = match self {
            Self::Memory(bytes) => (
                "cgroup_memory_bytes",
                format!("{bytes} bytes"),
                "the kernel killed a process of this step, since what the plan runs had used all of it",
            ),
            Self::MemoryOutside => {
                return f.write_str(
                    "ran out of memory: the kernel killed a process of this step for a limit around the plan, not \
                     for `capabilities.resources.cgroup_memory_bytes`",
                );
            }
            Self::Processes(number) => (
                "cgroup_pids_max",
                number.to_string(),
                "the kernel let it start no further process or thread",
            ),
            Self::CpuSeconds(seconds) => (
                "cpu_seconds",
                format!("{seconds} s"),
                "the kernel ended a process that had used all of it",
            ),
            Self::FileSize(bytes) => (
                "max_file_size_bytes",
                format!("{bytes} bytes"),
                "the kernel ended a process that was to write more into one file",
            ),
        };
        write!(
            f,
            "ran into `capabilities.resources.{key}` ({value}): {what}"
        )
    }
}

/// What the two ways in which the kernel counts processor time may differ by.
const SAMPLING: Duration = Duration::from_millis(250);

const SIGXCPU: i32 = Signal::SIGXCPU as i32;
const SIGXFSZ: i32 = Signal::SIGXFSZ as i32;

/// What a shell exits with whose last command was ended by SIGXCPU.
const SHELLS_SIGXCPU: i32 = 128 + SIGXCPU;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::{Exit, ReachedLimit, ResourceLimits};

    /// spec: Bounds. A signal of a limit names the limit, unless the step had not used what the limit allows; a
    /// shell's report of one is believed when it had.
    #[test]
    fn a_signal_of_a_limit_names_it() {
        let limits = ResourceLimits {
            cpu_seconds: 7,
            max_file_size_bytes: 9,
            ..ResourceLimits::default()
        };
        let of = |exit, used: Option<u64>| {
            ReachedLimit::of_exit(exit, used.map(Duration::from_secs), &limits)
        };
        let cpu = Some(ReachedLimit::CpuSeconds(7));
        assert_eq!(of(Exit::Signal(24), Some(7)), cpu);
        assert_eq!(of(Exit::Signal(24), None), cpu);
        assert_eq!(of(Exit::Signal(24), Some(6)), None, "somebody sent it");
        assert_eq!(of(Exit::Code(152), Some(8)), cpu);
        assert_eq!(of(Exit::Code(152), Some(6)), None, "it exits as it likes");
        assert_eq!(of(Exit::Code(152), None), None, "nothing confirms it");
        assert_eq!(
            of(Exit::Signal(25), Some(0)),
            Some(ReachedLimit::FileSize(9))
        );
        for other in [
            Exit::Signal(9),
            Exit::Code(1),
            Exit::Code(24),
            Exit::Code(153),
            Exit::Unknown,
            Exit::Stuck,
            Exit::Unwatched,
        ] {
            assert_eq!(of(other, Some(8)), None, "{other:?}");
        }
    }
}
