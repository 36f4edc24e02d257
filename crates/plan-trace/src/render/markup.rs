//! Text as HTML and XML take it.

use super::columns::visible_lines;

/// Returns somebody's text as text of HTML or XML, also between double quotes: what could steer a terminal, turn the
/// direction of the page or be read as markup stands there to be seen.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in visible_lines(text).chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // XML does not know them.
            '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            _ => escaped.push(character),
        }
    }
    escaped
}
