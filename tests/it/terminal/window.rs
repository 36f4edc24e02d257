//! Two terminals that read the same: one cuts its lines when it is made narrower, as xterm does, and one breaks them
//! anew, as most others do. Neither knows what a program means by what it writes.

use std::num::NonZeroU16;

/// What stands on a terminal.
pub(super) struct Window {
    cutting: vt100::Parser,
    breaking: avt::Terminal,
    /// Everything that was written to it.
    written: Vec<u8>,
    /// How much of it the second terminal, which reads text, has read: it may end within a character.
    read: usize,
}

impl Window {
    pub(super) fn new(columns: u16, rows: u16) -> Self {
        let size = (usize::from(columns), usize::from(rows));
        Self {
            cutting: vt100::Parser::new(non_zero(rows), non_zero(columns), 1000),
            breaking: avt::Terminal::with_scrollback(size.0, size.1, None).unwrap(),
            written: Vec::new(),
            read: 0,
        }
    }

    pub(super) fn resize(&mut self, columns: u16, rows: u16) {
        self.cutting.set_size(non_zero(rows), non_zero(columns));
        self.breaking.resize(columns.into(), rows.into());
    }

    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.cutting.process(bytes);
        self.written.extend_from_slice(bytes);
        let unread = &self.written[self.read..];
        let text = match std::str::from_utf8(unread) {
            Ok(text) => text,
            Err(error) => {
                assert!(error.error_len().is_none(), "the command writes UTF-8");
                std::str::from_utf8(&unread[..error.valid_up_to()]).unwrap()
            }
        };
        self.read += text.len();
        self.breaking.feed(text);
    }

    /// Returns everything that was written to it.
    pub(super) fn written(&self) -> String {
        String::from_utf8_lossy(&self.written).into_owned()
    }

    /// Returns whether the picture is whole: a terminal that can do so shows nothing in between.
    pub(super) fn is_whole(&self) -> bool {
        let written = String::from_utf8_lossy(&self.written[..self.read]);
        written.rfind(BEGIN) <= written.rfind(END)
    }

    /// Returns what the cutting terminal shows, without what is blank at the ends.
    pub(super) fn cut(&self) -> String {
        let (_, columns) = self.cutting.screen().size();
        let rows = self.cutting.screen().rows(0, columns.get());
        joined(rows)
    }

    /// Returns what the breaking terminal shows, without what is blank at the ends.
    pub(super) fn broken(&self) -> String {
        let screen = self.breaking.screen();
        joined(screen.visible_lines().map(avt::Line::text))
    }

    /// Returns what both show, where they have not been resized.
    pub(super) fn shown(&self) -> String {
        let shown = self.cut();
        assert_eq!(shown, self.broken());
        shown
    }

    /// Returns whether a person sees the cursor, at the start of the line below everything.
    pub(super) fn is_left_clean(&self) -> bool {
        let screen = self.cutting.screen();
        let below = self.cut().lines().count();
        !screen.hide_cursor()
            && screen.cursor_position() == (u16::try_from(below).unwrap(), 0)
            && self.breaking.cursor().position() == Some((0, below))
            // Neither of the two knows of this mode.
            && last_of(&self.written(), &["\x1b[?7h", "\x1b[?7l"]) != Some("\x1b[?7l")
            && self.is_whole()
    }
}

/// Returns which of `words` stands last in `text`.
fn last_of<'w>(text: &str, words: &[&'w str]) -> Option<&'w str> {
    let last = words.iter().max_by_key(|word| text.rfind(**word))?;
    text.contains(last).then_some(*last)
}

fn joined(rows: impl Iterator<Item = String>) -> String {
    let rows: Vec<String> = rows.map(|row| row.trim_end().to_owned()).collect();
    rows.join("\n").trim_end().to_owned()
}

fn non_zero(number: u16) -> NonZeroU16 {
    NonZeroU16::new(number).expect("a window has a size")
}

/// Around each picture: a terminal shows what is between at once.
pub(super) const BEGIN: &str = "\x1b[?2026h";
pub(super) const END: &str = "\x1b[?2026l";
