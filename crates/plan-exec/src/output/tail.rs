//! The end of a stream: what an error is made of (ruling 26).

use super::{
    ERROR_BYTES, Sink,
    text::{ceil_boundary, end_of, into_text},
};

/// Keeps the last 64 KiB of standard error, the newlines at its very end left out.
#[derive(Debug, Default)]
pub(crate) struct Tail {
    bytes: Vec<u8>,
    dropped: bool,
    /// Newlines since the last other byte: they count only when something follows them, else a program that
    /// ends on many would push out what it said.
    newlines: usize,
}

impl Tail {
    /// Returns the end as text of at most 64 KiB, starting with a whole character.
    pub(crate) fn finish(mut self) -> String {
        self.keep(ERROR_BYTES);
        if self.dropped {
            self.bytes.drain(..ceil_boundary(&self.bytes));
        }
        let text = into_text(self.bytes);
        // A replacement character is up to three times as long as the byte it stands for.
        end_of(&text, ERROR_BYTES).to_owned()
    }

    fn keep(&mut self, length: usize) {
        if let Some(excess @ 1..) = self.bytes.len().checked_sub(length) {
            self.bytes.drain(..excess);
            self.dropped = true;
        }
    }
}

impl Sink for Tail {
    fn take(&mut self, bytes: &[u8]) {
        let Some(last) = bytes.iter().rposition(|&byte| byte != b'\n') else {
            self.newlines = self.newlines.saturating_add(bytes.len());
            return;
        };
        let (said, newlines) = bytes.split_at(last + 1);
        self.dropped |= self.newlines > ERROR_BYTES;
        let between = self.newlines.min(ERROR_BYTES);
        self.bytes.resize(self.bytes.len() + between, b'\n');
        self.bytes.extend_from_slice(said);
        self.newlines = newlines.len();
        // Twice the bound, so that a byte is moved once on average, however small the reads are.
        if self.bytes.len() > 2 * ERROR_BYTES {
            self.keep(ERROR_BYTES);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{super::Sink, Tail};

    fn tail(parts: &[&[u8]]) -> String {
        let mut tail = Tail::default();
        for part in parts {
            tail.take(part);
        }
        tail.finish()
    }

    /// ruling 26: `error` holds at most 64 KiB, the end of standard error.
    #[test]
    fn the_last_64_kib_are_kept() {
        let whole = vec![b'a'; 65_536];
        assert_eq!(tail(&[&whole]).len(), 65_536);
        assert_eq!(tail(&[b"x", &whole]), "a".repeat(65_536));
        let mut long = Tail::default();
        for n in 0..1_000_000 {
            long.take(format!("{n:07}\n").as_bytes());
        }
        let text = long.finish();
        assert_eq!(text.len(), 65_536);
        assert!(text.starts_with("\n0991808\n") && text.ends_with("\n0999999"));
    }

    /// ruling 23: newlines at the end are no part of it, however many, and push nothing out.
    #[test]
    fn newlines_at_the_end_push_nothing_out() {
        let newlines = vec![b'\n'; 100_000];
        assert_eq!(tail(&[b"real", &newlines, b"\n"]), "real");
        assert_eq!(tail(&[b"a\n", b"\n", b"b\n\n"]), "a\n\nb");
        assert_eq!(tail(&[&newlines]), "");
        let far_apart = tail(&[b"a", &newlines, b"b"]);
        assert!(far_apart.len() == 65_536 && far_apart.ends_with("\nb"));
    }

    /// ruling 26: the kept end starts with a whole character, also when replacement makes it longer.
    #[test]
    fn the_kept_end_starts_with_a_whole_character() {
        let text = tail(&["é".repeat(40_000).as_bytes(), b"x"]);
        assert_eq!(text.len(), 65_535);
        assert!(text.starts_with('é') && text.ends_with("éx"));
        let replaced = tail(&[&[0xff; 65_536]]);
        assert_eq!(replaced.len(), 65_535);
        assert!(replaced.chars().all(|c| c == '\u{fffd}'));
    }
}
