//! Where trace lines go: an embedder's sink, or a file.

use std::{
    fs::File,
    sync::{Mutex, PoisonError},
};

use plan_trace::{Appender, EventId, Record};

use crate::clock::now_ms;

/// Takes the lines of a trace. An embedding runtime hands in its own, so that a plan's lines stand among
/// the session's.
pub trait TraceSink: Send + Sync {
    /// Writes one line that hangs off `parent`, and returns its id.
    ///
    /// # Errors
    /// When the line may not have reached the file; the plan then ends (trace.md: never untraced).
    fn append(&self, parent: Option<&EventId>, record: &Record<'_>)
    -> Result<EventId, TraceFailed>;
}

/// A trace line could not be written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct TraceFailed(String);

impl TraceFailed {
    /// Makes the error from its whole sentence, such as `cannot write to the trace: no space left on device`.
    pub fn new(sentence: impl Into<String>) -> Self {
        Self(sentence.into())
    }
}

/// A trace file, shared by the plan and whoever frames it.
#[derive(Debug)]
pub struct FileTrace {
    appender: Mutex<Appender<File>>,
}

impl FileTrace {
    /// Writes to `appender`, stamped by the wall clock.
    pub fn new(appender: Appender<File>) -> Self {
        let appender = Mutex::new(appender);
        Self { appender }
    }

    /// Makes sure that the file is still there.
    ///
    /// # Errors
    /// When it was removed meanwhile, by a step for example: what was written is lost.
    pub fn ensure_kept(&self) -> Result<(), TraceFailed> {
        let appender = self.appender.lock().unwrap_or_else(PoisonError::into_inner);
        match appender.is_kept() {
            Ok(true) => Ok(()),
            Ok(false) => Err(TraceFailed::new("the trace was removed while the plan ran")),
            Err(error) => Err(TraceFailed::new(error.to_string())),
        }
    }
}

impl TraceSink for FileTrace {
    fn append(
        &self,
        parent: Option<&EventId>,
        record: &Record<'_>,
    ) -> Result<EventId, TraceFailed> {
        // A panic while appending leaves at worst a torn line, which the appender itself refuses to follow.
        let mut appender = self.appender.lock().unwrap_or_else(PoisonError::into_inner);
        appender
            .append(now_ms(), parent, record)
            .map_err(|error| TraceFailed::new(error.to_string()))
    }
}
