//! The lines of a page: put together, styled, broken to the width, and written one after the other.

use std::io::{self, Write};

use super::super::{
    columns::{push_padded, visible, wrap},
    style::{HEADING, Look},
};

pub(super) struct Page<'p> {
    out: &'p mut dyn Write,
    pub(super) look: Look,
    /// The line being put together.
    pub(super) line: String,
    pub(super) is_going_on: bool,
}

impl<'p> Page<'p> {
    pub(super) fn new(out: &'p mut dyn Write, look: Look, is_going_on: bool) -> Self {
        Self {
            out,
            look,
            line: String::new(),
            is_going_on,
        }
    }
}

impl Page<'_> {
    pub(super) fn heading(&mut self, words: &str) -> io::Result<()> {
        self.end_line()?;
        self.look.push(&mut self.line, words, HEADING);
        self.end_line()
    }

    pub(super) fn fact(&mut self, label: &str, value: &str) -> io::Result<()> {
        push_padded(&mut self.line, label, LABEL);
        self.push(value);
        self.end_line()
    }

    /// Writes somebody's text, its lines kept, indented and broken to the width; of a long one the start and the
    /// end.
    pub(super) fn text(&mut self, text: &str, indent: usize) -> io::Result<()> {
        let lines: Vec<&str> = text.trim_end().lines().collect();
        let left = lines.len().saturating_sub(FIRST_LINES + LAST_LINES);
        for (at, line) in lines.iter().enumerate() {
            if left > 0 && at == FIRST_LINES {
                self.indented(&format!("… {left} lines left out"), indent)?;
            }
            if left == 0 || at < FIRST_LINES || at >= FIRST_LINES + left {
                self.indented(&visible(line), indent)?;
            }
        }
        Ok(())
    }

    fn indented(&mut self, line: &str, indent: usize) -> io::Result<()> {
        let rows = match self.look.width {
            Some(width) => wrap(line, width.saturating_sub(indent).max(NARROWEST)),
            None => vec![line],
        };
        for row in rows {
            push_padded(&mut self.line, "", indent);
            self.push(row);
            self.end_line()?;
        }
        Ok(())
    }

    pub(super) fn push(&mut self, text: &str) {
        self.line.push_str(text);
    }

    pub(super) fn end_line(&mut self) -> io::Result<()> {
        self.line.truncate(self.line.trim_end().len());
        self.line.push('\n');
        self.out.write_all(self.line.as_bytes())?;
        self.line.clear();
        Ok(())
    }
}

/// What stands before the facts of a session.
pub(super) const LABEL: usize = 12;
/// On a window too narrow, lines break rather than say nothing.
pub(super) const NARROWEST: usize = 16;
/// Of a long text, where it begins.
const FIRST_LINES: usize = 10;
/// And where it ends, which is where commands say what went wrong.
const LAST_LINES: usize = 30;
