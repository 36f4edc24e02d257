//! A refused plan, and the report of the refusal.

use std::fmt::Write as _;

use crate::{Diagnostic, Report, StepReport, report::PLAN};

/// A refused plan.
#[derive(Debug)]
pub struct Refused {
    /// The plan's id, as far as it could be read.
    pub plan_id: Option<String>,
    /// How many steps are declared; 0 when not read.
    pub declared: usize,
    /// The faults in document order, at least one and up to 100,000 (decision D14). When there are more, a last
    /// one of the code `more-faults` and of no step says how many.
    pub faults: Vec<Diagnostic>,
    /// How many faults are not listed.
    pub left_out: usize,
}

impl Refused {
    /// Returns how many faults the plan has, the ones left out included.
    pub fn count(&self) -> usize {
        // The closing entry stands for those left out, not for itself.
        self.faults.len() - usize::from(self.left_out > 0) + self.left_out
    }

    /// Returns the report of the refusal: one `failed` entry per faulty step, in plan order (ruling 28).
    ///
    /// An entry's `error` has a line for each fault of its step, with its place and its hint. The faults of no step
    /// come first, under the id `plan`. That some faults are not listed is the last line of that entry, else of an
    /// entry `plan` at the end, so that a step's fault stays the first where there is one.
    pub fn report(&self) -> Report {
        let (listed, closing) = match self.faults.split_last() {
            Some((closing, listed)) if self.left_out > 0 => (listed, Some(closing)),
            Some(_) | None => (self.faults.as_slice(), None),
        };
        let mut order: Vec<&Diagnostic> = listed.iter().collect();
        order.sort_by_key(|fault| fault.step.as_ref().map(|step| step.index));
        let mut steps: Vec<StepReport> = Vec::new();
        let has_plan = order.first().is_some_and(|fault| fault.step.is_none());
        let mut last = None;
        for fault in order {
            let index = fault.step.as_ref().map(|step| step.index);
            match steps.last_mut() {
                Some(entry) if last == Some(index) => {
                    let error = entry.error.get_or_insert_default();
                    error.push('\n');
                    push_line(fault, error);
                }
                Some(_) | None => {
                    let mut error = String::new();
                    push_line(fault, &mut error);
                    let id = fault.step.as_ref().map_or(PLAN, |step| &step.id);
                    steps.push(StepReport::failed(id, error));
                }
            }
            last = Some(index);
        }
        if let Some(closing) = closing {
            let mut line = closing.message.clone();
            push_hint(closing, &mut line);
            match steps.first_mut().and_then(|entry| entry.error.as_mut()) {
                Some(error) if has_plan => {
                    error.push('\n');
                    error.push_str(&line);
                }
                Some(_) | None => steps.push(StepReport::failed(PLAN, line)),
            }
        }
        Report {
            plan_id: self.plan_id.clone().unwrap_or_default(),
            completed: false,
            canceled: false,
            failed_step: steps.first().map(|step| step.step_id.clone()),
            steps,
        }
    }
}

fn push_line(fault: &Diagnostic, error: &mut String) {
    error.push_str(&fault.message);
    let (line, column) = (fault.line, fault.column);
    let at = if fault.pointer.is_empty() { "" } else { ", " };
    write!(
        error,
        " (at {}{at}line {line}, column {column})",
        fault.pointer
    )
    .expect("a string takes everything");
    push_hint(fault, error);
}

fn push_hint(fault: &Diagnostic, error: &mut String) {
    if let Some(hint) = &fault.hint {
        error.push_str("; ");
        error.push_str(hint);
    }
}
