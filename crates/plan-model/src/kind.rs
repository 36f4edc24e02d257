//! The words of the format that pick from a fixed set: what carries a step out, and what its failure does.

/// What carries a step out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A tool of the session's inventory.
    Tool,
    /// A command.
    Shell,
    /// A sub-capsule.
    Capsule,
}

impl Kind {
    /// Every kind, in the order the format lists them.
    pub(crate) const ALL: [Self; 3] = [Self::Tool, Self::Shell, Self::Capsule];

    /// Returns the word the format uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tool => "tool",
            Self::Shell => "shell",
            Self::Capsule => "capsule",
        }
    }
}

/// What a failed step does to the rest of the plan (spec: Failure).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum OnError {
    /// Settles `failed` and stops the plan.
    #[default]
    Fail,
    /// Settles `skipped`; the plan goes on.
    Skip,
    /// Settles `failed`; the plan goes on.
    Continue,
}

impl OnError {
    /// Returns the policy spelled `name`, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "fail" => Some(Self::Fail),
            "skip" => Some(Self::Skip),
            "continue" => Some(Self::Continue),
            _ => None,
        }
    }

    /// Returns the word the format uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fail => "fail",
            Self::Skip => "skip",
            Self::Continue => "continue",
        }
    }
}
