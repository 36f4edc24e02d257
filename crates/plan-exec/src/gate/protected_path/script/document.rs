//! A here-document that has begun.

/// A here-document.
pub(super) struct Document {
    pub(super) delimiter: String,
    pub(super) strip_tabs: bool,
    /// Whether substitutions in it run.
    pub(super) expands: bool,
    /// Whether a shell reads it as its script.
    pub(super) is_script: bool,
}

impl Document {
    /// Returns where in `text` it ends, and where its last line does.
    pub(super) fn find_end(&self, text: &str) -> Option<(usize, usize)> {
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
