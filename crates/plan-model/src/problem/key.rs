//! Which key of the format an unknown one probably stands for.

use crate::nearest::nearest;

/// Keys that other formats use, and this format's word for each.
const ALIASES: [(&str, &str); 22] = [
    ("after", "depends_on"),
    ("args", "input"),
    ("arguments", "input"),
    ("cmd", "shell"),
    ("command", "shell"),
    ("condition", "if"),
    ("dependencies", "depends_on"),
    ("deps", "depends_on"),
    ("inputs", "input"),
    ("name", "id"),
    ("needs", "depends_on"),
    ("on_failure", "on_error"),
    ("params", "input"),
    ("requires", "depends_on"),
    ("retry", "retries"),
    ("run", "shell"),
    ("script", "shell"),
    ("step_id", "id"),
    ("tasks", "steps"),
    ("uses", "tool"),
    ("when", "if"),
    ("with", "input"),
];

/// Returns the one of `known` that `key` probably stands for (ruling 2). Another format's word for a key that is
/// given already stands for something else.
pub(crate) fn meant(
    key: &str,
    known: &[&'static str],
    is_given: impl Fn(&str) -> bool,
) -> Option<&'static str> {
    let same = |other: &str| plain(key).eq(plain(other));
    let alias = || {
        let (_, word) = ALIASES.iter().find(|(alias, _)| same(alias))?;
        known
            .iter()
            .find(|known| *known == word && !is_given(known))
    };
    known
        .iter()
        .find(|known| same(known))
        .or_else(alias)
        .copied()
        .or_else(|| nearest(key, known.iter().copied()))
}

/// Returns a key's characters as they compare regardless of how its words are joined.
fn plain(key: &str) -> impl Iterator<Item = char> + '_ {
    key.chars()
        .filter(|char| char.is_alphanumeric())
        .flat_map(char::to_lowercase)
}
