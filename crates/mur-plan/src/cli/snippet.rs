//! One place of a text, shown with a caret under it. The only file that knows annotate-snippets.
//!
//! Only the line the place begins on is shown, and of a long line only what surrounds the place: the cost of
//! showing a place does not depend on the length of the text.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::visible::{columns, fit, fit_end, visible};

/// A text that places are shown in.
#[derive(Debug, Clone, Copy)]
pub struct Sheet<'t> {
    /// What the text is called, such as its path.
    pub name: &'t str,
    /// The text as it was given; it need not be UTF-8.
    pub text: &'t [u8],
    /// How many columns a line may take.
    pub width: usize,
    /// Whether the result has styles for a terminal in it.
    pub colour: bool,
}

/// A place, and what is to be said about it.
#[derive(Debug, Clone)]
pub struct Mark<'m> {
    /// Whether it refuses the text or only deserves a look.
    pub is_error: bool,
    /// A stable code for machines.
    pub code: Option<&'m str>,
    /// What is wrong.
    pub message: &'m str,
    /// What to write instead.
    pub hint: Option<&'m str>,
    /// The bytes of the text meant.
    pub span: Range<usize>,
    /// The line they begin on, from 1.
    pub line: usize,
    /// The character they begin at in that line, from 1.
    pub column: usize,
}

impl Sheet<'_> {
    /// Returns `mark` as a few lines, a line break after each; control characters in any part are made visible.
    pub fn show(&self, mark: &Mark<'_>) -> String {
        let level = if mark.is_error {
            Level::ERROR
        } else {
            Level::WARNING
        };
        let mut title = level.primary_title(visible(mark.message));
        if let Some(code) = mark.code {
            title = title.id(code);
        }
        let gutter = mark.line.to_string().len() + GUTTER;
        let shown = Excerpt::of(self.text, &mark.span, self.width.saturating_sub(gutter));
        let group = Group::with_title(title)
            .element(
                Origin::path(visible(self.name))
                    .line(mark.line)
                    .char_column(mark.column),
            )
            .element(
                Snippet::source(shown.text)
                    .line_start(mark.line)
                    .annotation(AnnotationKind::Primary.span(shown.marked)),
            )
            .elements(
                mark.hint
                    .map(|hint| Level::HELP.with_name("hint").message(visible(hint))),
            );
        let renderer = if self.colour {
            Renderer::styled()
        } else {
            Renderer::plain()
        };
        // The excerpt fits already; a second, different cut would hide its marks.
        let mut text = renderer.term_width(NO_SECOND_CUT).render(&[group]);
        text.push('\n');
        text
    }
}

/// The line a place begins on, cut to a width around the place.
struct Excerpt {
    text: String,
    marked: Range<usize>,
}

impl Excerpt {
    fn of(text: &[u8], span: &Range<usize>, width: usize) -> Self {
        let width = width.clamp(NARROWEST, WIDEST);
        let start = span.start.min(text.len());
        let back = &text[start.saturating_sub(REACH)..start];
        let before = match back.iter().rposition(|&byte| byte == b'\n') {
            Some(at) => &back[at + 1..],
            None => back,
        };
        let line = &text[start..text.len().min(start + REACH)];
        let line = match line.iter().position(|&byte| byte == b'\n') {
            Some(at) => &line[..at],
            None => line,
        };
        let (marked, after) = line.split_at(span.len().min(line.len()));
        let starts_text = start <= before.len();
        let before = before
            .strip_prefix(BYTE_ORDER_MARK)
            .filter(|_| starts_text)
            .unwrap_or(before);

        let before = lossy(before);
        let marked = lossy(marked);
        let after = lossy(after.strip_suffix(b"\r").unwrap_or(after));
        // The place itself comes first, then what leads to it, then what follows.
        let marked = fit(&marked, width * 2 / 3);
        let room = width - columns(&marked);
        let before = fit_end(&before, room - columns(&after).min(room / 3));
        let after = fit(&after, room - columns(&before));
        Self {
            marked: before.len()..before.len() + marked.len(),
            text: format!("{before}{marked}{after}"),
        }
    }
}

/// The text of `bytes`, one visible character for each of its characters.
fn lossy(bytes: &[u8]) -> String {
    match String::from_utf8_lossy(bytes) {
        Cow::Borrowed(text) => visible(text).into_owned(),
        Cow::Owned(text) => visible(&text).into_owned(),
    }
}

/// How far from a place its line is looked for, in bytes: more than any terminal is wide.
const REACH: usize = 1024;
/// Columns beside the line number that are not the text's.
const GUTTER: usize = 4;
/// Below this an excerpt says nothing.
const NARROWEST: usize = 20;
/// Above this an excerpt is no longer taken in at a glance.
const WIDEST: usize = 160;
const NO_SECOND_CUT: usize = 100_000;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";
