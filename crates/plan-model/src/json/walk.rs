//! Looks through a whole value for what serde_json lets pass: depth, repeated keys, lone surrogates.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use foldhash::fast::RandomState;

use super::{Cursor, RawString, decode, decoded};
use crate::text::shift;

/// How many containers may be open at once, the plan's own object being the first (ruling 1).
pub(crate) const DEEPEST: usize = 128;

/// Up to this many keys are compared pairwise; it is faster than hashing.
const FEW_KEYS: usize = 8;

/// Something a value may not hold.
#[derive(Debug)]
pub(crate) enum Finding {
    /// A container beyond [`DEEPEST`] starts here; only the first of a walk is told.
    Deep(u32),
    /// A lone surrogate escape, and the string it is in.
    Lone(Range<u32>, u32),
    /// A key its object has already.
    Repeated(RawString),
}

/// The buffers of a walk, kept for the next one.
#[derive(Debug, Default)]
pub(crate) struct Walker {
    /// What is wrong; the caller drains it.
    pub(crate) findings: Vec<Finding>,
    /// The strings that start with a `$`; the caller drains it.
    pub(crate) dollars: Vec<RawString>,
    /// The open containers: where an object's keys start in `keys`, or an array.
    open: Vec<Option<usize>>,
    keys: Vec<RawString>,
}

impl Walker {
    /// Moves `cursor` past the value that starts there, inside `level` open containers.
    pub(crate) fn walk(&mut self, text: &str, cursor: &mut Cursor<'_>, level: usize) -> Range<u32> {
        let first = cursor.peek();
        let start = cursor.at();
        let mut deep = false;
        let mut next = first;
        loop {
            match next {
                b'"' => {
                    let string = cursor.string();
                    self.string(text, string);
                }
                b'{' | b'[' if level + self.open.len() >= DEEPEST => {
                    if !deep {
                        self.findings.push(Finding::Deep(cursor.at()));
                    }
                    deep = true;
                    cursor.skip();
                }
                opening @ (b'{' | b'[') => {
                    if !cursor.opens_empty() {
                        let object = opening == b'{';
                        self.open.push(object.then_some(self.keys.len()));
                        if object {
                            self.key(text, cursor);
                        }
                        next = cursor.peek();
                        continue;
                    }
                }
                _ => {
                    cursor.scalar();
                }
            }
            // A value has ended; so may the containers around it.
            loop {
                let Some(object) = self.open.last().copied() else {
                    return start..cursor.at();
                };
                if !cursor.closes() {
                    if object.is_some() {
                        self.key(text, cursor);
                    }
                    break;
                }
                if let Some(keys) = object {
                    let findings = &mut self.findings;
                    repeated(text, &self.keys[keys..], |key| {
                        findings.push(Finding::Repeated(key));
                    });
                    self.keys.truncate(keys);
                }
                self.open.pop();
            }
            next = cursor.peek();
        }
    }

    fn key(&mut self, text: &str, cursor: &mut Cursor<'_>) {
        let key = cursor.key();
        self.surrogates(text, key);
        self.keys.push(key);
    }

    fn string(&mut self, text: &str, string: RawString) {
        self.surrogates(text, string);
        let inside = string.inside(text);
        if inside.starts_with('$') || inside.starts_with("\\u0024") {
            self.dollars.push(string);
        }
    }

    fn surrogates(&mut self, text: &str, string: RawString) {
        if !string.escaped {
            return;
        }
        let inside = string.inside(text);
        if !inside.contains("\\u") {
            return;
        }
        if let Some(lone) = decode(inside, &mut String::new()) {
            let span = shift(&lone, string.start + 1);
            self.findings.push(Finding::Lone(span, string.start));
        }
    }
}

/// Calls `found` for each key that an earlier one of `keys` equals.
pub(crate) fn repeated(text: &str, keys: &[RawString], mut found: impl FnMut(RawString)) {
    if keys.len() <= FEW_KEYS && keys.iter().all(|key| !key.escaped) {
        for (n, key) in keys.iter().enumerate() {
            let inside = key.inside(text);
            if keys[..n].iter().any(|other| other.inside(text) == inside) {
                found(*key);
            }
        }
        return;
    }
    let mut seen: HashSet<Cow<'_, str>, RandomState> = HashSet::default();
    for key in keys {
        if !seen.insert(decoded(*key, text)) {
            found(*key);
        }
    }
}
