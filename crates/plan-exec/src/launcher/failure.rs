//! What a launcher could not do: the exact operation, what it was about, and the system's answer.

use std::{fmt, io};

use rustix::io::Errno;
use serde::{Deserialize, Serialize};

/// A failure on its way from a launcher to the runtime.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Failure {
    /// What failed.
    pub(crate) operation: Operation,
    /// The path or the name it was about; empty for none.
    pub(crate) subject: String,
    /// The system's error number; 0 when the system was not asked.
    pub(crate) errno: i32,
}

/// What a launcher does, as far as it can fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Operation {
    /// Reading its instructions.
    ReadInstructions,
    /// Doing what is asked on this system.
    Support,
    /// Joining the step's cgroup.
    JoinLeaf,
    /// Finding a tree where it was when the session began.
    FindTree,
    /// Getting a mount namespace of its own.
    EnterNamespace,
    /// Mapping its user and group into a user namespace.
    MapIds,
    /// Cutting the namespace's mounts off from the host's.
    MakePrivate,
    /// Making a copy of a tree's mounts.
    CloneTree,
    /// Making that copy read-only.
    MakeReadOnly,
    /// Putting the copy in the tree's place.
    AttachTree,
    /// Seeing a read-only tree refuse a write.
    SeeReadOnly,
    /// Entering the working directory.
    EnterWorkdir,
    /// Giving up the rights that lead around the walls.
    GiveUpPrivileges,
    /// Restricting itself with Landlock.
    Restrict,
    /// Putting a standard stream in place.
    PlaceStream,
    /// Setting a limit.
    SetLimit,
    /// Preparing the program's words for the system.
    SpellWords,
    /// Becoming the program.
    Execute,
    /// Starting to supervise.
    Supervise,
    /// Starting the process that becomes the program.
    Fork,
    /// Ending a scope whose runtime has died.
    EndScope,
    /// Living until the program's start.
    Survive,
}

impl Failure {
    pub(crate) fn new(operation: Operation, errno: Errno) -> Self {
        Self::about(operation, "", errno)
    }

    pub(crate) fn about(operation: Operation, subject: &str, errno: Errno) -> Self {
        Self {
            operation,
            subject: subject.into(),
            errno: errno.raw_os_error(),
        }
    }

    pub(crate) fn from_io(operation: Operation, subject: &str, error: &io::Error) -> Self {
        Self {
            operation,
            subject: subject.into(),
            errno: error.raw_os_error().unwrap_or_default(),
        }
    }

    /// Returns the system's error.
    pub(crate) fn error(&self) -> io::Error {
        io::Error::from_raw_os_error(self.errno)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let doing = match self.operation {
            Operation::ReadInstructions => "read its instructions",
            Operation::Support => "do on this system",
            Operation::JoinLeaf => "join the step's cgroup",
            Operation::FindTree => "find where it was when the session began",
            Operation::EnterNamespace => "get a mount namespace of its own",
            Operation::MapIds => "map its user into a namespace of its own",
            Operation::MakePrivate => "cut its mounts off from the host's",
            Operation::CloneTree => "copy the mounts of",
            Operation::MakeReadOnly => "make read-only",
            Operation::AttachTree => "mount in its place",
            Operation::SeeReadOnly => "find read-only",
            Operation::EnterWorkdir => "enter the working directory",
            Operation::GiveUpPrivileges => "give up the rights that lead around its walls",
            Operation::Restrict => "restrict itself with Landlock",
            Operation::PlaceStream => "put in place",
            Operation::SetLimit => "set the limit of",
            Operation::SpellWords => "hand over",
            Operation::Execute => "become the program",
            Operation::Supervise => "supervise",
            Operation::Fork => "start a process",
            Operation::EndScope => "end the scope",
            Operation::Survive => "live until the program began",
        };
        write!(f, "the launcher could not {doing}")?;
        if !self.subject.is_empty() {
            write!(f, " `{}`", self.subject)?;
        }
        if self.errno != 0 {
            write!(f, ": {}", self.error())?;
        }
        Ok(())
    }
}
