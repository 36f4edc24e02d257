//! What a step does: inventory, allowlist, and the shapes of input that each kind takes.

use plan_cond::Spelled;

use crate::doc::Declared;
use crate::json::{Cursor, decoded};
use crate::problem::{CapsuleInput, Found, Name, ProblemKind};
use crate::text::Piece;
use crate::{Kind, StepIdx, argv};

use super::Checker;

/// The tool a plan cannot call (spec: What is refused before anything runs).
const SUBMIT_PLAN: &str = "submit-plan";

/// The one key of a capsule step's input.
const OBJECTIVE: &str = "objective";

impl Checker<'_> {
    /// Checks what a step does. One with none or several kinds has had its fault when it was read.
    pub(super) fn action(&mut self, step: StepIdx) {
        let declared = &self.doc.steps[step.get()];
        let Some((kind, piece)) = declared.action else {
            return;
        };
        match kind {
            Kind::Tool => self.tool(step, piece, declared),
            Kind::Shell => self.shell(step, piece, declared),
            Kind::Capsule => self.capsule(step, piece, declared),
        }
    }

    fn tool(&mut self, step: StepIdx, piece: Piece, declared: &Declared) {
        let tool = self.doc.text.get(piece);
        let place = self.doc.text.written(piece);
        if tool == SUBMIT_PLAN {
            self.problem(step, place.start, place, ProblemKind::NestedPlan);
        } else if self
            .tools
            .as_ref()
            .is_some_and(|tools| !tools.contains(tool))
        {
            let tool = Name::new(tool);
            self.problem(step, place.start, place, ProblemKind::UnknownTool { tool });
        }
        if let Some((found, span)) = self.input(declared)
            && !matches!(found, Found::String | Found::Object)
        {
            self.problem(
                step,
                declared.input.0,
                span,
                ProblemKind::ToolInput { found },
            );
        }
    }

    fn shell(&mut self, step: StepIdx, piece: Piece, declared: &Declared) {
        let line = self.doc.text.get(piece);
        let place = self.doc.text.written(piece);
        match argv::program(line) {
            Err(error) => {
                let span = self.doc.text.written_part(piece, &error.span);
                self.problem(
                    step,
                    place.start,
                    span,
                    ProblemKind::Unsplittable(Box::new(error)),
                );
            }
            Ok(binary) => {
                if self
                    .shell_allow
                    .as_ref()
                    .is_some_and(|allow| !allow.contains(&*binary))
                {
                    let binary = Name::new(&binary);
                    let kind = ProblemKind::BinaryNotAllowed { binary };
                    self.problem(step, place.start, place.clone(), kind);
                }
            }
        }
        if let Some(mention) =
            Spelled::mentioned_in(line).find(|found| self.ids.get(found.step).is_some())
        {
            let reference = Name::new(&mention.to_string());
            // The step's name is a part of the line, one `$` on from where the reference starts.
            let start = mention.step.as_ptr() as usize - line.as_ptr() as usize - 1;
            let end = start + 1 + mention.step.len() + 1 + mention.field.len();
            let span = self.doc.text.written_part(piece, &(start..end));
            let kind = ProblemKind::ReferenceInShell { reference };
            self.problem(step, place.start, span, kind);
        }
        if let Some((_, span)) = self.input(declared) {
            self.problem(step, declared.input.0, span, ProblemKind::ShellInput);
        }
    }

    fn capsule(&mut self, step: StepIdx, piece: Piece, declared: &Declared) {
        let source = self.doc.text.source();
        let (start, _) = declared.input;
        let refuse = |checker: &mut Self, at: u32, span, input| {
            checker.problem(step, at, span, ProblemKind::CapsuleInput(input));
        };
        let Some((found, span)) = self.input(declared) else {
            let place = self.doc.text.written(piece);
            return refuse(self, declared.at, place, CapsuleInput::Absent);
        };
        match found {
            Found::String => return,
            Found::Object => {}
            Found::Null | Found::Bool | Found::Number | Found::List => {
                return refuse(self, start, span, CapsuleInput::Other(found));
            }
        }
        let mut cursor = Cursor::new(source, start as usize);
        let mut objective = false;
        if !cursor.opens_empty() {
            loop {
                let key = cursor.key();
                let name = decoded(key, source);
                let value = Found::starting_with(cursor.peek());
                let at = cursor.at();
                let place = cursor.skip();
                if name != OBJECTIVE {
                    let other = CapsuleInput::OtherKey(Name::new(&name));
                    refuse(self, key.start, key.span(), other);
                } else {
                    objective = true;
                    if value != Found::String {
                        refuse(
                            self,
                            at,
                            value.mark(&place),
                            CapsuleInput::ObjectiveIs(value),
                        );
                    }
                }
                if cursor.closes() {
                    break;
                }
            }
        }
        if !objective {
            refuse(self, start, span, CapsuleInput::NoObjective);
        }
    }

    /// Returns the type of a step's input and the bytes to mark; `None` when absent.
    fn input(&self, declared: &Declared) -> Option<(Found, std::ops::Range<u32>)> {
        let (start, end) = declared.input;
        let byte = *self.doc.text.source().as_bytes().get(start as usize)?;
        let found = Found::starting_with(byte);
        (start < end).then(|| (found, found.mark(&(start..end))))
    }
}
