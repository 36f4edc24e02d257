//! What to write instead.

use super::{CapsuleInput, Found, Name, ProblemKind, Unsettled};

/// Where a name that is nearly right would have come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Step,
    Tool,
    Binary,
}

const CAPSULE_INPUT: &str =
    "write the task as `\"input\": \"<text>\"` or `\"input\": {\"objective\": \"<text>\"}`";

/// What there is instead of a name that was not found.
#[derive(Debug)]
pub(crate) enum Near<'n> {
    /// The closest one.
    One(&'n str),
    /// The closest one, which is not close.
    Far(&'n str),
    /// All of them: few, and none is close.
    Among(Vec<&'n str>),
    /// Nothing: there are none at all.
    Nothing,
}

impl ProblemKind {
    /// Returns the name that was not found, and among which names a near one may be looked for.
    pub(crate) const fn wanted(&self) -> Option<(&Name, Wanted)> {
        if let Self::UnknownDependency { id } | Self::UnknownStep { id, .. } = self {
            return Some((id, Wanted::Step));
        }
        if let Self::UnknownTool { tool } = self {
            return Some((tool, Wanted::Tool));
        }
        if let Self::BinaryNotAllowed { binary } = self {
            return Some((binary, Wanted::Binary));
        }
        None
    }

    /// Returns what to write instead. `near` is what was found of the names that exist, where one was looked for.
    pub(crate) fn hint(&self, near: Option<&Near<'_>>) -> Option<String> {
        let said = |hint: &str| Some(hint.to_owned());
        match self {
            Self::TooLong => said("split the plan"),
            Self::NotUtf8 { .. } => said("save the text as UTF-8"),
            Self::Syntax { trouble, .. } => Some(trouble.hint()),
            Self::NotAnObject {
                found: Found::String,
            } => said("send the object itself, not its text in a string"),
            Self::NotAnObject { .. } => said("send one object: `{\"id\": \"…\", \"steps\": […]}`"),
            Self::MissingKey { wrapped: true, .. } => {
                said("the plan stands inside `plan`: give that object alone")
            }
            Self::MissingKey { key, .. } => Some(match *key {
                "steps" => {
                    "add `\"steps\": […]`; an empty list is a plan that does nothing".to_owned()
                }
                key => format!("add `\"{key}\": \"<name>\"`"),
            }),
            Self::StepNotAnObject { .. } => said("write `{\"id\": \"…\", \"tool\": \"…\"}`"),
            Self::WrongType {
                found: Found::Null,
                field,
                ..
            } if !is_required(field) => said("leave the key out instead"),
            Self::WrongType { field, .. } => Some(type_hint(field)),
            Self::BadRetries { .. } => {
                said("give how many times to try again, such as `2`, or leave the key out")
            }
            Self::DuplicateKey { .. } => said("keep one of them"),
            Self::TooDeep => said("nest less, or hand the value over as a string of JSON"),
            Self::LoneSurrogate => {
                said("write the character itself, or both halves of its `\\uXXXX` pair")
            }
            Self::NulInShell => said("take the `\\u0000` away: no command can be given one"),
            Self::DuplicateId { .. } => said("give every step an id of its own"),
            Self::NoKind => said("add exactly one of `\"tool\"`, `\"shell\"` or `\"capsule\"`"),
            Self::SeveralKinds { .. } => said("keep one and move the others to steps of their own"),
            Self::UnknownTool { .. } => Some(tool_hint(near)),
            Self::NestedPlan => said("put the steps of that plan into this one"),
            Self::BinaryNotAllowed { binary } => Some(binary_hint(binary, near)),
            Self::Unsplittable(error) => said(error.hint()),
            Self::CapsuleInput(CapsuleInput::OtherKey(_)) => {
                said("leave the key out, and say in the text of `objective` what it was to say")
            }
            Self::CapsuleInput(_) => said(CAPSULE_INPUT),
            Self::UnknownDependency { .. } | Self::UnknownStep { .. } => Some(match near {
                Some(Near::One(name)) => format!("did you mean `{name}`?"),
                Some(Near::Far(name)) => {
                    format!("name the `id` of a step of this plan; the nearest is `{name}`")
                }
                Some(Near::Among(_) | Near::Nothing) | None => {
                    "name the `id` of a step of this plan".to_owned()
                }
            }),
            Self::UnknownField { id, .. } => {
                let id = id.bare();
                Some(format!("write `${id}.output` or `${id}.status`"))
            }
            Self::PastField { id, field, .. } => Some(format!(
                "a reference ends at its field: write `${}.{field}`",
                id.bare()
            )),
            Self::NoField { id } => {
                let id = id.bare();
                Some(format!(
                    "write `${id}.output` or `${id}.status`, or `$${id}` for the text itself"
                ))
            }
            Self::BadOnError { .. } => {
                said("write `fail`, `skip` or `continue`, or leave the key out")
            }
            Self::BadCondition(error) => Some(error.hint()),
            Self::Cycle { .. } => said("take one of these steps out of another's `depends_on`"),
            Self::MoreFaults { .. } | Self::MoreWarnings { .. } => {
                said("mend the ones that are listed first")
            }
            Self::UnknownKey { known, meant, .. } => Some(match meant {
                Some(meant) => format!("did you mean `{meant}`?"),
                None => format!("the keys here are `{}`", known.join("`, `")),
            }),
            Self::DollarLiteral { .. } => said(
                "variables are not replaced; `$<step id>.output` and `$<step id>.status` are, \
                 and `$$` at the start says that the text is meant",
            ),
            Self::ReferenceInShell { .. } => said(
                "have the step before write a file, or read the result in a tool step's `input`",
            ),
            Self::Unordered { id, unsettled, .. } => match unsettled {
                Unsettled::Unordered => {
                    Some(format!("add \"{}\" to this step's `depends_on`", id.bare()))
                }
                // To wait for it as well would close a cycle.
                Unsettled::Own | Unsettled::Later => said("read an earlier step"),
            },
            Self::ToolInput { found: Found::Null } => {
                said("leave the key out: the tool is handed `null`")
            }
            Self::ToolInput { .. } => said("write an object, such as `{\"value\": …}`"),
            Self::ShellInput => said("leave it out, or put what it says into the command line"),
        }
    }
}

fn is_required(field: &str) -> bool {
    matches!(field, "id" | "steps" | "an entry of depends_on")
}

fn type_hint(field: &str) -> String {
    match field {
        "steps" => "write `\"steps\": [{…}, {…}]`".to_owned(),
        "depends_on" => "write `\"depends_on\": [\"<step id>\"]`".to_owned(),
        "an entry of depends_on" => "write the id of a step in double quotes".to_owned(),
        "retries" => "write a number without quotes, such as `2`".to_owned(),
        "shell" => "write the command line as one string, such as `\"cargo test\"`".to_owned(),
        field => format!("write `\"{field}\": \"…\"`"),
    }
}

fn tool_hint(near: Option<&Near<'_>>) -> String {
    match near {
        Some(Near::One(name) | Near::Far(name)) => format!("did you mean `{name}`?"),
        Some(Near::Among(names)) => format!("the tools are `{}`", names.join("`, `")),
        Some(Near::Nothing) => {
            "this session has no tools: use a `shell` step, or have the tool added to the inventory"
                .to_owned()
        }
        None => "use a tool of the inventory, or have this one added to it".to_owned(),
    }
}

fn binary_hint(binary: &Name, near: Option<&Near<'_>>) -> String {
    let last = binary.whole().and_then(|whole| whole.rsplit_once('/'));
    match (near, last) {
        (Some(Near::One(name)), Some((_, last))) if last == *name => {
            format!(
                "write `{name}`: the first word must be an entry of the list, letter for letter"
            )
        }
        (Some(Near::One(name) | Near::Far(name)), _) => format!("did you mean `{name}`?"),
        (Some(Near::Among(names)), _) => format!("it allows `{}`", names.join("`, `")),
        (Some(Near::Nothing) | None, _) => {
            "use a binary of that list, or have this one added to it".to_owned()
        }
    }
}
