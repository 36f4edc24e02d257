//! What each problem says: what is wrong, without advice.

use std::fmt;

use super::{CapsuleInput, ProblemKind, Site, Unsettled};

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Input => "input",
            Self::Condition => "if",
        })
    }
}

impl fmt::Display for ProblemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooLong => f.write_str("the plan's text is over 2 GiB long"),
            Self::NotUtf8 { .. } => f.write_str("the plan's text is not UTF-8"),
            Self::Syntax { trouble, .. } => trouble.fmt(f),
            Self::NotAnObject { found } => write!(f, "a plan is one JSON object, not {found}"),
            Self::MissingKey { key, of, .. } => write!(f, "{of} has no `{key}`"),
            Self::StepNotAnObject { found } => write!(f, "a step is an object, not {found}"),
            Self::WrongType {
                field,
                expected,
                found,
            } => write!(f, "{field} must be {expected}, not {found}"),
            Self::BadRetries { written } => {
                write!(
                    f,
                    "retries must be a whole number from 0 to {}, not {written}",
                    u32::MAX
                )
            }
            Self::DuplicateKey { key } => write!(f, "duplicate key {key} in one object"),
            Self::TooDeep => {
                f.write_str("lists and objects are nested deeper than 128 levels here")
            }
            Self::LoneSurrogate => {
                f.write_str("the string holds half of a surrogate pair, which is no text")
            }
            Self::NulInShell => f.write_str("the command line holds a NUL character"),
            Self::DuplicateId { id, first } => {
                write!(
                    f,
                    "duplicate step id {id}: step {} has it already",
                    first.get() + 1
                )
            }
            Self::NoKind => f.write_str("the step declares none of `tool`, `shell` and `capsule`"),
            Self::SeveralKinds { kinds } => {
                f.write_str("the step declares more than one of tool, shell and capsule: ")?;
                let mut first = true;
                for kind in kinds.iter().flatten() {
                    let comma = if first { "" } else { ", " };
                    write!(f, "{comma}`{}`", kind.name())?;
                    first = false;
                }
                Ok(())
            }
            Self::UnknownTool { tool } => write!(f, "tool {tool} is not in the inventory"),
            Self::NestedPlan => {
                f.write_str("the step calls the tool `submit-plan`: a plan cannot submit a plan")
            }
            Self::BinaryNotAllowed { binary } => {
                write!(f, "binary {binary} is not in `capabilities.shell.allow`")
            }
            Self::Unsplittable(error) => error.fmt(f),
            Self::CapsuleInput(input) => input.fmt(f),
            Self::UnknownDependency { id } => {
                write!(f, "depends_on names {id}, which the plan does not declare")
            }
            Self::UnknownStep { id, site } => {
                write!(f, "{site} reads step {id}, which the plan does not declare")
            }
            Self::UnknownField { id, field, site } => write!(
                f,
                "{site} reads field {field} of step {id}: a step has only `output` and `status`"
            ),
            Self::PastField {
                id,
                field,
                rest,
                site,
            } => write!(
                f,
                "{site} reads {rest} inside `{field}` of step {id}, which is text and has no parts"
            ),
            Self::NoField { id } => write!(f, "the reference to step {id} names no field"),
            Self::BadOnError { written } => {
                write!(
                    f,
                    "on_error must be `fail`, `skip` or `continue`, not {written}"
                )
            }
            Self::BadCondition(error) => write!(f, "the condition does not parse: {error}"),
            Self::Cycle { path, left_out } => {
                f.write_str("the steps wait for one another in a cycle: ")?;
                let half = path.len() / 2;
                for (n, id) in path.iter().enumerate() {
                    if n > 0 {
                        f.write_str(" -> ")?;
                    }
                    if n == half && *left_out > 0 {
                        write!(f, "… ({left_out} more) … -> ")?;
                    }
                    write!(f, "{}", id.bare())?;
                }
                Ok(())
            }
            Self::MoreFaults { left_out } => write!(f, "{left_out} more faults are not listed"),
            Self::MoreWarnings { left_out } => write!(f, "{left_out} more warnings are not listed"),
            Self::UnknownKey { key, .. } => {
                write!(f, "key {key} is not part of the format and is ignored")
            }
            Self::DollarLiteral { text } => {
                write!(
                    f,
                    "{text} names no step, so the text is handed over as it is"
                )
            }
            Self::ReferenceInShell { reference } => write!(
                f,
                "{reference} inside a command line is not replaced: nothing is substituted there"
            ),
            Self::Unordered {
                id,
                unsettled: Unsettled::Unordered,
                site,
            } => write!(
                f,
                "{site} reads step {id}, but nothing makes this step wait for it, so it may not have settled"
            ),
            Self::Unordered {
                id,
                unsettled: Unsettled::Later,
                site,
            } => write!(
                f,
                "{site} reads step {id}, which waits for this step, so it can never have settled"
            ),
            Self::Unordered {
                id,
                unsettled: Unsettled::Own,
                site,
            } => write!(
                f,
                "{site} reads the step's own result: {id} cannot have settled when it is dispatched"
            ),
            Self::ToolInput { found } => {
                write!(
                    f,
                    "a tool's input is an object or a string; this one is {found}"
                )
            }
            Self::ShellInput => f.write_str("a shell step ignores its input"),
        }
    }
}

impl fmt::Display for CapsuleInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Absent => f.write_str("a capsule step needs an `input`, its task"),
            Self::Other(found) => write!(
                f,
                "a capsule step's input must be a string or an object with an `objective`, not {found}"
            ),
            Self::NoObjective => f.write_str("the capsule step's input has no `objective`"),
            Self::ObjectiveIs(found) => {
                write!(
                    f,
                    "the `objective` of a capsule step must be a string, not {found}"
                )
            }
            Self::OtherKey(key) => write!(
                f,
                "a capsule step's input has no key but `objective`; this one has {key}"
            ),
        }
    }
}
