//! A trace file as a stream of lines.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::{Path, PathBuf},
    str,
};

use super::line::{self, Line, LineFault};
use crate::record::Event;

/// The most bytes a line may have. The longest is a `plan_start`: a million steps with long ids are 200 MB.
pub const LINE_LIMIT: usize = 512 << 20;

/// Reads the lines of one trace, holding one at a time.
///
/// As an [`Iterator`] it gives lines that own what they hold; [`Reader::next_line`] gives lines that borrow, which
/// is faster. Either ends after the first error.
#[derive(Debug)]
pub struct Reader<R> {
    source: R,
    path: PathBuf,
    rootless: bool,
    line: Vec<u8>,
    number: u64,
    started: bool,
    ended: bool,
    torn: Option<u64>,
}

/// A trace that cannot be read: the file, the line and what is wrong there.
#[derive(Debug, thiserror::Error)]
#[error("cannot read the trace `{}`{}: {fault}", path.display(), place(*line))]
pub struct ReadError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1, where it is one line's fault.
    pub line: Option<u64>,
    /// What is wrong.
    pub fault: ReadFault,
}

/// What is wrong with a trace that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadFault {
    /// The operating system refused.
    #[error("{0}")]
    Io(io::Error),
    /// It has no byte.
    #[error("it is empty")]
    Empty,
    /// It says nothing about its session.
    #[error("it has no `session_start`")]
    NoSessionStart,
    /// Something stands where its session should begin.
    #[error("a `{}` stands before any `session_start`", event.name())]
    BeforeSessionStart {
        /// What stands there.
        event: Event,
    },
    /// A line does not fit.
    #[error("{0}")]
    Line(LineFault),
}

impl Reader<BufReader<File>> {
    /// Opens the trace at `path`.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        let path = path.as_ref();
        let file = File::open(path).map_err(|error| ReadError {
            path: path.to_owned(),
            line: None,
            fault: ReadFault::Io(error),
        })?;
        Ok(Self::of(file, path))
    }

    /// Reads a trace from an open file; `path` is how errors name it.
    pub fn of(file: File, path: impl Into<PathBuf>) -> Self {
        /// As much as a disk likes to be asked for at once.
        const BUFFER: usize = 256 << 10;
        Self::new(BufReader::with_capacity(BUFFER, file), path)
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads a trace from `source`; `path` is how errors name it.
    pub fn new(source: R, path: impl Into<PathBuf>) -> Self {
        Self {
            source,
            path: path.into(),
            rootless: false,
            line: Vec::new(),
            number: 0,
            started: false,
            ended: false,
            torn: None,
        }
    }

    /// Accepts a trace without a `session_start`, as an embedder may write it.
    #[must_use]
    pub fn rootless(self) -> Self {
        Self {
            rootless: true,
            ..self
        }
    }

    /// Returns the number of the torn last line, once it was met. It was skipped.
    pub fn torn(&self) -> Option<u64> {
        self.torn
    }

    /// Returns the next line this version knows, or `None` at the end.
    pub fn next_line(&mut self) -> Result<Option<Line<'_>>, ReadError> {
        if self.ended {
            return Ok(None);
        }
        // Set first: every way out but the last is an end.
        self.ended = true;
        let Some(event) = self.find()? else {
            return Ok(None);
        };
        // Only the line is borrowed from here on.
        let read = text(&self.line).and_then(|text| line::read(event, text));
        match read {
            Ok((envelope, record)) => {
                self.ended = false;
                Ok(Some(Line {
                    number: self.number,
                    envelope,
                    record,
                }))
            }
            Err(fault) => Err(ReadError {
                path: self.path.clone(),
                line: Some(self.number),
                fault: ReadFault::Line(fault),
            }),
        }
    }

    /// Fills the buffer with the next line of a known kind and returns the kind.
    fn find(&mut self) -> Result<Option<Event>, ReadError> {
        while self.fill()? {
            if self.line.iter().all(u8::is_ascii_whitespace) {
                continue;
            }
            if self.line.last() != Some(&b'\n') && !line::is_whole(&self.line) {
                self.torn = Some(self.number);
                continue;
            }
            let event = text(&self.line)
                .and_then(line::event)
                .map_err(|fault| self.at_line(ReadFault::Line(fault)))?;
            let Some(event) = event else {
                continue;
            };
            if !self.started && !self.rootless && event != Event::SessionStart {
                return Err(self.at_line(ReadFault::BeforeSessionStart { event }));
            }
            self.started = true;
            return Ok(Some(event));
        }
        if self.number == 0 {
            return Err(self.at_file(ReadFault::Empty));
        }
        if !self.started && !self.rootless {
            return Err(self.at_file(ReadFault::NoSessionStart));
        }
        Ok(None)
    }

    /// Reads one line with its newline into the buffer; `false` at the end of the file.
    fn fill(&mut self) -> Result<bool, ReadError> {
        self.line.clear();
        if self.line.capacity() > KEPT_LINE {
            self.line = Vec::new();
        }
        let limit = LINE_LIMIT as u64 + 1;
        let read = self
            .source
            .by_ref()
            .take(limit)
            .read_until(b'\n', &mut self.line)
            .map_err(|error| self.at_file(ReadFault::Io(error)))?;
        if read == 0 {
            return Ok(false);
        }
        self.number += 1;
        if read > LINE_LIMIT {
            let fault = LineFault::TooLong { limit: LINE_LIMIT };
            return Err(self.at_line(ReadFault::Line(fault)));
        }
        Ok(true)
    }

    fn at_line(&self, fault: ReadFault) -> ReadError {
        ReadError {
            path: self.path.clone(),
            line: Some(self.number),
            fault,
        }
    }

    fn at_file(&self, fault: ReadFault) -> ReadError {
        ReadError {
            path: self.path.clone(),
            line: None,
            fault,
        }
    }
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<Line<'static>, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.next_line()
            .map(|line| line.map(Line::into_owned))
            .transpose()
    }
}

/// The largest line buffer that is kept for the next line.
const KEPT_LINE: usize = 1 << 20;

fn text(line: &[u8]) -> Result<&str, LineFault> {
    str::from_utf8(line.strip_suffix(b"\n").unwrap_or(line)).map_err(|_| LineFault::NotUtf8)
}

fn place(line: Option<u64>) -> String {
    line.map(|line| format!(", line {line}"))
        .unwrap_or_default()
}
