//! A YAML text as a tree whose every value knows its place. The only file that knows serde-saphyr.

use std::fmt;
use std::ops::Range;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::{
    DuplicateKeyPolicy, Error, Location, MessageFormatter, NonFiniteFloatPolicy, Spanned,
    UserMessageFormatter,
};

use super::fault::Fault;
use crate::cli::visible::{fit, visible};

/// A value and its place.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) value: Value,
    place: Place,
}

/// What a value is.
#[derive(Debug)]
pub(super) enum Value {
    Null,
    Bool(bool),
    /// A whole number that is not negative.
    Whole(u64),
    /// Any other number.
    Number,
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Node, Node)>),
}

/// Where a value stands, and where it was written: elsewhere for one that an alias repeats.
#[derive(Debug, Clone, Copy)]
struct Place {
    stands: Location,
    written: Location,
}

/// A manifest's text and the value it is.
#[derive(Debug)]
pub(super) struct Tree<'t> {
    text: &'t str,
    pub(super) root: Node,
}

/// Parses `bytes`, which must be one YAML document in UTF-8.
pub(super) fn parse(bytes: &[u8]) -> Result<Tree<'_>, Fault> {
    let text = std::str::from_utf8(bytes).map_err(|error| not_utf8(bytes, error.valid_up_to()))?;
    let options = serde_saphyr::options! {
        budget: serde_saphyr::budget! {
            max_documents: 2,
            max_nodes: MOST_NODES,
            max_recorded_anchor_events: MOST_NODES,
            max_merge_keys: MOST_MERGES,
        },
        alias_limits: serde_saphyr::alias_limits! {
            max_total_replayed_events: MOST_NODES,
        },
        duplicate_keys: DuplicateKeyPolicy::Error,
        // Only `true` and `false` are boolean, `010` and `1_0` no numbers.
        strict_booleans: true,
        leading_zero_numbers_as_strings: true,
        underscored_numbers_as_strings: true,
        non_finite_float_policy: NonFiniteFloatPolicy::PassThrough,
        with_snippet: false,
    };
    match serde_saphyr::from_str_with_options(text, options) {
        Ok(root) => Ok(Tree { text, root }),
        Err(error) => Err(not_yaml(text, &error)),
    }
}

impl Tree<'_> {
    /// Returns the text `node` was written as: of a scalar its own spelling.
    pub(super) fn spelling(&self, node: &Node) -> &str {
        let span = node.place.written.span();
        let range = byte_range(self.text, &span);
        self.text.get(range).unwrap_or_default()
    }

    /// Returns a fault at `node`.
    pub(super) fn fault(
        &self,
        node: &Node,
        key: &str,
        message: String,
        hint: Option<String>,
    ) -> Fault {
        fault_at(self.text, node.place.stands, key, message, hint)
    }

    /// Returns what `node` is, for a person: `the string yes`, `a list`, `nothing`.
    pub(super) fn describe(&self, node: &Node) -> String {
        match &node.value {
            Value::Null => "nothing".to_owned(),
            Value::Bool(value) => format!("`{value}`"),
            Value::Whole(_) | Value::Number => {
                format!("the number `{}`", brief(self.spelling(node)))
            }
            Value::Text(text) => format!("the string `{}`", brief(text)),
            Value::List(_) => "a list".to_owned(),
            Value::Map(_) => "a mapping".to_owned(),
        }
    }
}

/// Returns `text` short and visible enough to stand in a sentence.
pub(super) fn brief(text: &str) -> String {
    let cut = text
        .char_indices()
        .nth(LONGEST_QUOTE)
        .map_or(text.len(), |(at, _)| at);
    fit(&visible(&text[..cut]), LONGEST_QUOTE - 1).into_owned()
}

impl Value {
    /// Returns the value of `key` in a mapping.
    pub(super) fn get(&self, key: &str) -> Option<&Node> {
        let Self::Map(entries) = self else {
            return None;
        };
        entries.iter().find_map(|(name, value)| match &name.value {
            Value::Text(name) if name == key => Some(value),
            _ => None,
        })
    }
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Spanned {
            value,
            referenced,
            defined,
        } = Spanned::<Value>::deserialize(deserializer)?;
        Ok(Self {
            value,
            place: Place {
                stands: referenced,
                written: defined,
            },
        })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Whole(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(u64::try_from(value).map_or(Value::Number, Value::Whole))
    }

    fn visit_f64<E>(self, _: f64) -> Result<Value, E> {
        Ok(Value::Number)
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::Text(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Value, E> {
        Ok(Value::Text(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            map.push(entry);
        }
        Ok(Value::Map(map))
    }
}

fn not_utf8(bytes: &[u8], at: usize) -> Fault {
    let before = String::from_utf8_lossy(&bytes[..at]);
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    Fault {
        key: String::new(),
        message: "the manifest is not UTF-8 text".to_owned(),
        hint: Some("save the file as UTF-8".to_owned()),
        span: at..at + 1,
        line: before.matches('\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

fn not_yaml(text: &str, error: &Error) -> Fault {
    let error = error.without_snippet();
    let cause = match error {
        Error::AliasError { error, .. } => error.as_ref(),
        other => other,
    };
    let (message, hint) = match cause {
        Error::DuplicateMappingKey { key, location: _ } => (
            match key {
                Some(key) => format!("the key `{}` is given twice", brief(key)),
                None => "a key is given twice".to_owned(),
            },
            Some("keep one of the two"),
        ),
        Error::MultipleDocuments {
            hint: _,
            location: _,
        } => (
            "the manifest is more than one YAML document".to_owned(),
            Some("keep what comes before the second `---`"),
        ),
        Error::Budget { .. }
        | Error::AliasReplayLimitExceeded { .. }
        | Error::AliasReplayStackDepthExceeded { .. }
        | Error::AliasExpansionLimitExceeded { .. } => (
            "the manifest is too large or too deep for one".to_owned(),
            Some("write fewer values, aliases and levels"),
        ),
        other => (
            format!(
                "not valid YAML: {}",
                visible(&UserMessageFormatter.format_message(other))
            ),
            Some("look for an unclosed quote or bracket, or a wrong indentation"),
        ),
    };
    let location = error.location().unwrap_or(Location::UNKNOWN);
    fault_at(text, location, "", message, hint.map(str::to_owned))
}

fn fault_at(
    text: &str,
    location: Location,
    key: &str,
    message: String,
    hint: Option<String>,
) -> Fault {
    let whole = |number: u64| usize::try_from(number).unwrap_or(usize::MAX).max(1);
    let (line, column) = (whole(location.line()), whole(location.column()));
    let span = match location.span().byte_offset() {
        Some(_) => byte_range(text, &location.span()),
        None => {
            let at = byte_at(text, line, column);
            at..at
        }
    };
    Fault {
        key: key.to_owned(),
        message,
        hint,
        span,
        line,
        column,
    }
}

/// Where a line and a column are, both from 1: a fault of syntax has no byte offset.
fn byte_at(text: &str, line: usize, column: usize) -> usize {
    let mut start = 0;
    for row in text.split_inclusive('\n').take(line - 1) {
        start += row.len();
    }
    let rest = &text[start..];
    let within = rest
        .char_indices()
        .nth(column - 1)
        .map_or(rest.len(), |(at, _)| at);
    start + within
}

fn byte_range(text: &str, span: &serde_saphyr::Span) -> Range<usize> {
    let start = span
        .byte_offset()
        .and_then(|offset| usize::try_from(offset).ok());
    let length = span
        .byte_len()
        .and_then(|length| usize::try_from(length).ok());
    let start = start.unwrap_or(0).min(text.len());
    start..start.saturating_add(length.unwrap_or(0)).min(text.len())
}

/// Values in one manifest, and values that its aliases repeat: far above any real one, and held in memory at ease.
const MOST_NODES: usize = 100_000;
const MOST_MERGES: usize = 1_000;
/// Longer values are cut where a sentence quotes them.
const LONGEST_QUOTE: usize = 60;
