//! What can be wrong with a plan, as data: one variant per rule. Its words are beside it; its place on the page
//! is worked out in `diagnostic`, and only when there is something to say.

mod code;
mod hint;
mod key;
mod list;
mod name;
mod words;

use std::ops::Range;

use plan_cond::{Field, ParseError};

use crate::argv::SplitError;
use crate::json::Trouble;
use crate::{Kind, Severity, StepIdx};

pub use code::{CODES, Code};
pub(crate) use hint::{Near, Wanted};
pub(crate) use key::meant;
pub(crate) use list::{Listed, Problems};
pub(crate) use name::{Found, Name};

/// A fault or a warning, and where it is.
#[derive(Debug)]
pub(crate) struct Problem {
    /// The step it belongs to, as a place in the document's `steps`.
    pub(crate) step: Option<StepIdx>,
    /// Where the value or key starts that the JSON Pointer names.
    pub(crate) target: u32,
    /// The bytes at fault.
    pub(crate) span: Range<u32>,
    pub(crate) kind: ProblemKind,
}

/// Where a reference stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Site {
    Input,
    Condition,
}

/// Why the step that a reference reads may not have settled (ruling 10).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unsettled {
    /// It is the step that holds the reference.
    Own,
    /// It waits for the step that holds the reference, so it comes later.
    Later,
    /// Nothing makes either wait for the other.
    Unordered,
}

/// What is wrong with a capsule step's `input` (ruling 35).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum CapsuleInput {
    Absent,
    Other(Found),
    NoObjective,
    ObjectiveIs(Found),
    OtherKey(Name),
}

/// What is wrong. The first block is of shape (ruling 1), the second of what `plans.txt` has refused before
/// anything runs, the third warns.
#[derive(Debug)]
pub(crate) enum ProblemKind {
    TooLong,
    NotUtf8 {
        pointer: String,
    },
    Syntax {
        pointer: String,
        trouble: Trouble,
    },
    NotAnObject {
        found: Found,
    },
    MissingKey {
        key: &'static str,
        of: &'static str,
        /// Whether it is the plan's, and an object stands inside the key `plan` beside it.
        wrapped: bool,
    },
    StepNotAnObject {
        found: Found,
    },
    WrongType {
        field: &'static str,
        expected: &'static str,
        found: Found,
    },
    BadRetries {
        written: Name,
    },
    DuplicateKey {
        key: Name,
    },
    TooDeep,
    LoneSurrogate,
    NulInShell,

    DuplicateId {
        id: Name,
        first: StepIdx,
    },
    NoKind,
    SeveralKinds {
        kinds: [Option<Kind>; 3],
    },
    UnknownTool {
        tool: Name,
    },
    NestedPlan,
    BinaryNotAllowed {
        binary: Name,
    },
    Unsplittable(Box<SplitError>),
    CapsuleInput(CapsuleInput),
    UnknownDependency {
        id: Name,
    },
    UnknownStep {
        id: Name,
        site: Site,
    },
    UnknownField {
        id: Name,
        field: Name,
        site: Site,
    },
    NoField {
        id: Name,
    },
    PastField {
        id: Name,
        field: Field,
        rest: Name,
        site: Site,
    },
    BadOnError {
        written: Name,
    },
    BadCondition(Box<ParseError>),
    Cycle {
        path: Vec<Name>,
        left_out: usize,
    },
    MoreFaults {
        left_out: usize,
    },

    UnknownKey {
        key: Name,
        known: &'static [&'static str],
        /// The known key that it may stand for.
        meant: Option<&'static str>,
    },
    DollarLiteral {
        text: Name,
    },
    ReferenceInShell {
        reference: Name,
    },
    Unordered {
        id: Name,
        unsettled: Unsettled,
        site: Site,
    },
    ToolInput {
        found: Found,
    },
    ShellInput,
    MoreWarnings {
        left_out: usize,
    },
}

impl ProblemKind {
    /// Returns whether it is a fault of shape (ruling 1).
    pub(crate) const fn is_shape(&self) -> bool {
        match self {
            Self::TooLong
            | Self::NotUtf8 { .. }
            | Self::Syntax { .. }
            | Self::NotAnObject { .. }
            | Self::MissingKey { .. }
            | Self::StepNotAnObject { .. }
            | Self::WrongType { .. }
            | Self::BadRetries { .. }
            | Self::DuplicateKey { .. }
            | Self::TooDeep
            | Self::LoneSurrogate
            | Self::NulInShell => true,
            Self::DuplicateId { .. }
            | Self::NoKind
            | Self::SeveralKinds { .. }
            | Self::UnknownTool { .. }
            | Self::NestedPlan
            | Self::BinaryNotAllowed { .. }
            | Self::Unsplittable(_)
            | Self::CapsuleInput(_)
            | Self::UnknownDependency { .. }
            | Self::UnknownStep { .. }
            | Self::UnknownField { .. }
            | Self::NoField { .. }
            | Self::PastField { .. }
            | Self::BadOnError { .. }
            | Self::BadCondition(_)
            | Self::Cycle { .. }
            | Self::MoreFaults { .. }
            | Self::MoreWarnings { .. }
            | Self::UnknownKey { .. }
            | Self::DollarLiteral { .. }
            | Self::ReferenceInShell { .. }
            | Self::Unordered { .. }
            | Self::ToolInput { .. }
            | Self::ShellInput => false,
        }
    }

    /// Returns the JSON Pointer where it cannot be had by walking the text: the text is not JSON.
    pub(crate) fn pointer(&self) -> Option<&str> {
        if let Self::NotUtf8 { pointer } | Self::Syntax { pointer, .. } = self {
            return Some(pointer);
        }
        matches!(self, Self::TooLong).then_some("")
    }

    pub(crate) const fn severity(&self) -> Severity {
        self.code().severity
    }
}
