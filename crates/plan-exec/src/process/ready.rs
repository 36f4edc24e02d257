//! Registers a descriptor with the runtime, to be told when it is ready.

use std::{io, os::fd::OwnedFd};

use tokio::io::{Interest, unix::AsyncFd};

/// Registers `fd`. Has to be called on the runtime.
#[expect(
    deprecated,
    reason = "its replacement is `unsafe` since other types may close or swap their descriptor; an `OwnedFd` can do neither"
)]
pub(super) fn register(fd: OwnedFd, interest: Interest) -> io::Result<AsyncFd<OwnedFd>> {
    AsyncFd::with_interest(fd, interest)
}
