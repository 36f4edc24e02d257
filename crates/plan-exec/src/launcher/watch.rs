//! Watching over a scope: ends it when the runtime has died without saying that it is gone.
//!
//! It holds its socket and nothing else.

use std::{
    fs,
    io::{self, Write as _},
    os::fd::BorrowedFd,
    path::Path,
    time::{Duration, Instant},
};

use super::{
    failure::{Failure, Operation},
    frame::{Arrival, FrameReader},
    instructions::{Report, Request},
    serve::report,
    step::path,
    sys,
};

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
        let scope = path(scope).to_string_lossy();
        Failure::from_io(Operation::EndScope, &scope, &error)
    })
}

/// Kills everything in a scope, waits until it is gone and removes it. One that is gone is none to end.
fn end_scope_at(scope: &Path) -> io::Result<()> {
    let deadline = Instant::now() + END_PATIENCE;
    loop {
        let kill = fs::File::options()
            .write(true)
            .open(scope.join("cgroup.kill"));
        match kill.and_then(|mut file| file.write_all(b"1")) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            result => result?,
        }
        // The innermost first; one that is still inhabited stays for the next round.
        for folder in walkdir::WalkDir::new(scope).contents_first(true) {
            if let Ok(folder) = folder
                && folder.file_type().is_dir()
            {
                // It may be inhabited still.
                drop(fs::remove_dir(folder.path()));
            }
        }
        match fs::metadata(scope) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            _ if Instant::now() >= deadline => return Err(io::ErrorKind::TimedOut.into()),
            _ => std::thread::sleep(END_PAUSE),
        }
    }
}

/// How long what was killed is waited for. Only what the kernel holds takes that long.
const END_PATIENCE: Duration = Duration::from_secs(5);

/// How long it waits before it looks again.
const END_PAUSE: Duration = Duration::from_millis(2);
