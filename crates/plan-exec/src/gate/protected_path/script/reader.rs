//! Reads a script as shell grammar, in one pass and without recursion.
//!
//! Commands, and where lists of commands begin and end, are told to a listener as they are read. What does not
//! parse is passed over: a keyword without its partner is dropped, a quote that is never closed is a character,
//! and what can be read after it still is.

use winnow::Parser as _;

use super::{
    frame::{Case, Command, For, Frame, Kind},
    token::{self, Redirect, Separator},
    word::{Change, Piece, Word, is_name},
};
use crate::gate::protected_path::arg::HOLE;

/// Told what a script holds, in the order it stands there.
pub(super) trait Listener {
    /// Why the reading is over.
    type Stop;

    /// A command, or the redirections of the compound command that just closed. Returns whether its program reads
    /// a script from standard input.
    fn command(&mut self, command: &Command) -> Result<bool, Self::Stop>;
    /// What ended a command or a compound one.
    fn separator(&mut self, separator: Separator);
    /// A list of commands begins.
    fn open(&mut self, scope: Scope);
    /// Another part of the list begins, which may run or not.
    fn branch(&mut self);
    /// The list begun last ends.
    fn close(&mut self);
    /// A variable is one of these words from here on.
    fn variable(&mut self, name: &str, words: &[Word]) -> Result<(), Self::Stop>;
    /// Further commands, in text of their own.
    fn nested(&mut self, text: &str, form: Form) -> Result<(), Self::Stop>;
}

/// What a list of commands may change for those after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// Nothing.
    Subshell,
    /// What it does.
    Group,
    /// What it does, if it runs.
    Choice,
}

/// How a text holds commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// It is a script.
    Script,
    /// It is text as in double quotes, with commands in `$(…)` and backquotes.
    Document,
}

/// Reads `text` and tells `listener`.
///
/// # Errors
/// What the listener stops with.
pub(super) fn read<L: Listener>(text: &str, form: Form, listener: &mut L) -> Result<(), L::Stop> {
    let mut reader = Reader {
        text,
        at: 0,
        frames: Vec::new(),
        parens: 0,
        too_deep: 0,
        documents: Vec::new(),
        open: Unclosed::default(),
        listener,
    };
    let mut frame = Frame::new(Kind::Script);
    if form == Form::Document {
        frame.kind = Kind::Document;
        frame.word = Some(Word::default());
        frame.double = Some(0);
    }
    reader.frames.push(frame);
    reader.read()
}

struct Reader<'t, 'l, L> {
    text: &'t str,
    at: usize,
    /// Never empty while reading.
    frames: Vec<Frame>,
    /// How many frames end at a `)`.
    parens: usize,
    /// How many were not begun because of [`DEPTH_MAX`].
    too_deep: usize,
    /// Here-documents whose text begins with the next line.
    documents: Vec<Document>,
    open: Unclosed,
    listener: &'l mut L,
}

/// What is known never to be closed any more, so that nobody looks for it twice.
#[derive(Debug, Default)]
struct Unclosed {
    single: bool,
    double: bool,
    backquote: bool,
    brace: bool,
    group: bool,
    /// How many here-documents were not.
    documents: usize,
}

/// A here-document.
struct Document {
    delimiter: String,
    strip_tabs: bool,
    /// Whether substitutions in it run.
    expands: bool,
    /// Whether a shell reads it as its script.
    is_script: bool,
}

impl Document {
    /// Returns where in `text` it ends, and where its last line does.
    fn find_end(&self, text: &str) -> Option<(usize, usize)> {
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let next = at + line.len();
            let line = line.strip_suffix('\n').unwrap_or(line);
            let line = if self.strip_tabs {
                line.trim_start_matches('\t')
            } else {
                line
            };
            if line == self.delimiter {
                return Some((at, next));
            }
            at = next;
        }
        None
    }
}

impl<L: Listener> Reader<'_, '_, L> {
    fn read(&mut self) -> Result<(), L::Stop> {
        loop {
            while let Some(c) = self.peek() {
                if self.top().double.is_some() {
                    self.in_double(c)?;
                } else if self.top().word.is_some() {
                    self.in_word(c)?;
                } else {
                    self.between(c)?;
                }
            }
            if !self.reopen() {
                break;
            }
        }
        while !self.frames.is_empty() {
            let depth = self.frames.len();
            self.end_command(None)?;
            // A keyword at the very end has closed its list already.
            if self.frames.len() == depth {
                self.pop();
            }
        }
        Ok(())
    }

    /// Goes back to a double quote that was never closed, to read it as a character. Happens once at most.
    fn reopen(&mut self) -> bool {
        let open = self
            .frames
            .iter()
            .position(|frame| frame.double.is_some() && frame.kind != Kind::Document);
        let Some(index) = open else { return false };
        while self.frames.len() > index + 1 {
            self.pop();
        }
        let frame = self.top();
        let Some(opened) = frame.double.take() else {
            return false;
        };
        let word = frame.word.get_or_insert_default();
        word.push('"', true);
        self.at = opened + 1;
        self.open.double = true;
        true
    }

    fn top(&mut self) -> &mut Frame {
        self.frames
            .last_mut()
            .expect("a frame is left until all is read")
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn push(&mut self, kind: Kind) {
        let frame = Frame::new(kind);
        if self.frames.len() >= DEPTH_MAX {
            self.too_deep += usize::from(frame.ends_at_paren());
            return;
        }
        let scope = match frame.kind {
            Kind::Brace => Scope::Group,
            Kind::If | Kind::Loop | Kind::For(_) | Kind::Case(_) => Scope::Choice,
            Kind::Script
            | Kind::Document
            | Kind::Paren { .. }
            | Kind::Substitution { .. }
            | Kind::Array { .. } => Scope::Subshell,
        };
        self.listener.open(scope);
        self.parens += usize::from(frame.ends_at_paren());
        self.frames.push(frame);
    }

    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.parens -= usize::from(frame.ends_at_paren());
            if !self.frames.is_empty() {
                self.listener.close();
            }
        }
    }

    // Between words.

    fn between(&mut self, c: char) -> Result<(), L::Stop> {
        match c {
            ' ' | '\t' => self.at += 1,
            '\n' => {
                self.at += 1;
                self.end_line()?;
            }
            '\\' if self.rest().starts_with("\\\n") => self.at += 2,
            '#' if !self.top().is_arithmetic() => {
                self.at = self
                    .rest()
                    .find('\n')
                    .map_or(self.text.len(), |end| self.at + end);
            }
            '(' => self.open_paren()?,
            ')' => {
                self.at += 1;
                self.close_paren()?;
            }
            '<' | '>' if self.rest()[1..].starts_with('(') => {
                self.at += 2;
                self.word().pieces.push(Piece::Unknown { quoted: true });
                self.push(Kind::Substitution { arithmetic: false });
            }
            ';' | '|' | '&' | '<' | '>' | '{' | '0'..='9' => {
                if !self.operator()? {
                    self.word();
                }
            }
            _ => {
                self.word();
            }
        }
        Ok(())
    }

    /// Begins a word if none is begun, and returns it.
    fn word(&mut self) -> &mut Word {
        self.top().word.get_or_insert_default()
    }

    /// Reads an operator, if there is one.
    fn operator(&mut self) -> Result<bool, L::Stop> {
        let mut rest = self.rest();
        if let Ok(redirect) = token::redirect.parse_next(&mut rest) {
            let end = self.text.len() - rest.len();
            let operator = self.text[self.at..end].to_owned();
            self.at = end;
            let frame = self.top();
            let begins_document =
                matches!(redirect, Redirect::Document { .. }) && frame.is_arithmetic();
            if !frame.compares && !begins_document {
                frame.redirect = Some((redirect, operator));
            }
            return Ok(true);
        }
        let mut rest = self.rest();
        let Ok(separator) = token::separator.parse_next(&mut rest) else {
            return Ok(false);
        };
        self.at = self.text.len() - rest.len();
        self.separate(separator)?;
        Ok(true)
    }

    fn separate(&mut self, separator: Separator) -> Result<(), L::Stop> {
        if matches!(
            separator,
            Separator::End | Separator::Background | Separator::Arm
        ) {
            self.top().compares = false;
        }
        if let Kind::Case(Case::Pattern { .. }) = self.top().kind {
            return Ok(());
        }
        self.end_command(Some(separator))?;
        if separator == Separator::Arm
            && let Kind::Case(case) = &mut self.top().kind
        {
            *case = Case::Pattern { seen: false };
            self.listener.branch();
        }
        self.begin_body()
    }

    /// Ends the head of a `for`, if that is what was read.
    fn begin_body(&mut self) -> Result<(), L::Stop> {
        if let Kind::For(stage @ (For::In { .. } | For::Words { .. })) = &mut self.top().kind
            && let For::Words { name, words } = std::mem::replace(stage, For::Body)
        {
            self.listener.variable(&name, &words)?;
        }
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), L::Stop> {
        self.top().compares = false;
        if !matches!(
            self.top().kind,
            Kind::Array { .. } | Kind::Case(Case::Subject { .. } | Case::Pattern { .. })
        ) {
            self.end_command(Some(Separator::End))?;
            self.begin_body()?;
        }
        for document in std::mem::take(&mut self.documents) {
            self.document(&document)?;
        }
        Ok(())
    }

    /// Reads the text of a here-document, which is data.
    fn document(&mut self, document: &Document) -> Result<(), L::Stop> {
        // Without its end it may be none, but a shift in some arithmetic: what follows is then read as commands.
        if self.open.documents >= DOCUMENTS_MAX {
            return Ok(());
        }
        let Some((length, after)) = document.find_end(self.rest()) else {
            self.open.documents += 1;
            return Ok(());
        };
        let text = &self.text[self.at..self.at + length];
        self.at += after;
        if document.is_script {
            self.listener.nested(text, Form::Script)?;
        }
        if document.expands && (text.contains("$(") || text.contains('`')) {
            self.listener.nested(text, Form::Document)?;
        }
        Ok(())
    }

    fn open_paren(&mut self) -> Result<(), L::Stop> {
        self.at += 1;
        let doubled = self.rest().starts_with('(');
        let frame = self
            .frames
            .last_mut()
            .expect("a frame is left until all is read");
        match &mut frame.kind {
            Kind::Case(Case::Pattern { .. }) => return Ok(()),
            Kind::For(stage) => *stage = For::Body,
            _ => {}
        }
        let is_function = frame.command.words.len() == 1 && frame.command.opened.is_empty();
        let outer = frame.is_arithmetic();
        let mut rest = self.rest();
        if is_function && token::blanks.parse_next(&mut rest).is_ok() && rest.starts_with(')') {
            // `name()`: what follows is its body, read where it stands.
            self.at = self.text.len() - rest.len() + 1;
            self.top().command = Command::default();
            return Ok(());
        }
        self.push(Kind::Paren {
            arithmetic: doubled || outer,
        });
        Ok(())
    }

    fn close_paren(&mut self) -> Result<(), L::Stop> {
        if let Kind::Case(case @ Case::Pattern { .. }) = &mut self.top().kind {
            *case = Case::Body;
            return Ok(());
        }
        self.end_command(None)?;
        if self.too_deep > 0 || self.parens == 0 {
            self.too_deep = self.too_deep.saturating_sub(1);
            self.listener.separator(Separator::End);
            return Ok(());
        }
        while !self.top().ends_at_paren() {
            self.pop();
            self.end_command(None)?;
        }
        let words = std::mem::take(&mut self.top().command.words);
        if let Kind::Array { name } = &self.top().kind {
            let name = name.clone();
            self.pop();
            self.listener.variable(&name, &words)?;
            return Ok(());
        }
        self.pop();
        Ok(())
    }

    // In a word.

    fn in_word(&mut self, c: char) -> Result<(), L::Stop> {
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

    fn in_double(&mut self, c: char) -> Result<(), L::Stop> {
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

    // At the end of a word or a command.

    fn end_word(&mut self) -> Result<(), L::Stop> {
        let frame = self.top();
        let Some(word) = frame.word.take() else {
            return Ok(());
        };
        if let Some((redirect, operator)) = frame.redirect.take() {
            self.redirected(redirect, operator, word);
            return Ok(());
        }
        match &mut frame.kind {
            Kind::For(stage @ For::Name) => {
                *stage = For::In {
                    name: word.literal().unwrap_or_default(),
                };
                return Ok(());
            }
            Kind::For(stage @ For::In { .. }) if word.bare() == Some("in") => {
                if let For::In { name } = std::mem::replace(stage, For::Body) {
                    *stage = For::Words {
                        name,
                        words: Vec::new(),
                    };
                }
                return Ok(());
            }
            Kind::For(For::Words { words, .. }) => {
                words.push(word);
                return Ok(());
            }
            Kind::Case(case @ Case::Subject { seen: true }) if word.bare() == Some("in") => {
                *case = Case::Pattern { seen: false };
                return Ok(());
            }
            Kind::Case(Case::Subject { seen }) => {
                *seen = true;
                return Ok(());
            }
            Kind::Case(Case::Pattern { seen }) => {
                if !*seen && word.bare() == Some("esac") {
                    self.pop();
                } else {
                    *seen = true;
                }
                return Ok(());
            }
            _ => {}
        }
        if frame.at_command()
            && let Some(bare) = word.bare()
            && self.keyword(bare)?
        {
            return Ok(());
        }
        let frame = self.top();
        if word.bare() == Some("]]") {
            frame.compares = false;
        }
        frame.command.words.push(word);
        Ok(())
    }

    fn redirected(&mut self, redirect: Redirect, operator: String, word: Word) {
        match redirect {
            Redirect::Write => self.top().command.opened.push((operator, word)),
            Redirect::WriteOrDuplicate => {
                if !word
                    .literal()
                    .is_some_and(|text| token::is_descriptor(&text))
                {
                    self.top().command.opened.push((operator, word));
                }
            }
            Redirect::Read => {}
            Redirect::Text => self.top().command.texts.push(word),
            Redirect::Document { strip_tabs } => {
                let document = self.documents.len();
                self.documents.push(Document {
                    // Nothing is expanded in it: a `$x` in it is those two characters.
                    delimiter: word.literal().unwrap_or_default(),
                    strip_tabs,
                    expands: !word.has_quotes(),
                    is_script: false,
                });
                self.top().document = Some(document);
            }
        }
    }

    /// Reads a word that may be a keyword, at the beginning of a command.
    fn keyword(&mut self, word: &str) -> Result<bool, L::Stop> {
        let kind = &self.top().kind;
        match word {
            "if" => self.push(Kind::If),
            "while" | "until" => self.push(Kind::Loop),
            "for" | "select" => self.push(Kind::For(For::Name)),
            "case" => self.push(Kind::Case(Case::Subject { seen: false })),
            "{" => self.push(Kind::Brace),
            "then" | "elif" | "else" => {
                if *kind == Kind::If {
                    self.listener.branch();
                }
            }
            "do" => {
                if matches!(kind, Kind::Loop | Kind::For(_)) {
                    self.begin_body()?;
                    self.listener.branch();
                }
            }
            "fi" | "done" | "esac" | "}" => {
                let ends = match word {
                    "fi" => *kind == Kind::If,
                    "done" => matches!(kind, Kind::Loop | Kind::For(_)),
                    "esac" => matches!(kind, Kind::Case(_)),
                    _ => *kind == Kind::Brace,
                };
                if ends {
                    self.end_command(None)?;
                    self.pop();
                }
            }
            "function" => {
                // The name, and `()` after it if it is there; then its body is read where it stands.
                let after = self.rest().trim_start_matches([' ', '\t']);
                let name = after
                    .find([' ', '\t', '\n', '(', ';'])
                    .unwrap_or(after.len());
                let after = after[name..].trim_start_matches([' ', '\t']);
                let after = after
                    .strip_prefix('(')
                    .map_or(after, |inside| inside.trim_start_matches([' ', ')']));
                self.at = self.text.len() - after.len();
            }
            // `and`, `or`, `not` and `begin` are those of fish.
            "!" | "coproc" | "and" | "or" | "not" | "begin" => {}
            "[[" => {
                self.top().compares = true;
                return Ok(false);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Ends the word and the command that are begun, and tells them.
    fn end_command(&mut self, separator: Option<Separator>) -> Result<(), L::Stop> {
        let depth = self.frames.len();
        self.top().double = None;
        self.end_word()?;
        // A keyword may have opened or closed a list: there is no command then.
        if self.frames.len() == depth {
            let frame = self.top();
            frame.redirect = None;
            let command = if matches!(frame.kind, Kind::Array { .. }) {
                Command::default()
            } else {
                std::mem::take(&mut frame.command)
            };
            let document = frame.document.take();
            if command != Command::default() {
                let reads_script = self.listener.command(&command)?;
                if let (true, Some(document)) = (
                    reads_script,
                    document.and_then(|at| self.documents.get_mut(at)),
                ) {
                    document.is_script = true;
                }
            }
        }
        if let Some(separator) = separator {
            self.listener.separator(separator);
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

/// The lists of commands read within one another. No shell takes many more, and each costs some memory.
const DEPTH_MAX: usize = 2000;

/// The here-documents without an end that are looked for: each is searched for in all that follows.
const DOCUMENTS_MAX: usize = 64;

/// The bytes of a name, or of a subscript, that is looked at again for each character of it.
const NAME_MAX: usize = 256;
