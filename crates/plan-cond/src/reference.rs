//! The spelling `$<step id>.<field>`: the one place that knows it.
//!
//! Whether a step of that id exists, and whether the field is one of the two, is left to the caller.

use core::fmt;

/// The two fields a reference can read (spec: References).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Field {
    /// `$<id>.output`: the step's output text.
    Output,
    /// `$<id>.status`: `success`, `failed` or `skipped`.
    Status,
}

impl Field {
    /// Returns the field spelled `name`, if there is one.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "output" => Some(Self::Output),
            "status" => Some(Self::Status),
            _ => None,
        }
    }

    /// Returns the field's spelling.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Output => "output",
            Self::Status => "status",
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A reference as it is spelled, before anyone knows whether its step exists.
///
/// `Display` writes it back as `$<step>.<field>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Spelled<'a> {
    /// The step id: what stands between the `$` and the last `.`.
    pub step: &'a str,
    /// What follows the last `.`; any identifier, not only `output` and `status`.
    pub field: &'a str,
}

impl<'a> Spelled<'a> {
    /// Reads `text` as a reference when the whole of it has the shape `$<step id>.<field>` (ruling 5).
    ///
    /// The id is one or more characters of any kind, the field an identifier.
    pub fn whole(text: &'a str) -> Option<Self> {
        let (step, field) = text.strip_prefix('$')?.rsplit_once('.')?;
        (!step.is_empty() && is_identifier(field)).then_some(Self { step, field })
    }

    /// Reads the reference that `text` begins with, as a condition would: up to white space, a quote,
    /// a parenthesis or one of `= ! < > & |` (ruling 13).
    pub fn in_condition(text: &'a str) -> Option<Self> {
        Self::whole(word(text))
    }

    /// Finds what looks like a reference to one of the two fields inside a running text, such as a
    /// command line, where nothing is substituted but the author may have expected it (ruling 9).
    ///
    /// Takes time linear in the text.
    pub fn mentioned_in(text: &'a str) -> Mentions<'a> {
        Mentions { rest: text }
    }
}

impl fmt::Display for Spelled<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "${}.{}", self.step, self.field)
    }
}

/// The references mentioned in a running text, left to right. See [`Spelled::mentioned_in`].
#[derive(Debug, Clone)]
pub struct Mentions<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Mentions<'a> {
    type Item = Spelled<'a>;

    fn next(&mut self) -> Option<Spelled<'a>> {
        loop {
            let (_, after) = self.rest.split_once('$')?;
            let ends = |c| c == '$' || ends_reference(c);
            let candidate = after.split(ends).next().unwrap_or(after);
            self.rest = after.get(candidate.len()..).unwrap_or_default();
            if let Some(spelled) = last_field_in(candidate) {
                return Some(spelled);
            }
        }
    }
}

/// Reads `<step id>.<field>` off a word, ignoring what follows the field (`build.output/log.txt`).
fn last_field_in(word: &str) -> Option<Spelled<'_>> {
    word.rmatch_indices('.').find_map(|(dot, _)| {
        let (step, after) = (word.get(..dot)?, word.get(dot + 1..)?);
        // The two names are short: looking at more of `after` would be quadratic in the dots.
        let field = [Field::Output, Field::Status].into_iter().find(|field| {
            after
                .strip_prefix(field.name())
                .is_some_and(|rest| !rest.starts_with(continues_identifier))
        })?;
        let field = after.get(..field.name().len())?;
        (!step.is_empty()).then_some(Spelled { step, field })
    })
}

/// Returns what `text` begins with up to the first character that ends a reference.
pub(crate) fn word(text: &str) -> &str {
    text.split(ends_reference).next().unwrap_or(text)
}

/// Returns whether `c` ends a reference in a condition (ruling 13).
pub(crate) fn ends_reference(c: char) -> bool {
    match c {
        '\'' | '"' | '(' | ')' => true,
        _ => is_operator(c) || c.is_whitespace(),
    }
}

/// Returns whether operators are made of `c`.
pub(crate) fn is_operator(c: char) -> bool {
    matches!(c, '=' | '!' | '<' | '>' | '&' | '|')
}

/// Returns whether `text` is an identifier: `[A-Za-z_][A-Za-z0-9_]*` (ruling 5).
fn is_identifier(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(continues_identifier)
}

fn continues_identifier(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}
