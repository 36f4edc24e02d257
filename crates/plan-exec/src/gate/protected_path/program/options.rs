//! A program's arguments told apart: options, their values, and the rest.

use super::super::arg::Arg;

/// Which options of a program take a value.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Syntax {
    /// Short options that take the rest of their word, or else the next word.
    pub(super) short: &'static str,
    /// Short options that take the rest of their word and nothing else.
    pub(super) attached: &'static str,
    /// Long options, without dashes, that take the next word when they have no `=`.
    pub(super) long: &'static [&'static str],
    /// Whether the first word that is no option ends them, as for programs that run another.
    pub(super) strict: bool,
}

/// The arguments of one call.
#[derive(Debug)]
pub(super) struct Options<'a> {
    options: Vec<(Name<'a>, Option<Arg>)>,
    /// What is no option, in order.
    pub(super) operands: Vec<&'a Arg>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Name<'a> {
    Short(char),
    Long(&'a str),
}

impl<'a> Options<'a> {
    /// Reads `args`, the words after the program's name.
    pub(super) fn read(args: &'a [Arg], syntax: &Syntax) -> Self {
        let mut options = Vec::new();
        let mut operands = Vec::new();
        let mut rest = args.iter();
        while let Some(arg) = rest.next() {
            let text = arg.as_str();
            if text == "--" {
                operands.extend(rest);
                break;
            }
            if let Some(long) = text.strip_prefix("--") {
                let (name, value) = match long.find('=') {
                    Some(at) => (&long[..at], Some(arg.from("--".len() + at + 1))),
                    None if syntax.long.iter().any(|known| abbreviates(long, known)) => {
                        (long, rest.next().cloned())
                    }
                    None => (long, None),
                };
                options.push((Name::Long(name), value));
            } else if text.len() > 1 && text.starts_with('-') {
                for (at, letter) in text.char_indices().skip(1) {
                    let after = at + letter.len_utf8();
                    let attached = (after < text.len()).then(|| arg.from(after));
                    if syntax.short.contains(letter) {
                        options.push((
                            Name::Short(letter),
                            attached.or_else(|| rest.next().cloned()),
                        ));
                        break;
                    }
                    if syntax.attached.contains(letter) {
                        options.push((Name::Short(letter), attached));
                        break;
                    }
                    options.push((Name::Short(letter), None));
                }
            } else {
                operands.push(arg);
                if syntax.strict {
                    operands.extend(rest);
                    break;
                }
            }
        }
        Self { options, operands }
    }

    /// Returns whether one of the letters in `short`, or the option `long` if it is not empty, was given.
    pub(super) fn has(&self, short: &str, long: &str) -> bool {
        self.options.iter().any(|(name, _)| name.is(short, long))
    }

    /// Returns whether a long option beginning with `prefix` was given.
    pub(super) fn begins(&self, prefix: &str) -> bool {
        self.options
            .iter()
            .any(|(name, _)| matches!(name, Name::Long(given) if given.starts_with(prefix)))
    }

    /// Returns the last value of an option.
    pub(super) fn value(&self, short: &str, long: &str) -> Option<&Arg> {
        self.values(short, long).last()
    }

    /// Returns every value of an option, in order.
    pub(super) fn values(&self, short: &str, long: &str) -> impl Iterator<Item = &Arg> {
        self.options
            .iter()
            .filter(move |(name, _)| name.is(short, long))
            .filter_map(|(_, value)| value.as_ref())
    }

    /// Returns the last operand and those before it.
    pub(super) fn last(&self) -> Option<(&'a Arg, &[&'a Arg])> {
        self.operands
            .split_last()
            .map(|(last, before)| (*last, before))
    }
}

impl Name<'_> {
    fn is(self, short: &str, long: &str) -> bool {
        match self {
            Self::Short(letter) => short.contains(letter),
            Self::Long(given) => abbreviates(given, long),
        }
    }
}

/// Returns whether `given` is `name` or the beginning of it: GNU programs take that too.
fn abbreviates(given: &str, name: &str) -> bool {
    !given.is_empty() && name.starts_with(given)
}
