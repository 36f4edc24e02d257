//! A step's input at dispatch: its text, with what the references read put in.

use crate::Ref;
use crate::json::{Cursor, decoded, push_compact};
use crate::plan::{Filling, Hole};

/// The ways to write the `$` that an escape drops (ruling 7): itself, or by its code.
const CODED_DOLLAR: &str = "\\u0024";

/// Writes the JSON of `source[place]` without white space between tokens, each hole filled with a JSON string.
pub(crate) fn json<'p, E>(
    source: &str,
    place: (u32, u32),
    holes: &[Hole],
    lookup: &mut dyn FnMut(Ref) -> Result<&'p str, E>,
) -> Result<String, E> {
    let between = |start: u32, end: u32| &source[start as usize..end as usize];
    let mut out = String::new();
    let mut copied = place.0;
    for hole in holes {
        let (start, end) = hole.place;
        push_compact(between(copied, start), &mut out);
        match hole.filling {
            Filling::Reference(reference) => push_string(lookup(reference)?, &mut out),
            Filling::Escape => {
                let inside = between(start + 1, end);
                let dollar = if inside.starts_with(CODED_DOLLAR) {
                    CODED_DOLLAR.len()
                } else {
                    "$".len()
                };
                out.push('"');
                out.push_str(&inside[dollar..]);
            }
        }
        copied = end;
    }
    push_compact(between(copied, place.1), &mut out);
    Ok(out)
}

/// Returns the task text of a capsule step whose input starts at `start`: a string, or the one member of an object.
pub(crate) fn task<'p, E>(
    source: &str,
    start: u32,
    holes: &[Hole],
    lookup: &mut dyn FnMut(Ref) -> Result<&'p str, E>,
) -> Result<String, E> {
    let mut cursor = Cursor::new(source, start as usize);
    if cursor.peek() == b'{' {
        cursor.bump();
        cursor.key();
        cursor.peek();
    }
    // Its text is the only string there, so the only one that can be a hole.
    match holes.first().map(|hole| hole.filling) {
        Some(Filling::Reference(reference)) => lookup(reference).map(str::to_owned),
        Some(Filling::Escape) => {
            let mut text = decoded(cursor.string(), source).into_owned();
            text.remove(0);
            Ok(text)
        }
        None => Ok(decoded(cursor.string(), source).into_owned()),
    }
}

fn push_string(text: &str, out: &mut String) {
    out.push_str(&serde_json::to_string(text).expect("a string is always JSON"));
}
