//! The limits of one process, set by the launcher right before it becomes the step's program.

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use serde::{Deserialize, Serialize};

use super::failure::{Failure, Operation};

/// What one process of a step may use, whatever the scope around it. `None` leaves what is inherited, and so does a
/// limit above `i64::MAX`: the kernel reads some of those as negative, and then nothing fits.
///
/// Each limit is set hard and soft, and never above what this process has itself. Core files are always off.
/// spec: What a plan may reach.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProcessLimits {
    /// How many descriptors it may hold open.
    pub open_files: Option<u64>,
    /// The largest file it may write, in bytes; SIGXFSZ past it.
    pub file_size: Option<u64>,
    /// How long it may use a processor, in seconds; SIGXCPU there and SIGKILL a second later.
    pub cpu_seconds: Option<u64>,
    /// The most address space it may map, in bytes.
    pub address_space: Option<u64>,
    /// The most processes its user may have when it starts another one. The superuser is not held to it.
    pub processes: Option<u64>,
}

/// Sets `limits` on this process.
pub(super) fn set(limits: &ProcessLimits) -> Result<(), Failure> {
    let ProcessLimits {
        open_files,
        file_size,
        cpu_seconds,
        address_space,
        processes,
    } = *limits;
    // Address space last: the others may still need some.
    for (name, resource, soft, hard) in [
        ("core", Resource::Core, Some(0), Some(0)),
        ("open files", Resource::Nofile, open_files, open_files),
        ("file size", Resource::Fsize, file_size, file_size),
        (
            "CPU seconds",
            Resource::Cpu,
            cpu_seconds,
            // A soft limit reached sends SIGXCPU, the hard one SIGKILL.
            cpu_seconds.map(|seconds| seconds.saturating_add(1)),
        ),
        ("processes", Resource::Nproc, processes, processes),
        ("address space", Resource::As, address_space, address_space),
    ] {
        let [soft, hard] = [soft, hard].map(|limit| limit.filter(|limit| *limit <= MOST));
        if soft.is_none() {
            continue;
        }
        let inherited = getrlimit(resource);
        let maximum = least(hard, inherited.maximum);
        let limit = Rlimit {
            current: least(least(soft, inherited.current), maximum),
            maximum,
        };
        setrlimit(resource, limit)
            .map_err(|errno| Failure::about(Operation::SetLimit, name, errno))?;
    }
    Ok(())
}

/// Returns the lower of two limits, where `None` is none.
fn least(one: Option<u64>, other: Option<u64>) -> Option<u64> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// The highest value that is a limit.
const MOST: u64 = i64::MAX as u64;
