//! Words for why a program was not started, where the system's own would mislead.

use std::{io, path::Path};

use rustix::io::Errno;

use super::spawn::Start;
use crate::launcher::{Failure, Operation};

/// Returns why the program itself could not be started.
pub(super) fn reason(error: &io::Error, start: &Start<'_>) -> String {
    let errno = error.raw_os_error().map(Errno::from_raw_os_error);
    match errno {
        _ if !start.workdir.is_dir() => no_workdir(start.workdir),
        Some(Errno::NOENT) if start.workdir.join(start.path).exists() => {
            "the interpreter its first line names does not exist".into()
        }
        Some(Errno::NOENT) => "no such file".into(),
        Some(Errno::ACCESS) => "it is not an executable file".into(),
        Some(Errno::NOEXEC) => {
            "it is not a program of this system, nor a script whose first line names one".into()
        }
        _ => error.to_string(),
    }
}

/// Returns why a launcher did not become the program: the program's fault in the same words as without a launcher,
/// anything else with what the launcher was doing.
pub(super) fn reason_of(failure: &Failure, start: &Start<'_>) -> String {
    match failure.operation {
        Operation::Execute => reason(&failure.error(), start),
        Operation::EnterWorkdir if !start.workdir.is_dir() => no_workdir(start.workdir),
        Operation::ReadInstructions
        | Operation::Support
        | Operation::JoinLeaf
        | Operation::FindTree
        | Operation::GiveUpPrivileges
        | Operation::EnterNamespace
        | Operation::MapIds
        | Operation::MakePrivate
        | Operation::CloneTree
        | Operation::MakeReadOnly
        | Operation::AttachTree
        | Operation::SeeReadOnly
        | Operation::EnterWorkdir
        | Operation::Restrict
        | Operation::PlaceStream
        | Operation::SetLimit
        | Operation::SpellWords
        | Operation::Supervise
        | Operation::Fork
        | Operation::EndScope
        | Operation::Survive => failure.to_string(),
    }
}

fn no_workdir(workdir: &Path) -> String {
    format!(
        "the working directory `{}` does not exist",
        workdir.display()
    )
}
