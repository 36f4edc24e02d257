//! Process groups: sending them a signal, and finding out which have somebody in them.

use std::collections::HashSet;

use rustix::process::{Pid, Signal, kill_process_group};

/// Sends `signal` to the group of `leader`, which must not have been reaped: only then is the id surely its own.
pub(super) fn send(leader: Pid, signal: Signal) {
    // Fails only when there is nobody left to send to.
    let _ = kill_process_group(leader, signal);
}

/// Returns which of `leaders`, all of them exited and unreaped, have somebody else in their group; `None` when
/// that cannot be found out here.
#[cfg(target_os = "linux")]
pub(super) fn inhabited(leaders: &HashSet<Pid>) -> Option<HashSet<Pid>> {
    if !proc_is_ours() {
        return None;
    }
    let mut inhabited = HashSet::new();
    for entry in std::fs::read_dir("/proc").ok()? {
        let name = entry.ok()?.file_name();
        let Some(pid) = name
            .to_str()
            .and_then(|name| name.parse().ok())
            .and_then(Pid::from_raw)
        else {
            continue;
        };
        if leaders.contains(&pid) {
            continue;
        }
        // A process that has gone meanwhile is in no group.
        if let Ok(group) = rustix::process::getpgid(Some(pid))
            && leaders.contains(&group)
            && is_alive(pid)
        {
            inhabited.insert(group);
        }
    }
    Some(inhabited)
}

/// Returns whether a process is more than a zombie that nobody has reaped. Where the first process of a container
/// reaps nobody, those stay for ever.
#[cfg(target_os = "linux")]
fn is_alive(pid: Pid) -> bool {
    let Ok(stat) = std::fs::read(format!("/proc/{}/stat", pid.as_raw_nonzero())) else {
        return false;
    };
    // The name before the fields may hold anything, a parenthesis and a blank too.
    let Some(end_of_name) = stat.iter().rposition(|&byte| byte == b')') else {
        return false;
    };
    let mut fields = stat[end_of_name + 1..]
        .split(|&byte| byte == b' ')
        .skip_while(|field| field.is_empty());
    let is_zombie = matches!(fields.next(), Some(b"Z" | b"X"));
    // A zombie may be the first thread of a process whose others go on.
    let threads = fields.nth(THREADS_AFTER_STATE);
    !is_zombie || threads.is_some_and(|threads| threads != b"1" && threads != b"0")
}

/// How many fields of `/proc/<pid>/stat` lie between the state and the number of threads (proc(5)).
#[cfg(target_os = "linux")]
const THREADS_AFTER_STATE: usize = 16;

/// Returns whether `/proc` numbers processes as the system calls do; it does not where it shows another
/// namespace's.
#[cfg(target_os = "linux")]
fn proc_is_ours() -> bool {
    std::fs::read_link("/proc/self")
        .is_ok_and(|own| own.to_str() == Some(&*std::process::id().to_string()))
}

/// Returns `None`: there is no cheap way to find out here, so leaders are kept until their plan ends.
#[cfg(not(target_os = "linux"))]
pub(super) fn inhabited(_leaders: &HashSet<Pid>) -> Option<HashSet<Pid>> {
    None
}
