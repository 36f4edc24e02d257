//! How a session ended, also where its trace does not say.

use crate::pair::Run;

/// Whether a trace is still being written, as far as can be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writer {
    /// The command that writes it is there: it holds the file, which [`crate::is_held`] tells.
    There,
    /// Nobody holds it.
    NotSeen,
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Its trace has an end.
    Ended,
    /// It is still going on.
    GoingOn,
    /// It was killed before it could end its trace.
    Killed,
    /// It is going on or was killed: the trace is another program's, which does not hold the file it writes.
    NoEnd,
    /// Its trace says nothing of a session, only of plans: an embedding runtime wrote it.
    NoSession,
}

impl Ending {
    /// Returns how `run` ended. Only the command's own traces have `bounding_achieved`, and it holds them.
    pub fn of(run: &Run, writer: Writer) -> Self {
        let is_ours = run
            .start
            .as_ref()
            .is_some_and(|start| start.bounding_achieved.is_some());
        match (&run.end, writer) {
            (Some(_), _) => Self::Ended,
            (None, Writer::There) => Self::GoingOn,
            (None, Writer::NotSeen) if run.start.is_none() => Self::NoSession,
            (None, Writer::NotSeen) if is_ours => Self::Killed,
            (None, Writer::NotSeen) => Self::NoEnd,
        }
    }

    /// Returns the word for a program.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ended => "ended",
            Self::GoingOn => "going_on",
            Self::Killed => "killed",
            Self::NoEnd => "no_end",
            Self::NoSession => "no_session",
        }
    }
}
