//! Reads a script as shell grammar, in one pass and without recursion.
//!
//! Commands, and where lists of commands begin and end, are told to a listener as they are read. What does not
//! parse is passed over: a keyword without its partner is dropped, a quote that is never closed is a character,
//! and what can be read after it still is.

use winnow::Parser as _;

use super::{
    document::Document,
    frame::{Case, Command, For, Frame, Kind},
    listener::{Form, Listener, Scope},
    token::{self, Redirect, Separator},
    word::{Piece, Word},
};

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

/// Reads one text.
pub(super) struct Reader<'t, 'l, L> {
    pub(super) text: &'t str,
    pub(super) at: usize,
    /// Never empty while reading.
    pub(super) frames: Vec<Frame>,
    /// How many frames end at a `)`.
    parens: usize,
    /// How many were not begun because of [`DEPTH_MAX`].
    too_deep: usize,
    /// Here-documents whose text begins with the next line.
    documents: Vec<Document>,
    pub(super) open: Unclosed,
    pub(super) listener: &'l mut L,
}

/// What is known never to be closed any more, so that nobody looks for it twice.
#[derive(Debug, Default)]
pub(super) struct Unclosed {
    pub(super) single: bool,
    pub(super) double: bool,
    pub(super) backquote: bool,
    pub(super) brace: bool,
    pub(super) group: bool,
    /// How many here-documents were not.
    documents: usize,
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

    pub(super) fn top(&mut self) -> &mut Frame {
        self.frames
            .last_mut()
            .expect("a frame is left until all is read")
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    pub(super) fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    pub(super) fn push(&mut self, kind: Kind) {
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
    pub(super) fn word(&mut self) -> &mut Word {
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

    // At the end of a word or a command.

    pub(super) fn end_word(&mut self) -> Result<(), L::Stop> {
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
                    // With something to expand in it, it is not known: then an empty line ends it, and what
                    // follows is read as commands.
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

/// The lists of commands read within one another. No shell takes many more, and each costs some memory.
const DEPTH_MAX: usize = 2000;

/// The here-documents without an end that are looked for: each is searched for in all that follows.
const DOCUMENTS_MAX: usize = 64;
