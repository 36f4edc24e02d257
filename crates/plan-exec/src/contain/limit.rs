//! A limit that a step ran into, and the words that name it.

use std::fmt;

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
    /// Returns the limit of one process that an exit shows. `is_shell` tells that the program is a shell, which
    /// reports a signal that ended its last command as 128 and the signal's number.
    pub(super) fn of_exit(exit: Exit, is_shell: bool, limits: &ResourceLimits) -> Option<Self> {
        let number = match exit {
            Exit::Signal(number) => number,
            Exit::Code(code) if is_shell => code - SHELLS_SIGNALS,
            Exit::Code(_) | Exit::Unknown | Exit::Stuck | Exit::Unwatched => return None,
        };
        match Signal::try_from(number) {
            Ok(Signal::SIGXCPU) => Some(Self::CpuSeconds(limits.cpu_seconds)),
            Ok(Signal::SIGXFSZ) => Some(Self::FileSize(limits.max_file_size_bytes)),
            Ok(_) | Err(_) => None,
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
        write!(f, "ran into `capabilities.resources.{key}` ({value}): {what}")
    }
}

/// What a shell adds to the number of a signal that ended its command.
const SHELLS_SIGNALS: i32 = 128;

#[cfg(test)]
mod tests {
    use super::{Exit, ReachedLimit, ResourceLimits};

    /// spec: What a plan may reach. A signal of a limit names the limit, also where a shell reports it.
    #[test]
    fn a_signal_of_a_limit_names_it() {
        let limits = ResourceLimits {
            cpu_seconds: 7,
            max_file_size_bytes: 9,
            ..ResourceLimits::default()
        };
        let of = |exit, is_shell| ReachedLimit::of_exit(exit, is_shell, &limits);
        for is_shell in [false, true] {
            assert_eq!(of(Exit::Signal(24), is_shell), Some(ReachedLimit::CpuSeconds(7)));
            assert_eq!(of(Exit::Signal(25), is_shell), Some(ReachedLimit::FileSize(9)));
            for other in [Exit::Signal(9), Exit::Code(1), Exit::Code(24), Exit::Unknown, Exit::Stuck] {
                assert_eq!(of(other, is_shell), None, "{other:?}");
            }
        }
        assert_eq!(of(Exit::Code(152), true), Some(ReachedLimit::CpuSeconds(7)));
        assert_eq!(of(Exit::Code(153), true), Some(ReachedLimit::FileSize(9)));
        assert_eq!(of(Exit::Code(152), false), None, "a program may exit as it likes");
        assert_eq!(of(Exit::Code(i32::MIN + 200), true), None);
    }
}
