//! What a child writes, line by line: echoed, its last lines kept, its first line on standard output taken out.

use std::{borrow::Cow, collections::VecDeque, sync::Arc};

use super::{secret::Secret, spec::Echo};
use crate::output::Sink;

/// Echoes a stream line by line and keeps its last lines.
pub(super) struct Lines {
    echo: Arc<dyn Echo>,
    /// Tokens that a child may repeat and that nobody is to see.
    secrets: Vec<Arc<Secret>>,
    unfinished: Vec<u8>,
    last: VecDeque<String>,
}

impl Lines {
    pub(super) fn new(echo: Arc<dyn Echo>, secrets: Vec<Arc<Secret>>) -> Self {
        Self {
            echo,
            secrets,
            unfinished: Vec::new(),
            last: VecDeque::new(),
        }
    }

    /// Keeps another token from being seen from here on.
    pub(super) fn hide(&mut self, secret: Arc<Secret>) {
        self.secrets.push(secret);
    }

    /// Takes the end of the stream.
    pub(super) fn finish(&mut self) {
        if !self.unfinished.is_empty() {
            self.end_line();
        }
    }

    /// Returns the last lines, oldest first, each with a line end before it; `""` when there were none.
    pub(super) fn last_lines(&self) -> String {
        self.last.iter().fold(String::new(), |mut text, line| {
            text.push('\n');
            text.push_str(line);
            text
        })
    }

    fn end_line(&mut self) {
        if self.unfinished.last() == Some(&b'\r') {
            self.unfinished.pop();
        }
        let line = String::from_utf8_lossy(&self.unfinished);
        let mut line = Cow::Borrowed(&*line);
        for secret in &self.secrets {
            if let Cow::Owned(struck) = secret.strike_out(&line) {
                line = Cow::Owned(struck);
            }
        }
        self.echo.line(&line);
        if self.last.len() == KEPT_LINES {
            self.last.pop_front();
        }
        self.last
            .push_back(crate::output::start_of(&line, KEPT_OF_A_LINE).to_owned());
        self.unfinished.clear();
    }
}

impl Sink for Lines {
    fn take(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let room = LONGEST_LINE - self.unfinished.len();
            let reach = bytes.len().min(room);
            match bytes[..reach].iter().position(|&byte| byte == b'\n') {
                Some(at) => {
                    self.unfinished.extend_from_slice(&bytes[..at]);
                    self.end_line();
                    bytes = &bytes[at + 1..];
                }
                None => {
                    self.unfinished.extend_from_slice(&bytes[..reach]);
                    bytes = &bytes[reach..];
                    if self.unfinished.len() == LONGEST_LINE {
                        self.end_line();
                    }
                }
            }
        }
    }
}

/// Takes a child's first line out of its standard output; the rest is echoed.
pub(super) struct FirstLine {
    state: State,
    rest: Lines,
}

enum State {
    Reading(Vec<u8>),
    Read(Vec<u8>),
    TooLong,
    Taken,
}

/// A first line that has come.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum First {
    Line(Vec<u8>),
    /// It has no end within bounds.
    TooLong,
}

impl FirstLine {
    pub(super) const fn new(rest: Lines) -> Self {
        Self {
            state: State::Reading(Vec::new()),
            rest,
        }
    }

    /// Returns the line once it is whole, and only once.
    pub(super) fn take_line(&mut self) -> Option<First> {
        match std::mem::replace(&mut self.state, State::Taken) {
            State::Read(line) => Some(First::Line(line)),
            State::TooLong => Some(First::TooLong),
            state @ (State::Reading(_) | State::Taken) => {
                self.state = state;
                None
            }
        }
    }

    /// Returns what follows the first line.
    pub(super) const fn rest(&mut self) -> &mut Lines {
        &mut self.rest
    }
}

impl Sink for FirstLine {
    fn take(&mut self, bytes: &[u8]) {
        let State::Reading(line) = &mut self.state else {
            return self.rest.take(bytes);
        };
        let (first, rest) = match bytes.iter().position(|&byte| byte == b'\n') {
            Some(at) => (&bytes[..at], Some(&bytes[at + 1..])),
            None => (bytes, None),
        };
        if first.len() > LONGEST_FIRST_LINE - line.len() {
            // Not echoed: it may hold a token.
            self.state = State::TooLong;
            return;
        }
        line.extend_from_slice(first);
        if let Some(rest) = rest {
            self.state = State::Read(std::mem::take(line));
            self.rest.take(rest);
        }
    }
}

/// How many of a child's last lines explain a failed launch (docs/roost.md).
const KEPT_LINES: usize = 20;

/// The most of each that is kept, in bytes, so that all of them fit into an error.
const KEPT_OF_A_LINE: usize = 2 * 1024;

/// The longest line that is echoed as one, in bytes.
const LONGEST_LINE: usize = 8 * 1024;

/// The longest line with which a child may report itself, in bytes. One holds a few hundred.
const LONGEST_FIRST_LINE: usize = 64 * 1024;

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use super::{Echo, First, FirstLine, Lines, Secret, Sink};

    #[derive(Default)]
    struct Heard(Mutex<Vec<String>>);

    impl Echo for Heard {
        fn line(&self, line: &str) {
            self.0.lock().unwrap().push(line.to_owned());
        }
    }

    fn lines(secrets: &[&str]) -> (Lines, Arc<Heard>) {
        let heard = Arc::new(Heard::default());
        let secrets = secrets.iter().map(|&text| Secret::new(text.into()).into());
        (Lines::new(heard.clone(), secrets.collect()), heard)
    }

    /// spec: Capsule steps: every line is echoed as it comes, and the last 20 are kept.
    #[test]
    fn lines_are_echoed_and_the_last_twenty_kept() {
        let (mut lines, heard) = lines(&[]);
        for n in 0..1000 {
            lines.take(format!("line {n}").as_bytes());
            lines.take(b"\r\n");
        }
        lines.take(b"no end");
        lines.finish();
        lines.finish();
        assert_eq!(heard.0.lock().unwrap().len(), 1001);
        let last = lines.last_lines();
        assert!(last.starts_with("\nline 981\nline 982\n"), "{last}");
        assert!(last.ends_with("\nline 999\nno end"), "{last}");
    }

    /// spec: Capsule steps: a line without end costs bounded memory and comes in pieces.
    #[test]
    fn a_line_without_end_comes_in_pieces() {
        let (mut lines, heard) = lines(&[]);
        for _ in 0..100 {
            lines.take(&[b'x'; 1000]);
        }
        lines.finish();
        let heard = heard.0.lock().unwrap();
        assert_eq!(heard.iter().map(String::len).sum::<usize>(), 100_000);
        assert_eq!(heard.len(), 13);
        assert_eq!(lines.last_lines().len(), 12 * 2049 + 1697);
    }

    /// spec: Capsule steps: a token that a child repeats is neither echoed nor kept.
    #[test]
    fn a_token_is_struck_out() {
        let (mut lines, heard) = lines(&["appr-1"]);
        lines.take(b"got appr-1\n");
        lines.hide(Secret::new("op-2".into()).into());
        lines.take(b"op-2 and appr-1\n");
        assert_eq!(
            *heard.0.lock().unwrap(),
            ["got [a secret]", "[a secret] and [a secret]"]
        );
        assert_eq!(
            lines.last_lines(),
            "\ngot [a secret]\n[a secret] and [a secret]"
        );
    }

    /// spec: Capsule steps: the first line reports the child, and only what follows is echoed.
    #[test]
    fn the_first_line_is_taken_out() {
        let (rest, heard) = lines(&[]);
        let mut out = FirstLine::new(rest);
        out.take(b"{\"a\":");
        assert_eq!(out.take_line(), None);
        out.take(b"1}\nlater\nlast");
        assert_eq!(out.take_line(), Some(First::Line(b"{\"a\":1}".to_vec())));
        assert_eq!(out.take_line(), None);
        out.take(b" one\n");
        assert_eq!(*heard.0.lock().unwrap(), ["later", "last one"]);
    }

    /// spec: Capsule steps: a first line without end is none, and is not echoed.
    #[test]
    fn a_first_line_without_end_is_none() {
        let (rest, heard) = lines(&[]);
        let mut out = FirstLine::new(rest);
        for _ in 0..2 {
            out.take(&[b'x'; 40_000]);
        }
        assert_eq!(out.take_line(), Some(First::TooLong));
        assert!(heard.0.lock().unwrap().is_empty());
    }
}
