//! `capabilities.resources`: the limits around what a plan starts. Holding to them is left to others.

use plan_exec::ResourceLimits;

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

impl Resources {
    /// Returns every limit, those that were not declared as they are where nothing is said.
    pub fn limits(&self) -> ResourceLimits {
        let usual = ResourceLimits::default();
        ResourceLimits {
            cgroup_memory_bytes: self
                .cgroup_memory_bytes
                .unwrap_or(usual.cgroup_memory_bytes),
            cgroup_pids_max: self.cgroup_pids_max.unwrap_or(usual.cgroup_pids_max),
            cgroup_cpu_percent: self.cgroup_cpu_percent.unwrap_or(usual.cgroup_cpu_percent),
            cgroup_io_bytes_per_sec: self
                .cgroup_io_bytes_per_sec
                .unwrap_or(usual.cgroup_io_bytes_per_sec),
            max_open_files: self.max_open_files.unwrap_or(usual.max_open_files),
            max_file_size_bytes: self
                .max_file_size_bytes
                .unwrap_or(usual.max_file_size_bytes),
            cpu_seconds: self.cpu_seconds.unwrap_or(usual.cpu_seconds),
            memory_bytes: self.memory_bytes.or(usual.memory_bytes),
            max_processes: self.max_processes.unwrap_or(usual.max_processes),
            workdir_max_bytes: self.workdir_max_bytes.unwrap_or(usual.workdir_max_bytes),
        }
    }
}
