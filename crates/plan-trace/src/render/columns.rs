//! Text from plans, tools, commands and traces made fit for a terminal: nothing in it steers, and it fits a width.

use std::borrow::Cow;

use unicode_width::UnicodeWidthChar;

/// Returns `text` with every character that could steer a terminal replaced by one that is seen.
///
/// One character stands for one character, so columns still count; a tab becomes a space and a line break `␊`.
pub fn visible(text: &str) -> Cow<'_, str> {
    replaced(text, false)
}

/// Returns `text` as [`visible`] does, but with its line breaks kept.
pub fn visible_lines(text: &str) -> Cow<'_, str> {
    replaced(text, true)
}

/// Returns the first line of `text` that is not blank, made visible, with ` …` after it when more follows.
pub fn first_line(text: &str) -> String {
    let text = text.trim();
    let line = text.lines().next().unwrap_or_default();
    let cut = line
        .char_indices()
        .nth(LONGEST_LINE)
        .map_or(line.len(), |(at, _)| at);
    let mut shown = visible(&line[..cut]).into_owned();
    if text.len() > cut {
        shown.push_str(" …");
    }
    shown
}

/// Returns how many columns of a terminal `text` takes.
pub fn columns(text: &str) -> usize {
    text.chars().map(char_columns).sum()
}

/// Returns the start of `text` that fits `width` columns, its last one an `…` when something was left out.
pub fn fit(text: &str, width: usize) -> Cow<'_, str> {
    let mut used = 0;
    let mut cut = 0;
    for (at, character) in text.char_indices() {
        used += char_columns(character);
        if used > width {
            return match width {
                0 => Cow::Borrowed(""),
                _ => Cow::Owned(format!("{}…", &text[..cut])),
            };
        }
        // One column is kept free for the mark.
        if used < width {
            cut = at + character.len_utf8();
        }
    }
    Cow::Borrowed(text)
}

/// Returns the end of `text` that fits `width` columns, its first one an `…` when something was left out.
pub fn fit_end(text: &str, width: usize) -> Cow<'_, str> {
    let mut used = 0;
    let mut cut = text.len();
    for (at, character) in text.char_indices().rev() {
        used += char_columns(character);
        if used > width {
            return match width {
                0 => Cow::Borrowed(""),
                _ => Cow::Owned(format!("…{}", &text[cut..])),
            };
        }
        if used < width {
            cut = at;
        }
    }
    Cow::Borrowed(text)
}

/// Breaks `text`, which has no line break, into lines of at most `width` columns, at a space where there is one.
pub fn wrap(text: &str, width: usize) -> Vec<&str> {
    let width = width.max(1);
    let mut lines = Vec::new();
    let (mut start, mut used) = (0, 0);
    // Where the line could end, and the next one begin.
    let mut space = None;
    for (at, character) in text.char_indices() {
        if character == ' ' && at > start {
            space = Some((at, at + 1));
        }
        used += char_columns(character);
        if used > width && at > start {
            let (end, next) = space.take().unwrap_or((at, at));
            lines.push(&text[start..end]);
            start = next;
            let after = at + character.len_utf8();
            used = columns(&text[start..after]);
        }
    }
    lines.push(&text[start..]);
    lines
}

/// Appends `text` and as many spaces as are missing to `width` columns.
pub fn push_padded(out: &mut String, text: &str, width: usize) {
    out.push_str(text);
    for _ in columns(text)..width {
        out.push(' ');
    }
}

/// Returns a time for a person: `0.4 s`, `12.0 s`, `3 min 05 s`, `2 h 05 min`.
pub fn elapsed(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    match seconds {
        0..60 => format!("{}.{} s", seconds, milliseconds % 1000 / 100),
        60..3600 => format!("{} min {:02} s", seconds / 60, seconds % 60),
        _ => format!("{} h {:02} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// Returns a time as [`elapsed`] does, but one below a second in milliseconds: `40 ms`.
pub fn elapsed_exactly(milliseconds: u64) -> String {
    match milliseconds {
        0..1000 => format!("{milliseconds} ms"),
        _ => elapsed(milliseconds),
    }
}

fn replaced(text: &str, keep_lines: bool) -> Cow<'_, str> {
    let steers = |character: char| stand_in(character, keep_lines) != character;
    if text.chars().any(steers) {
        Cow::Owned(
            text.chars()
                .map(|character| stand_in(character, keep_lines))
                .collect(),
        )
    } else {
        Cow::Borrowed(text)
    }
}

/// The picture of a control character, and a replacement character for what turns the direction of text.
fn stand_in(character: char, keep_lines: bool) -> char {
    match character {
        '\n' if keep_lines => '\n',
        '\t' => ' ',
        '\u{0}'..='\u{1f}' => {
            char::from_u32(CONTROL_PICTURES + u32::from(character)).unwrap_or(LOST)
        }
        '\u{7f}' => '␡',
        '\u{80}'..='\u{9f}'
        | '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => LOST,
        _ => character,
    }
}

fn char_columns(character: char) -> usize {
    character.width().unwrap_or(1)
}

/// U+2400, the picture of NUL; those of the other control characters follow in order.
const CONTROL_PICTURES: u32 = 0x2400;
/// Characters of a line that are worth looking at: more than a table shows.
const LONGEST_LINE: usize = 500;
/// What stands for a character that has no picture.
const LOST: char = '\u{fffd}';
