//! One plan: what it declares against what its lines say happened.

use std::collections::{BTreeSet, HashMap};

use super::Findings;
use crate::{
    record::{PlanEnd, PlanStart, PlanStep, PlanStepStart},
    text::Text,
    word::{PlanOutcome, StepKind, StepStatus},
};

/// A plan and how far its lines have come.
pub(super) struct Plan {
    line: usize,
    id: String,
    declared: u64,
    steps: HashMap<String, Step>,
    tally: Tally,
    has_step_lines: bool,
    ended: bool,
}

/// A step as declared, and its lines so far.
struct Step {
    kind: StepKind<'static>,
    depends_on: BTreeSet<String>,
    started: bool,
    settled: Option<StepStatus<'static>>,
}

/// How many steps settled in each status.
#[derive(Default, PartialEq, Eq)]
struct Tally {
    succeeded: u64,
    failed: u64,
    skipped: u64,
}

impl Plan {
    pub(super) fn new(line: usize, start: &PlanStart<'_>, found: &mut Findings) -> Self {
        let mut steps = HashMap::new();
        let mut listed = 0;
        for step in start.steps.clone().into_vec() {
            listed += 1;
            // Of two steps with one id the first counts; such a plan is refused and has no step lines.
            steps.entry(step.step_id.to_string()).or_insert(Step {
                kind: step.kind.into_owned(),
                depends_on: set(&step.depends_on),
                started: false,
                settled: None,
            });
        }
        if start.step_count != listed {
            found.add(format!(
                "`step_count` is {}, `steps` has {listed}",
                start.step_count
            ));
        }
        Self {
            line,
            id: start.plan_id.to_string(),
            declared: listed,
            steps,
            tally: Tally::default(),
            has_step_lines: false,
            ended: false,
        }
    }

    pub(super) fn line(&self) -> usize {
        self.line
    }

    pub(super) fn id(&self) -> &str {
        &self.id
    }

    pub(super) fn ended(&self) -> bool {
        self.ended
    }

    pub(super) fn see_start(&mut self, start: &PlanStepStart<'_>, found: &mut Findings) {
        let id = start.step_id.as_str();
        self.see_step_line(&start.plan_id, found);
        let depends_on = set(&start.depends_on);
        for dependency in &depends_on {
            let waited_for = self.steps.get(dependency);
            if waited_for.is_some_and(|step| step.settled.is_none()) {
                found.add(format!("`{id}` starts before `{dependency}` settled"));
            }
        }
        let Some(step) = self.steps.get_mut(id) else {
            return found.add(format!("the plan declares no step `{id}`"));
        };
        if step.kind != start.kind || step.depends_on != depends_on {
            found.add(format!(
                "`{id}` starts as another kind or with other dependencies than declared"
            ));
        }
        if step.started {
            found.add(format!("`{id}` starts twice"));
        }
        if step.settled.is_some() {
            found.add(format!("`{id}` starts after it settled"));
        }
        step.started = true;
    }

    pub(super) fn see_step(&mut self, line: &PlanStep<'_>, found: &mut Findings) {
        let id = line.step_id.as_str();
        self.see_step_line(&line.plan_id, found);
        check_outcome(line, found);
        match line.status {
            StepStatus::Success => self.tally.succeeded += 1,
            StepStatus::Failed => self.tally.failed += 1,
            StepStatus::Skipped => self.tally.skipped += 1,
            StepStatus::Other(ref word) => found.add(format!("`{word}` is no status")),
        }
        let Some(step) = self.steps.get_mut(id) else {
            return found.add(format!("the plan declares no step `{id}`"));
        };
        if step.kind != line.kind {
            found.add(format!("`{id}` settles as another kind than declared"));
        }
        if step.started && line.attempts == 0 {
            found.add(format!("`{id}` started and has 0 attempts"));
        }
        if !step.started && line.attempts > 0 {
            found.add(format!(
                "`{id}` has {} attempts and no `plan_step_start`",
                line.attempts
            ));
        }
        if step.settled.is_some() {
            found.add(format!("`{id}` settles twice"));
        }
        step.settled = Some(line.status.clone().into_owned());
    }

    pub(super) fn see_end(&mut self, end: &PlanEnd<'_>, found: &mut Findings) {
        if self.ended {
            return found.add(format!("the plan `{}` ends twice", self.id));
        }
        self.ended = true;
        if self.id != end.plan_id.as_str() {
            found.add(format!("the plan `{}` ends as `{}`", self.id, end.plan_id));
        }
        if end.steps_total != self.declared {
            found.add(format!(
                "`steps_total` is {}, the plan declares {}",
                end.steps_total, self.declared
            ));
        }
        let told = Tally {
            succeeded: end.steps_succeeded,
            failed: end.steps_failed,
            skipped: end.steps_skipped,
        };
        if told != self.tally {
            found.add(format!(
                "`plan_end` counts {} succeeded, {} failed, {} skipped; its steps settled as {}, {}, {}",
                told.succeeded,
                told.failed,
                told.skipped,
                self.tally.succeeded,
                self.tally.failed,
                self.tally.skipped
            ));
        }
        let mut open: Vec<&str> = self
            .steps
            .iter()
            .filter(|(_, step)| step.started && step.settled.is_none())
            .map(|(id, _)| id.as_str())
            .collect();
        open.sort_unstable();
        for id in open {
            found.add(format!("`{id}` started and never settled"));
        }
        self.check_ending(end, found);
    }

    /// Checks that outcome, failed step and reason go together.
    fn check_ending(&self, end: &PlanEnd<'_>, found: &mut Findings) {
        let all_settled = self.steps.values().all(|step| step.settled.is_some());
        let (step, reason) = (end.failed_step.as_deref(), end.reason.as_deref());
        match (&end.outcome, step, reason) {
            (PlanOutcome::Completed, None, None) | (PlanOutcome::Canceled, None, Some(_)) => {
                if !all_settled {
                    found.add(format!(
                        "the plan is `{}`, but not every step settled",
                        end.outcome.name()
                    ));
                }
            }
            (PlanOutcome::Failed, Some(_), Some(_)) => {
                if self.has_step_lines {
                    found.add("a plan that was refused has step lines");
                }
            }
            (PlanOutcome::Failed, Some(step), None) => {
                let settled = self.steps.get(step).and_then(|step| step.settled.as_ref());
                if settled != Some(&StepStatus::Failed) {
                    found.add(format!(
                        "`{step}` stopped the plan, but did not settle as failed"
                    ));
                }
            }
            (PlanOutcome::Completed, _, _) => {
                found.add("a completed plan has a `failed_step` or a `reason`");
            }
            (PlanOutcome::Canceled, _, _) => {
                found.add("a canceled plan has a `failed_step` or no `reason`");
            }
            (PlanOutcome::Failed, None, _) => found.add("a failed plan has no `failed_step`"),
            (PlanOutcome::Other(word), _, _) => {
                found.add(format!("`{word}` is no outcome of a plan"))
            }
        }
    }

    fn see_step_line(&mut self, plan_id: &str, found: &mut Findings) {
        self.has_step_lines = true;
        if self.id != plan_id {
            found.add(format!(
                "a step of the plan `{}` says it is of `{plan_id}`",
                self.id
            ));
        }
        if self.ended {
            found.add(format!(
                "a step line follows the end of the plan `{}`",
                self.id
            ));
        }
    }
}

/// Checks what a `plan_step` says of itself.
fn check_outcome(line: &PlanStep<'_>, found: &mut Findings) {
    let id = &line.step_id;
    if line.attempts == 0 && line.duration_ms > 0 {
        found.add(format!(
            "`{id}` was never dispatched and took {} ms",
            line.duration_ms
        ));
    }
    if line.attempts == 0 && line.status == StepStatus::Success {
        found.add(format!("`{id}` was never dispatched and succeeded"));
    }
    if line.status == StepStatus::Failed && line.error.is_none() {
        found.add(format!("`{id}` failed without an `error`"));
    }
    if line.status == StepStatus::Success && line.error.is_some() {
        found.add(format!("`{id}` succeeded with an `error`"));
    }
    if line.kind != StepKind::Tool && line.input.is_some() {
        found.add(format!("`{id}` is no tool step and has an `input`"));
    }
    if line.attempts == 0 && line.input.is_some() {
        found.add(format!("`{id}` was never dispatched and has an `input`"));
    }
}

fn set(ids: &[Text<'_>]) -> BTreeSet<String> {
    ids.iter().map(|id| id.to_string()).collect()
}
