//! The limits of a scope, and what is written for each.

/// What a plan may use in total (spec: The manifest, `capabilities.resources`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ScopeLimits {
    /// Bytes of memory, swap not among them.
    pub(crate) memory_bytes: u64,
    /// Processes and threads.
    pub(crate) pids: u64,
    /// Time of processor, in percent of one core.
    pub(crate) cpu_percent: u64,
    /// Bytes a second read from the workdir's disk, and as many written.
    pub(crate) io_bytes_per_sec: u64,
}

impl Default for ScopeLimits {
    /// The values of a manifest that declares none.
    fn default() -> Self {
        Self {
            memory_bytes: 4 << 30,
            pids: 256,
            cpu_percent: 200,
            io_bytes_per_sec: 100 << 20,
        }
    }
}

impl ScopeLimits {
    /// Returns what goes into `memory.max`.
    pub(super) fn memory_max(&self) -> String {
        self.memory_bytes.to_string()
    }

    /// Returns what goes into `pids.max`, which takes no more than Linux has processes.
    pub(super) fn pids_max(&self) -> String {
        if self.pids > PID_MAX {
            return "max".into();
        }
        self.pids.to_string()
    }

    /// Returns what goes into `cpu.max`.
    pub(super) fn cpu_max(&self) -> String {
        let quota = self.cpu_percent.saturating_mul(CPU_PERIOD / 100);
        format!("{quota} {CPU_PERIOD}")
    }

    /// Returns what goes into `io.max` for one disk.
    pub(super) fn io_max(&self, disk: super::disk::Disk) -> String {
        let bytes = self.io_bytes_per_sec;
        format!("{disk} rbps={bytes} wbps={bytes}")
    }
}

/// The period a quota is given for, in microseconds: the kernel's own default.
const CPU_PERIOD: u64 = 100_000;

/// The most processes Linux can have (`PID_MAX_LIMIT`).
const PID_MAX: u64 = 4 << 20;
