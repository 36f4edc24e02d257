//! Watching through a supervisor, whose child the leader is.

use std::os::fd::{AsFd, OwnedFd};

use tokio::io::unix::AsyncFd;

use super::super::exit::Exit;
use crate::launcher::{Arrival, FrameReader, Report};

/// The socket of a supervisor.
#[derive(Debug)]
pub(in crate::process) struct SupervisedWatch {
    socket: AsyncFd<OwnedFd>,
    reader: FrameReader,
}

impl SupervisedWatch {
    /// Watches through `socket`, of which `reader` has read the beginning.
    pub(in crate::process) const fn new(socket: AsyncFd<OwnedFd>, reader: FrameReader) -> Self {
        Self { socket, reader }
    }

    pub(super) async fn exited(&mut self) -> Exit {
        loop {
            match self.reader.next() {
                Ok(Some(Report::ExitedWithCode { code })) => return Exit::Code(code),
                Ok(Some(Report::ExitedBySignal { signal })) => return Exit::Signal(signal),
                Ok(Some(
                    Report::Ready
                    | Report::Failed(_)
                    | Report::Found { .. }
                    | Report::Started { .. },
                ))
                | Err(_) => return Exit::Unwatched,
                Ok(None) => {}
            }
            let Ok(mut guard) = self.socket.readable().await else {
                return std::future::pending().await;
            };
            match self.reader.fill(self.socket.get_ref().as_fd()) {
                Ok(Arrival::Some) => {}
                Ok(Arrival::None) => guard.clear_ready(),
                Ok(Arrival::End) | Err(_) => return Exit::Unwatched,
            }
        }
    }
}
