//! The paths that a tool's input says are written.

use std::fmt;

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

use super::tool_schema::{Nodes, ToolSchema};

/// A string of the input that is a write target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Written {
    /// The path, a `file:` address read as one.
    pub(super) path: String,
    /// What showed it to be a write.
    pub(super) signal: String,
}

/// Returns every string of `input`, JSON text, that is a write target, outer ones first.
///
/// At every object a string under a destination key is one, and a string under a path key when the object has a
/// content key too, whatever that holds; in a list under such a key, each string. What the schema marks a
/// destination is one wherever it stands, and inside what it marks opaque keys say nothing.
pub(super) fn written(input: &str, schema: &ToolSchema) -> Vec<Written> {
    let mut found = Vec::new();
    let Ok(whole) = serde_json::from_str::<&RawValue>(input) else {
        return found;
    };
    // A depth-first walk in document order: what stands first is taken first.
    let mut ahead = vec![Value {
        text: whole.get(),
        nodes: schema.root(),
        shown_by: None,
        opaque: false,
        depth: 1,
    }];
    while let Some(value) = ahead.pop() {
        if value.depth > DEPTH_MAX {
            continue;
        }
        let depth = value.depth + 1;
        let opaque = value.opaque || schema.is_opaque(&value.nodes);
        let shown_by = match value.shown_by {
            _ if schema.is_destination(&value.nodes) => {
                Some("the tool's schema, which marks it a destination".to_owned())
            }
            Some(_) if opaque => None,
            shown_by => shown_by,
        };
        let first_new = ahead.len();
        match value.text.as_bytes().first() {
            Some(b'"') => {
                if let (Some(signal), Ok(text)) =
                    (shown_by, serde_json::from_str::<String>(value.text))
                {
                    found.push(Written {
                        path: local(&text),
                        signal,
                    });
                }
            }
            Some(b'[') => {
                let elements: Vec<&RawValue> = serde_json::from_str(value.text).unwrap_or_default();
                ahead.extend(
                    elements
                        .into_iter()
                        .enumerate()
                        .map(|(position, element)| Value {
                            text: element.get(),
                            nodes: schema.element(&value.nodes, position),
                            // Objects in a list are asked by their own keys.
                            shown_by: shown_by.clone().filter(|_| !element.get().starts_with('{')),
                            opaque,
                            depth,
                        }),
                );
            }
            Some(b'{') => {
                let Ok(Object(members)) = serde_json::from_str(value.text) else {
                    continue;
                };
                let content = members
                    .iter()
                    .map(|(key, _)| plain(key))
                    .find(|key| CONTENT.contains(&&**key));
                for (key, member) in members {
                    let name = plain(&key);
                    let shown_by = match &content {
                        _ if opaque => None,
                        _ if DESTINATION.contains(&&*name) => Some(format!("key `{key}`")),
                        Some(content) if PATH.contains(&&*name) => {
                            Some(format!("key `{key}` beside `{content}`"))
                        }
                        Some(_) | None => None,
                    };
                    ahead.push(Value {
                        nodes: schema.property(&value.nodes, &key),
                        text: member.get(),
                        // An object under such a key is asked by its own keys.
                        shown_by: shown_by.filter(|_| !member.get().starts_with('{')),
                        opaque,
                        depth,
                    });
                }
            }
            _ => {}
        }
        ahead[first_new..].reverse();
    }
    found
}

/// A value of the input that is still to be looked at.
struct Value<'t> {
    text: &'t str,
    nodes: Nodes,
    shown_by: Option<String>,
    opaque: bool,
    depth: usize,
}

/// Returns a key without what does not count in it.
fn plain(key: &str) -> String {
    key.chars()
        .filter(|c| !matches!(c, '-' | '_'))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Returns the path of a `file:` address, and any other text as it is.
fn local(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once(':') else {
        return text.to_owned();
    };
    if !scheme.eq_ignore_ascii_case("file") {
        return text.to_owned();
    }
    let path = match rest.strip_prefix("//") {
        Some(rest) => rest.find('/').map_or(rest, |at| &rest[at..]),
        None => rest,
    };
    let mut bytes = Vec::with_capacity(path.len());
    let mut ahead = path.as_bytes();
    while let Some((first, rest)) = ahead.split_first() {
        let code = rest
            .get(..2)
            .and_then(|code| std::str::from_utf8(code).ok());
        match (
            first,
            code.and_then(|code| u8::from_str_radix(code, 16).ok()),
        ) {
            (b'%', Some(byte)) => {
                bytes.push(byte);
                ahead = &rest[2..];
            }
            _ => {
                bytes.push(*first);
                ahead = rest;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The members of an object as written, numbers unread and doubled keys kept.
struct Object<'t>(Vec<(String, &'t RawValue)>);

impl<'t> Deserialize<'t> for Object<'t> {
    fn deserialize<D: Deserializer<'t>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;

        impl<'t> Visitor<'t> for Members {
            type Value = Object<'t>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'t>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Object(members))
            }
        }

        deserializer.deserialize_map(Members)
    }
}

/// The levels looked at. No plan nests deeper (ruling 1), and each level is read once for every one around it.
const DEPTH_MAX: usize = 128;

/// The keys whose strings are written, without `-` and `_` (spec: What a plan may reach).
const DESTINATION: [&str; 9] = [
    "dest",
    "destpath",
    "destination",
    "destinationpath",
    "targetpath",
    "outputpath",
    "outpath",
    "newpath",
    "to",
];

/// The keys whose strings are written when the object has one of [`CONTENT`] too.
const PATH: [&str; 4] = ["path", "filepath", "filename", "file"];

/// The keys that hold what is written.
const CONTENT: [&str; 10] = [
    "content",
    "contents",
    "text",
    "data",
    "body",
    "newstr",
    "newstring",
    "replacement",
    "patch",
    "diff",
];
