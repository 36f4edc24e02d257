//! Many short texts in one allocation.

/// The texts, one after another.
#[derive(Debug, Clone, Default)]
pub(super) struct Texts {
    all: String,
}

/// The place of one of them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Span {
    start: usize,
    /// A text comes from one line, and no line is longer than this can tell.
    length: u32,
}

impl Texts {
    /// Adds a text.
    pub(super) fn push(&mut self, text: &str) -> Span {
        let start = self.all.len();
        let length = u32::try_from(text.len()).expect("a text is shorter than the longest line");
        self.all.push_str(text);
        Span { start, length }
    }

    /// Returns the text at a place that [`Texts::push`] gave.
    pub(super) fn text(&self, span: Span) -> &str {
        &self.all[span.start..span.start + span.length as usize]
    }

    /// Gives back what was set aside for more.
    pub(super) fn shrink(&mut self) {
        self.all.shrink_to_fit();
    }
}
