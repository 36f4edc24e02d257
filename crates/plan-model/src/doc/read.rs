//! From bytes to a document: UTF-8, then JSON, then one walk over the text that collects every fault.

use std::ops::Range;

use crate::StepIdx;
use crate::json::{BOM, Cursor, Finding, RawString, Walker, deepest, validate};
use crate::problem::{Found, Name, Problem, ProblemKind, Problems};
use crate::text::{Decoded, LONGEST, Piece, Text};

use super::early::early_id;
use super::{Declared, PlanDoc};

/// For how many unknown keys a near one is looked for, so that a text of nothing else is read as fast as any.
const MEANINGS: usize = 100_000;

/// Reads a plan's text.
pub(super) fn read(bytes: Vec<u8>) -> PlanDoc {
    let (source, unreadable) = readable(bytes);
    let mut reader = Reader::new(&source);
    let mut early = None;
    match unreadable {
        Some(problem) => {
            reader.parts.problems.push(problem);
            early = early_id(&source[start(&source)..]);
        }
        None => reader.plan(),
    }
    let Reader { decoded, parts, .. } = reader;
    PlanDoc {
        text: Text::new(source, decoded),
        id: parts.id,
        early_id: early,
        steps: parts.steps,
        declared: parts.declared,
        depends_on: parts.depends_on,
        dollars: parts.dollars,
        problems: parts.problems,
    }
}

/// Returns the text, and why it is not JSON; up to there it is UTF-8.
fn readable(bytes: Vec<u8>) -> (String, Option<Problem>) {
    let problem = |span: Range<usize>, kind| Problem {
        step: None,
        target: 0,
        span: crate::text::shift(&span, 0),
        kind,
    };
    if bytes.len() > LONGEST {
        return (String::new(), Some(problem(0..0, ProblemKind::TooLong)));
    }
    let source = match String::from_utf8(bytes) {
        Ok(source) => source,
        Err(error) => {
            let good = error.utf8_error().valid_up_to();
            let bad = error.utf8_error().error_len().unwrap_or(1);
            let mut bytes = error.into_bytes();
            bytes.truncate(good);
            let source = String::from_utf8(bytes).expect("valid up to there");
            let pointer = deepest(&source, start(&source));
            let kind = ProblemKind::NotUtf8 { pointer };
            return (source, Some(problem(good..good + bad, kind)));
        }
    };
    match validate(&source, start(&source)) {
        Ok(()) => (source, None),
        Err(fault) => {
            let kind = ProblemKind::Syntax {
                pointer: fault.pointer,
                trouble: fault.trouble,
            };
            (source, Some(problem(fault.span, kind)))
        }
    }
}

/// Returns where the JSON of a text starts.
pub(crate) fn start(source: &str) -> usize {
    if source.starts_with(BOM) {
        BOM.len_utf8()
    } else {
        0
    }
}

/// What has been read so far.
#[derive(Default)]
pub(super) struct Parts {
    pub(super) id: Option<Piece>,
    pub(super) steps: Vec<Declared>,
    pub(super) declared: usize,
    pub(super) depends_on: Vec<Piece>,
    pub(super) dollars: Vec<Piece>,
    pub(super) problems: Problems,
}

/// Walks over the text once. `plan.rs` and `step.rs` have the two objects of the format.
pub(super) struct Reader<'t> {
    pub(super) source: &'t str,
    pub(super) cursor: Cursor<'t>,
    pub(super) decoded: Decoded,
    pub(super) parts: Parts,
    /// The step being read.
    pub(super) step: Option<StepIdx>,
    /// The keys of the step being read that the format does not know.
    pub(super) unknown: Vec<RawString>,
    /// For how many more unknown keys a near one is looked for.
    pub(super) meanings_left: usize,
    walker: Walker,
}

impl<'t> Reader<'t> {
    fn new(source: &'t str) -> Self {
        Self {
            source,
            cursor: Cursor::new(source, start(source)),
            decoded: Decoded::default(),
            parts: Parts::default(),
            step: None,
            unknown: Vec::new(),
            meanings_left: MEANINGS,
            walker: Walker::default(),
        }
    }

    /// Records a problem. `target` is where the value or key starts that the JSON Pointer is to name.
    pub(super) fn problem(&mut self, target: u32, span: Range<u32>, kind: ProblemKind) {
        self.parts.problems.push(Problem {
            step: self.step,
            target,
            span,
            kind,
        });
    }

    /// Moves past a key and its colon.
    pub(super) fn key(&mut self) -> RawString {
        let key = self.cursor.key();
        if key.escaped
            && let Err(lone) = Decoded::default().keep(self.source, key)
        {
            self.problem(key.start, lone, ProblemKind::LoneSurrogate);
        }
        key
    }

    /// Records a key given twice and moves past its value, which counts for nothing.
    pub(super) fn repeated(&mut self, key: RawString, level: usize) {
        let name = Name::new(&crate::json::decoded(key, self.source));
        self.problem(
            key.start,
            key.span(),
            ProblemKind::DuplicateKey { key: name },
        );
        self.walk(level);
    }

    /// Reads the string that a field must be.
    pub(super) fn string(&mut self, field: &'static str, level: usize) -> Option<Piece> {
        if self.cursor.peek() != b'"' {
            self.wrong_type(field, "a string", level);
            return None;
        }
        let raw = self.cursor.string();
        match self.decoded.keep(self.source, raw) {
            Ok(piece) => Some(piece),
            Err(lone) => {
                self.problem(raw.start, lone, ProblemKind::LoneSurrogate);
                None
            }
        }
    }

    /// Records that a field's value has another type, and moves past it.
    pub(super) fn wrong_type(&mut self, field: &'static str, expected: &'static str, level: usize) {
        let found = Found::starting_with(self.cursor.peek());
        let place = self.walk(level);
        let kind = ProblemKind::WrongType {
            field,
            expected,
            found,
        };
        self.problem(place.start, found.mark(&place), kind);
    }

    /// Moves past a value inside `level` containers.
    pub(super) fn walk(&mut self, level: usize) -> Range<u32> {
        let place = self.walker.walk(self.source, &mut self.cursor, level);
        self.walker.dollars.clear();
        self.findings();
        place
    }

    /// Moves past a step's input and keeps its strings that start with a `$`.
    pub(super) fn input(&mut self, level: usize) -> Range<u32> {
        let place = self.walker.walk(self.source, &mut self.cursor, level);
        for raw in self.walker.dollars.drain(..) {
            // One with a lone surrogate has its fault from the walk.
            if let Ok(piece) = self.decoded.keep(self.source, raw) {
                self.parts.dollars.push(piece);
            }
        }
        self.findings();
        place
    }

    fn findings(&mut self) {
        let mut findings = std::mem::take(&mut self.walker.findings);
        for finding in findings.drain(..) {
            match finding {
                Finding::Deep(at) => self.problem(at, at..at + 1, ProblemKind::TooDeep),
                Finding::Lone(span, string) => {
                    self.problem(string, span, ProblemKind::LoneSurrogate);
                }
                Finding::Repeated(key) => {
                    let name = crate::json::decoded(key, self.source);
                    let kind = ProblemKind::DuplicateKey {
                        key: Name::new(&name),
                    };
                    self.problem(key.start, key.span(), kind);
                }
            }
        }
        self.walker.findings = findings;
    }
}
