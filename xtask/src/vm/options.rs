//! The words after `cargo xtask vm`.

/// What is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options {
    /// Whether the image and the kernel's log stay when everything passed.
    pub(super) keep: bool,
    /// A part of the names of the tests to run; absent, all run.
    pub(super) filter: Option<String>,
}

impl Options {
    pub(super) fn read(words: &[&str]) -> Result<Self, String> {
        let mut options = Self::default();
        for word in words {
            match *word {
                "--keep" => options.keep = true,
                word if word.starts_with('-') => {
                    return Err(format!("no option `{word}`; there is --keep"));
                }
                word if options.filter.is_none() => options.filter = Some(word.to_owned()),
                word => return Err(format!("one filter is enough, `{word}` is a second")),
            }
        }
        Ok(options)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decision: a slip of the finger is told, never run as something else.
    #[test]
    fn what_is_no_option_is_refused() {
        let read = Options::read(&["fork", "--keep"]).unwrap();
        assert!(read.keep);
        assert_eq!(read.filter.as_deref(), Some("fork"));
        assert!(Options::read(&["--kep"]).is_err());
        assert!(Options::read(&["fork", "bomb"]).is_err());
    }
}
