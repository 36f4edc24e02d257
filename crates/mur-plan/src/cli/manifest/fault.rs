//! What is wrong with a manifest, and where.

use std::fmt;
use std::io;
use std::ops::Range;
use std::path::PathBuf;

use crate::cli::snippet::{Mark, Sheet};
use crate::cli::visible::visible;

/// One mistake in a manifest's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The key, as a path: `capabilities.shell.allow[2]`; empty for the text as a whole.
    pub key: String,
    /// What is wrong: lower case, no full stop, names in backticks.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
    /// The bytes of the text meant.
    pub span: Range<usize>,
    /// The line they begin on, from 1.
    pub line: usize,
    /// The character they begin at in that line, from 1.
    pub column: usize,
}

/// Why there is no manifest.
#[derive(Debug, thiserror::Error)]
pub enum ManifestError {
    /// The file could not be opened or read.
    #[error("cannot read the manifest `{}`: {source}", visible(&path.to_string_lossy()))]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// It is a folder, a pipe or a device.
    #[error("the manifest `{}` is {what}, not a file", visible(&path.to_string_lossy()))]
    NotAFile {
        /// Where it is.
        path: PathBuf,
        /// What it is, with its article.
        what: &'static str,
    },
    /// It is larger than any manifest.
    #[error("the manifest `{}` is larger than {limit} bytes", visible(&path.to_string_lossy()))]
    TooLarge {
        /// The file.
        path: PathBuf,
        /// How many bytes are read at most.
        limit: usize,
    },
    /// Its text has mistakes.
    #[error("{}", Lines { path, faults })]
    Refused {
        /// The file.
        path: PathBuf,
        /// Its text.
        text: Vec<u8>,
        /// Every mistake, at least one.
        faults: Vec<Fault>,
    },
}

impl ManifestError {
    /// Returns the faults, each shown in the manifest's own text; empty when it could not be read at all.
    pub fn listing(&self, width: usize, colour: bool) -> String {
        let Self::Refused { path, text, faults } = self else {
            return String::new();
        };
        let name = path.to_string_lossy();
        let sheet = Sheet {
            name: &name,
            text,
            width,
            colour,
        };
        let shown = faults.iter().map(|fault| {
            let mut text = sheet.show(&Mark {
                is_error: true,
                code: None,
                message: &fault.message,
                hint: fault.hint.as_deref(),
                span: fault.span.clone(),
                line: fault.line,
                column: fault.column,
            });
            text.push('\n');
            text
        });
        shown.collect()
    }

    /// Returns what to do about a manifest that could not be read at all.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::Io { path: _, source: _ } => Some("name another file with `--manifest FILE`"),
            Self::NotAFile { path: _, what: _ } => Some("name a file, such as `murmur.yaml`"),
            Self::TooLarge { path: _, limit: _ } => {
                Some("a manifest is a few hundred lines at most")
            }
            Self::Refused {
                path: _,
                text: _,
                faults: _,
            } => None,
        }
    }
}

/// One fault to a line, each with its place.
struct Lines<'e> {
    path: &'e PathBuf,
    faults: &'e [Fault],
}

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.to_string_lossy();
        for (at, fault) in self.faults.iter().enumerate() {
            if at > 0 {
                f.write_str("\n")?;
            }
            let (path, message) = (visible(&path), visible(&fault.message));
            write!(f, "{path}:{}:{}: {message}", fault.line, fault.column)?;
        }
        Ok(())
    }
}
