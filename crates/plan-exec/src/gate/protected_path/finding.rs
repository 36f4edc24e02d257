//! What was found against a call, and the refusal it becomes.

use std::path::{Path, PathBuf};

use crate::gate::{Refusal, RefusalRecord};

/// A write of a protected path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// The path written, resolved.
    pub(super) path: PathBuf,
    /// What protects it.
    pub(super) rule: Rule,
    /// How the two lie to one another.
    pub(super) relation: Relation,
    /// What showed it to be a write: a phrase, such as "redirection `>`".
    pub(super) signal: String,
}

/// Why a subtree is protected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Rule {
    /// This entry of `read_only`, as declared.
    Entry(String),
    /// It is a part of this, in words: what judges the steps.
    PartOf(String),
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
            rule,
            relation,
            signal,
        } = self;
        let path = relative(&path, workdir);
        let relation = match relation {
            Relation::Within => "is protected",
            Relation::Holds => "holds what is protected",
            Relation::HardLink => "is a hard link to a file protected",
        };
        let (because, elsewhere, rule) = match rule {
            Rule::Entry(entry) => (
                format!("by `{entry}` in capabilities.filesystem.read_only"),
                format!("write to a path outside of `{entry}`, or only read there"),
                entry,
            ),
            Rule::PartOf(what) => (
                format!("as a part of {what}"),
                "write to another path, or only read this one".to_owned(),
                what,
            ),
        };
        let reason = format!("`{path}` {relation} {because} and would be written ({signal})");
        Refusal {
            error: format!("{reason}; nothing of this step ran; {elsewhere}"),
            record: RefusalRecord::ProtectedPath {
                target,
                path,
                rule,
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
