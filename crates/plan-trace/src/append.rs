//! The one writer of trace lines. A line is one write; after a failed write nothing is written any more.

use std::{
    collections::HashSet,
    io::{self, Write},
    path::PathBuf,
    sync::Arc,
};

use crate::{
    id::{EventId, Mint, SessionId},
    record::{Event, Record},
};

/// Writes the lines of one session's trace.
#[derive(Debug)]
pub struct Appender<W> {
    pub(crate) writer: W,
    path: Option<PathBuf>,
    session: SessionId,
    footing: Footing,
    anchors: HashSet<EventId>,
    mint: Mint,
    line: Vec<u8>,
    broken: Option<AppendError>,
}

/// Whether the trace has a session to hang off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Footing {
    /// The first line will tell.
    Open,
    /// There is a `session_start`, here or in what the embedder wrote.
    Rooted,
    /// There is none, so every line's `parent_id` is `null`.
    Rootless,
}

/// Why a line was not written.
#[derive(Debug, Clone, thiserror::Error)]
pub enum AppendError {
    /// The write failed. Every later append fails with the same error.
    #[error("cannot write to the trace{}: {error}", named(path))]
    Write {
        /// The file, where it is known.
        path: Option<PathBuf>,
        /// The error of the operating system.
        error: Arc<io::Error>,
    },
    /// Part of a line was written, so the trace ends in a torn line. Every later append fails with the same error.
    #[error(
        "cannot write to the trace{}: {written} of the {length} bytes of a line were written; is the disk full?",
        named(path)
    )]
    ShortWrite {
        /// The file, where it is known.
        path: Option<PathBuf>,
        /// The bytes that were written.
        written: usize,
        /// The bytes of the line.
        length: usize,
    },
    /// The line may not stand where it was to stand. Nothing was written, and the next append may succeed.
    #[error("cannot write a `{}` line: {fault}", event.name())]
    Place {
        /// The kind of the line.
        event: Event,
        /// What is wrong.
        fault: PlaceFault,
    },
    /// No id is left that sorts after the last one.
    #[error("cannot write to the trace: no event id sorts after the last one")]
    IdsExhausted,
}

/// Why a line may not stand where it was to stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlaceFault {
    /// It needs a parent.
    #[error("it must hang off an earlier line")]
    NoParent,
    /// A `session_start` hangs off nothing.
    #[error("it hangs off nothing, so it takes no parent")]
    HasParent,
    /// Its parent is no line that others hang off.
    #[error("no session, task or plan was written as `{0}`")]
    UnknownParent(EventId),
    /// A `session_start` comes first, and once.
    #[error("it can only be the first line")]
    NotFirst,
}

impl<W: Write> Appender<W> {
    /// Begins a trace. When its first line is not a `session_start`, every `parent_id` in it is `null`.
    ///
    /// `writer` must be append-only and unbuffered: each line is one call of its `write`.
    pub fn new(writer: W, session: SessionId) -> Self {
        Self::with_footing(writer, session, Footing::Open, &[])
    }

    /// Continues the trace of an embedding runtime, whose session and task (or turn) are `nodes`. Without any
    /// node the trace is taken to have no `session_start`.
    ///
    /// `writer` must be append-only and unbuffered, and stand at the start of a line.
    pub fn under(writer: W, session: SessionId, nodes: &[EventId]) -> Self {
        let footing = match nodes {
            [] => Footing::Rootless,
            [_, ..] => Footing::Rooted,
        };
        Self::with_footing(writer, session, footing, nodes)
    }

    fn with_footing(writer: W, session: SessionId, footing: Footing, nodes: &[EventId]) -> Self {
        Self {
            writer,
            path: None,
            session,
            footing,
            anchors: nodes.iter().copied().collect(),
            mint: Mint::after(nodes),
            line: Vec::new(),
            broken: None,
        }
    }

    pub(crate) fn at(self, path: PathBuf) -> Self {
        Self {
            path: Some(path),
            ..self
        }
    }

    /// Returns the session.
    pub fn session(&self) -> SessionId {
        self.session
    }

    /// Writes `record` as one line that hangs off `parent`, at `now_ms` in unix milliseconds.
    ///
    /// # Errors
    ///
    /// A failed or short write breaks the appender for good: the same error is returned from then on and nothing
    /// more is written, so that no line follows a torn one.
    pub fn append(
        &mut self,
        now_ms: u64,
        parent: Option<&EventId>,
        record: &Record<'_>,
    ) -> Result<EventId, AppendError> {
        if let Some(error) = &self.broken {
            return Err(error.clone());
        }
        let event = record.event();
        let (footing, parent) = self
            .place(event, parent)
            .map_err(|fault| AppendError::Place { event, fault })?;
        let id = self.mint.next(now_ms).ok_or(AppendError::IdsExhausted)?;
        self.encode(id, parent, now_ms, record);
        if let Err(error) = self.write_line() {
            self.broken = Some(error.clone());
            return Err(error);
        }
        self.footing = footing;
        if is_anchor(event) {
            self.anchors.insert(id);
        }
        if self.line.capacity() > KEPT_LINE {
            self.line = Vec::new();
        }
        Ok(id)
    }

    /// Returns the footing after a line and the `parent_id` it gets.
    fn place(
        &self,
        event: Event,
        parent: Option<&EventId>,
    ) -> Result<(Footing, Option<EventId>), PlaceFault> {
        if event == Event::SessionStart {
            return match (self.footing, parent) {
                (Footing::Open, None) => Ok((Footing::Rooted, None)),
                (Footing::Open, Some(_)) => Err(PlaceFault::HasParent),
                (Footing::Rooted | Footing::Rootless, _) => Err(PlaceFault::NotFirst),
            };
        }
        if let Some(parent) = parent
            && !self.anchors.contains(parent)
        {
            return Err(PlaceFault::UnknownParent(*parent));
        }
        match (self.footing, parent) {
            (Footing::Rooted, Some(parent)) => Ok((Footing::Rooted, Some(*parent))),
            (Footing::Rooted, None) => Err(PlaceFault::NoParent),
            (Footing::Open | Footing::Rootless, _) => Ok((Footing::Rootless, None)),
        }
    }

    fn encode(&mut self, id: EventId, parent: Option<EventId>, now_ms: u64, record: &Record<'_>) {
        let Self { line, session, .. } = self;
        line.clear();
        line.extend_from_slice(b"{\"event_type\":\"");
        line.extend_from_slice(record.event().name().as_bytes());
        line.extend_from_slice(b"\",\"event_id\":\"");
        id.write(line);
        match parent {
            Some(parent) => {
                line.extend_from_slice(b"\",\"parent_id\":\"");
                parent.write(line);
                line.push(b'"');
            }
            None => line.extend_from_slice(b"\",\"parent_id\":null"),
        }
        write!(line, ",\"session_id\":\"{session}\",\"timestamp\":{now_ms}")
            .expect("a vector takes any write");
        let payload = line.len();
        record
            .write(line)
            .expect("a record has only text keys and values that serialise");
        // The payload's brace becomes the comma between the common keys and its own.
        if line[payload..] == *b"{}" {
            line.remove(payload);
        } else {
            line[payload] = b',';
        }
        line.push(b'\n');
    }

    fn write_line(&mut self) -> Result<(), AppendError> {
        let written = loop {
            match self.writer.write(&self.line) {
                Ok(written) => break written,
                // Nothing was written.
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => {
                    return Err(AppendError::Write {
                        path: self.path.clone(),
                        error: Arc::new(error),
                    });
                }
            }
        };
        if written < self.line.len() {
            return Err(AppendError::ShortWrite {
                path: self.path.clone(),
                written,
                length: self.line.len(),
            });
        }
        Ok(())
    }
}

/// The largest line buffer that is kept for the next line; a `plan_start` may need a hundred megabytes once.
const KEPT_LINE: usize = 1 << 20;

/// Returns whether other lines hang off a line of this kind (trace.md, "hangs off").
fn is_anchor(event: Event) -> bool {
    match event {
        Event::SessionStart | Event::TaskStart | Event::PlanStart => true,
        Event::PlanStepStart
        | Event::PlanStep
        | Event::PlanEnd
        | Event::DelegationStart
        | Event::Delegation
        | Event::CallDenied
        | Event::ProtectedPathDenied
        | Event::TaskCanceled
        | Event::TaskEnd
        | Event::SpawnerEnded
        | Event::SessionEnd => false,
    }
}

fn named(path: &Option<PathBuf>) -> String {
    path.as_ref()
        .map(|path| format!(" `{}`", path.display()))
        .unwrap_or_default()
}
