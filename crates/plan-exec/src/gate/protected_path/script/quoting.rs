//! Reads the inside of a word: quotes, and what begins with `$` or a backquote.

use winnow::Parser as _;

use super::{
    frame::Kind,
    listener::{Form, Listener},
    reader::Reader,
    token,
    word::{Change, Piece, is_name},
};
use crate::gate::protected_path::arg::HOLE;

impl<L: Listener> Reader<'_, '_, L> {
    pub(super) fn in_word(&mut self, c: char) -> Result<(), L::Stop> {
        match c {
            '<' | '>' | '|' | '&' if self.in_subscript() => {
                self.at += 1;
                self.word().push(c, false);
            }
            ' ' | '\t' | '\n' | ';' | '|' | '&' | '<' | '>' | ')' => self.end_word()?,
            '(' => self.paren_in_word()?,
            '\\' => {
                self.at += 1;
                match self.peek() {
                    Some('\n') => self.at += 1,
                    Some(kept) => {
                        self.at += kept.len_utf8();
                        self.word().push(kept, true);
                    }
                    None => self.word().push('\\', true),
                }
            }
            '\'' => {
                let inside = &self.text[self.at + 1..];
                let close = if self.open.single {
                    None
                } else {
                    inside.find('\'')
                };
                match close {
                    Some(close) => {
                        self.at += close + 2;
                        self.word()
                            .push_str(&inside[..close].replace(HOLE, ""), true);
                    }
                    None => {
                        self.open.single = true;
                        self.at += 1;
                        self.word().push('\'', true);
                    }
                }
            }
            '"' => {
                let at = self.at;
                self.at += 1;
                if self.open.double {
                    self.word().push('"', true);
                } else {
                    // Remembered as a word even when nothing stands in it.
                    self.word().push_str("", true);
                    self.top().double = Some(at);
                }
            }
            '$' => self.dollar(false)?,
            '`' => self.backquote(false)?,
            HOLE => {
                self.at += 1;
                self.word().pieces.push(Piece::Unknown { quoted: false });
            }
            _ => {
                let plain = self
                    .rest()
                    .find([
                        ' ', '\t', '\n', ';', '|', '&', '<', '>', '(', ')', '\\', '\'', '"', '$',
                        '`', HOLE,
                    ])
                    .unwrap_or(self.rest().len());
                let (start, end) = (self.at, self.at + plain);
                self.at = end;
                let text = &self.text[start..end];
                self.word().push_str(text, false);
            }
        }
        Ok(())
    }

    /// Returns whether the word is `NAME[` so far, whose arithmetic ends at a `]`.
    fn in_subscript(&mut self) -> bool {
        let at_command = self.top().at_command();
        let subscript = self.word().bare().and_then(|word| word.split_once('['));
        at_command
            && subscript.is_some_and(|(name, inside)| {
                name.len() < NAME_MAX
                    && inside.len() < NAME_MAX
                    && is_name(name)
                    && !inside.contains(']')
            })
    }

    pub(super) fn in_double(&mut self, c: char) -> Result<(), L::Stop> {
        match c {
            '"' if self.top().kind != Kind::Document => {
                self.at += 1;
                self.top().double = None;
            }
            '\\' => {
                self.at += 1;
                match self.peek() {
                    Some('\n') => self.at += 1,
                    Some(kept @ ('\\' | '"' | '$' | '`')) => {
                        self.at += 1;
                        self.word().push(kept, true);
                    }
                    _ => self.word().push('\\', true),
                }
            }
            '$' => self.dollar(true)?,
            '`' => self.backquote(true)?,
            HOLE => {
                self.at += 1;
                self.word().pieces.push(Piece::Unknown { quoted: true });
            }
            _ => {
                // A quote is a character in a here-document.
                let plain = self.rest()[c.len_utf8()..]
                    .find(['"', '\\', '$', '`', HOLE])
                    .map_or(self.rest().len(), |end| end + c.len_utf8());
                let (start, end) = (self.at, self.at + plain);
                self.at = end;
                let text = &self.text[start..end];
                self.word().push_str(text, true);
            }
        }
        Ok(())
    }

    /// Reads a `(` that stands right behind a part of a word.
    fn paren_in_word(&mut self) -> Result<(), L::Stop> {
        let at_command = self.top().at_command();
        let word = self.word();
        let last = match word.pieces.last() {
            Some(Piece::Text {
                text,
                quoted: false,
            }) => text.chars().next_back(),
            _ => None,
        };
        let bare = word.bare().filter(|_| at_command);
        let is_negation = bare == Some("!");
        if let Some(name) = bare.and_then(|word| word.strip_suffix('=')) {
            let name = name.strip_suffix('+').unwrap_or(name).to_owned();
            if is_name(&name) {
                self.at += 1;
                self.top().word = None;
                self.push(Kind::Array { name });
                return Ok(());
            }
        }
        if matches!(last, Some('?' | '*' | '+' | '@' | '!')) && !is_negation && !self.open.group {
            match closing(&self.rest()[1..], "(", ')') {
                Some(close) => {
                    self.at += close + 2;
                    // A pattern with alternatives: it may stand for anything.
                    if let Some(Piece::Text { text, .. }) = self.word().pieces.last_mut() {
                        text.pop();
                    }
                    self.word().push('*', false);
                    return Ok(());
                }
                None => self.open.group = true,
            }
        }
        self.end_word()
    }

    /// Reads what begins with `$`.
    fn dollar(&mut self, quoted: bool) -> Result<(), L::Stop> {
        self.at += 1;
        let rest = self.rest();
        if rest.starts_with('(') {
            let arithmetic = rest.starts_with("((");
            self.at += 1;
            self.word().pieces.push(Piece::Unknown { quoted });
            self.push(Kind::Substitution { arithmetic });
            return Ok(());
        }
        if rest.starts_with('{') && !self.open.brace {
            let Some(close) = closing(&rest[1..], "${", '}') else {
                self.open.brace = true;
                self.word().pieces.push(Piece::Unknown { quoted });
                return Ok(());
            };
            let (start, end) = (self.at + 1, self.at + 1 + close);
            self.at = end + 1;
            let inside = &self.text[start..end];
            if inside.contains("$(") || inside.contains('`') {
                self.listener.nested(inside, Form::Document)?;
            }
            self.word().pieces.push(match token::braced(inside) {
                Some((name, change)) => Piece::Variable {
                    name,
                    quoted,
                    change,
                },
                None => Piece::Unknown { quoted },
            });
            return Ok(());
        }
        let mut after = rest;
        if let Ok(name) = token::variable.parse_next(&mut after) {
            let name = name.to_owned();
            self.at += name.len();
            self.word().pieces.push(Piece::Variable {
                name,
                quoted,
                change: Change::None,
            });
        } else if rest.starts_with(['#', '?', '-', '$', '!']) {
            self.at += 1;
            self.word().pieces.push(Piece::Unknown { quoted });
        } else if rest.starts_with('\'') && !quoted {
            self.ansi();
        } else if rest.starts_with('"') && !quoted {
            // `$"…"` is `"…"` in another language.
        } else {
            self.word().push('$', true);
        }
        Ok(())
    }

    /// Reads `'…'` after a `$`.
    fn ansi(&mut self) {
        let mut rest = &self.text[self.at + 1..];
        let mut bytes = Vec::new();
        loop {
            let Some(stop) = rest.find(['\'', '\\']) else {
                // Not closed: a `$`, and then what a quote is that is not closed.
                self.word().push('$', true);
                return;
            };
            bytes.extend_from_slice(&rest.as_bytes()[..stop]);
            let closed = rest[stop..].starts_with('\'');
            rest = &rest[stop + 1..];
            if closed {
                break;
            }
            match token::escape.parse_next(&mut rest) {
                Ok(escaped) => bytes.extend(escaped),
                Err(_) => bytes.push(b'\\'),
            }
        }
        self.at = self.text.len() - rest.len();
        // An escaped NUL ends the text.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let text = text.split(HOLE).next().unwrap_or_default();
        self.word().push_str(text, true);
    }

    /// Reads a command in backquotes.
    fn backquote(&mut self, quoted: bool) -> Result<(), L::Stop> {
        self.at += 1;
        let mut text = String::new();
        let mut chars = if self.open.backquote { "" } else { self.rest() }.char_indices();
        let mut close = None;
        while let Some((at, c)) = chars.next() {
            match c {
                '`' => {
                    close = Some(at);
                    break;
                }
                '\\' => match chars.next() {
                    Some((_, c @ ('`' | '\\' | '$'))) => text.push(c),
                    Some((_, '"')) if quoted => text.push('"'),
                    Some((_, c)) => text.extend(['\\', c]),
                    None => text.push('\\'),
                },
                c => text.push(c),
            }
        }
        match close {
            Some(close) => {
                self.at += close + 1;
                self.word().pieces.push(Piece::Unknown { quoted });
                self.listener.nested(&text, Form::Script)?;
            }
            None => {
                self.open.backquote = true;
                self.word().push('`', true);
            }
        }
        Ok(())
    }
}

/// Returns where the `close` stands that ends what began right before `text`, quotes and nested ones passed over.
fn closing(text: &str, open: &str, close: char) -> Option<usize> {
    let mut depth = 1_usize;
    let mut chars = text.char_indices();
    let mut quote = None;
    while let Some((at, c)) = chars.next() {
        match (quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => quote = None,
            (Some('\''), _) => {}
            (_, '\\') => {
                chars.next();
            }
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, _) if text[at..].starts_with(open) => depth += 1,
            (None, _) if c == close => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            (None, _) => {}
        }
    }
    None
}

/// The bytes of a name, or of a subscript, that is looked at again for each character of it.
const NAME_MAX: usize = 256;
