//! `capabilities.resources`: the limits around what a plan starts. Holding to them is left to others.

/// The limits a manifest declares; `None` where it is silent.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Resources {
    /// Memory of everything a plan starts, in bytes.
    pub cgroup_memory_bytes: Option<u64>,
    /// Processes and threads a plan may have at once.
    pub cgroup_pids_max: Option<u64>,
    /// Processor time, in percent of one core.
    pub cgroup_cpu_percent: Option<u64>,
    /// What the workdir's disk may be read and written, in bytes a second.
    pub cgroup_io_bytes_per_sec: Option<u64>,
    /// Open files of one process.
    pub max_open_files: Option<u64>,
    /// The largest file one process may write, in bytes.
    pub max_file_size_bytes: Option<u64>,
    /// Processor time of one process, in seconds.
    pub cpu_seconds: Option<u64>,
    /// Address space of one process, in bytes.
    pub memory_bytes: Option<u64>,
    /// Processes beyond those the user already runs, where nothing else bounds them.
    pub max_processes: Option<u64>,
    /// The workdir with the session's `home/` and `tmp/`, in bytes.
    pub workdir_max_bytes: Option<u64>,
}
