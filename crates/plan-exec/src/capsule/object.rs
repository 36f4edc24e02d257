//! JSON objects as others send them, read into what of them matters.

use serde::Deserialize;

/// Reads a JSON object. A list, which serde would take for a struct's members in order, is none.
pub(super) fn read<'b, T: Deserialize<'b>>(bytes: &'b [u8]) -> Option<T> {
    let first = bytes.iter().find(|byte| !byte.is_ascii_whitespace());
    (first == Some(&b'{'))
        .then(|| serde_json::from_slice(bytes).ok())
        .flatten()
}
