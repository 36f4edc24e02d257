//! The plan's text, from a file or standard input. What it says is left to plan-model.

use std::{
    fs::File,
    io::{self, Read},
    path::{Path, PathBuf},
};

use super::visible::visible;

/// Where a plan comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlanInput {
    /// The file; `None` for standard input.
    pub(crate) path: Option<PathBuf>,
    /// What is in it.
    pub(crate) text: Vec<u8>,
}

/// Why there is no plan's text.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("cannot read the plan `{name}`: {source}")]
    Io { name: String, source: io::Error },
    #[error("the plan `{name}` is larger than {MOST} bytes")]
    TooLarge { name: String },
}

impl PlanInput {
    /// Reads the plan at `path`; `-` is standard input.
    pub(crate) fn read(path: &Path) -> Result<Self, InputError> {
        let is_stdin = path.as_os_str() == "-";
        let name = if is_stdin {
            "standard input".to_owned()
        } else {
            visible(&path.to_string_lossy()).into_owned()
        };
        let opened: io::Result<Box<dyn Read>> = if is_stdin {
            Ok(Box::new(io::stdin().lock()))
        } else {
            File::open(path).map(|file| Box::new(file) as Box<dyn Read>)
        };
        let mut text = Vec::new();
        let read = opened.and_then(|source| source.take(MOST + 1).read_to_end(&mut text));
        match read {
            Err(source) => Err(InputError::Io { name, source }),
            Ok(length) if length as u64 > MOST => Err(InputError::TooLarge { name }),
            Ok(_) => Ok(Self {
                path: (!is_stdin).then(|| path.to_owned()),
                text,
            }),
        }
    }

    /// Returns the name its faults are shown under.
    pub(crate) fn name(&self) -> String {
        match &self.path {
            Some(path) => path.to_string_lossy().into_owned(),
            None => "<standard input>".to_owned(),
        }
    }
}

impl InputError {
    pub(crate) const fn hint(&self) -> &'static str {
        match self {
            Self::Io { .. } => "name a JSON file, or `-` to read the plan from standard input",
            Self::TooLarge { .. } => "split the plan; a million steps fit into a fifth of that",
        }
    }
}

/// The largest plan read: beyond it a slip (a device, a disk image) is likelier than a plan.
const MOST: u64 = 1 << 30;
