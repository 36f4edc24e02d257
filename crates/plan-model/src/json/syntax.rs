//! Says whether a text is JSON, and if not, where it stops being so and what to write there.

use std::fmt;
use std::ops::Range;

use serde::de::IgnoredAny;

use super::place::push_segment;

/// Checks that `text` from `from` on is one JSON value. Depth does not matter here.
pub(crate) fn validate(text: &str, from: usize) -> Result<(), SyntaxFault> {
    // serde_json decides; the scan below only finds the words for what it refused.
    let Err(error) = serde_json::from_str::<IgnoredAny>(&text[from..]) else {
        return Ok(());
    };
    let mut scan = Scan {
        text,
        at: from,
        open: Vec::new(),
    };
    Err(scan.fault().unwrap_or_else(|| {
        let line = text[from..]
            .split_inclusive('\n')
            .take(error.line().saturating_sub(1))
            .map(str::len)
            .sum::<usize>();
        let at = (from + line + error.column().saturating_sub(1)).min(text.len());
        scan.fault_at(at..at, Trouble::Other)
    }))
}

/// Returns the JSON Pointer of the innermost value that has begun where `text` ends or stops being JSON.
pub(crate) fn deepest(text: &str, from: usize) -> String {
    let mut scan = Scan {
        text,
        at: from,
        open: Vec::new(),
    };
    scan.fault().map(|fault| fault.pointer).unwrap_or_default()
}

/// Where a text stops being JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SyntaxFault {
    /// The bytes at fault.
    pub(crate) span: Range<usize>,
    /// The innermost value that had begun.
    pub(crate) pointer: String,
    /// What is wrong.
    pub(crate) trouble: Trouble,
}

/// What is wrong with a text that is not JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trouble {
    Nothing,
    Ends(&'static str),
    OpenString,
    Control(char),
    Escape(String),
    Number(String),
    Word(String),
    SingleQuote,
    CurlyQuote(char),
    Comment,
    Fence,
    TrailingComma(char),
    MissingComma(char, char),
    MissingColon(char),
    Key(char),
    Unexpected(char),
    Trailing,
    Other,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("the plan's text is empty"),
            Self::Ends(inside) => write!(f, "the text ends inside {inside}"),
            Self::OpenString => f.write_str("a string is not closed before the text ends"),
            Self::Control('\n' | '\r') => f.write_str("a string holds a raw line break"),
            Self::Control(char) => {
                write!(
                    f,
                    "a string holds the raw control character {:#04x}",
                    u32::from(*char)
                )
            }
            Self::Escape(escape) => write!(f, "`{escape}` is not an escape that JSON knows"),
            Self::Number(number) => write!(f, "`{number}` is not a number of JSON"),
            Self::Word(word) => write!(f, "`{word}` is not a value of JSON"),
            Self::SingleQuote => f.write_str("a `'` does not start a string in JSON"),
            Self::CurlyQuote(quote) => write!(f, "a `{quote}` does not start a string in JSON"),
            Self::Comment => f.write_str("JSON has no comments"),
            Self::Fence => f.write_str("the text starts with a code fence, not with JSON"),
            Self::TrailingComma(close) => {
                write!(f, "a `,` stands right before the closing `{close}`")
            }
            Self::MissingComma(close, found) => {
                write!(
                    f,
                    "expected `,` or `{close}`, found `{}`",
                    found.escape_debug()
                )
            }
            Self::MissingColon(found) => {
                write!(
                    f,
                    "expected `:` after the key, found `{}`",
                    found.escape_debug()
                )
            }
            Self::Key(found) => {
                write!(
                    f,
                    "expected a key in double quotes, found `{}`",
                    found.escape_debug()
                )
            }
            Self::Unexpected(found) => {
                write!(f, "expected a value, found `{}`", found.escape_debug())
            }
            Self::Trailing => f.write_str("text follows the end of the plan"),
            Self::Other => f.write_str("the text is not JSON from here on"),
        }
    }
}

impl Trouble {
    /// Returns what to write instead.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::Nothing => "send one JSON object: `{\"id\": \"…\", \"steps\": […]}`".to_owned(),
            Self::Ends(inside) => format!("close {inside}; the text may have been cut off"),
            Self::OpenString => "close it with `\"`, and write a `\"` inside it as `\\\"`".to_owned(),
            Self::Control('\n' | '\r') => "write a line break inside a string as `\\n`".to_owned(),
            Self::Control('\t') => "write a tab inside a string as `\\t`".to_owned(),
            Self::Control(char) => format!("write it as `\\u{:04x}`", u32::from(*char)),
            Self::Escape(_) => {
                "write a backslash as `\\\\`; the escapes are `\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX`".to_owned()
            }
            Self::Number(_) => "write it like `0`, `12`, `-3` or `4.5e6`, or put it in double quotes".to_owned(),
            Self::Word(word) => match word.as_str() {
                "True" | "TRUE" => "write `true`".to_owned(),
                "False" | "FALSE" => "write `false`".to_owned(),
                "None" | "NULL" | "Null" | "nil" | "undefined" => {
                    "write `null`, or leave the key out".to_owned()
                }
                _ => format!("put text in double quotes: `\"{word}\"`"),
            },
            Self::SingleQuote | Self::CurlyQuote(_) => "write strings in double quotes: `\"…\"`".to_owned(),
            Self::Comment => "take the comment away".to_owned(),
            Self::Fence => "send the JSON alone, without the lines of backquotes around it".to_owned(),
            Self::TrailingComma(_) => "take the comma away".to_owned(),
            Self::MissingComma(..) => {
                "put a `,` between two entries; a `\"` inside a string is written `\\\"`".to_owned()
            }
            Self::MissingColon(_) => "write `\"key\": value`".to_owned(),
            Self::Key(_) => "write every key in double quotes: `\"id\": …`".to_owned(),
            Self::Unexpected(_) => "write a string, number, object, list, `true`, `false` or `null`".to_owned(),
            Self::Trailing => "send one JSON object and nothing after it".to_owned(),
            Self::Other => "send one JSON object".to_owned(),
        }
    }
}

enum Open {
    Object(Option<Range<usize>>),
    List(usize),
}

impl Open {
    const fn close(&self) -> char {
        match self {
            Self::Object(_) => '}',
            Self::List(_) => ']',
        }
    }

    const fn noun(&self) -> &'static str {
        match self {
            Self::Object(_) => "an object",
            Self::List(_) => "a list",
        }
    }
}

/// A strict reading of JSON that remembers where it is.
struct Scan<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Open>,
}

type Step<T = ()> = Result<T, SyntaxFault>;

impl Scan<'_> {
    fn fault(&mut self) -> Option<SyntaxFault> {
        if self.look().is_none() {
            return Some(self.fault_at(self.at..self.at, Trouble::Nothing));
        }
        self.document().err()
    }

    /// `value`, then the end of the text.
    fn document(&mut self) -> Step {
        loop {
            if self.value()? {
                continue;
            }
            loop {
                let found = self.look();
                let (Some(open), Some(found)) = (self.open.last_mut(), found) else {
                    return match (self.open.last(), found) {
                        (None, None) => Ok(()),
                        (None, Some(_)) => {
                            Err(self.fault_at(self.at..self.text.len(), Trouble::Trailing))
                        }
                        (Some(_), _) => Err(self.ends()),
                    };
                };
                let close = open.close();
                if found == close {
                    self.at += 1;
                    self.open.pop();
                    continue;
                }
                if found != ',' {
                    return Err(self.fault_here(Trouble::MissingComma(close, found)));
                }
                let comma = self.at;
                self.at += 1;
                let object = match open {
                    Open::List(n) => {
                        *n += 1;
                        false
                    }
                    Open::Object(key) => {
                        *key = None;
                        true
                    }
                };
                if self.look() == Some(close) {
                    return Err(self.fault_at(comma..comma + 1, Trouble::TrailingComma(close)));
                }
                if object {
                    self.key()?;
                }
                break;
            }
        }
    }

    /// Passes a scalar or an empty container; true when a container was opened and its first value comes next.
    fn value(&mut self) -> Step<bool> {
        let start = self.at;
        match self.look() {
            None => return Err(self.ends()),
            Some('"') => self.string()?,
            Some(opening @ ('{' | '[')) => {
                self.at += 1;
                self.open.push(match opening {
                    '{' => Open::Object(None),
                    _ => Open::List(0),
                });
                let close = if opening == '{' { '}' } else { ']' };
                if self.look() != Some(close) {
                    if opening == '{' {
                        self.key()?;
                    }
                    return Ok(true);
                }
                self.at += 1;
                self.open.pop();
            }
            Some('-' | '0'..='9') => self.number()?,
            Some('\'') => return Err(self.fault_here(Trouble::SingleQuote)),
            Some(quote @ ('“' | '”' | '‘' | '’')) => {
                return Err(self.fault_here(Trouble::CurlyQuote(quote)));
            }
            Some('/') => return Err(self.fault_here(Trouble::Comment)),
            Some('`') if self.open.is_empty() && self.text[start..].starts_with("```") => {
                return Err(self.fault_at(self.at..self.at + 3, Trouble::Fence));
            }
            Some(c) if c.is_alphabetic() => self.word()?,
            Some(found) => return Err(self.fault_here(Trouble::Unexpected(found))),
        }
        Ok(false)
    }

    fn key(&mut self) -> Step {
        match self.look() {
            None => return Err(self.ends()),
            Some('"') => {}
            Some('/') => return Err(self.fault_here(Trouble::Comment)),
            Some(found) => return Err(self.fault_here(Trouble::Key(found))),
        }
        let start = self.at;
        self.string()?;
        let key = start + 1..self.at - 1;
        match self.look() {
            None => return Err(self.ends()),
            Some(':') => self.at += 1,
            Some(found) => return Err(self.fault_here(Trouble::MissingColon(found))),
        }
        if let Some(open) = self.open.last_mut() {
            *open = Open::Object(Some(key));
        }
        Ok(())
    }

    fn string(&mut self) -> Step {
        let start = self.at;
        self.at += 1;
        let mut chars = self.text[self.at..].char_indices();
        while let Some((n, char)) = chars.next() {
            let here = self.at + n;
            match char {
                '"' => {
                    self.at = here + 1;
                    return Ok(());
                }
                '\\' => {
                    let rest = &self.text[here + 1..];
                    let Some(escape) = rest.chars().next() else {
                        break;
                    };
                    let hex = rest
                        .bytes()
                        .skip(1)
                        .take(4)
                        .filter(u8::is_ascii_hexdigit)
                        .count();
                    match escape {
                        '"' | '\\' | '/' | 'b' | 'f' | 'n' | 'r' | 't' => {}
                        'u' if hex == 4 => {}
                        _ => {
                            let len = 1 + escape.len_utf8();
                            let escape = self.text[here..here + len].to_owned();
                            return Err(self.fault_at(here..here + len, Trouble::Escape(escape)));
                        }
                    }
                    chars.next();
                }
                '\u{0}'..='\u{1f}' => {
                    return Err(self.fault_at(here..here + 1, Trouble::Control(char)));
                }
                _ => {}
            }
        }
        Err(self.fault_at(start..self.text.len(), Trouble::OpenString))
    }

    fn number(&mut self) -> Step {
        let start = self.at;
        let rest = &self.text[start..];
        let len = rest
            .find(|c: char| !matches!(c, '0'..='9' | '+' | '-' | '.' | 'e' | 'E'))
            .unwrap_or(rest.len());
        self.at += len;
        if is_number(&rest[..len]) {
            return Ok(());
        }
        Err(self.fault_at(
            start..self.at,
            Trouble::Number(rest[..len.min(40)].to_owned()),
        ))
    }

    fn word(&mut self) -> Step {
        let start = self.at;
        let rest = &self.text[start..];
        let len = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        self.at += len;
        match &rest[..len] {
            "true" | "false" | "null" => Ok(()),
            word => {
                let word = word.chars().take(40).collect();
                Err(self.fault_at(start..self.at, Trouble::Word(word)))
            }
        }
    }

    /// Skips white space and returns the character there.
    fn look(&mut self) -> Option<char> {
        let rest = &self.text[self.at..];
        let trimmed = rest.trim_start_matches([' ', '\n', '\t', '\r']);
        self.at += rest.len() - trimmed.len();
        trimmed.chars().next()
    }

    fn ends(&self) -> SyntaxFault {
        let end = self.text.trim_end_matches([' ', '\n', '\t', '\r']).len();
        let inside = self.open.last().map_or("a value", Open::noun);
        self.fault_at(end..end, Trouble::Ends(inside))
    }

    fn fault_here(&self, trouble: Trouble) -> SyntaxFault {
        let len = self.text[self.at..]
            .chars()
            .next()
            .map_or(0, char::len_utf8);
        self.fault_at(self.at..self.at + len, trouble)
    }

    fn fault_at(&self, span: Range<usize>, trouble: Trouble) -> SyntaxFault {
        let mut pointer = String::new();
        // A text that is nothing but brackets would make a pointer longer than anyone reads.
        for open in self.open.iter().take(super::walk::DEEPEST) {
            match open {
                Open::Object(None) => {}
                Open::Object(Some(key)) => {
                    let mut name = String::new();
                    super::decode(&self.text[key.clone()], &mut name);
                    push_segment(&name, &mut pointer);
                }
                Open::List(n) => push_segment(&n.to_string(), &mut pointer),
            }
        }
        SyntaxFault {
            span,
            pointer,
            trouble,
        }
    }
}

fn is_number(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    let digits =
        |text: &str| text.len() - text.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let whole = digits(text);
    if whole == 0 || (whole > 1 && text.starts_with('0')) {
        return false;
    }
    let mut rest = &text[whole..];
    if let Some(fraction) = rest.strip_prefix('.') {
        let len = digits(fraction);
        if len == 0 {
            return false;
        }
        rest = &fraction[len..];
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        let exponent = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        let len = digits(exponent);
        return len > 0 && len == exponent.len();
    }
    rest.is_empty()
}
