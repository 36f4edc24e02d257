//! The trace that the command line names, found and read.

use std::{
    ffi::OsStr,
    fs::{self, File},
    path::{Path, PathBuf},
};

use plan_trace::{Reader, address::Address, is_held, pair::Run, render::Writer};

use crate::cli::{refusal::Refusal, session};

/// Which trace is asked for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Asked<'a> {
    pub(crate) session: &'a OsStr,
    /// Where the plan ran; here unless it says.
    pub(crate) workdir: Option<&'a Path>,
    /// Where records are kept; as for `run` unless it says.
    pub(crate) home: Option<&'a Path>,
}

/// A trace that was read.
pub(crate) struct Found {
    pub(crate) run: Run,
    pub(crate) writer: Writer,
}

impl Found {
    /// Finds and reads the trace that is asked for.
    pub(crate) fn read(asked: Asked<'_>) -> Result<Self, Refusal> {
        let address = Address::parse(asked.session).map_err(|error| {
            let hint =
                "`mur-plan trace show` without a session shows the newest one of this folder";
            Refusal::new(error, hint)
        })?;
        let path = match address {
            // A file needs no home.
            Address::File(_) => address.find(Path::new(""), Path::new("")),
            Address::Newest(_) | Address::Id(_) => {
                let workdir = workdir(asked.workdir)?;
                address.find(&session::home(asked.home)?, &workdir)
            }
        };
        let path = path.map_err(|error| Refusal::new(&error, error.hint()))?;
        let file = File::open(&path).map_err(|error| {
            let message = format!("cannot read the trace `{}`: {error}", path.display());
            Refusal::new(message, FILE_HINT)
        })?;
        // Before it is read: a run that ends in between has then written its end. What cannot be locked cannot
        // tell.
        let writer = match is_held(&file) {
            Ok(true) => Writer::There,
            Ok(false) | Err(_) => Writer::NotSeen,
        };
        // The trace of an embedding runtime need not begin with a session.
        let mut reader = Reader::of(file, &path).rootless();
        let run = Run::read(&mut reader).map_err(|error| Refusal::new(error, FILE_HINT))?;
        if run.last.is_none() {
            let message = format!("`{}` holds no line of a trace", path.display());
            return Err(Refusal::new(message, FILE_HINT));
        }
        Ok(Self { run, writer })
    }
}

/// Returns the workdir as records are filed under it. One that is gone still has its records.
fn workdir(named: Option<&Path>) -> Result<PathBuf, Refusal> {
    let path = named.unwrap_or(Path::new("."));
    fs::canonicalize(path)
        .or_else(|_| std::path::absolute(path))
        .map_err(|error| {
            let message = format!("cannot find `{}`: {error}", path.display());
            Refusal::new(
                message,
                "name the folder the plan ran in with `--workdir DIR`",
            )
        })
}

const FILE_HINT: &str = "name a `trace.jsonl` that Murmur or `mur-plan run` wrote";
