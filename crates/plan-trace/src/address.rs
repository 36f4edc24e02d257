//! How a person names a session: `@1`, an id, the end of an id, a file. Finding its trace is the other half.

use std::{
    ffi::{OsStr, OsString},
    fmt::Write as _,
    fs, io,
    os::unix::ffi::OsStrExt,
    path::{Path, PathBuf},
};

use crate::{
    id::SessionId,
    records::{TRACE_FILE, records_dir},
};

/// What names a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// `@1`: the newest session of a workdir; `@2` the one before.
    Newest(usize),
    /// A whole id, or the end of one.
    Id(String),
    /// A file; a folder stands for the `trace.jsonl` in it.
    File(PathBuf),
}

/// Text that names no session.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` names no session: write `@1` for the newest, `@2` for the one before, a session's id or the end of one, \
     or a file, with a `/` in it or with `.jsonl` at its end",
    text.to_string_lossy()
)]
pub struct NotAnAddress {
    text: OsString,
}

/// A session that was not found, or not found alone.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    /// Nothing ran in the workdir.
    #[error("no session of `{}` has left a trace", workdir.display())]
    NoSession {
        /// The workdir.
        workdir: PathBuf,
        /// Sessions of other workdirs, the newest first: the folders of their records, below the home's.
        elsewhere: Vec<PathBuf>,
    },
    /// Fewer ran than the number says.
    #[error("there is no `@{wanted}`: {} of `{}` left a trace", sessions(*there), workdir.display())]
    TooFew {
        /// The number asked for.
        wanted: usize,
        /// How many there are.
        there: usize,
        /// The workdir.
        workdir: PathBuf,
    },
    /// No id ends so.
    #[error("no session's id is `{end}` or ends in it")]
    NoMatch {
        /// The text.
        end: String,
        /// Sessions of the workdir, the newest first.
        candidates: Vec<SessionId>,
    },
    /// Several ids end so.
    #[error("more than one session's id ends in `{end}`")]
    Ambiguous {
        /// The text.
        end: String,
        /// Sessions whose ids end so, the newest first.
        candidates: Vec<SessionId>,
        /// Whether these are all of them.
        is_all: bool,
    },
    /// The records could not be looked through.
    #[error("cannot look through `{}`: {error}", path.display())]
    Io {
        /// The folder.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
}

impl Address {
    /// Reads an address.
    ///
    /// # Errors
    ///
    /// For an empty text, and for an `@` without a number from 1.
    pub fn parse(text: &OsStr) -> Result<Self, NotAnAddress> {
        let bytes = text.as_bytes();
        if bytes.contains(&b'/') || bytes.ends_with(b".jsonl") {
            return Ok(Self::File(PathBuf::from(text)));
        }
        let read = || {
            let text = text.to_str()?;
            match text.strip_prefix('@') {
                Some(number) => {
                    let digits = number.bytes().all(|byte| byte.is_ascii_digit());
                    let number = number.parse().ok().filter(|&number| digits && number > 0);
                    number.map(Self::Newest)
                }
                None => (!text.is_empty()).then(|| Self::Id(text.to_owned())),
            }
        };
        read().ok_or_else(|| NotAnAddress {
            text: text.to_owned(),
        })
    }

    /// Returns the trace it names among the records of `home`. `workdir` is an absolute path without links.
    ///
    /// An id, or the end of one, is looked for in the workdir's records first, then in all of them: the child of a
    /// delegation works in a folder of its own.
    ///
    /// # Errors
    ///
    /// When there is no such session, or more than one. A file is not looked at.
    pub fn find(&self, home: &Path, workdir: &Path) -> Result<PathBuf, FindError> {
        let records = records_dir(home, workdir);
        match self {
            Self::File(path) if path.is_dir() => Ok(path.join(TRACE_FILE)),
            Self::File(path) => Ok(path.clone()),
            Self::Newest(number) => newest(*number, &records, home, workdir),
            Self::Id(end) => by_id(end, &records, home),
        }
    }
}

impl FindError {
    /// Returns what to write instead, with the candidates.
    pub fn hint(&self) -> String {
        match self {
            Self::NoSession {
                workdir: _,
                elsewhere,
            } => {
                let mut hint =
                    "name the folder a plan ran in with `--workdir DIR`, or a trace by its file"
                        .to_owned();
                let mut before = "; the newest sessions elsewhere ran in ";
                for folder in elsewhere {
                    // Writing to a string cannot fail, here and below.
                    let _ = write!(hint, "{before}`/{}`", folder.display());
                    before = ", ";
                }
                hint
            }
            Self::TooFew {
                wanted: _,
                there,
                workdir: _,
            } => format!("the oldest is `@{there}`"),
            Self::NoMatch { end: _, candidates } if candidates.is_empty() => {
                "name the folder it ran in with `--workdir DIR`, or its trace by its file"
                    .to_owned()
            }
            Self::NoMatch { end: _, candidates } => {
                let mut hint = "the newest sessions here are ".to_owned();
                list(&mut hint, candidates);
                hint
            }
            Self::Ambiguous {
                end: _,
                candidates,
                is_all,
            } => {
                let mut hint = "write more of the one you mean: ".to_owned();
                list(&mut hint, candidates);
                if !is_all {
                    hint.push_str(", …");
                }
                hint
            }
            Self::Io { path: _, error: _ } => {
                "name another folder for records with `--home DIR`, or a trace by its file"
                    .to_owned()
            }
        }
    }
}

fn list(hint: &mut String, ids: &[SessionId]) {
    for (at, id) in ids.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        let _ = write!(hint, "{comma}`{id}`");
    }
}

fn newest(
    number: usize,
    records: &Path,
    home: &Path,
    workdir: &Path,
) -> Result<PathBuf, FindError> {
    let mut there = 0;
    for id in sessions_in(records)? {
        let trace = trace_of(records, id);
        if trace.is_file() {
            there += 1;
            if there == number {
                return Ok(trace);
            }
        }
    }
    let workdir = workdir.to_owned();
    if there > 0 {
        return Err(FindError::TooFew {
            wanted: number,
            there,
            workdir,
        });
    }
    let root = records_dir(home, Path::new("/"));
    let mut found = everywhere(&root);
    found.sort_by_key(|(id, _)| std::cmp::Reverse(*id));
    let folders = found.into_iter().filter_map(|(_, folder)| {
        let workdir = folder.strip_prefix(&root).ok()?;
        Some(workdir.to_owned())
    });
    let mut elsewhere: Vec<PathBuf> = Vec::new();
    for folder in folders {
        if elsewhere.len() < MOST_ELSEWHERE && !elsewhere.contains(&folder) {
            elsewhere.push(folder);
        }
    }
    Err(FindError::NoSession { workdir, elsewhere })
}

fn by_id(end: &str, records: &Path, home: &Path) -> Result<PathBuf, FindError> {
    let here = sessions_in(records)?;
    let ends_so = |id: &SessionId| id.to_string().ends_with(end);
    let mut found: Vec<(SessionId, PathBuf)> = here
        .iter()
        .filter(|id| ends_so(id))
        .map(|&id| (id, records.to_owned()))
        .filter(|(id, folder)| trace_of(folder, *id).is_file())
        .collect();
    if found.is_empty() {
        found = everywhere(&records_dir(home, Path::new("/")));
        found.retain(|(id, _)| ends_so(id));
        found.sort_by_key(|(id, _)| std::cmp::Reverse(*id));
    }
    match found.as_slice() {
        [(id, folder)] => Ok(trace_of(folder, *id)),
        [] => Err(FindError::NoMatch {
            end: end.to_owned(),
            candidates: here
                .into_iter()
                .filter(|&id| trace_of(records, id).is_file())
                .take(MOST_CANDIDATES)
                .collect(),
        }),
        several => Err(FindError::Ambiguous {
            end: end.to_owned(),
            candidates: several
                .iter()
                .take(MOST_CANDIDATES)
                .map(|(id, _)| *id)
                .collect(),
            is_all: several.len() <= MOST_CANDIDATES,
        }),
    }
}

fn trace_of(records: &Path, id: SessionId) -> PathBuf {
    records.join(id.to_string()).join(TRACE_FILE)
}

/// Returns the sessions that have a folder in `records`, the newest first; none when that is not there.
fn sessions_in(records: &Path) -> Result<Vec<SessionId>, FindError> {
    let failed = |error| FindError::Io {
        path: records.to_owned(),
        error,
    };
    let entries = match fs::read_dir(records) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(failed(error)),
    };
    let mut ids = Vec::new();
    for entry in entries {
        let name = entry.map_err(failed)?.file_name();
        ids.extend(session_named(&name));
    }
    // Ids are UUIDv7: they sort as the sessions began.
    ids.sort_by_key(|&id| std::cmp::Reverse(id));
    Ok(ids)
}

/// Returns the sessions of every workdir that have a trace, each with the folder of its workdir's records. What
/// cannot be read is passed over, no link is followed, and the search is given up after [`MOST_LOOKED_AT`] entries.
fn everywhere(root: &Path) -> Vec<(SessionId, PathBuf)> {
    let mut found = Vec::new();
    let mut looked_at = 0;
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries.filter_map(Result::ok) {
            looked_at += 1;
            if looked_at > MOST_LOOKED_AT {
                return found;
            }
            if !entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                continue;
            }
            match session_named(&entry.file_name()) {
                Some(id) if trace_of(&folder, id).is_file() => found.push((id, folder.clone())),
                // A session's folder is also a level of the path that its children work in.
                Some(_) | None => folders.push(entry.path()),
            }
        }
    }
    found
}

fn session_named(name: &OsStr) -> Option<SessionId> {
    SessionId::parse(name.to_str()?).ok()
}

fn sessions(number: usize) -> String {
    match number {
        1 => "1 session".to_owned(),
        _ => format!("{number} sessions"),
    }
}

/// More are no help in choosing.
const MOST_CANDIDATES: usize = 10;
const MOST_ELSEWHERE: usize = 3;
/// A home with more is looked through for seconds.
const MOST_LOOKED_AT: usize = 200_000;
