//! The plan's own object.

use crate::json::{RawString, decoded, repeated};
use crate::problem::{Found, Name, ProblemKind, meant};

use super::read::Reader;

/// The keys of a plan.
pub(crate) const PLAN_KEYS: [&str; 2] = ["id", "steps"];

/// The key that a call of `submit-plan` has the plan in.
const WRAPPER: &str = "plan";

/// How many containers are open inside the plan's object.
const IN_PLAN: usize = 1;
/// How many are open inside its list of steps.
const IN_STEPS: usize = 2;

impl Reader<'_> {
    /// Reads the whole text.
    pub(super) fn plan(&mut self) {
        let opening = self.cursor.peek();
        let at = self.cursor.at();
        if opening != b'{' {
            let found = Found::starting_with(opening);
            let place = self.cursor.skip();
            self.problem(at, found.mark(&place), ProblemKind::NotAnObject { found });
            return;
        }
        let mut unknown = Vec::new();
        let mut seen = [false; PLAN_KEYS.len()];
        let mut wrapped = false;
        if !self.cursor.opens_empty() {
            loop {
                let key = self.key();
                wrapped |= self.cursor.peek() == b'{' && decoded(key, self.source) == WRAPPER;
                self.member(key, &mut seen, &mut unknown);
                if self.cursor.closes() {
                    break;
                }
            }
        }
        self.unknown_keys(&unknown, &PLAN_KEYS, &seen);
        for (key, given) in PLAN_KEYS.into_iter().zip(seen) {
            if !given {
                self.problem(
                    at,
                    at..at + 1,
                    ProblemKind::MissingKey {
                        key,
                        of: "the plan",
                        // With steps of its own it is a plan, whatever else stands there.
                        wrapped: wrapped && !seen[1],
                    },
                );
            }
        }
    }

    fn member(&mut self, key: RawString, seen: &mut [bool; 2], unknown: &mut Vec<RawString>) {
        let name = decoded(key, self.source);
        let Some(known) = PLAN_KEYS.iter().position(|known| *known == name) else {
            unknown.push(key);
            self.walk(IN_PLAN);
            return;
        };
        if std::mem::replace(&mut seen[known], true) {
            self.repeated(key, IN_PLAN);
        } else if known == 0 {
            self.parts.id = self.string("id", IN_PLAN);
        } else {
            self.steps();
        }
    }

    fn steps(&mut self) {
        if self.cursor.peek() != b'[' {
            self.wrong_type("steps", "a list of steps", IN_PLAN);
            return;
        }
        if self.cursor.opens_empty() {
            return;
        }
        loop {
            self.step(IN_STEPS);
            self.parts.declared += 1;
            if self.cursor.closes() {
                break;
            }
        }
    }

    /// Warns of keys the format does not know (ruling 2), and refuses those given twice.
    pub(super) fn unknown_keys(
        &mut self,
        keys: &[RawString],
        known: &'static [&'static str],
        seen: &[bool],
    ) {
        if keys.is_empty() {
            return;
        }
        let mut twice = Vec::new();
        repeated(self.source, keys, |key| twice.push(key));
        for key in twice {
            let name = Name::new(&decoded(key, self.source));
            self.problem(
                key.start,
                key.span(),
                ProblemKind::DuplicateKey { key: name },
            );
        }
        for key in keys {
            let name = decoded(*key, self.source);
            let is_given = |key: &str| {
                known
                    .iter()
                    .zip(seen)
                    .any(|(known, seen)| *seen && *known == key)
            };
            let kind = ProblemKind::UnknownKey {
                meant: self.meanings_left.checked_sub(1).and_then(|left| {
                    self.meanings_left = left;
                    meant(&name, known, is_given)
                }),
                key: Name::new(&name),
                known,
            };
            self.problem(key.start, key.span(), kind);
        }
    }
}
