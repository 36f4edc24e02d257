//! One line: its common keys and its record, read in one pass.

use std::{borrow::Cow, fmt};

use serde::{
    Deserializer,
    de::{self, DeserializeSeed, IgnoredAny, IntoDeserializer, MapAccess, Visitor},
};
use serde_json::{error::Category, value::RawValue};

use crate::{
    record::{Event, Record},
    text::Text,
};

/// A line of a trace that this version knows.
#[derive(Debug, Clone, PartialEq)]
pub struct Line<'a> {
    /// Its number in the file, from 1.
    pub number: u64,
    /// The keys every line starts with.
    pub envelope: Envelope<'a>,
    /// What it says.
    pub record: Record<'a>,
}

/// The keys every line starts with, save its kind. Traces of others may lack some.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Envelope<'a> {
    /// The line's own id.
    pub event_id: Option<Text<'a>>,
    /// The id of the line it hangs off.
    pub parent_id: Option<Text<'a>>,
    /// The session.
    pub session_id: Option<Text<'a>>,
    /// Unix milliseconds.
    pub timestamp: Option<u64>,
}

impl Line<'_> {
    /// Returns the same line, borrowing nothing.
    pub fn into_owned(self) -> Line<'static> {
        Line {
            number: self.number,
            envelope: Envelope {
                event_id: self.envelope.event_id.map(Text::into_owned),
                parent_id: self.envelope.parent_id.map(Text::into_owned),
                session_id: self.envelope.session_id.map(Text::into_owned),
                timestamp: self.envelope.timestamp,
            },
            record: self.record.into_owned(),
        }
    }
}

/// What is wrong with one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum LineFault {
    /// It is not UTF-8.
    #[error("it is not UTF-8")]
    NotUtf8,
    /// It is not JSON.
    #[error("it is not JSON: {message} at byte {column}")]
    NotJson {
        /// What is wrong.
        message: String,
        /// The byte of the line, from 1.
        column: usize,
    },
    /// It is JSON, but no object.
    #[error("it is not a JSON object")]
    NotAnObject,
    /// It does not say what it is.
    #[error("it has no `event_type`")]
    NoEventType,
    /// What it says it is is not text.
    #[error("its `event_type` is not text")]
    EventTypeNotText,
    /// A key that its kind requires is missing.
    #[error("`{}` has no `{key}`", event.name())]
    MissingKey {
        /// The line's kind.
        event: Event,
        /// The key.
        key: String,
    },
    /// A key has a value of the wrong type.
    #[error("`{}` cannot have this `{key}`: {message}", event.name())]
    WrongValue {
        /// The line's kind.
        event: Event,
        /// The key.
        key: String,
        /// What is wrong.
        message: String,
    },
    /// It is longer than a line may be.
    #[error("it is longer than {limit} bytes")]
    TooLong {
        /// The most bytes a line may have.
        limit: usize,
    },
}

/// Returns the kind of a line, `None` for one this version does not know.
pub(super) fn event(text: &str) -> Result<Option<Event>, LineFault> {
    if let Some(name) = leading_event_type(text) {
        let event = Event::named(name);
        if event.is_none() {
            // Nothing else will look at the rest of the line.
            serde_json::from_str::<IgnoredAny>(text).map_err(|error| fault(&error, None))?;
        }
        return Ok(event);
    }
    // First, since the visitor stops at the end of the object.
    serde_json::from_str::<IgnoredAny>(text).map_err(|error| fault(&error, None))?;
    let name = serde_json::Deserializer::from_str(text)
        .deserialize_any(EventTypeVisitor)
        .map_err(|error| fault(&error, None))?
        .ok_or(LineFault::NoEventType)?;
    let name: Text<'_> =
        serde_json::from_str(name.get()).map_err(|_| LineFault::EventTypeNotText)?;
    Ok(Event::named(&name))
}

/// Reads a line of a known kind.
pub(super) fn read(event: Event, text: &str) -> Result<(Envelope<'_>, Record<'_>), LineFault> {
    let mut key = None;
    let seed = LineSeed {
        event,
        key: &mut key,
    };
    let mut deserializer = serde_json::Deserializer::from_str(text);
    let read = seed
        .deserialize(&mut deserializer)
        .and_then(|read| deserializer.end().map(|()| read));
    let (envelope, record) = read.map_err(|error| fault(&error, Some((event, key))))?;
    if event == Event::SessionStart && envelope.session_id.is_none() {
        let key = "session_id".to_owned();
        return Err(LineFault::MissingKey { event, key });
    }
    Ok((envelope, record))
}

/// Returns whether a line that has no end is whole all the same.
pub(super) fn is_whole(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|text| serde_json::from_str::<IgnoredAny>(text).is_ok())
}

/// Returns the kind where it is the first key, as every writer has it.
fn leading_event_type(text: &str) -> Option<&str> {
    let (name, _) = text.strip_prefix("{\"event_type\":\"")?.split_once('"')?;
    (!name.contains('\\')).then_some(name)
}

fn fault(error: &serde_json::Error, known: Option<(Event, Option<Text<'_>>)>) -> LineFault {
    let message = message(error);
    match (error.classify(), known) {
        (Category::Io | Category::Syntax | Category::Eof, _) => LineFault::NotJson {
            message,
            column: error.column(),
        },
        (Category::Data, None) => LineFault::NotAnObject,
        (Category::Data, Some((event, Some(key)))) => LineFault::WrongValue {
            event,
            key: cut(&key),
            message,
        },
        (Category::Data, Some((event, None))) => {
            match message
                .strip_prefix("missing field `")
                .and_then(|rest| rest.strip_suffix('`'))
            {
                Some(key) => LineFault::MissingKey {
                    event,
                    key: key.to_owned(),
                },
                None => LineFault::NotAnObject,
            }
        }
    }
}

/// Returns what an error says, without a line number that is always 1.
fn message(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let text = text.strip_suffix(&place).unwrap_or(&text);
    cut(&text.replace("expected u64", "expected a whole number"))
}

/// Cuts a text that quotes the line, which may be long.
fn cut(text: &str) -> String {
    const SHOWN: usize = 200;
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

struct EventTypeVisitor;

impl<'de> Visitor<'de> for EventTypeVisitor {
    type Value = Option<&'de RawValue>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = None;
        while let Some(key) = map.next_key::<Text<'de>>()? {
            if key == "event_type" {
                found = Some(map.next_value()?);
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(found)
    }
}

/// Reads a line of a known kind; `key` is left at the key at fault.
struct LineSeed<'k, 'de> {
    event: Event,
    key: &'k mut Option<Text<'de>>,
}

impl<'de> DeserializeSeed<'de> for LineSeed<'_, 'de> {
    type Value = (Envelope<'de>, Record<'de>);

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for LineSeed<'_, 'de> {
    type Value = (Envelope<'de>, Record<'de>);

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let mut envelope = Envelope::default();
        let payload = Payload {
            map,
            envelope: &mut envelope,
            key: self.key,
        };
        let record = self
            .event
            .read(de::value::MapAccessDeserializer::new(payload))?;
        Ok((envelope, record))
    }
}

/// A line's object without its common keys, which are taken out on the way.
struct Payload<'k, 'de, A> {
    map: A,
    envelope: &'k mut Envelope<'de>,
    key: &'k mut Option<Text<'de>>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Payload<'_, 'de, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        loop {
            *self.key = self.map.next_key()?;
            let Some(key) = self.key.as_deref() else {
                return Ok(None);
            };
            match key {
                "event_type" => {
                    self.map.next_value::<IgnoredAny>()?;
                }
                "event_id" => self.envelope.event_id = self.map.next_value()?,
                "parent_id" => self.envelope.parent_id = self.map.next_value()?,
                "session_id" => self.envelope.session_id = self.map.next_value()?,
                "timestamp" => self.envelope.timestamp = self.map.next_value()?,
                _ => {
                    return seed
                        .deserialize(Cow::Borrowed(key).into_deserializer())
                        .map(Some);
                }
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}
