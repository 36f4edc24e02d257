//! What can be wrong with a text that is not JSON, in words, and what to write instead.

use std::fmt;

/// What is wrong with a text that is not JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Trouble {
    Nothing,
    Ends(&'static str),
    OpenString,
    Control(char),
    Escape(char),
    Number(String),
    Word(String),
    SingleQuote,
    CurlyQuote(char),
    Comment,
    Fence,
    TrailingComma(char),
    MissingComma(char, char),
    MissingColon(char),
    Key(char),
    Unexpected(char),
    Trailing,
    TooDeep,
    Other,
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => f.write_str("the plan's text is empty"),
            Self::Ends(inside) => write!(f, "the text ends inside {inside}"),
            Self::OpenString => f.write_str("a string is not closed before the text ends"),
            Self::Control('\n' | '\r') => f.write_str("a string holds a raw line break"),
            Self::Control(char) => {
                write!(
                    f,
                    "a string holds the raw control character {:#04x}",
                    u32::from(*char)
                )
            }
            Self::Escape(char) => {
                write!(f, "`\\{}` is not an escape that JSON knows", Plain(*char))
            }
            Self::Number(number) => write!(f, "`{number}` is not a number of JSON"),
            Self::Word(word) => write!(f, "`{word}` is not a value of JSON"),
            Self::SingleQuote => f.write_str("a `'` does not start a string in JSON"),
            Self::CurlyQuote(quote) => write!(f, "a `{quote}` does not start a string in JSON"),
            Self::Comment => f.write_str("JSON has no comments"),
            Self::Fence => f.write_str("the text starts with a code fence, not with JSON"),
            Self::TrailingComma(close) => {
                write!(f, "a `,` stands right before the closing `{close}`")
            }
            Self::MissingComma(close, found) => {
                write!(f, "expected `,` or `{close}`, found `{}`", Plain(*found))
            }
            Self::MissingColon(found) => {
                write!(f, "expected `:` after the key, found `{}`", Plain(*found))
            }
            Self::Key(found) => {
                write!(
                    f,
                    "expected a key in double quotes, found `{}`",
                    Plain(*found)
                )
            }
            Self::Unexpected(found) => {
                write!(f, "expected a value, found `{}`", Plain(*found))
            }
            Self::Trailing => f.write_str("text follows the end of the plan"),
            Self::TooDeep => f.write_str("lists and objects are nested deeper than 128 levels"),
            Self::Other => f.write_str("the text is not JSON from here on"),
        }
    }
}

/// A character that stays on its line.
struct Plain(char);

impl fmt::Display for Plain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_control() {
            write!(f, "{}", self.0.escape_debug())
        } else {
            write!(f, "{}", self.0)
        }
    }
}

impl Trouble {
    /// Returns what to write instead.
    pub(crate) fn hint(&self) -> String {
        match self {
            Self::Nothing => "send one JSON object: `{\"id\": \"…\", \"steps\": […]}`".to_owned(),
            Self::Ends(_) => "close what is open; the text may have been cut off".to_owned(),
            Self::OpenString => "close it with `\"`, and write a `\"` inside it as `\\\"`".to_owned(),
            Self::Control('\n' | '\r') => "write a line break inside a string as `\\n`".to_owned(),
            Self::Control('\t') => "write a tab inside a string as `\\t`".to_owned(),
            Self::Control(char) => format!("write it as `\\u{:04x}`", u32::from(*char)),
            Self::Escape(_) => {
                "write a backslash as `\\\\`; the escapes are `\\\" \\\\ \\/ \\b \\f \\n \\r \\t \\uXXXX`".to_owned()
            }
            Self::Number(_) => "write it like `0`, `12`, `-3` or `4.5e6`, or put it in double quotes".to_owned(),
            Self::Word(word) => match word.as_str() {
                "True" | "TRUE" => "write `true`".to_owned(),
                "False" | "FALSE" => "write `false`".to_owned(),
                "None" | "NULL" | "Null" | "nil" | "undefined" => {
                    "write `null`, or leave the key out".to_owned()
                }
                _ => format!("put text in double quotes: `\"{word}\"`"),
            },
            Self::SingleQuote | Self::CurlyQuote(_) => "write strings in double quotes: `\"…\"`".to_owned(),
            Self::Comment => "take the comment away".to_owned(),
            Self::Fence => "send the JSON alone, without the lines of backquotes around it".to_owned(),
            Self::TrailingComma(_) => "take the comma away".to_owned(),
            Self::MissingComma(..) => {
                "put a `,` between two entries; a `\"` inside a string is written `\\\"`".to_owned()
            }
            Self::MissingColon(_) => "write `\"key\": value`".to_owned(),
            Self::Key(_) => "write every key in double quotes: `\"id\": …`".to_owned(),
            Self::Unexpected(_) => "write a string, number, object, list, `true`, `false` or `null`".to_owned(),
            Self::TooDeep => "nest less, and close what is open".to_owned(),
            Self::Trailing => "send one JSON object and nothing after it".to_owned(),
            Self::Other => "send one JSON object".to_owned(),
        }
    }
}
