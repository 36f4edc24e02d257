//! How many processes and threads the user of this process runs.

/// Returns how many run now; 0 where that cannot be found out.
#[cfg(target_os = "linux")]
pub(super) fn running() -> u64 {
    use procfs::process::all_processes;

    let user = nix::unistd::Uid::current().as_raw();
    let Ok(processes) = all_processes() else {
        return 0;
    };
    let threads = processes.filter_map(Result::ok).filter_map(|process| {
        // One that has gone meanwhile counts for nothing.
        let is_own = process.uid().ok()? == user;
        let threads = process.stat().ok()?.num_threads;
        is_own.then(|| u64::try_from(threads).unwrap_or_default())
    });
    threads.sum()
}

/// Returns 0: there is no cheap way to find out here.
#[cfg(not(target_os = "linux"))]
pub(super) fn running() -> u64 {
    0
}

/// Returns whether a step with mounts of its own is counted from 0: it gets them in a user namespace, unless this
/// process may have a mount namespace without one.
#[cfg(target_os = "linux")]
pub(super) fn start_anew_with_mounts() -> bool {
    let status = procfs::process::Process::myself().and_then(|process| process.status());
    status.is_ok_and(|status| status.capeff & CAP_SYS_ADMIN == 0)
}

/// Returns that there are no such namespaces here.
#[cfg(not(target_os = "linux"))]
pub(super) const fn start_anew_with_mounts() -> bool {
    false
}

/// The capability that a mount namespace takes, as a bit of the effective set.
#[cfg(target_os = "linux")]
const CAP_SYS_ADMIN: u64 = 1 << 21;

#[cfg(test)]
mod tests {
    /// spec: What a plan may reach. A limit beyond what the user runs counts this process among it.
    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_is_among_those_that_run() {
        assert!(super::running() >= 1);
    }
}
