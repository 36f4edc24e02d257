//! What is said to a tool program and what it may answer, as JSON. What an answer means is `reply.rs`'s.

use std::{borrow::Cow, fmt};

use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, Visitor},
};
use serde_json::value::RawValue;

/// Returns what is written to the tool's standard input.
pub(super) fn request(input: &str) -> Vec<u8> {
    let request = Request {
        data: input,
        log_path: None,
    };
    serde_json::to_vec(&request).expect("two strings can be written as JSON")
}

#[derive(Serialize)]
struct Request<'a> {
    /// The input, as JSON text within a string.
    data: &'a str,
    log_path: Option<&'a str>,
}

/// A tool's answer. Other keys are passed over.
#[derive(Debug, Deserialize)]
pub(super) struct Reply<'a> {
    pub(super) status: ReplyStatus,
    #[serde(default)]
    pub(super) summary: Option<Text>,
    /// Kept as written, so that numbers and the order of keys come through.
    #[serde(default, borrow)]
    pub(super) data: Option<&'a RawValue>,
    #[serde(default)]
    pub(super) data_path: Option<Text>,
    #[serde(default)]
    metadata: Option<Vec<(Text, Text)>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ReplyStatus {
    Passed,
    Failed,
    Error,
}

impl ReplyStatus {
    /// Returns the word the tool wrote.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Error => "error",
        }
    }
}

impl<'a> Reply<'a> {
    /// Reads an answer; `None` when the text is no such object.
    pub(super) fn read(text: &'a str) -> Option<Self> {
        // The derived reader would take an array for a struct.
        if !text.trim_start().starts_with('{') {
            return None;
        }
        serde_json::from_str(text).ok()
    }

    /// Returns the data as text: a string's own, anything else as compact JSON (ruling 24).
    pub(super) fn data_text(&self) -> Option<String> {
        let raw = self.data?.get();
        if raw.starts_with('"')
            && let Ok(Text(text)) = serde_json::from_str(raw)
        {
            return Some(text);
        }
        Some(plan_model::compact(raw))
    }

    /// Returns the last value of a metadata key.
    pub(super) fn metadata(&self, key: &str) -> Option<String> {
        let pairs = self.metadata.as_deref()?;
        let (_, value) = pairs.iter().rev().find(|(name, _)| name.0 == key)?;
        Some(value.0.clone())
    }
}

/// A JSON string; the half of a surrogate pair without the other becomes replacement characters (ruling 25).
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Text(pub(super) String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        // Asked for as bytes, since that is how half a pair can be read.
        deserializer.deserialize_bytes(TextVisitor)
    }
}

struct TextVisitor;

impl Visitor<'_> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Text, E> {
        let text: Cow<'_, str> = String::from_utf8_lossy(bytes);
        Ok(Text(text.into_owned()))
    }
}
