//! The directories a script may be in, as it moves.

use std::{path::PathBuf, rc::Rc};

use super::{listener::Scope, token::Separator};

/// A set of directories, in the order they were come upon. Never empty.
pub(super) type Bases = Rc<Vec<PathBuf>>;

/// The directories that the command read next may run in.
///
/// A `cd` that surely works moves; one that may fail, or may not run, adds.
#[derive(Debug)]
pub(super) struct Whereabouts {
    places: Vec<Place>,
    /// Every directory there was, for `cd -` and its like.
    seen: Bases,
    /// Where the compound command that just closed may have begun.
    closed: Option<Bases>,
}

/// Where a list of commands is.
#[derive(Debug, Clone)]
struct Place {
    scope: Scope,
    bases: Bases,
    /// Where the list began.
    entered: Bases,
    /// Where it is as well, once the commands joined by `&&` are over.
    otherwise: Option<Bases>,
    /// Where the commands joined by `&&` and `||` began.
    joined: Bases,
    /// Where the pipeline began.
    pipeline: Bases,
    in_pipeline: bool,
    /// Whether the command may not run, after `&&` or `||`.
    conditional: bool,
}

impl Place {
    fn new(scope: Scope, bases: &Bases) -> Self {
        Self {
            scope,
            bases: bases.clone(),
            entered: bases.clone(),
            otherwise: None,
            joined: bases.clone(),
            pipeline: bases.clone(),
            in_pipeline: false,
            conditional: false,
        }
    }

    fn end_pipeline(&mut self) {
        if self.in_pipeline {
            // A pipeline runs in subshells, though some shells run the last command themselves.
            self.bases = union(&self.pipeline, &self.bases);
            self.in_pipeline = false;
        }
    }
}

impl Whereabouts {
    pub(super) fn new(base: PathBuf) -> Self {
        let bases = Rc::new(vec![base]);
        Self {
            places: vec![Place::new(Scope::Subshell, &bases)],
            seen: bases,
            closed: None,
        }
    }

    fn top(&mut self) -> &mut Place {
        self.places
            .last_mut()
            .expect("the first place is never closed")
    }

    pub(super) fn bases(&mut self) -> Bases {
        self.top().bases.clone()
    }

    /// Returns where a redirection is opened: before the compound command that just closed, if one did.
    pub(super) fn redirection_bases(&mut self) -> Bases {
        match self.closed.take() {
            Some(closed) => union(&closed, &self.top().bases),
            None => self.bases(),
        }
    }

    /// Returns whether what is read now runs whatever happens before, and in the shell that was started first.
    pub(super) fn surely_runs(&self) -> bool {
        /// Deeper in, nobody writes what has to run: it is not looked for.
        const PLACES_MAX: usize = 8;
        self.places.len() <= PLACES_MAX
            && self.places.iter().enumerate().all(|(depth, place)| {
                (depth == 0 || place.scope == Scope::Group)
                    && !place.conditional
                    && !place.in_pipeline
            })
    }

    /// Returns the scope of a script that a shell is started for: nothing comes after the first one.
    pub(super) fn script_scope(&self) -> Scope {
        if self.places.len() == 1 {
            Scope::Group
        } else {
            Scope::Subshell
        }
    }

    /// Returns every directory there was.
    pub(super) fn seen(&self) -> Bases {
        self.seen.clone()
    }

    /// Moves to `bases`, or maybe, if that is not `sure`.
    pub(super) fn enter(&mut self, bases: Vec<PathBuf>, sure: bool) {
        if bases.is_empty() {
            return;
        }
        let bases = Rc::new(bases);
        self.seen = union(&self.seen, &bases);
        let place = self.top();
        if !sure || place.conditional {
            let before = place.bases.clone();
            place.otherwise = Some(
                place
                    .otherwise
                    .as_ref()
                    .map_or(before.clone(), |other| union(other, &before)),
            );
        }
        place.bases = bases;
    }

    /// Moves to a directory there was, which one is not known.
    pub(super) fn go_back(&mut self) {
        let seen = self.seen();
        let place = self.top();
        place.bases = union(&place.bases, &seen);
    }

    pub(super) fn separator(&mut self, separator: Separator) {
        self.closed = None;
        let place = self.top();
        if separator == Separator::Pipe {
            place.in_pipeline = true;
            place.bases = place.pipeline.clone();
            return;
        }
        place.end_pipeline();
        match separator {
            Separator::And => place.conditional = true,
            Separator::Or => {
                place.conditional = true;
                if let Some(otherwise) = &place.otherwise {
                    place.bases = union(&place.bases, otherwise);
                }
            }
            Separator::End | Separator::Arm | Separator::Background | Separator::Pipe => {
                if separator == Separator::Background {
                    place.bases = place.joined.clone();
                    place.otherwise = None;
                }
                if let Some(otherwise) = place.otherwise.take() {
                    place.bases = union(&place.bases, &otherwise);
                }
                place.conditional = false;
                place.joined = place.bases.clone();
            }
        }
        place.pipeline = place.bases.clone();
    }

    pub(super) fn open(&mut self, scope: Scope) {
        self.closed = None;
        let bases = self.bases();
        self.places.push(Place::new(scope, &bases));
    }

    pub(super) fn branch(&mut self) {
        self.separator(Separator::End);
        let place = self.top();
        place.bases = union(&place.entered, &place.bases);
        place.joined = place.bases.clone();
        place.pipeline = place.bases.clone();
    }

    pub(super) fn close(&mut self) {
        self.separator(Separator::End);
        if self.places.len() < 2 {
            return;
        }
        let Some(place) = self.places.pop() else {
            return;
        };
        match place.scope {
            Scope::Subshell => {}
            Scope::Group => self.enter(place.bases.to_vec(), true),
            Scope::Choice => {
                let bases = union(&place.entered, &place.bases);
                self.enter(bases.to_vec(), true);
            }
        }
        self.closed = Some(place.entered);
    }
}

/// Joins two sets, up to [`BASES_MAX`].
fn union(first: &Bases, second: &Bases) -> Bases {
    if Rc::ptr_eq(first, second) || second.iter().all(|base| first.contains(base)) {
        return first.clone();
    }
    let mut both = first.to_vec();
    for base in second.iter() {
        if both.len() < BASES_MAX && !both.contains(base) {
            both.push(base.clone());
        }
    }
    Rc::new(both)
}

/// The directories a script may be in at once. Past that, those it came upon first are taken.
const BASES_MAX: usize = 16;
