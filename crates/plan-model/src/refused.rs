//! A refused plan, and the report of the refusal.

use std::fmt::Write as _;

use crate::{Diagnostic, Report, Status, StepReport};

/// The `step_id` under which the faults of no step are reported (ruling 28).
const PLAN: &str = "plan";

/// A refused plan.
#[derive(Debug)]
pub struct Refused {
    /// The plan's id, as far as it could be read.
    pub plan_id: Option<String>,
    /// How many steps are declared; 0 when not read.
    pub declared: usize,
    /// Every fault, in document order; at least one.
    pub faults: Vec<Diagnostic>,
}

impl Refused {
    /// Returns the report of the refusal: one `failed` entry per faulty step, in plan order (ruling 28).
    ///
    /// An entry's `error` has a line for each fault of its step, with its place and its hint. The faults of no step
    /// come first, under the id `plan`.
    pub fn report(&self) -> Report {
        let mut order: Vec<&Diagnostic> = self.faults.iter().collect();
        order.sort_by_key(|fault| fault.step.as_ref().map(|step| step.index));
        let mut steps: Vec<StepReport> = Vec::new();
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
                    steps.push(StepReport {
                        step_id: fault.step.as_ref().map_or(PLAN, |step| &step.id).to_owned(),
                        status: Status::Failed,
                        output: None,
                        error: Some(error),
                    });
                }
            }
            last = Some(index);
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
    if let Some(hint) = &fault.hint {
        error.push_str("; ");
        error.push_str(hint);
    }
}
