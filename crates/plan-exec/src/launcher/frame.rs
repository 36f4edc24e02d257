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
    fn whole(&self) -> Result<Option<usize>, FrameError> {
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
        decode(&self.bytes[body..self.start]).map(Some)
    }

    /// Takes the body of the next message, `None` while it is not whole: for [`decode`], while more is read.
    pub(crate) fn next_body(&mut self) -> Result<Option<Vec<u8>>, FrameError> {
        let Some(length) = self.whole()? else {
            return Ok(None);
        };
        let body = self.start + HEADER_BYTES;
        let rest = self.bytes.split_off(body + length);
        let mut whole = std::mem::replace(&mut self.bytes, rest);
        whole.drain(..body);
        self.start = 0;
        Ok(Some(whole))
    }

    /// Takes the descriptors that came so far.
    pub(crate) fn take_descriptors(&mut self) -> Vec<OwnedFd> {
        std::mem::take(&mut self.descriptors)
    }
}

/// Reads the body of a message.
pub(crate) fn decode<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T, FrameError> {
    match postcard::take_from_bytes(body) {
        Ok((message, [])) => Ok(message),
        Ok(_) | Err(_) => Err(FrameError::Garbage),
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

/// The most descriptors that come with one message: a leaf, a standard input and a lifeline.
const DESCRIPTORS: usize = 3;

#[cfg(test)]
mod tests {
    use std::{
        fs::File,
        io::{Read as _, Seek as _, Write as _},
        os::fd::{AsFd, OwnedFd},
    };

    use proptest::prelude::{any, prop, prop_assert_eq, proptest};

    use super::{
        Arrival, FrameError, FrameReader, HEADER_BYTES, decode, encode, pair, put, put_all,
    };
    use crate::launcher::{
        ProcessLimits,
        instructions::{Enclosure, Job, Known, Report, Request, Step},
    };

    proptest! {
        /// decision: whatever the bytes of paths, words and variables, a launcher reads what was written.
        #[test]
        fn instructions_arrive_as_they_were_sent(
            words in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..9), 4..20),
            numbers in prop::array::uniform5(any::<Option<u64>>()),
            flags in prop::array::uniform5(any::<bool>()),
            piece in 1_usize..40,
        ) {
            let words: Vec<&[u8]> = words.iter().map(Vec::as_slice).collect();
            let [open_files, file_size, cpu_seconds, address_space, processes] = numbers;
            let [joins_leaf, has_input, supervised, landlock, mounts] = flags;
            let job = Job::Step(Box::new(Step {
                path: words[0],
                word: words[1],
                arguments: words.clone(),
                environment: words.iter().map(|&word| (word, words[2])).collect(),
                workdir: words[3],
                joins_leaf,
                has_input,
                lifeline: mounts.then_some(words[0]),
                supervised,
                limits: ProcessLimits { open_files, file_size, cpu_seconds, address_space, processes },
                walls: Enclosure {
                    landlock,
                    mounts,
                    writable: words.clone(),
                    read_only: Vec::new(),
                    islands: words.clone(),
                    known: vec![Known {
                        path: words[1],
                        identity: cpu_seconds.map(|number| (number, 7)),
                    }],
                },
            }));
            let mut frame = encode(&job).unwrap();
            // A second message behind it, and both in pieces of any size.
            frame.extend(encode(&Request::KillAll).unwrap());
            let (ours, theirs) = pair().unwrap();
            let mut reader = FrameReader::default();
            for piece in frame.chunks(piece) {
                put_all(ours.as_fd(), piece).unwrap();
                prop_assert_eq!(reader.fill(theirs.as_fd()), Ok(Arrival::Some));
            }
            let body = reader.next_body().unwrap().unwrap();
            prop_assert_eq!(decode(&body), Ok(job));
            prop_assert_eq!(reader.next(), Ok(Some(Request::KillAll)));
            prop_assert_eq!(reader.next::<Request>(), Ok(None));
        }

        /// decision: bytes that are no message are an error, or wait for more, and never a panic.
        #[test]
        fn garbage_is_no_message(bytes in prop::collection::vec(any::<u8>(), 0..200), right in any::<bool>()) {
            let mut frame = Vec::new();
            if right {
                frame.extend(u32::try_from(bytes.len()).unwrap().to_le_bytes());
                frame.push(super::VERSION);
            }
            frame.extend(&bytes);
            let mut reader = FrameReader { bytes: frame.clone(), ..FrameReader::default() };
            drop(reader.next::<Job<'_>>());
            let mut reader = FrameReader { bytes: frame, ..FrameReader::default() };
            drop(reader.next::<Report>());
        }
    }

    fn next_of(bytes: &[u8]) -> Result<Option<Request>, FrameError> {
        let mut reader = FrameReader {
            bytes: bytes.to_vec(),
            ..FrameReader::default()
        };
        reader.next()
    }

    /// decision: another version, another length and what is left over are told apart.
    #[test]
    fn a_message_of_another_kind_is_told() {
        let whole = encode(&Request::Signal { number: 15 }).unwrap();
        assert_eq!(next_of(&whole), Ok(Some(Request::Signal { number: 15 })));
        for length in 0..whole.len() {
            assert_eq!(next_of(&whole[..length]), Ok(None));
        }
        let mut other = whole.clone();
        other[HEADER_BYTES - 1] = 2;
        assert_eq!(next_of(&other), Err(FrameError::Version(2)));
        let mut longer = whole.clone();
        longer[0] += 1;
        longer.push(0);
        assert_eq!(next_of(&longer), Err(FrameError::Garbage));
        assert_eq!(
            next_of(&[255, 255, 255, 255, super::VERSION]),
            Err(FrameError::Garbage)
        );
    }

    /// ruling 34: a descriptor arrives with its message, and no program inherits it.
    #[test]
    fn a_descriptor_arrives_closed_to_programs() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"text").unwrap();
        file.rewind().unwrap();
        let (ours, theirs) = pair().unwrap();
        let frame = encode(&Request::Dismiss).unwrap();
        let sent = put(ours.as_fd(), &frame, 0, &[file.as_fd()]).unwrap();
        assert_eq!(sent, frame.len());
        let mut reader = FrameReader::default();
        assert_eq!(reader.fill(theirs.as_fd()), Ok(Arrival::Some));
        assert_eq!(reader.next(), Ok(Some(Request::Dismiss)));
        let [descriptor]: [OwnedFd; 1] = reader.take_descriptors().try_into().unwrap();
        let flags = rustix::io::fcntl_getfd(&descriptor).unwrap();
        assert!(flags.contains(rustix::io::FdFlags::CLOEXEC));
        let mut text = String::new();
        File::from(descriptor).read_to_string(&mut text).unwrap();
        assert_eq!(text, "text");
    }

    /// decision: instructions larger than what any program takes are refused before they are sent.
    #[test]
    fn instructions_have_a_bound() {
        let huge = vec![0; super::BODY_BYTES];
        let error = encode(&Job::Watch { scope: &huge }).unwrap_err();
        assert_eq!(
            error.raw_os_error(),
            Some(rustix::io::Errno::TOOBIG.raw_os_error())
        );
    }
}
