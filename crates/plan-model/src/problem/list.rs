//! The problems of one plan: the first ones in document order, however they were found; the rest is only counted.

use super::Problem;
use crate::Severity;

/// How many faults, and how many warnings, are listed (decision D14).
const LISTED: usize = 100_000;

/// The faults and the warnings of one plan. Holds a bounded number of each, whatever the plan.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    faults: First,
    warnings: First,
    has_shape_fault: bool,
}

/// What is to be listed of [`Problems`].
pub(crate) struct Listed {
    /// Faults and warnings in document order.
    pub(crate) problems: Vec<Problem>,
    pub(crate) faults_left_out: usize,
    pub(crate) warnings_left_out: usize,
}

impl Problems {
    pub(crate) fn push(&mut self, problem: Problem) {
        self.has_shape_fault |= problem.kind.is_shape();
        match problem.kind.severity() {
            Severity::Error => self.faults.push(problem),
            Severity::Warning => self.warnings.push(problem),
        }
    }

    /// Returns whether one is a fault of shape (ruling 1).
    pub(crate) const fn has_shape_fault(&self) -> bool {
        self.has_shape_fault
    }

    /// Returns the first of each in document order, and how many more there are.
    pub(crate) fn listed(mut self) -> Listed {
        self.faults.cut();
        self.warnings.cut();
        let mut problems = self.faults.kept;
        problems.append(&mut self.warnings.kept);
        problems.sort_by_key(place);
        Listed {
            problems,
            faults_left_out: self.faults.left_out,
            warnings_left_out: self.warnings.left_out,
        }
    }
}

/// The first of what is pushed, in document order; of one place, in the order pushed.
#[derive(Debug, Default)]
struct First {
    /// Up to twice what is listed, so that a cut is seldom.
    kept: Vec<Problem>,
    left_out: usize,
    /// Where the last one stood when it was last cut: no later one can be among the first.
    end: Option<(u32, u32)>,
}

impl First {
    fn push(&mut self, problem: Problem) {
        if self.end.is_some_and(|end| place(&problem) >= end) {
            self.left_out += 1;
            return;
        }
        self.kept.push(problem);
        if self.kept.len() == 2 * LISTED {
            self.cut();
        }
    }

    /// Sorts, and drops what is too much.
    fn cut(&mut self) {
        self.kept.sort_by_key(place);
        if self.kept.len() > LISTED {
            self.left_out += self.kept.len() - LISTED;
            self.kept.truncate(LISTED);
            self.end = self.kept.last().map(place);
        }
    }
}

/// Returns what orders problems in a document.
const fn place(problem: &Problem) -> (u32, u32) {
    (problem.target, problem.span.start)
}
