//! What was found against a call, and the refusal it becomes.

use std::path::{Path, PathBuf};

use crate::gate::{Refusal, RefusalRecord};

/// A write of a protected path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// The path written, resolved.
    pub(super) path: PathBuf,
    /// The entry as declared.
    pub(super) entry: String,
    /// How the two lie to one another.
    pub(super) relation: Relation,
    /// What showed it to be a write: a phrase, such as "redirection `>`".
    pub(super) signal: String,
}

/// How a path lies to the protected subtree it touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    /// It is the subtree, or lies in it.
    Within,
    /// It holds the subtree, and what is done reaches below.
    Holds,
    /// It is another name of a file in the subtree.
    HardLink,
}

impl Finding {
    /// Words the refusal. `target` is the resolved program, or the tool's name.
    pub(super) fn refusal(self, target: String, workdir: &Path) -> Refusal {
        let Self {
            path,
            entry,
            relation,
            signal,
        } = self;
        let path = relative(&path, workdir);
        let relation = match relation {
            Relation::Within => "is protected by",
            Relation::Holds => "holds what is protected by",
            Relation::HardLink => "is a hard link to a file protected by",
        };
        let reason = format!(
            "`{path}` {relation} `{entry}` in capabilities.filesystem.read_only and would be written \
             ({signal})"
        );
        Refusal {
            error: format!(
                "{reason}; nothing of this step ran; write to a path outside of `{entry}`, or only read there"
            ),
            record: RefusalRecord::ProtectedPath {
                target,
                path,
                rule: entry,
                signal,
                reason,
            },
        }
    }
}

/// Returns `path` relative to the workdir, `.` for the workdir itself.
fn relative(path: &Path, workdir: &Path) -> String {
    match path.strip_prefix(workdir) {
        Ok(below) if below.as_os_str().is_empty() => ".".to_owned(),
        Ok(below) => below.display().to_string(),
        Err(_) => path.display().to_string(),
    }
}
