//! The stable code of each problem, and what it means in a line.

use crate::Severity;

use super::ProblemKind;

/// A code that diagnostics carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Code {
    /// The code, such as `unknown-tool`. It never changes its meaning.
    pub name: &'static str,
    /// Whether it refuses the plan.
    pub severity: Severity,
    /// What it means, in one line.
    pub meaning: &'static str,
}

macro_rules! codes {
    ($($severity:ident $pattern:pat => $name:literal, $meaning:literal;)*) => {
        /// Every code a diagnostic can carry: first the faults of shape (ruling 1), then those of the plan as a
        /// whole (spec: What is refused before anything runs), then the warnings.
        pub const CODES: &[Code] = &[$(Code {
            name: $name,
            severity: Severity::$severity,
            meaning: $meaning,
        }),*];

        impl ProblemKind {
            /// Returns its code.
            pub(crate) const fn code(&self) -> Code {
                match self {
                    $($pattern => Code {
                        name: $name,
                        severity: Severity::$severity,
                        meaning: $meaning,
                    },)*
                }
            }
        }
    };
}

codes! {
    Error Self::TooLong => "too-long", "the text is too long to be read";
    Error Self::NotUtf8 { .. } => "invalid-utf8", "the text is not UTF-8";
    Error Self::Syntax { .. } => "syntax", "the text is not JSON";
    Error Self::NotAnObject { .. } => "not-an-object", "the plan is not a JSON object";
    Error Self::MissingKey { .. } => "missing-key", "a required key is missing";
    Error Self::StepNotAnObject { .. } => "step-not-an-object", "an entry of `steps` is not an object";
    Error Self::WrongType { .. } => "wrong-type", "a field has the wrong type";
    Error Self::BadRetries { .. } => "bad-retries", "`retries` is negative, has a fraction or is too large";
    Error Self::DuplicateKey { .. } => "duplicate-key", "an object gives the same key twice";
    Error Self::TooDeep => "too-deep", "lists and objects are nested deeper than 128 levels";
    Error Self::LoneSurrogate => "lone-surrogate", "a string holds half of a surrogate pair, which is no text";
    Error Self::NulInShell => "nul-in-shell", "a command line holds a NUL";
    Error Self::DuplicateId { .. } => "duplicate-id", "two steps have the same id";
    Error Self::NoKind => "no-kind", "a step declares none of `tool`, `shell` and `capsule`";
    Error Self::SeveralKinds { .. } => "several-kinds", "a step declares more than one of `tool`, `shell` and `capsule`";
    Error Self::UnknownTool { .. } => "unknown-tool", "a tool is not in the inventory";
    Error Self::NestedPlan => "nested-plan", "a step submits a plan";
    Error Self::BinaryNotAllowed { .. } => "binary-not-allowed", "a binary is not in `capabilities.shell.allow`";
    Error Self::Unsplittable(_) => "unsplittable-command", "a command line cannot be split into words";
    Error Self::CapsuleInput(_) => "capsule-input", "a capsule step's `input` is neither a string nor `{\"objective\": \"<text>\"}`";
    Error Self::UnknownDependency { .. } => "unknown-dependency", "`depends_on` names a step the plan does not declare";
    Error Self::UnknownStep { .. } => "unknown-step", "a reference names a step the plan does not declare";
    Error Self::UnknownField { .. } | Self::PastField { .. } => "unknown-field", "a reference reads a field other than `output` and `status`";
    Error Self::NoField { .. } => "no-field", "a reference names a step but no field";
    Error Self::BadOnError { .. } => "bad-on-error", "`on_error` is not `fail`, `skip` or `continue`";
    Error Self::BadCondition(_) => "bad-condition", "a condition does not parse";
    Error Self::Cycle { .. } => "cycle", "steps wait for one another in a circle";
    Error Self::MoreFaults { .. } => "more-faults", "there are more faults than can be listed";
    Warning Self::UnknownKey { .. } => "unknown-key", "a key is not part of the format and is ignored";
    Warning Self::DollarLiteral { .. } => "dollar-literal", "a string looks like a variable, but is handed over as it is";
    Warning Self::ReferenceInShell { .. } => "reference-in-shell", "a command line looks as if it read a step, but nothing is substituted there";
    Warning Self::Unordered { .. } => "unordered-reference", "a reference reads a step that nothing makes the plan wait for";
    Warning Self::ToolInput { .. } => "tool-input-type", "a tool's `input` is neither an object nor a string";
    Warning Self::ShellInput => "shell-input-ignored", "a shell step's `input` is ignored";
    Warning Self::MoreWarnings { .. } => "more-warnings", "there are more warnings than can be listed";
}
