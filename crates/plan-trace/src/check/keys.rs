//! The keys of one line: which, in which order, of which type, and how the lack of a value is written.

use std::fmt;

use serde::{Deserialize, Deserializer, de};
use serde_json::value::RawValue;

use super::{
    Findings,
    schema::{self, Form, Key, Need},
};
use crate::{
    id::{EventId, SessionId},
    json::has_white_space,
    read::Envelope,
    record::Event,
    text::Text,
};

/// The keys every line starts with.
const COMMON: [&str; 5] = [
    "event_type",
    "event_id",
    "parent_id",
    "session_id",
    "timestamp",
];

/// Checks one line and returns its common keys, wherever they stand; `None` when it is no object.
pub(super) fn check<'a>(line: &'a str, found: &mut Findings) -> Option<Envelope<'a>> {
    let Ok(object) = serde_json::from_str::<Object<'_>>(line) else {
        found.add("the line is not a JSON object");
        return None;
    };
    if has_white_space(line) {
        found.add("the object is not compact");
    }
    let names = object.0.iter().map(|(name, _)| name.as_str());
    if names.take(COMMON.len()).eq(COMMON) {
        let (common, payload) = object.0.split_at(COMMON.len());
        check_common(common, found);
        if let Some(event) = text(common[0].1).and_then(|name| Event::named(&name)) {
            check_object(event.name(), payload, schema::keys(event), found);
        }
    } else {
        found.add(format!(
            "the line does not start with {}",
            COMMON.join(", ")
        ));
    }
    let value = |name: &str| object.0.iter().find(|(key, _)| *key == name);
    Some(Envelope {
        event_id: value("event_id").and_then(|(_, id)| text(id)),
        parent_id: value("parent_id").and_then(|(_, id)| parent(id)),
        session_id: value("session_id").and_then(|(_, id)| text(id)),
        timestamp: value("timestamp").and_then(|(_, time)| time.get().parse().ok()),
    })
}

fn check_common(common: &[(Text<'_>, &RawValue)], found: &mut Findings) {
    let is_id = |value: &RawValue| text(value).is_some_and(|id| EventId::parse(&id).is_ok());
    let [event_type, event_id, parent_id, session_id, timestamp] =
        [0, 1, 2, 3, 4].map(|index: usize| common[index].1);
    if text(event_type).is_none() {
        found.add("`event_type` is not text");
    }
    if !is_id(event_id) {
        found.add(format!(
            "`event_id` is {event_id}, which is no id of a line"
        ));
    }
    if !is_null(parent_id) && !is_id(parent_id) {
        found.add(format!(
            "`parent_id` is {parent_id}, which is no id of a line"
        ));
    }
    if text(session_id).is_none_or(|id| SessionId::parse(&id).is_err()) {
        found.add(format!(
            "`session_id` is {session_id}, which is no id of a session"
        ));
    }
    if !has_form(timestamp, Form::Count) {
        found.add(format!(
            "`timestamp` is {timestamp}, which is no whole number"
        ));
    }
}

/// Checks the keys of an object against their table; keys the table does not know are skipped.
fn check_object(what: &str, object: &[(Text<'_>, &RawValue)], table: &[Key], found: &mut Findings) {
    let mut last = None;
    let mut given = vec![false; table.len()];
    for (name, value) in object {
        let Some(place) = table.iter().position(|key| *name == key.name) else {
            continue;
        };
        if given[place] {
            found.add(format!("`{what}` has the key `{name}` twice"));
        } else if last.is_some_and(|last| last > place) {
            found.add(format!("`{what}` has the key `{name}` out of order"));
        }
        given[place] = true;
        last = last.max(Some(place));
        check_value(what, value, &table[place], found);
    }
    for (key, given) in table.iter().zip(given) {
        if !given && key.need != Need::LeftOut {
            found.add(format!("`{what}` lacks the key `{}`", key.name));
        }
    }
}

fn check_value(what: &str, value: &RawValue, key: &Key, found: &mut Findings) {
    let Key { name, need, form } = key;
    match (is_null(value), need, form) {
        (true, Need::Null, _) | (true, _, Form::Any) => {}
        (true, Need::LeftOut, _) => {
            found.add(format!(
                "`{what}` has the key `{name}` as null instead of leaving it out"
            ));
        }
        (true, Need::Always, _) => found.add(format!("`{what}` has the key `{name}` as null")),
        (false, _, Form::Steps) => check_steps(value, found),
        (false, _, form) if !has_form(value, *form) => {
            let form = match form {
                Form::Text => "text",
                Form::Count => "a whole number",
                Form::Flag => "true or false",
                Form::Texts => "a list of text",
                Form::Steps | Form::Any => "a value",
            };
            found.add(format!(
                "`{what}` has the key `{name}` with what is not {form}"
            ));
        }
        (false, _, _) => {}
    }
}

fn check_steps(value: &RawValue, found: &mut Findings) {
    let Ok(steps) = serde_json::from_str::<Vec<Object<'_>>>(value.get()) else {
        found.add("`plan_start` has the key `steps` with what is not a list of objects");
        return;
    };
    for step in steps {
        check_object("plan_start.steps", &step.0, schema::STEP, found);
    }
}

fn is_null(value: &RawValue) -> bool {
    value.get() == "null"
}

fn text<'a>(value: &'a RawValue) -> Option<Text<'a>> {
    serde_json::from_str(value.get()).ok()
}

/// Returns the parent a line names; one that is no text is not taken for none.
fn parent(value: &RawValue) -> Option<Text<'_>> {
    match text(value) {
        None if !is_null(value) => Some(Text::from(value.get())),
        parent => parent,
    }
}

fn has_form(value: &RawValue, form: Form) -> bool {
    let value = value.get();
    match form {
        Form::Text => serde_json::from_str::<Text<'_>>(value).is_ok(),
        Form::Count => serde_json::from_str::<u64>(value).is_ok(),
        Form::Flag => serde_json::from_str::<bool>(value).is_ok(),
        Form::Texts => serde_json::from_str::<Vec<Text<'_>>>(value).is_ok(),
        Form::Steps | Form::Any => true,
    }
}

/// An object with its keys in the order they are written.
struct Object<'a>(Vec<(Text<'a>, &'a RawValue)>);

impl<'de: 'a, 'a> Deserialize<'de> for Object<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct ObjectVisitor;

        impl<'de> de::Visitor<'de> for ObjectVisitor {
            type Value = Object<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Object(entries))
            }
        }

        deserializer.deserialize_map(ObjectVisitor)
    }
}
