//! The words after `cargo xtask interop`.

/// What is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// A part of the names of the checks to run; absent, all run.
    pub(super) filter: Option<String>,
}

impl Options {
    pub(super) fn read(words: &[&str]) -> Result<Self, String> {
        match words {
            [] => Ok(Self::default()),
            [word] if !word.starts_with('-') => Ok(Self {
                filter: Some((*word).to_owned()),
            }),
            [word] => Err(format!("no option `{word}`; there is only a filter")),
            [_, word, ..] => Err(format!("one filter is enough, `{word}` is a second")),
        }
    }

    /// Returns whether the check of this name is asked for.
    pub(super) fn want(&self, name: &str) -> bool {
        self.filter
            .as_ref()
            .is_none_or(|part| name.contains(part.as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decision: a slip of the finger is told, never run as something else.
    #[test]
    fn what_is_no_filter_is_refused() {
        let read = Options::read(&["cancel"]).unwrap();
        assert!(read.want("a cancel ends the child"));
        assert!(!read.want("a worker answers"));
        assert!(Options::read(&[]).unwrap().want("a worker answers"));
        assert!(Options::read(&["--list"]).is_err());
        assert!(Options::read(&["a", "b"]).is_err());
    }
}
