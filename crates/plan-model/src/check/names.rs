//! Names inside a step that must be of declared steps: `depends_on`, references in `input`, references in `if`.

use std::ops::Range;

use plan_cond::{Cond, Field, Spelled};

use crate::plan::{Filling, Hole};
use crate::problem::{Name, ProblemKind, Site};
use crate::text::Piece;
use crate::{Kind, Ref, StepIdx};

use super::Checker;
use super::order::Unproven;

/// At how many dots a misspelt reference is taken apart: each is a look at all that stands before it.
const DOTS: usize = 16;

/// What a string that starts with a `$` is (rulings 5 to 7).
enum Dollar<'t> {
    Reference(Spelled<'t>),
    /// `$<declared id>` without a field.
    NoField(&'t str),
    /// `$HOME`.
    Variable,
    Escape,
    Literal,
}

impl Checker<'_> {
    pub(super) fn names(&mut self, step: StepIdx) {
        self.dependencies_of(step);
        self.references(step);
        if let Some(piece) = self.doc.steps[step.get()].condition {
            self.condition(step, piece);
        }
    }

    fn dependencies_of(&mut self, step: StepIdx) {
        for piece in self.doc.dependencies(step.get()) {
            let id = self.doc.text.get(*piece);
            let Some(dependency) = self.ids.get(id) else {
                let place = self.doc.text.written(*piece);
                let id = Name::new(id);
                self.breaks(step);
                self.problem(
                    step,
                    place.start,
                    place,
                    ProblemKind::UnknownDependency { id },
                );
                continue;
            };
            let last = &mut self.waits_for[dependency.get()];
            if *last != step.as_u32() {
                *last = step.as_u32();
                self.dependencies.push(dependency);
            }
        }
        if self.doc.steps[step.get()].broken_depends_on {
            self.breaks(step);
        }
        self.dependencies.end();
    }

    /// Notes that what a step waits for is not known in full.
    fn breaks(&mut self, step: StepIdx) {
        if self.broken.last() != Some(&step) {
            self.broken.push(step);
        }
    }

    fn references(&mut self, step: StepIdx) {
        let kind = self.doc.steps[step.get()].action.map(|(kind, _)| kind);
        for piece in self.doc.dollars(step.get()) {
            let text = self.doc.text.get(*piece);
            let place = self.doc.text.written(*piece);
            let filling = match self.dollar(text) {
                Dollar::Literal => continue,
                Dollar::Variable => {
                    let text = Name::new(text);
                    let kind = ProblemKind::DollarLiteral { text };
                    self.problem(step, place.start, place, kind);
                    continue;
                }
                Dollar::NoField(id) => {
                    let id = Name::new(id);
                    self.problem(step, place.start, place, ProblemKind::NoField { id });
                    continue;
                }
                Dollar::Escape => Filling::Escape,
                Dollar::Reference(spelled) => {
                    let at = place.start;
                    let found = self.reference(step, spelled, at, place.clone(), Site::Input);
                    let Some(reference) = found else {
                        continue;
                    };
                    // Nothing in a shell step's input is resolved, so nothing in it can come too early.
                    if kind != Some(Kind::Shell) {
                        self.unproven(step, reference, at, place.clone(), Site::Input);
                    }
                    Filling::Reference(reference)
                }
            };
            self.holes.push(Hole {
                place: (place.start, place.end),
                filling,
            });
        }
        let end = u32::try_from(self.holes.len()).expect("fewer than the bytes of the text");
        self.holes_ends.push(end);
    }

    fn condition(&mut self, step: StepIdx, piece: Piece) {
        let text = self.doc.text.get(piece);
        let at = self.doc.text.written(piece).start;
        let condition = match plan_cond::parse(text) {
            Ok(Some(condition)) => condition,
            Ok(None) => return,
            Err(error) => {
                let span = self.doc.text.written_part(piece, &error.span);
                self.problem(step, at, span, ProblemKind::BadCondition(Box::new(error)));
                return;
            }
        };
        let mut found = Vec::new();
        let mut whole = true;
        let mut spelling = self.doc.text.spelling(piece);
        condition.each_reference(&mut |spelled, span| {
            let span = spelling.part(&(span.start as usize..span.end as usize));
            match self.reference(step, *spelled, at, span.clone(), Site::Condition) {
                Some(reference) => {
                    self.unproven(step, reference, at, span, Site::Condition);
                    found.push(reference);
                }
                None => whole = false,
            }
        });
        if !whole {
            return;
        }
        let mut found = found.into_iter();
        let resolved: Option<Cond<Ref>> = condition.try_map(&mut |_| found.next().ok_or(())).ok();
        if let Some(resolved) = resolved {
            let number = u32::try_from(self.conditions.len()).expect("fewer than steps");
            self.condition_of.resize(step.get(), None);
            self.condition_of.push(Some(number));
            self.conditions.push(resolved);
        }
    }

    /// Resolves a reference, or says why it cannot be.
    fn reference(
        &mut self,
        step: StepIdx,
        spelled: Spelled<'_>,
        target: u32,
        span: Range<u32>,
        site: Site,
    ) -> Option<Ref> {
        let read = self.ids.get(spelled.step);
        if read.is_none()
            && let Some(kind) = self.past_field(spelled, site)
        {
            self.problem(step, target, span, kind);
            return None;
        }
        let field = Field::from_name(spelled.field);
        if read.is_none() {
            let id = Name::new(spelled.step);
            self.problem(
                step,
                target,
                span.clone(),
                ProblemKind::UnknownStep { id, site },
            );
        }
        if field.is_none() {
            let id = Name::new(spelled.step);
            let field = Name::new(spelled.field);
            self.problem(
                step,
                target,
                span,
                ProblemKind::UnknownField { id, field, site },
            );
        }
        Some(Ref {
            step: read?,
            field: field?,
        })
    }

    /// Looks for a field of a declared step that a reference goes on behind, as `$build.output.lines` does.
    fn past_field(&self, spelled: Spelled<'_>, site: Site) -> Option<ProblemKind> {
        let text = spelled.step;
        let dots = text.match_indices('.').map(|(dot, _)| dot);
        dots.take(DOTS).find_map(|dot| {
            let after = &text[dot + 1..];
            let name = after.split('.').next()?;
            let field = Field::from_name(name)?;
            self.ids.get(&text[..dot])?;
            let more = after[name.len()..].strip_prefix('.');
            let rest = more.map_or_else(
                || spelled.field.to_owned(),
                |more| format!("{more}.{}", spelled.field),
            );
            Some(ProblemKind::PastField {
                id: Name::new(&text[..dot]),
                field,
                rest: Name::new(&rest),
                site,
            })
        })
    }

    /// Notes a reference to a step that is no direct dependency (ruling 10).
    fn unproven(&mut self, step: StepIdx, read: Ref, target: u32, span: Range<u32>, site: Site) {
        if self.waits_for[read.step.get()] != step.as_u32() {
            self.unproven.push(Unproven {
                step,
                read: read.step,
                target,
                span,
                site,
            });
        }
    }

    fn dollar<'t>(&self, text: &'t str) -> Dollar<'t> {
        let rest = &text[1..];
        // The escape goes first: `$$build.output` has the shape of a reference, too.
        let is_escape = rest.starts_with('$')
            && match self.plain_dollar(rest) {
                Dollar::Literal => false,
                Dollar::Reference(_) | Dollar::NoField(_) | Dollar::Variable | Dollar::Escape => {
                    true
                }
            };
        if is_escape {
            Dollar::Escape
        } else {
            self.plain_dollar(text)
        }
    }

    /// Reads a string that starts with a `$` and is no escape.
    fn plain_dollar<'t>(&self, text: &'t str) -> Dollar<'t> {
        let name = &text[1..];
        if let Some(spelled) = Spelled::whole(text) {
            return Dollar::Reference(spelled);
        }
        if self.ids.get(name).is_some() {
            return Dollar::NoField(name);
        }
        let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
        let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if starts && name.chars().all(word) {
            return Dollar::Variable;
        }
        Dollar::Literal
    }
}
