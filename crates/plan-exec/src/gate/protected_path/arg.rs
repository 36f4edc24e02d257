//! An argument as a program would get it, with what in it stands for more than one text.

/// A word of a command after everything that can be known was put in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Arg {
    /// The text. [`HOLE`] stands where nothing is known.
    text: String,
    /// Where in the text a glob character is live, ascending.
    live: Vec<usize>,
    /// Whether it stands for anything below that path as well.
    below: bool,
}

/// Stands for text that is not known before the command runs. No argument can hold a NUL, so nothing is lost.
pub(super) const HOLE: char = '\0';

/// What a component of a path is made of once globs are read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Glob {
    /// This character.
    Char(char),
    /// `?`: any character.
    One,
    /// `*`: any characters.
    Many,
    /// `[...]`: one of these ranges, or none of them.
    Class {
        negated: bool,
        ranges: Vec<(char, char)>,
    },
}

impl Arg {
    /// Returns text that stands for itself.
    pub(super) fn plain(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            live: Vec::new(),
            below: false,
        }
    }

    /// Returns an argument that names `path` or anything below it.
    pub(super) fn anything_below(path: Self) -> Self {
        Self {
            below: true,
            ..path
        }
    }

    /// Returns the text, in which [`HOLE`] and live globs stand as characters.
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) const fn is_below(&self) -> bool {
        self.below
    }

    pub(super) const fn has_globs(&self) -> bool {
        !self.live.is_empty()
    }

    /// Returns where the first thing that is not known stands.
    pub(super) fn hole(&self) -> Option<usize> {
        self.text.find(HOLE)
    }

    pub(super) fn push(&mut self, c: char) {
        self.text.push(c);
    }

    pub(super) fn push_live(&mut self, c: char) {
        self.live.push(self.text.len());
        self.text.push(c);
    }

    /// Returns the argument from byte `start` on, which is a boundary of characters.
    pub(super) fn from(&self, start: usize) -> Self {
        Self {
            text: self.text[start..].to_owned(),
            live: self
                .live
                .iter()
                .filter_map(|at| at.checked_sub(start))
                .collect(),
            below: self.below,
        }
    }

    /// Returns the argument up to byte `end`, which is a boundary of characters.
    pub(super) fn until(&self, end: usize) -> Self {
        Self {
            text: self.text[..end].to_owned(),
            live: self.live.iter().copied().filter(|at| *at < end).collect(),
            below: false,
        }
    }

    /// Returns what stands after `prefix`, if it begins so.
    pub(super) fn after(&self, prefix: &str) -> Option<Self> {
        self.text
            .starts_with(prefix)
            .then(|| self.from(prefix.len()))
    }

    /// Returns the path of `name` in the directory this names.
    pub(super) fn join(&self, name: &Self) -> Self {
        let mut joined = self.clone();
        if !joined.text.ends_with('/') {
            joined.text.push('/');
        }
        let start = joined.text.len();
        joined.text.push_str(&name.text);
        joined.live.extend(name.live.iter().map(|at| at + start));
        joined.below = self.below || name.below;
        joined
    }

    /// Returns the last component, without trailing slashes; `None` when it is `.`, `..` or nothing.
    pub(super) fn basename(&self) -> Option<Self> {
        let end = self.text.trim_end_matches('/').len();
        let start = self.text[..end].rfind('/').map_or(0, |at| at + 1);
        let name = &self.text[start..end];
        (!matches!(name, "" | "." | "..")).then(|| self.until(end).from(start))
    }

    /// Returns each character with whether it is a live glob.
    pub(super) fn chars(&self) -> impl Iterator<Item = (char, bool)> {
        let mut live = self.live.iter().peekable();
        self.text
            .char_indices()
            .map(move |(at, c)| (c, live.next_if_eq(&&at).is_some()))
    }

    /// Returns the components, without empty ones.
    pub(super) fn components(&self) -> Vec<Self> {
        let mut components = Vec::new();
        let mut component = Self::default();
        for (c, live) in self.chars() {
            match (c, live) {
                ('/', _) => components.push(std::mem::take(&mut component)),
                (c, true) => component.push_live(c),
                (c, false) => component.push(c),
            }
        }
        components.push(component);
        components.retain(|component| !component.text.is_empty());
        components
    }

    /// Reads the globs of one component.
    pub(super) fn globs(&self) -> Vec<Glob> {
        let chars: Vec<(char, bool)> = self.chars().collect();
        let mut globs = Vec::with_capacity(chars.len());
        // Once one `[` finds no `]`, no later one will.
        let mut closes = true;
        let mut at = 0;
        while let Some((c, live)) = chars.get(at) {
            at += 1;
            let glob = match (c, live) {
                ('?', true) => Glob::One,
                ('*', true) => Glob::Many,
                ('[', true) if closes => match class(&chars, at) {
                    Some((class, end)) => {
                        at = end;
                        class
                    }
                    None => {
                        closes = false;
                        Glob::Char('[')
                    }
                },
                (c, _) => Glob::Char(*c),
            };
            if !(glob == Glob::Many && globs.last() == Some(&Glob::Many)) {
                globs.push(glob);
            }
        }
        globs
    }
}

/// Reads a `[...]` whose `[` stands right before `start`, and returns it with where it ends.
fn class(chars: &[(char, bool)], start: usize) -> Option<(Glob, usize)> {
    let char_at = |at: usize| chars.get(at).map(|(c, _)| *c);
    let negated = matches!(char_at(start), Some('!' | '^'));
    let first = start + usize::from(negated);
    // A `]` right at the beginning is one of the characters.
    let close = (first + 1..chars.len()).find(|at| char_at(*at) == Some(']'))?;
    if char_at(first) == Some('[') && matches!(char_at(first + 1), Some(':' | '.' | '=')) {
        // A named class: which characters it holds depends on the locale.
        let end = (close + 1..chars.len()).find(|at| char_at(*at) == Some(']'))?;
        return Some((Glob::One, end + 1));
    }
    let mut ranges = Vec::new();
    let mut at = first;
    while at < close {
        let low = char_at(at)?;
        match (char_at(at + 1), char_at(at + 2)) {
            (Some('-'), Some(high)) if at + 2 < close => {
                ranges.push((low, high));
                at += 3;
            }
            _ => {
                ranges.push((low, low));
                at += 1;
            }
        }
    }
    Some((Glob::Class { negated, ranges }, close + 1))
}

/// Returns whether a component made of `globs` can stand for the file name `name`.
///
/// As in a shell, a leading dot has to be written.
pub(super) fn matches(globs: &[Glob], name: &str) -> bool {
    if name.starts_with('.') && !matches!(globs.first(), Some(Glob::Char('.'))) {
        return false;
    }
    let name: Vec<char> = name.chars().collect();
    let (mut glob, mut at) = (0, 0);
    // Where to go on when a match fails: the last `*`, and how much it has taken.
    let mut back: Option<(usize, usize)> = None;
    while at < name.len() {
        if globs.get(glob) == Some(&Glob::Many) {
            back = Some((glob + 1, at));
            glob += 1;
        } else if globs.get(glob).is_some_and(|one| takes(one, name[at])) {
            glob += 1;
            at += 1;
        } else if let Some((after, taken)) = back {
            back = Some((after, taken + 1));
            (glob, at) = (after, taken + 1);
        } else {
            return false;
        }
    }
    globs[glob..].iter().all(|rest| *rest == Glob::Many)
}

fn takes(glob: &Glob, c: char) -> bool {
    match glob {
        Glob::Char(own) => *own == c,
        Glob::One | Glob::Many => true,
        Glob::Class { negated, ranges } => {
            ranges.iter().any(|(low, high)| (*low..=*high).contains(&c)) != *negated
        }
    }
}
