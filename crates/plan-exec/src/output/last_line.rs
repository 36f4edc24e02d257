//! The line a running command wrote last, for whoever looks at it now and then. Never all of its output.

use std::{
    fmt,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use super::{Sink, text::floor_boundary};

/// The last line of one attempt's output, shared between its executor and whoever watches the plan.
///
/// Holds at most 1 KiB, the beginning of the line. A carriage return ends a line too, so that a progress bar is
/// seen as it stands. Lines that show nothing are passed over.
#[derive(Clone, Default)]
pub struct LastLine {
    bytes: Arc<Mutex<Vec<u8>>>,
}

impl LastLine {
    /// Returns the line as it was written, escape sequences included; empty when nothing was written yet. What is
    /// not UTF-8 becomes replacement characters.
    pub fn text(&self) -> String {
        let bytes = self.bytes();
        String::from_utf8_lossy(&bytes[..floor_boundary(&bytes)]).into_owned()
    }

    /// Takes in the next bytes of `stream`. For an executor of an embedder's own; this crate's do it themselves.
    pub fn take(&self, stream: &mut OpenLine, bytes: &[u8]) {
        stream.take(bytes, |line| {
            let mut shown = self.bytes();
            shown.clear();
            shown.extend_from_slice(line);
        });
    }

    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        // Whole at every moment a panic could come.
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for LastLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LastLine").field(&self.text()).finish()
    }
}

/// The line of one stream that has not ended yet: both streams of a command may be in the middle of one.
#[derive(Debug, Default)]
pub struct OpenLine {
    bytes: Vec<u8>,
}

impl OpenLine {
    /// Hands the last line that shows something to `publish`, if one came.
    fn take(&mut self, bytes: &[u8], publish: impl FnOnce(&[u8])) {
        let Some(last_end) = bytes.iter().rposition(is_end) else {
            self.append(bytes);
            if shows_something(&self.bytes) {
                publish(&self.bytes);
            }
            return;
        };
        let (ended, open) = (&bytes[..last_end], &bytes[last_end + 1..]);
        if shows_something(open) {
            self.bytes.clear();
            self.append(open);
            publish(&self.bytes);
            return;
        }
        let first_end = bytes.iter().position(is_end).unwrap_or(last_end);
        let whole = bytes.get(first_end + 1..last_end).unwrap_or_default();
        match whole.rsplit(is_end).find(|line| shows_something(line)) {
            Some(line) => publish(&line[..line.len().min(LINE_BYTES)]),
            None => {
                self.append(&ended[..first_end]);
                if shows_something(&self.bytes) {
                    publish(&self.bytes);
                }
            }
        }
        self.bytes.clear();
        self.append(open);
    }

    fn append(&mut self, bytes: &[u8]) {
        let room = LINE_BYTES - self.bytes.len();
        self.bytes
            .extend_from_slice(&bytes[..room.min(bytes.len())]);
    }
}

/// A sink whose stream is watched, where anybody watches.
#[derive(Debug)]
pub(crate) struct Watched<S> {
    pub(crate) sink: S,
    watcher: Option<(LastLine, OpenLine)>,
}

impl<S> Watched<S> {
    /// Tells `watcher` what `sink` takes.
    pub(crate) fn new(sink: S, watcher: Option<LastLine>) -> Self {
        Self {
            sink,
            watcher: watcher.map(|line| (line, OpenLine::default())),
        }
    }
}

impl<S: Sink> Sink for Watched<S> {
    fn take(&mut self, bytes: &[u8]) {
        if let Some((line, open)) = &mut self.watcher {
            line.take(open, bytes);
        }
        self.sink.take(bytes);
    }

    fn is_over(&self) -> bool {
        self.sink.is_over()
    }
}

const fn is_end(byte: &u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns whether a terminal would show anything of `line`: escape sequences, blanks and controls show nothing.
fn shows_something(line: &[u8]) -> bool {
    let mut bytes = line.iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            ESCAPE => {
                // `ESC [` runs on to its final byte; of any other sequence the next byte is taken.
                if bytes.next() == Some(&b'[') {
                    bytes.find(|byte| (b'@'..=b'~').contains(byte));
                }
            }
            0..=b' ' | DELETE => {}
            _ => return true,
        }
    }
    false
}

/// The most of a line that is kept, in bytes: no window shows more of it.
const LINE_BYTES: usize = 1024;
const ESCAPE: u8 = 0x1b;
const DELETE: u8 = 0x7f;

#[cfg(test)]
mod tests {
    use super::{LINE_BYTES, LastLine, OpenLine};

    fn after(parts: &[&[u8]]) -> String {
        let (line, mut open) = (LastLine::default(), OpenLine::default());
        for part in parts {
            line.take(&mut open, part);
        }
        line.text()
    }

    /// spec: The command: the last line of output of a running command, the one being written included
    #[test]
    fn the_last_line_that_shows_something_is_kept() {
        let cases: [(&[&[u8]], &str); 12] = [
            (&[], ""),
            (&[b"\n\n"], ""),
            (&[b"one"], "one"),
            (&[b"one\n"], "one"),
            (&[b"one\ntwo\n\n", b" \n"], "two"),
            (&[b"one\ntw", b"o"], "two"),
            (&[b"on", b"e\n\n", b"\n"], "one"),
            (&[b"on", b"e\ntwo\n"], "two"),
            (&[b"10%\r20%", b"\r", b"\x1b[K"], "20%"),
            (&[b"a\r\n", b"\x1b[2K\x1b(\n"], "a"),
            (&[b"x\xff\n"], "x\u{fffd}"),
            (&["caf\u{e9}".as_bytes().split_at(4).0], "caf"),
        ];
        for (parts, expected) in cases {
            assert_eq!(after(parts), expected, "{parts:?}");
        }
    }

    /// decision: it does not matter how the output was read in pieces.
    #[test]
    fn pieces_do_not_matter() {
        let text = b"first\r\n\n\x1b[31mlast but one\x1b[0m\n  \r\x1b[K\nlast\n \n";
        for at in 0..=text.len() {
            for next in at..=text.len() {
                let parts = [&text[..at], &text[at..next], &text[next..]];
                assert_eq!(after(&parts), "last", "{at} {next}");
            }
        }
    }

    /// decision: a line without an end costs no more than a line.
    #[test]
    fn a_long_line_is_cut() {
        let long = vec![b'x'; 100_000];
        assert_eq!(after(&[&long, &long]).len(), LINE_BYTES);
        assert_eq!(after(&[b"a\n", &long, b"\n", b"\n"]).len(), LINE_BYTES);
        assert_eq!(after(&[b"a\nb", &long, b"\nz"]), "z");
        let (line, mut open) = (LastLine::default(), OpenLine::default());
        line.take(&mut open, &long);
        assert!(open.bytes.capacity() <= 2 * LINE_BYTES);
    }
}
