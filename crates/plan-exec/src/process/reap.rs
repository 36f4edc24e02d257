//! Reaping a child of this process: after that its id may be anybody's.

use rustix::{
    io::Errno,
    process::{Pid, Signal, WaitId, WaitIdOptions, waitid},
};

use super::groups;

/// Reaps `child` if it has exited; returns whether it is gone.
pub(crate) fn reap(child: Pid) -> bool {
    loop {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
        match waitid(WaitId::Pid(child), options) {
            Err(Errno::INTR) => {}
            Ok(None) => return false,
            Ok(Some(_)) | Err(_) => return true,
        }
    }
}

/// Kills a child that was not reaped, with its group, and waits for it.
pub(crate) fn kill_and_reap(child: Pid) {
    groups::send(child, Signal::KILL);
    while let Err(Errno::INTR) = waitid(WaitId::Pid(child), WaitIdOptions::EXITED) {}
}
