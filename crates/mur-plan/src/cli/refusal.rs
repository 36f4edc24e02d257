//! What keeps a plan from being run or checked before it is even read: arguments, files, folders.

use plan_model::{Diagnostic, Report, Severity};

use super::{input::InputError, manifest::ManifestError, print};

/// One message for a person, and the same for a program.
#[derive(Debug)]
pub(crate) struct Refusal {
    message: String,
    hint: Option<String>,
    /// The code of a check's fault.
    code: &'static str,
    /// The faults in a file's own text, drawn for standard error.
    listing: Option<String>,
}

impl Refusal {
    pub(crate) fn new(message: impl ToString, hint: impl Into<String>) -> Self {
        Self {
            message: message.to_string(),
            hint: Some(hint.into()),
            code: "unreadable-plan",
            listing: None,
        }
    }

    /// Writes it to standard error.
    pub(crate) fn show(&self) {
        match &self.listing {
            Some(listing) => print::talk(listing),
            None => print::error(&self.message, self.hint.as_deref()),
        }
    }

    /// Returns the report of a run that was refused for this.
    pub(crate) fn report(&self) -> Report {
        let error = match &self.hint {
            Some(hint) => format!("{}; {hint}", self.message),
            None => self.message.clone(),
        };
        Report::of_failed_plan("", error)
    }

    /// Returns it as the one fault of a check.
    pub(crate) fn diagnostic(&self) -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            code: self.code,
            step: None,
            pointer: String::new(),
            span: 0..0,
            line: 1,
            column: 1,
            message: self.message.clone(),
            hint: self.hint.clone(),
        }
    }
}

impl From<InputError> for Refusal {
    fn from(error: InputError) -> Self {
        Self::new(&error, error.hint())
    }
}

impl From<ManifestError> for Refusal {
    fn from(error: ManifestError) -> Self {
        let width = print::talk_columns().unwrap_or(PLAIN_WIDTH);
        let listing = error.listing(width, print::talk_has_colour());
        Self {
            message: error.to_string(),
            hint: error.hint().map(str::to_owned),
            code: "bad-manifest",
            listing: Some(listing).filter(|listing| !listing.is_empty()),
        }
    }
}

/// How wide excerpts are drawn where there is no terminal to ask.
pub(super) const PLAIN_WIDTH: usize = 120;
