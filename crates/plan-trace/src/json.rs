//! JSON kept as the text it was written as: the input of a tool step.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::owned::IntoOwned;

/// One JSON value as compact text: numbers and key order stay as written.
#[derive(Clone)]
pub struct Json<'a>(Raw<'a>);

#[derive(Clone)]
enum Raw<'a> {
    Borrowed(&'a RawValue),
    Owned(Box<RawValue>),
}

/// Text that is not one JSON value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not one JSON value: {0}")]
pub struct NotJson(String);

impl<'a> Json<'a> {
    /// Takes `text`, which must be one JSON value. White space outside its strings is dropped, since a line of
    /// the trace is compact; text without any is borrowed.
    pub fn new(text: &'a str) -> Result<Self, NotJson> {
        let raw: &RawValue =
            serde_json::from_str(text).map_err(|error| NotJson(error.to_string()))?;
        if has_white_space(raw.get()) {
            let compact = RawValue::from_string(plan_model::compact(raw.get()))
                .map_err(|error| NotJson(error.to_string()))?;
            return Ok(Self(Raw::Owned(compact)));
        }
        Ok(Self(Raw::Borrowed(raw)))
    }
}

impl Json<'_> {
    /// Returns the text.
    pub fn as_str(&self) -> &str {
        self.raw().get()
    }

    /// Returns the same JSON, borrowing nothing.
    pub fn into_owned(self) -> Json<'static> {
        Json(Raw::Owned(match self.0 {
            Raw::Borrowed(raw) => raw.to_owned(),
            Raw::Owned(raw) => raw,
        }))
    }

    fn raw(&self) -> &RawValue {
        match &self.0 {
            Raw::Borrowed(raw) => raw,
            Raw::Owned(raw) => raw,
        }
    }
}

/// Returns whether valid JSON has white space outside its strings.
fn has_white_space(json: &str) -> bool {
    let mut in_string = false;
    let mut escaped = false;
    for byte in json.bytes() {
        if escaped {
            escaped = false;
        } else if in_string {
            escaped = byte == b'\\';
            in_string = byte != b'"';
        } else if byte == b'"' {
            in_string = true;
        } else if byte.is_ascii_whitespace() {
            return true;
        }
    }
    false
}

impl IntoOwned for Json<'_> {
    type Owned = Json<'static>;
    fn into_owned(self) -> Json<'static> {
        Json::into_owned(self)
    }
}

impl PartialEq for Json<'_> {
    /// Compares the texts: `1.0` is not `1`.
    fn eq(&self, other: &Self) -> bool {
        self.as_str() == other.as_str()
    }
}

impl Eq for Json<'_> {}

impl fmt::Debug for Json<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.raw().serialize(serializer)
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for Json<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        <&RawValue>::deserialize(deserializer).map(|raw| Self(Raw::Borrowed(raw)))
    }
}
