//! A strict reading of JSON that stops where the text stops being JSON, and knows where it is.

use std::ops::Range;

use super::decode;
use super::place::push_segment;
use super::syntax::SyntaxFault;
use super::trouble::Trouble;
use super::walk::DEEPEST;

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
pub(super) struct Scan<'t> {
    text: &'t str,
    at: usize,
    open: Vec<Open>,
}

type Step<T = ()> = Result<T, SyntaxFault>;

impl<'t> Scan<'t> {
    pub(super) const fn new(text: &'t str, at: usize) -> Self {
        Self {
            text,
            at,
            open: Vec::new(),
        }
    }

    /// Returns the first fault, if there is one.
    pub(super) fn fault(&mut self) -> Option<SyntaxFault> {
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
                if self.open.len() == DEEPEST {
                    // Whatever else is wrong further in, this is (ruling 1); and the stack stays small.
                    return Err(self.fault_here(Trouble::TooDeep));
                }
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

    pub(super) fn fault_at(&self, span: Range<usize>, trouble: Trouble) -> SyntaxFault {
        let mut pointer = String::new();
        // A text that is nothing but brackets would make a pointer longer than anyone reads.
        for open in self.open.iter().take(DEEPEST) {
            match open {
                Open::Object(None) => {}
                Open::Object(Some(key)) => {
                    let mut name = String::new();
                    decode(&self.text[key.clone()], &mut name);
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
