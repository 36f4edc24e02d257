//! `capabilities.resources`: the ceilings over what a plan starts, with the values they have where nothing is said.

/// The ceilings of a session (spec: What a plan may reach).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResourceLimits {
    /// Memory of everything a plan runs, in bytes; 4 GiB by default. Held by the scope.
    pub cgroup_memory_bytes: u64,
    /// Processes and threads of a plan at once; 256 by default. Held by the scope.
    pub cgroup_pids_max: u64,
    /// Processor time of a plan, in percent of one core; 200 by default. Held by the scope.
    pub cgroup_cpu_percent: u64,
    /// What a plan may read, and write, on the workdir's disk, in bytes a second; 100 MiB by default. Held by the
    /// scope where the disk can be bounded.
    pub cgroup_io_bytes_per_sec: u64,
    /// Open files of one process; 1024 by default.
    pub max_open_files: u64,
    /// The largest file a process may write, in bytes; 4 GiB by default.
    pub max_file_size_bytes: u64,
    /// Processor time of one process, in seconds; 3600 by default. SIGXCPU there, SIGKILL a second later.
    pub cpu_seconds: u64,
    /// Address space of one process, in bytes. Where nothing is said: 2 GiB if no scope limits memory, else none.
    pub memory_bytes: Option<u64>,
    /// Processes beyond those the user already runs; 128 by default. Only where no scope limits them. A step in a
    /// user namespace of its own has so many for itself.
    pub max_processes: u64,
    /// The workdir with the session's `home/` and `tmp/`, in bytes; 10 GiB by default. Past it nothing more is
    /// started.
    pub workdir_max_bytes: u64,
}

impl Default for ResourceLimits {
    fn default() -> Self {
        Self {
            cgroup_memory_bytes: 4 * GIB,
            cgroup_pids_max: 256,
            cgroup_cpu_percent: 200,
            cgroup_io_bytes_per_sec: 100 * MIB,
            max_open_files: 1024,
            max_file_size_bytes: 4 * GIB,
            cpu_seconds: 3600,
            memory_bytes: None,
            max_processes: 128,
            workdir_max_bytes: 10 * GIB,
        }
    }
}

impl ResourceLimits {
    /// The address space of one process where no scope limits memory and nothing is said, in bytes.
    pub(crate) const ADDRESS_SPACE: u64 = 2 * GIB;
}

const MIB: u64 = 1 << 20;
const GIB: u64 = 1 << 30;
