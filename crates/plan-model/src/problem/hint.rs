//! What to write instead.

use super::{CapsuleInput, Found, Name, ProblemKind};

/// Where a name that is nearly right would have come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    Step,
    Tool,
    Binary,
}

/// Keys that other formats use, and this format's word for each.
const ALIASES: [(&str, &str); 22] = [
    ("after", "depends_on"),
    ("args", "input"),
    ("arguments", "input"),
    ("cmd", "shell"),
    ("command", "shell"),
    ("condition", "if"),
    ("dependencies", "depends_on"),
    ("deps", "depends_on"),
    ("inputs", "input"),
    ("name", "id"),
    ("needs", "depends_on"),
    ("on_failure", "on_error"),
    ("params", "input"),
    ("requires", "depends_on"),
    ("retry", "retries"),
    ("run", "shell"),
    ("script", "shell"),
    ("step_id", "id"),
    ("tasks", "steps"),
    ("uses", "tool"),
    ("when", "if"),
    ("with", "input"),
];

const CAPSULE_INPUT: &str =
    "write the task as `\"input\": \"<text>\"` or `\"input\": {\"objective\": \"<text>\"}`";

impl ProblemKind {
    /// Returns the name that was not found, and among which names a near one may be looked for.
    pub(crate) const fn wanted(&self) -> Option<(&Name, Wanted)> {
        match self {
            Self::UnknownDependency { id } | Self::UnknownStep { id, .. } => {
                Some((id, Wanted::Step))
            }
            Self::UnknownTool { tool } => Some((tool, Wanted::Tool)),
            Self::BinaryNotAllowed { binary } => Some((binary, Wanted::Binary)),
            _ => None,
        }
    }

    /// Returns what to write instead. `nearest` is the closest name that exists, where one was looked for.
    pub(crate) fn hint(&self, nearest: Option<&str>) -> Option<String> {
        let said = |hint: &str| Some(hint.to_owned());
        match self {
            Self::TooLong => said("split the plan"),
            Self::NotUtf8 { .. } => said("save the text as UTF-8"),
            Self::Syntax { trouble, .. } => Some(trouble.hint()),
            Self::NotAnObject {
                found: Found::String,
            } => said("send the object itself, not its text in a string"),
            Self::NotAnObject { .. } => said("send one object: `{\"id\": \"…\", \"steps\": […]}`"),
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
            Self::UnknownTool { .. } => nearest.map(|name| format!("did you mean `{name}`?")),
            Self::NestedPlan => said("put the steps of that plan into this one"),
            Self::BinaryNotAllowed { binary } => Some(binary_hint(binary, nearest)),
            Self::Unsplittable(error) => said(error.hint()),
            Self::CapsuleInput(CapsuleInput::OtherKey(_)) => {
                said("leave the key out, and say in the text of `objective` what it was to say")
            }
            Self::CapsuleInput(_) => said(CAPSULE_INPUT),
            Self::UnknownDependency { .. } | Self::UnknownStep { .. } => nearest
                .map(|name| format!("did you mean `{name}`?"))
                .or_else(|| said("name the `id` of a step of this plan")),
            Self::UnknownField { id, .. } => {
                let id = id.bare();
                Some(format!("write `${id}.output` or `${id}.status`"))
            }
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
            Self::UnknownKey { key, known } => Some(key_hint(key, known)),
            Self::DollarLiteral { .. } => said(
                "variables are not replaced; `$<step id>.output` and `$<step id>.status` are, \
                 and `$$` at the start says that the text is meant",
            ),
            Self::ReferenceInShell { .. } => said(
                "have the step before write a file, or read the result in a tool step's `input`",
            ),
            Self::Unordered { id, own: false, .. } => {
                Some(format!("add \"{}\" to this step's `depends_on`", id.bare()))
            }
            Self::Unordered { own: true, .. } => said("read an earlier step"),
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

fn binary_hint(binary: &Name, nearest: Option<&str>) -> String {
    let last = binary.whole().and_then(|whole| whole.rsplit_once('/'));
    match (nearest, last) {
        (Some(name), Some((_, last))) if last == name => {
            format!(
                "write `{name}`: the first word must be an entry of the list, letter for letter"
            )
        }
        (Some(name), _) => format!("did you mean `{name}`?"),
        (None, _) => "use a binary of that list, or have this one added to it".to_owned(),
    }
}

fn key_hint(key: &Name, known: &'static [&'static str]) -> String {
    let near = key.whole().and_then(|key| {
        let plain = plain(key);
        let alias = ALIASES
            .iter()
            .find(|(alias, _)| plain == self::plain(alias));
        known
            .iter()
            .find(|known| self::plain(known) == plain)
            .or_else(|| {
                known
                    .iter()
                    .find(|known| alias.is_some_and(|(_, word)| word == *known))
            })
            .copied()
            .or_else(|| crate::nearest::nearest(key, known.iter().copied()))
    });
    match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the keys here are `{}`", known.join("`, `")),
    }
}

/// Returns a key as it compares regardless of how its words are joined.
fn plain(key: &str) -> String {
    key.chars()
        .filter(|char| char.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}
