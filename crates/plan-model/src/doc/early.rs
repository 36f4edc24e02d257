//! The id of a text that is not JSON, where it stands before the fault (ruling 28).

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};

/// Returns the string under the first `id` of the object that `text` starts as, when it is whole.
///
/// Reads up to there and no further, whatever comes then.
pub(super) fn early_id(text: &str) -> Option<String> {
    let mut id = None;
    let mut json = serde_json::Deserializer::from_str(text);
    // The text is known to be at fault; the id is all that is asked for.
    let _fault = json.deserialize_map(Object { id: &mut id });
    id
}

/// An object of which the `id` is read.
struct Object<'i> {
    id: &'i mut Option<String>,
}

impl<'de> Visitor<'de> for Object<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(is_id) = map.next_key_seed(IsId)? {
            if is_id {
                *self.id = Some(map.next_value()?);
                return Ok(());
            }
            map.next_value::<IgnoredAny>()?;
        }
        Ok(())
    }
}

/// Says whether a key is `id`. Reads bytes: half of a surrogate pair in another key does not end the search.
struct IsId;

impl<'de> DeserializeSeed<'de> for IsId {
    type Value = bool;

    fn deserialize<D: Deserializer<'de>>(self, key: D) -> Result<bool, D::Error> {
        key.deserialize_bytes(self)
    }
}

impl Visitor<'_> for IsId {
    type Value = bool;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key")
    }

    fn visit_bytes<E>(self, key: &[u8]) -> Result<bool, E> {
        Ok(key == b"id")
    }
}
