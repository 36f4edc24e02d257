//! Watching over a scope: ends it when the runtime has died without saying that it is gone.
//!
//! It holds its socket and nothing else.

use std::os::fd::BorrowedFd;

use super::{
    failure::{Failure, Operation},
    frame::{Arrival, FrameReader},
    instructions::{Report, Request},
    serve::report,
    step::path,
    sys,
};
use crate::cgroup::end::end_scope_at;

/// Watches until the runtime dismisses it or dies.
pub(super) fn serve(
    scope: &[u8],
    socket: BorrowedFd<'_>,
    mut reader: FrameReader,
) -> Result<(), Failure> {
    sys::stay();
    rustix::process::chdir("/")
        .map_err(|errno| Failure::about(Operation::EnterWorkdir, "/", errno))?;
    // For whoever lists processes. It does as well without.
    let _ = rustix::thread::set_name(c"plan-watcher");
    report(socket, &Report::Ready);
    loop {
        match reader.next() {
            Ok(Some(Request::Dismiss)) => return Ok(()),
            // Nothing else is asked of a watcher.
            Ok(Some(Request::Signal { .. } | Request::KillAll)) => {}
            Ok(None) => match reader.fill(socket) {
                Ok(Arrival::Some | Arrival::None) => {}
                Ok(Arrival::End) | Err(_) => break,
            },
            Err(_) => break,
        }
    }
    end_scope_at(path(scope)).map_err(|error| {
        // The system's own answer is among its words.
        Failure {
            operation: Operation::EndScope,
            subject: error.to_string(),
            errno: 0,
        }
    })
}
