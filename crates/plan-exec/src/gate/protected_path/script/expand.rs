//! A word of a script as the arguments it becomes.

use super::word::{Change, Piece, Word};
use crate::gate::protected_path::arg::{Arg, HOLE};

/// A character of a word, or something that is more than one.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Unit {
    Char(char),
    /// A live `*`, `?` or `[`.
    Glob(char),
    /// A live `{`, `,` or `}`.
    Brace(char),
    /// What is not known.
    Hole,
    /// A value that stands for a path or anything below it.
    Anything(Arg),
    /// White space of a value that is not quoted: a new argument begins.
    Break,
}

/// Returns the arguments `word` becomes, when `value` says what each variable holds.
///
/// A value of `None` is not known. Braces make at most [`WORDS_MAX`] arguments; past that the word may be anything
/// where it runs.
pub(super) fn expand<'v>(
    word: &Word,
    home: &str,
    value: &dyn Fn(&str, &Change) -> Option<&'v Arg>,
) -> Vec<Arg> {
    let mut units = Vec::new();
    let mut keeps_empty = false;
    for (index, piece) in word.pieces.iter().enumerate() {
        match piece {
            Piece::Text { text, quoted: true } => {
                keeps_empty = true;
                units.extend(text.chars().map(Unit::Char));
            }
            Piece::Text {
                text,
                quoted: false,
            } => {
                let alone = word.pieces.len() == 1;
                let text = if index == 0 {
                    tilde(text, home, alone, &mut units)
                } else {
                    text
                };
                units.extend(text.chars().map(|c| match c {
                    '*' | '?' | '[' => Unit::Glob(c),
                    '{' | ',' | '}' => Unit::Brace(c),
                    _ => Unit::Char(c),
                }));
            }
            Piece::Variable {
                name,
                quoted,
                change,
            } => {
                keeps_empty |= *quoted;
                put_value(
                    value(name, change),
                    *quoted,
                    *change == Change::Trimmed,
                    &mut units,
                );
            }
            Piece::Unknown { quoted } => {
                keeps_empty |= *quoted;
                units.push(Unit::Hole);
            }
        }
    }
    let has_braces = units.contains(&Unit::Brace('{'));
    let words = if has_braces {
        braces(units)
    } else {
        Some(vec![units])
    };
    let Some(words) = words else {
        return vec![Arg::anything_below(Arg::plain("."))];
    };
    words
        .into_iter()
        .flat_map(|units| {
            units
                .split(|unit| *unit == Unit::Break)
                .map(arg)
                .filter(|arg| keeps_empty || !arg.as_str().is_empty())
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Reads a tilde at the beginning of a word, and returns the text after it.
fn tilde<'t>(text: &'t str, home: &str, alone: bool, units: &mut Vec<Unit>) -> &'t str {
    let Some(rest) = text.strip_prefix('~') else {
        return text;
    };
    let end = rest.find('/').unwrap_or(rest.len());
    match &rest[..end] {
        "" if alone || end < rest.len() => units.extend(home.chars().map(Unit::Char)),
        // Where it is, so that what follows is relative.
        "+" => units.push(Unit::Char('.')),
        _ => units.push(Unit::Hole),
    }
    &rest[end..]
}

fn put_value(value: Option<&Arg>, quoted: bool, trimmed: bool, units: &mut Vec<Unit>) {
    let Some(value) = value else {
        units.push(Unit::Hole);
        return;
    };
    if value.is_below() {
        units.push(Unit::Anything(value.clone()));
        return;
    }
    let kept = if trimmed {
        // What is taken off the end rarely reaches into the directory.
        value.as_str().rfind('/').map_or(0, |at| at + 1)
    } else {
        value.as_str().len()
    };
    units.extend(value.until(kept).chars().map(|(c, live)| match c {
        HOLE => Unit::Hole,
        '*' | '?' | '[' if live || !quoted => Unit::Glob(c),
        ' ' | '\t' | '\n' if !quoted => Unit::Break,
        c => Unit::Char(c),
    }));
    if trimmed {
        units.push(Unit::Hole);
    }
}

fn arg(units: &[Unit]) -> Arg {
    let mut arg = Arg::default();
    for (index, unit) in units.iter().enumerate() {
        match unit {
            Unit::Char(c) | Unit::Brace(c) => arg.push(*c),
            Unit::Glob(c) => arg.push_live(*c),
            Unit::Anything(value) if index == 0 => return value.clone(),
            Unit::Hole | Unit::Anything(_) => arg.push(HOLE),
            Unit::Break => {}
        }
    }
    arg
}

/// Expands `{a,b}` and `{1..3}`; `None` when that makes too much.
fn braces(units: Vec<Unit>) -> Option<Vec<Vec<Unit>>> {
    let mut done = Vec::new();
    let mut ahead = vec![(units, 0)];
    let mut work = 0;
    while let Some((units, from)) = ahead.pop() {
        work += units.len();
        if done.len() + ahead.len() >= WORDS_MAX || work > WORK_MAX {
            return None;
        }
        let Some((open, close, commas)) = group(&units, from) else {
            done.push(units);
            continue;
        };
        let inside = &units[open + 1..close];
        let alternatives: Vec<Vec<Unit>> = if commas.is_empty() {
            sequence(inside)
        } else {
            let mut ends = commas;
            ends.push(close);
            let mut start = open + 1;
            ends.into_iter()
                .map(|end| {
                    let alternative = units[start..end].to_vec();
                    start = end + 1;
                    alternative
                })
                .collect()
        };
        if alternatives.len() >= WORDS_MAX {
            return None;
        }
        for alternative in alternatives.into_iter().rev() {
            let mut word = units[..open].to_vec();
            word.extend(alternative);
            word.extend_from_slice(&units[close + 1..]);
            work += word.len();
            if work > WORK_MAX {
                return None;
            }
            ahead.push((word, open));
        }
    }
    Some(done)
}

/// Finds the first group at or after `from`: its braces, and the commas between them at its own level.
fn group(units: &[Unit], from: usize) -> Option<(usize, usize, Vec<usize>)> {
    let mut open: Vec<(usize, Vec<usize>)> = Vec::new();
    let mut first: Option<(usize, usize, Vec<usize>)> = None;
    for (at, unit) in units.iter().enumerate().skip(from) {
        match unit {
            Unit::Brace('{') => open.push((at, Vec::new())),
            Unit::Brace(',') => {
                if let Some((_, commas)) = open.last_mut() {
                    commas.push(at);
                }
            }
            Unit::Brace('}') => {
                let Some((start, commas)) = open.pop() else {
                    continue;
                };
                let is_group = !commas.is_empty() || !sequence(&units[start + 1..at]).is_empty();
                // An outer group begins earlier and closes later.
                if is_group
                    && first
                        .as_ref()
                        .is_none_or(|(earliest, ..)| start < *earliest)
                {
                    first = Some((start, at, commas));
                }
                if open.is_empty() && first.is_some() {
                    return first;
                }
            }
            _ => {}
        }
    }
    first
}

/// Reads `1..3`, `a..e` and `1..9..2`. A long one becomes a `*`.
fn sequence(inside: &[Unit]) -> Vec<Vec<Unit>> {
    /// Longer than any sequence that is written.
    const LENGTH_MAX: usize = 64;
    if inside.len() > LENGTH_MAX {
        return Vec::new();
    }
    let text: Option<String> = inside
        .iter()
        .map(|unit| match unit {
            Unit::Char(c) => Some(*c),
            _ => None,
        })
        .collect();
    let Some(text) = text else { return Vec::new() };
    let mut parts = text.split("..");
    let (Some(first), Some(last), step, None) =
        (parts.next(), parts.next(), parts.next(), parts.next())
    else {
        return Vec::new();
    };
    let chars = |text: &str| text.chars().map(Unit::Char).collect::<Vec<_>>();
    let step = step
        .map_or(Ok(1), str::parse::<i64>)
        .unwrap_or(1)
        .unsigned_abs()
        .max(1);
    if let (Ok(first_number), Ok(last_number)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let count = first_number.abs_diff(last_number) / step;
        let padded = [first, last]
            .iter()
            .any(|text| text.trim_start_matches('-').starts_with('0') && text.len() > 1);
        if count > SEQUENCE_MAX || padded {
            return vec![vec![Unit::Glob('*')]];
        }
        let sign = if last_number < first_number { -1 } else { 1 };
        return (0..=count)
            .map(|index| {
                let offset = i64::try_from(index * step)
                    .unwrap_or(i64::MAX)
                    .saturating_mul(sign);
                chars(&first_number.saturating_add(offset).to_string())
            })
            .collect();
    }
    let mut single = [first, last].into_iter().map(|text| {
        let mut chars = text.chars();
        chars.next().filter(|_| chars.next().is_none())
    });
    let (Some(Some(low)), Some(Some(high))) = (single.next(), single.next()) else {
        return Vec::new();
    };
    let (low, high) = (low.min(high), low.max(high));
    if u64::from(high as u32 - low as u32) > SEQUENCE_MAX {
        return vec![vec![Unit::Glob('?')]];
    }
    (low..=high).map(|c| vec![Unit::Char(c)]).collect()
}

/// The arguments one word may become.
const WORDS_MAX: usize = 512;

/// The characters handled for the braces of one word.
const WORK_MAX: usize = 1 << 20;

/// The elements of a sequence that are written out.
const SEQUENCE_MAX: u64 = 64;
