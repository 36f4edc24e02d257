//! What became of a start, as it is told over a socket.

use std::os::fd::BorrowedFd;

use rustix::{io::Errno, process::Pid};

use super::{
    failure::{Failure, Operation},
    frame::{Arrival, FrameReader},
    instructions::Report,
};

/// Follows one start until it is known how it went.
#[derive(Debug, Default)]
pub(crate) struct Birth {
    reader: FrameReader,
    /// Whether everything was in place: end-of-file then means that the launcher has become the program.
    ready: bool,
}

/// A program that has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Born {
    /// In the launcher's place.
    Itself,
    /// Below a launcher that stays, as the leader of a group.
    Supervised(Pid),
}

impl Birth {
    /// Reads what is there; returns how it went once that is known.
    pub(crate) fn look(&mut self, socket: BorrowedFd<'_>) -> Option<Result<Born, Failure>> {
        let strange = |why: &str| Some(Err(Failure::about(Operation::Survive, why, Errno::BADMSG)));
        loop {
            match self.reader.next() {
                Ok(Some(Report::Ready)) => self.ready = true,
                Ok(Some(Report::Failed(failure))) => return Some(Err(failure)),
                Ok(Some(Report::Started { leader })) => {
                    return match Pid::from_raw(leader) {
                        Some(leader) => Some(Ok(Born::Supervised(leader))),
                        None => strange("a leader without an id"),
                    };
                }
                Ok(Some(
                    Report::Found { .. }
                    | Report::ExitedWithCode { .. }
                    | Report::ExitedBySignal { .. },
                )) => return strange("an answer to something else"),
                Err(error) => return strange(&error.to_string()),
                Ok(None) => match self.reader.fill(socket) {
                    Ok(Arrival::Some) => {}
                    Ok(Arrival::None) => return None,
                    Ok(Arrival::End) if self.ready => return Some(Ok(Born::Itself)),
                    Ok(Arrival::End) => {
                        return Some(Err(Failure {
                            operation: Operation::Survive,
                            subject: String::new(),
                            errno: 0,
                        }));
                    }
                    Err(errno) => return Some(Err(Failure::new(Operation::Survive, errno))),
                },
            }
        }
    }

    /// Returns what came with the last of it and was not looked at.
    pub(crate) fn into_reader(self) -> FrameReader {
        self.reader
    }
}
