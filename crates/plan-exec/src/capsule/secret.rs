//! A token that must be seen by nobody but whom it is for: no `Display`, no `Serialize`, overwritten when dropped.

use std::{borrow::Cow, fmt, hint::black_box, mem};

use serde::{Deserialize, Deserializer};

/// A credential, an approval or an operator token.
///
/// Neither `Debug` nor anything else prints it; this crate hands it to whom it is for and to nobody else.
pub struct Secret(String);

impl Secret {
    /// Takes the token's text.
    pub const fn new(text: String) -> Self {
        Self(text)
    }

    /// Returns the token, to be put on the wire.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }

    /// Returns whether it can be one line and one header: visible ASCII, not empty, and not so long that a pipe or
    /// the head of a request could not hold it.
    pub(super) fn is_wellformed(&self) -> bool {
        (1..=LONGEST).contains(&self.0.len()) && self.0.bytes().all(|byte| byte.is_ascii_graphic())
    }

    /// Takes the token out of a text that others wrote and that will be seen.
    pub(super) fn strike_out<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.0.is_empty() || !text.contains(&self.0) {
            return Cow::Borrowed(text);
        }
        Cow::Owned(text.replace(&self.0, STRUCK_OUT))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self)
    }
}

impl Drop for Secret {
    fn drop(&mut self) {
        let mut bytes = mem::take(&mut self.0).into_bytes();
        bytes.fill(0);
        // So that the overwriting is not left out as being of no use.
        black_box(&bytes);
    }
}

/// The longest token, in bytes: a head of 8 KiB and the smallest pipe hold it (docs/roost.md).
const LONGEST: usize = 3 * 1024;

/// What stands where a token was.
const STRUCK_OUT: &str = "[a secret]";

#[cfg(test)]
mod tests {
    use super::Secret;

    /// spec: Capsule steps: a token is in no `Debug`, also not inside of what holds it, and is struck out of texts.
    #[test]
    fn a_secret_is_not_shown() {
        let secret = Secret::new("tok-4711".into());
        assert_eq!(format!("{:?}", Some(&secret)), "Some(Secret(..))");
        assert_eq!(
            secret.strike_out("no tok-4711 here, tok-4711"),
            "no [a secret] here, [a secret]"
        );
        assert_eq!(secret.strike_out("nothing"), "nothing");
        assert_eq!(Secret::new(String::new()).strike_out("a"), "a");
    }

    /// spec: Capsule steps: a token that cannot be a line and a header is none.
    #[test]
    fn a_secret_is_visible_ascii() {
        let is = |text: &str| Secret::new(text.into()).is_wellformed();
        assert!(is("mac.v1:abc=="));
        assert!(
            !is("")
                && !is("a b")
                && !is("a\nb")
                && !is("é")
                && !is("a\0")
                && !is(&"x".repeat(3073))
        );
    }
}
