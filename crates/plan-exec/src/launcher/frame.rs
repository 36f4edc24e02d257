//! Messages over a stream socket: a length, the protocol's version, a body in postcard's encoding.
//!
//! The version stands first in every message, so that two builds that differ find out before they misread each
//! other.

use std::{
    io::{self, IoSlice, IoSliceMut},
    mem::MaybeUninit,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
};

use rustix::{
    io::Errno,
    net::{
        RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
        SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
    },
};
use serde::{Deserialize, Serialize};

/// Returns `message` as it goes over the socket.
///
/// # Errors
/// `E2BIG` when it is larger than anything `execve` takes.
pub(crate) fn encode<T: Serialize>(message: &T) -> io::Result<Vec<u8>> {
    let mut frame = vec![0; HEADER_BYTES];
    frame[LENGTH_BYTES] = VERSION;
    let mut frame = postcard::to_extend(message, frame)
        .map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))?;
    let length = frame.len() - HEADER_BYTES;
    if length > BODY_BYTES {
        return Err(Errno::TOOBIG.into());
    }
    let length = u32::try_from(length).map_err(|_| Errno::TOOBIG)?;
    frame[..LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
    Ok(frame)
}

/// Writes the rest of a frame from `written` on, `descriptors` with its first byte; returns how much went.
pub(crate) fn put(
    socket: BorrowedFd<'_>,
    frame: &[u8],
    written: usize,
    descriptors: &[BorrowedFd<'_>],
) -> rustix::io::Result<usize> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if written == 0 && !descriptors.is_empty() {
        let fits = control.push(SendAncillaryMessage::ScmRights(descriptors));
        debug_assert!(fits, "at most {DESCRIPTORS} descriptors are sent");
    }
    loop {
        match sendmsg(
            socket,
            &[IoSlice::new(&frame[written..])],
            &mut control,
            SendFlags::empty(),
        ) {
            Err(Errno::INTR) => {}
            result => return result,
        }
    }
}

/// Writes a whole frame to a socket that blocks.
pub(crate) fn put_all(socket: BorrowedFd<'_>, frame: &[u8]) -> rustix::io::Result<()> {
    let mut written = 0;
    while written < frame.len() {
        written += put(socket, frame, written, &[])?;
    }
    Ok(())
}

/// What a look at the socket gave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrival {
    /// There may be more.
    Some,
    /// Nothing for now.
    None,
    /// Nothing any more.
    End,
}

/// Puts together what comes in pieces.
#[derive(Debug, Default)]
pub(crate) struct FrameReader {
    bytes: Vec<u8>,
    /// Where the next message begins.
    start: usize,
    descriptors: Vec<OwnedFd>,
}

impl FrameReader {
    /// Reads what is there, or waits for it on a socket that blocks.
    pub(crate) fn fill(&mut self, socket: BorrowedFd<'_>) -> rustix::io::Result<Arrival> {
        if self.start > 0 {
            self.bytes.drain(..self.start);
            self.start = 0;
        }
        let mut piece = [0; PIECE_BYTES];
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(DESCRIPTORS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        let received = loop {
            match recvmsg(
                socket,
                &mut [IoSliceMut::new(&mut piece)],
                &mut control,
                receive_flags(),
            ) {
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(Arrival::None),
                // The other end went with something of ours unread.
                Err(Errno::CONNRESET) => return Ok(Arrival::End),
                result => break result?,
            }
        };
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(descriptors) = message {
                self.descriptors.extend(descriptors);
            }
        }
        self.bytes.extend_from_slice(&piece[..received.bytes]);
        Ok(if received.bytes == 0 {
            Arrival::End
        } else {
            Arrival::Some
        })
    }

    /// Returns the length of the next message's body once all of it has come.
    pub(crate) fn whole(&self) -> Result<Option<usize>, FrameError> {
        let Some((header, rest)) = self.bytes[self.start..].split_first_chunk::<HEADER_BYTES>()
        else {
            return Ok(None);
        };
        let [length @ .., version] = *header;
        if version != VERSION {
            return Err(FrameError::Version(version));
        }
        let length = usize::try_from(u32::from_le_bytes(length)).unwrap_or(usize::MAX);
        if length > BODY_BYTES {
            return Err(FrameError::Garbage);
        }
        Ok((rest.len() >= length).then_some(length))
    }

    /// Takes the next message, `None` while it is not whole.
    pub(crate) fn next<'a, T: Deserialize<'a>>(&'a mut self) -> Result<Option<T>, FrameError> {
        let Some(length) = self.whole()? else {
            return Ok(None);
        };
        let body = self.start + HEADER_BYTES;
        self.start = body + length;
        match postcard::take_from_bytes(&self.bytes[body..self.start]) {
            Ok((message, [])) => Ok(Some(message)),
            Ok(_) | Err(_) => Err(FrameError::Garbage),
        }
    }

    /// Takes the descriptors that came so far.
    pub(crate) fn take_descriptors(&mut self) -> Vec<OwnedFd> {
        std::mem::take(&mut self.descriptors)
    }
}

/// Why what came is no message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FrameError {
    /// Another version of the protocol.
    #[error("it speaks version {0} of the protocol, not {VERSION}")]
    Version(u8),
    /// Something else.
    #[error("what it says is no message of a launcher")]
    Garbage,
}

/// Makes a pair of connected sockets that no program inherits; the first one does not block.
pub(crate) fn pair() -> io::Result<(OwnedFd, OwnedFd)> {
    let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
    ours.set_nonblocking(true)?;
    Ok((ours.into(), theirs.into()))
}

/// Returns another descriptor of the same socket.
pub(crate) fn again(socket: &OwnedFd) -> io::Result<OwnedFd> {
    socket.as_fd().try_clone_to_owned()
}

#[cfg(target_os = "linux")]
const fn receive_flags() -> RecvFlags {
    RecvFlags::CMSG_CLOEXEC
}

#[cfg(not(target_os = "linux"))]
const fn receive_flags() -> RecvFlags {
    RecvFlags::empty()
}

/// The version of the messages and of what is meant by them. Raised with every change of either.
pub(crate) const VERSION: u8 = 1;

const LENGTH_BYTES: usize = 4;
const HEADER_BYTES: usize = LENGTH_BYTES + 1;

/// The most a body holds, in bytes: more than twice what Linux lets a program's arguments and environment be.
const BODY_BYTES: usize = 16 << 20;

/// The most one read takes, in bytes.
const PIECE_BYTES: usize = 16 * 1024;

/// The most descriptors that come with one message: a leaf and a standard input.
const DESCRIPTORS: usize = 2;
