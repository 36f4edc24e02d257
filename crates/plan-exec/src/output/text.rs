//! Bytes to text, and where text may be cut.

use super::ERROR_BYTES;

/// Turns bytes to text; what is not UTF-8 becomes replacement characters (ruling 25).
pub(crate) fn into_text(bytes: Vec<u8>) -> String {
    match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    }
}

/// Returns the largest length up to `bytes.len()` that does not end within a character.
///
/// Bytes that are not UTF-8 are no character, so they are kept.
pub(super) fn floor_boundary(bytes: &[u8]) -> usize {
    let start = bytes.len().saturating_sub(LONGEST_CHARACTER - 1);
    for at in (start..bytes.len()).rev() {
        if is_continuation(bytes[at]) {
            continue;
        }
        let unfinished = std::str::from_utf8(&bytes[at..])
            .is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none());
        return if unfinished { at } else { bytes.len() };
    }
    bytes.len()
}

/// Returns where the first whole character starts, given that bytes before `bytes` were dropped.
pub(super) fn ceil_boundary(bytes: &[u8]) -> usize {
    bytes
        .iter()
        .take(LONGEST_CHARACTER - 1)
        .take_while(|&&byte| is_continuation(byte))
        .count()
}

/// Cuts an error to the bound of ruling 26, keeping its beginning and marking the cut.
pub(crate) fn at_most(mut error: String) -> String {
    if error.len() > ERROR_BYTES {
        error.truncate(floor_char_boundary(&error, ERROR_BYTES - CUT_MARK.len()));
        error.push_str(CUT_MARK);
    }
    error
}

/// Returns the last `length` bytes of `text`, or a little less, so that it starts with a whole character.
pub(crate) fn end_of(text: &str, length: usize) -> &str {
    let excess = text.len().saturating_sub(length);
    &text[excess + ceil_boundary(&text.as_bytes()[excess..])..]
}

/// Returns the first `length` bytes of `text`, or a little less, so that it ends with a whole character.
pub(crate) fn start_of(text: &str, length: usize) -> &str {
    &text[..floor_char_boundary(text, length)]
}

/// Returns the text up to its trailing newlines.
pub(crate) fn without_trailing_newlines(text: &str) -> &str {
    text.trim_end_matches(['\n', '\r'])
}

/// Returns the largest character boundary up to `at`. The standard library's is newer than the oldest compiler
/// supported.
fn floor_char_boundary(text: &str, at: usize) -> usize {
    (0..=at.min(text.len()))
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}

const fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The bytes of the longest character in UTF-8.
const LONGEST_CHARACTER: usize = 4;

/// Marks a cut (ruling 26).
pub(crate) const CUT_MARK: &str = " […]";

#[cfg(test)]
mod tests {
    use super::{at_most, ceil_boundary, floor_boundary};

    /// ruling 26: a cut falls between characters, and bytes that are none are kept.
    #[test]
    fn a_cut_falls_between_characters() {
        let cases: [(&[u8], usize); 9] = [
            (b"", 0),
            (b"abc", 3),
            ("abé".as_bytes(), 4),
            (&"abé".as_bytes()[..3], 2),
            (&"a€".as_bytes()[..3], 1),
            (&"a𝄞".as_bytes()[..4], 1),
            ("a𝄞".as_bytes(), 5),
            (b"ab\xff", 3),
            (b"a\x80\x80\x80\x80", 5),
        ];
        for (bytes, expected) in cases {
            assert_eq!(floor_boundary(bytes), expected, "{bytes:?}");
        }
        assert_eq!(ceil_boundary(&"𝄞a".as_bytes()[1..]), 3);
        assert_eq!(ceil_boundary("𝄞a".as_bytes()), 0);
        assert_eq!(ceil_boundary(b"\x80\x80\x80\x80"), 3);
    }

    /// ruling 26: an error holds at most 64 KiB.
    #[test]
    fn an_error_is_cut_to_64_kib_with_its_mark() {
        let cut = at_most("é".repeat(40_000));
        assert!(cut.len() <= 65_536 && cut.len() > 65_530);
        assert!(cut.ends_with("é […]"));
        assert_eq!(at_most("x".repeat(65_536)), "x".repeat(65_536));
    }
}
