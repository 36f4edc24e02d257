//! Rust text taken apart: the code without comments and without what stands in quotes, and the comments.
//!
//! It knows just enough of the language to tell those apart. What is taken out becomes spaces and line
//! breaks stay, so both parts are laid out as the text is.

/// The two parts of a Rust text, each as long as the text.
#[derive(Debug, Clone, Default)]
pub(super) struct Parts {
    /// Everything but comments and the insides of literals.
    pub(super) code: String,
    /// The comments alone.
    pub(super) comments: String,
}

/// Takes `text` apart.
pub(super) fn split(text: &str) -> Parts {
    let chars: Vec<char> = text.chars().collect();
    let mut parts = Parts::default();
    let mut at = 0;
    while at < chars.len() {
        let (kind, end) = if chars[at..].starts_with(&['/', '/']) {
            (Kind::Comment, end_of_line(&chars, at))
        } else if chars[at..].starts_with(&['/', '*']) {
            (Kind::Comment, end_of_block_comment(&chars, at))
        } else if let Some(end) = end_of_literal(&chars, at) {
            (Kind::Literal, end)
        } else {
            (Kind::Code, at + 1)
        };
        for &c in &chars[at..end] {
            put(&mut parts.code, c, kind == Kind::Code);
            put(&mut parts.comments, c, kind == Kind::Comment);
        }
        at = end;
    }
    parts
}

#[derive(PartialEq, Eq)]
enum Kind {
    Code,
    Comment,
    Literal,
}

fn put(part: &mut String, c: char, keep: bool) {
    if keep || c == '\n' {
        part.push(c);
    } else {
        part.extend(std::iter::repeat_n(' ', c.len_utf8()));
    }
}

fn end_of_line(chars: &[char], from: usize) -> usize {
    let rest = chars[from..].iter().position(|c| *c == '\n');
    rest.map_or(chars.len(), |length| from + length)
}

fn end_of_block_comment(chars: &[char], from: usize) -> usize {
    let mut depth = 0_usize;
    let mut at = from;
    while at < chars.len() {
        if chars[at..].starts_with(&['/', '*']) {
            depth += 1;
            at += 2;
        } else if chars[at..].starts_with(&['*', '/']) {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += 1;
        }
    }
    chars.len()
}

/// Returns where the string or character literal that begins at `from` ends, if one begins there.
fn end_of_literal(chars: &[char], from: usize) -> Option<usize> {
    let follows_word = from > 0 && is_word(chars[from - 1]);
    match chars[from] {
        '"' => Some(end_of_quotes(chars, from, '"')),
        // `b"`, `c"`, `r"`, `br#"` and so on; not the tail of a word.
        'b' | 'c' | 'r' if !follows_word => {
            let mut at = from;
            while at < from + 2 && matches!(chars.get(at), Some('b' | 'c' | 'r')) {
                at += 1;
            }
            let is_raw = chars[at - 1] == 'r';
            let hashes = chars[at..].iter().take_while(|c| **c == '#').count();
            match chars.get(at + hashes) {
                Some('"') if is_raw => Some(end_of_raw(chars, at + hashes, hashes)),
                Some('"') if hashes == 0 => Some(end_of_quotes(chars, at, '"')),
                Some('\'') if hashes == 0 && chars[at - 1] == 'b' => {
                    Some(end_of_quotes(chars, at, '\''))
                }
                _ => None,
            }
        }
        // A quote that closes two characters on, or an escape: a character. Else it is a lifetime.
        '\'' if chars.get(from + 1) == Some(&'\\') || chars.get(from + 2) == Some(&'\'') => {
            Some(end_of_quotes(chars, from, '\''))
        }
        _ => None,
    }
}

fn end_of_quotes(chars: &[char], from: usize, quote: char) -> usize {
    let mut at = from + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            c if c == quote => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

fn end_of_raw(chars: &[char], from: usize, hashes: usize) -> usize {
    let mut at = from + 1;
    while at < chars.len() {
        let closes = chars[at] == '"'
            && chars[at + 1..].len() >= hashes
            && chars[at + 1..at + 1 + hashes].iter().all(|c| *c == '#');
        if closes {
            return at + 1 + hashes;
        }
        at += 1;
    }
    chars.len()
}

/// Returns whether `c` can be part of a name.
pub(super) fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns whether `name` stands in `code` as a whole name.
pub(super) fn names(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + name.len()..].chars().next();
        !before.is_some_and(is_word) && !after.is_some_and(is_word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(text: &str) -> String {
        split(text)
            .code
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// Decision: a rule about code must not read comments or texts.
    #[test]
    fn comments_and_literals_are_blanked() {
        assert_eq!(kept("a // b\nc /* d /* e */ f */ g"), "a c g");
        assert_eq!(
            kept(r#"f("x \" y", 'z', '\'', b'q', b"r") h"#),
            "f( , , , , ) h"
        );
        assert_eq!(kept("r#\"a \" b\"# c br\"d\" e"), "c e");
        assert_eq!(kept("fn f<'a>(x: &'a str) {}"), "fn f<'a>(x: &'a str) {}");
        assert_eq!(
            kept("for r in bar { 'l: loop {} }"),
            "for r in bar { 'l: loop {} }"
        );
        assert_eq!(kept("r#type \"unclosed"), "r#type");
    }

    /// Decision: findings carry lines.
    #[test]
    fn lines_stay_where_they_are() {
        let text = "a\n\"b\nc\"\n/* d\n*/ e // f\n";
        let parts = split(text);
        assert_eq!(parts.code.lines().nth(4).unwrap().trim(), "e");
        assert_eq!(parts.comments.lines().nth(4).unwrap().trim(), "*/   // f");
        let text = "f(\"é // x\"); // é\n";
        let parts = split(text);
        assert_eq!(
            (parts.code.len(), parts.comments.len()),
            (text.len(), text.len())
        );
        assert_eq!(parts.comments.trim(), "// é");
    }

    /// Decision: names are whole words.
    #[test]
    fn a_part_of_a_word_is_no_name() {
        assert!(names("use serde::de;", "serde"));
        assert!(!names("use serde_json::de;", "serde"));
        assert!(!names("use my_serde;", "serde"));
    }
}
