//! A connection as hyper takes it, that tells when a request's body has been handed to the system in full.

use std::{
    io,
    pin::Pin,
    task::{Context, Poll, ready},
};

use hyper::rt::{Read, ReadBufCursor, Write};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    net::TcpStream,
    sync::watch,
};

/// A connection for one request with a body of known length.
pub(super) struct Wire {
    stream: TcpStream,
    /// How much of the blank line that ends the head has gone.
    of_blank_line: usize,
    /// How much of the body has not gone yet.
    body_left: usize,
    sent: watch::Sender<bool>,
}

impl Wire {
    /// `body` is the body's length; `sent` becomes true once all of it has gone.
    pub(super) const fn new(stream: TcpStream, body: usize, sent: watch::Sender<bool>) -> Self {
        Self {
            stream,
            of_blank_line: 0,
            body_left: body,
            sent,
        }
    }

    fn note(&mut self, written: &[u8]) {
        let mut head = written.iter();
        while self.of_blank_line < BLANK_LINE.len() {
            let Some(&byte) = head.next() else { return };
            self.of_blank_line = match byte == BLANK_LINE[self.of_blank_line] {
                true => self.of_blank_line + 1,
                false => usize::from(byte == BLANK_LINE[0]),
            };
        }
        self.body_left = self.body_left.saturating_sub(head.len());
        if self.body_left == 0 {
            self.sent.send_replace(true);
        }
    }
}

impl Read for Wire {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        mut buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        let mut scratch = [0; SCRATCH_BYTES];
        let room = buffer.remaining().min(SCRATCH_BYTES);
        let mut read = ReadBuf::new(&mut scratch[..room]);
        ready!(Pin::new(&mut self.stream).poll_read(cx, &mut read))?;
        buffer.put_slice(read.filled());
        Poll::Ready(Ok(()))
    }
}

/// Not vectored, so that hyper puts head and body into one buffer and one write: the daemon reads the head from its
/// first read (docs/roost.md).
impl Write for Wire {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut self.stream).poll_write(cx, bytes))?;
        self.note(&bytes[..written]);
        Poll::Ready(Ok(written))
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// The end of a head (RFC 9112, section 2.1).
const BLANK_LINE: [u8; 4] = *b"\r\n\r\n";

/// The most one read takes, in bytes.
const SCRATCH_BYTES: usize = 16 * 1024;
