//! One step's object.

use crate::json::{RawString, decoded};
use crate::problem::{Found, Name, ProblemKind};
use crate::{Kind, OnError, StepIdx};

use super::Declared;
use super::read::Reader;

/// The keys of a step.
pub(crate) const STEP_KEYS: [&str; 9] = [
    "id",
    "tool",
    "shell",
    "capsule",
    "input",
    "depends_on",
    "if",
    "on_error",
    "retries",
];

/// What has been read of one step.
struct Draft {
    declared: Declared,
    seen: [bool; STEP_KEYS.len()],
    /// The keys of the kinds given, `null` ones left out: each has its fault already.
    kinds: [Option<RawString>; Kind::ALL.len()],
}

impl Reader<'_> {
    /// Reads the step that starts here, inside `level` containers.
    pub(super) fn step(&mut self, level: usize) {
        let opening = self.cursor.peek();
        if opening != b'{' {
            let found = Found::starting_with(opening);
            let place = self.walk(level);
            let kind = ProblemKind::StepNotAnObject { found };
            self.problem(place.start, found.mark(&place), kind);
            return;
        }
        let mut draft = Draft {
            declared: self.blank(),
            seen: [false; STEP_KEYS.len()],
            kinds: [None; Kind::ALL.len()],
        };
        if self.cursor.opens_empty() {
            self.missing(&mut draft);
            return;
        }
        self.step = Some(StepIdx::new(self.parts.steps.len()));
        self.members(&mut draft, level + 1);
        self.step = None;
        let mut declared = draft.declared;
        declared.depends_on_end = count(self.parts.depends_on.len());
        declared.dollars_end = count(self.parts.dollars.len());
        self.parts.steps.push(declared);
    }

    fn blank(&self) -> Declared {
        Declared {
            place: count(self.parts.declared),
            at: self.cursor.at(),
            id: None,
            action: None,
            condition: None,
            input: (0, 0),
            retries: 0,
            on_error: OnError::Fail,
            broken_depends_on: false,
            depends_on_end: 0,
            dollars_end: 0,
        }
    }

    fn members(&mut self, draft: &mut Draft, level: usize) {
        let mut unknown = std::mem::take(&mut self.unknown);
        unknown.clear();
        loop {
            let key = self.key();
            self.field(draft, key, level, &mut unknown);
            if self.cursor.closes() {
                break;
            }
        }
        self.unknown_keys(&unknown, &STEP_KEYS, &draft.seen);
        self.unknown = unknown;
        self.missing(draft);
    }

    fn field(
        &mut self,
        draft: &mut Draft,
        key: RawString,
        level: usize,
        unknown: &mut Vec<RawString>,
    ) {
        let name = decoded(key, self.source);
        let Some(known) = STEP_KEYS.iter().position(|known| *known == name) else {
            unknown.push(key);
            self.walk(level);
            return;
        };
        if std::mem::replace(&mut draft.seen[known], true) {
            self.repeated(key, level);
            return;
        }
        let declared = &mut draft.declared;
        match STEP_KEYS[known] {
            "id" => declared.id = self.string("id", level),
            "tool" => self.action(draft, Kind::Tool, key, level),
            "shell" => self.action(draft, Kind::Shell, key, level),
            "capsule" => self.action(draft, Kind::Capsule, key, level),
            "input" => {
                let place = self.input(level);
                declared.input = (place.start, place.end);
            }
            "depends_on" => declared.broken_depends_on = !self.depends_on(level),
            "if" => declared.condition = self.string("if", level),
            "on_error" => declared.on_error = self.on_error(level),
            _ => declared.retries = self.retries(level),
        }
    }

    fn action(&mut self, draft: &mut Draft, kind: Kind, key: RawString, level: usize) {
        if self.cursor.peek() != b'n' {
            draft.kinds[kind as usize] = Some(key);
        }
        let at = self.cursor.at();
        let Some(piece) = self.string(kind.name(), level) else {
            return;
        };
        let end = self.cursor.at();
        // A raw NUL is no JSON, so one can only stand in a string that had to be decoded.
        if kind == Kind::Shell && self.decoded.holds_nul(self.source, piece) {
            self.problem(at, at..end, ProblemKind::NulInShell);
            return;
        }
        draft.declared.action = Some((kind, piece));
    }

    /// Reads the entries; false when one could not be read.
    fn depends_on(&mut self, level: usize) -> bool {
        if self.cursor.peek() != b'[' {
            self.wrong_type("depends_on", "a list of step ids", level);
            return false;
        }
        if self.cursor.opens_empty() {
            return true;
        }
        let mut whole = true;
        loop {
            match self.string("an entry of depends_on", level + 1) {
                Some(piece) => self.parts.depends_on.push(piece),
                None => whole = false,
            }
            if self.cursor.closes() {
                return whole;
            }
        }
    }

    fn on_error(&mut self, level: usize) -> OnError {
        self.cursor.peek();
        let start = self.cursor.at();
        let Some(piece) = self.string("on_error", level) else {
            return OnError::Fail;
        };
        let word = self.decoded.get(self.source, piece);
        if let Some(policy) = OnError::from_name(word) {
            return policy;
        }
        let written = Name::new(word);
        let span = start..self.cursor.at();
        self.problem(start, span, ProblemKind::BadOnError { written });
        OnError::Fail
    }

    fn retries(&mut self, level: usize) -> u32 {
        if !matches!(self.cursor.peek(), b'-' | b'0'..=b'9') {
            self.wrong_type("retries", "a whole number", level);
            return 0;
        }
        let place = self.cursor.scalar();
        let written = &self.source[place.start as usize..place.end as usize];
        // No sign, fraction or exponent gets through `parse`; JSON has no `+` and no leading zeros.
        written.parse().unwrap_or_else(|_| {
            let written = Name::new(written);
            self.problem(place.start, place, ProblemKind::BadRetries { written });
            0
        })
    }

    fn missing(&mut self, draft: &mut Draft) {
        let at = draft.declared.at;
        if !draft.seen[0] {
            let kind = ProblemKind::MissingKey {
                key: "id",
                of: "the step",
                wrapped: false,
            };
            self.problem(at, at..at + 1, kind);
        }
        let given = draft.kinds.iter().flatten().count();
        if given > 1 {
            let kinds = Kind::ALL.map(|kind| draft.kinds[kind as usize].map(|_| kind));
            let last = draft.kinds.iter().flatten().map(RawString::span);
            let last = last.max_by_key(|span| span.start).unwrap_or(at..at + 1);
            self.problem(last.start, last, ProblemKind::SeveralKinds { kinds });
            draft.declared.action = None;
        }
        // `seen` has tool, shell and capsule after the id; a `null` one has its fault already.
        if !draft.seen[1..4].contains(&true) {
            self.problem(at, at..at + 1, ProblemKind::NoKind);
        }
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).expect("fewer than the bytes of the text")
}
