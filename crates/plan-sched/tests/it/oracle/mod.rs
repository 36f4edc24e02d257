//! A second scheduler, written from the rulings alone: slow, obvious, and without anything derived. Every
//! question is answered by looking at every step again.

mod reading;

use crate::world::{StepShape, World};
use plan_model::{Kind, OnError, Report, Status, StepIdx};
use plan_sched::{Effect, Input, Outcome, Progress};
use std::borrow::Cow;

type Text = Cow<'static, str>;

#[derive(Debug, Clone)]
pub(crate) struct Oracle<'w> {
    world: &'w World,
    steps: Vec<Step>,
    /// Steps in the order they settled.
    settled: Vec<usize>,
    /// How many of `settled` were told.
    told: usize,
    /// Capsules to end, answers to act on, and steps to try again, each in the order they came up.
    to_end: Vec<usize>,
    to_dispatch: Vec<usize>,
    to_retry: Vec<usize>,
    stopped_by: Option<usize>,
    /// The cancel was the cause of the plan's end.
    canceled: bool,
    /// The task was cancelled, whatever ended the plan.
    task_canceled: bool,
}

#[derive(Debug, Clone)]
struct Step {
    now: Now,
    attempts: u32,
    output: Option<Text>,
    error: Option<Text>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Now {
    /// Nothing has happened to it.
    Untouched,
    /// Its condition was found true.
    Cleared,
    Asked,
    /// Answered, not started.
    LetPass,
    Running,
    /// An attempt failed and another is allowed.
    ToRetry,
    Settled(Status),
}

impl<'w> Oracle<'w> {
    pub(crate) fn new(world: &'w World) -> Self {
        let step = Step {
            now: Now::Untouched,
            attempts: 0,
            output: None,
            error: None,
        };
        Self {
            world,
            steps: vec![step; world.steps.len()],
            settled: Vec::new(),
            told: 0,
            to_end: Vec::new(),
            to_dispatch: Vec::new(),
            to_retry: Vec::new(),
            stopped_by: None,
            canceled: false,
            task_canceled: false,
        }
    }

    /// What happened. Inputs that fit no phase are not the oracle's subject.
    pub(crate) fn handle(&mut self, input: &Input) {
        match input {
            Input::Admitted { step } => {
                let step = step.get();
                if self.steps[step].now == Now::Asked && !self.is_over() {
                    self.steps[step].now = Now::LetPass;
                    self.to_dispatch.push(step);
                }
            }
            Input::Refused { step, error } => {
                let step = step.get();
                if self.steps[step].now == Now::Asked && !self.is_over() {
                    self.steps[step].output = None;
                    self.steps[step].error = Some(error.clone().into());
                    self.settle_as_failed(step);
                }
            }
            Input::Finished { step, outcome } => self.finished(step.get(), outcome),
            Input::Cancel => self.cancel(),
        }
    }

    fn finished(&mut self, step: usize, outcome: &Outcome) {
        assert_eq!(self.steps[step].now, Now::Running);
        let (output, error) = match outcome {
            Outcome::Passed { output } => (output.clone().map(Cow::Owned), None),
            Outcome::Failed { output, error } => {
                (output.clone().map(Cow::Owned), Some(Cow::Owned(error.clone())))
            }
            Outcome::Ended => (
                None,
                // spec: When the task is cancelled.
                Some("the task running this plan was cancelled; this step's sub-capsule was ended with it".into()),
            ),
        };
        let passed = error.is_none();
        self.steps[step].output = output;
        self.steps[step].error = error;
        if passed {
            self.settle(step, Status::Success);
        } else if self.steps[step].attempts < 1 + self.shape(step).retries && !self.is_over() {
            self.steps[step].now = Now::ToRetry;
            self.to_retry.push(step);
        } else {
            self.settle_as_failed(step);
        }
    }

    fn cancel(&mut self) {
        if self.task_canceled || self.settled.len() == self.steps.len() {
            return;
        }
        self.task_canceled = true;
        self.canceled = self.stopped_by.is_none();
        for step in 0..self.steps.len() {
            if self.steps[step].now == Now::Running && self.shape(step).kind == Kind::Capsule {
                self.to_end.push(step);
            }
        }
        if self.stopped_by.is_some() {
            return;
        }
        for step in 0..self.steps.len() {
            if !self.waits(step) {
                continue;
            }
            if self.steps[step].attempts > 0 {
                self.settle_as_failed(step);
            } else {
                self.steps[step].error =
                    Some("the task running this plan was cancelled before this step ran".into());
                self.settle(step, Status::Skipped);
            }
        }
    }

    /// A failure that is final for the step (spec: Failure; rulings 21, 27).
    fn settle_as_failed(&mut self, step: usize) {
        let policy = self.shape(step).on_error;
        if self.task_canceled {
            return self.settle(step, Status::Failed);
        }
        let stops = policy == OnError::Fail && self.stopped_by.is_none();
        if stops {
            self.stopped_by = Some(step);
        }
        self.settle(
            step,
            if policy == OnError::Skip {
                Status::Skipped
            } else {
                Status::Failed
            },
        );
        if stops {
            for other in 0..self.steps.len() {
                if self.waits(other) && self.steps[other].attempts > 0 {
                    self.settle_as_failed(other);
                }
            }
        }
    }

    fn settle(&mut self, step: usize, status: Status) {
        self.steps[step].now = Now::Settled(status);
        self.settled.push(step);
    }

    /// Whether it has neither settled nor runs at this moment.
    fn waits(&self, step: usize) -> bool {
        match self.steps[step].now {
            Now::Untouched | Now::Cleared | Now::Asked | Now::LetPass | Now::ToRetry => true,
            Now::Running | Now::Settled(_) => false,
        }
    }

    /// Whether nothing may be dispatched any more.
    fn is_over(&self) -> bool {
        self.stopped_by.is_some() || self.canceled
    }

    /// What is to be done next, in the order the crate's documentation promises.
    pub(crate) fn poll(&mut self) -> Effect {
        while !self.to_end.is_empty() {
            let step = self.to_end.remove(0);
            if self.steps[step].now == Now::Running {
                return Effect::EndCapsule {
                    step: StepIdx::new(step),
                };
            }
        }
        if self.told < self.settled.len() {
            self.told += 1;
            return Effect::Settled {
                step: StepIdx::new(self.settled[self.told - 1]),
            };
        }
        if !self.to_dispatch.is_empty() && !self.is_over() {
            let step = self.to_dispatch.remove(0);
            self.steps[step].now = Now::Running;
            self.steps[step].attempts += 1;
            return Effect::Dispatch {
                step: StepIdx::new(step),
                attempt: self.steps[step].attempts,
            };
        }
        if !self.is_over() {
            for step in 0..self.steps.len() {
                if let Some(effect) = self.choose(step) {
                    return effect;
                }
            }
        }
        let running = |step: &Step| match step.now {
            Now::Running => true,
            Now::Asked | Now::LetPass => !self.is_over(),
            Now::Untouched | Now::Cleared | Now::ToRetry | Now::Settled(_) => false,
        };
        if self.steps.iter().any(running) {
            Effect::Idle
        } else {
            Effect::Finished
        }
    }

    /// Acts on this step if it is its turn. Asked of every step in file order, so the lowest goes first.
    fn choose(&mut self, step: usize) -> Option<Effect> {
        let world = self.world;
        let shape = &world.steps[step];
        match self.steps[step].now {
            Now::Untouched => {
                if !shape.depends_on.iter().all(|&on| self.status(on).is_some()) {
                    return None;
                }
                match self.condition(step, &shape.condition) {
                    Ok(true) => {
                        // Somebody else of its kind may go first: look at everybody again.
                        self.steps[step].now = Now::Cleared;
                    }
                    Ok(false) => self.settle(step, Status::Skipped),
                    Err(error) => {
                        self.steps[step].error = Some(error.into());
                        self.settle_as_failed(step);
                    }
                }
                Some(self.poll())
            }
            Now::Cleared | Now::ToRetry => {
                if !self.may_take_a_slot(step) {
                    return None;
                }
                match self.input(step, shape) {
                    Ok(input) => {
                        self.steps[step].now = Now::Asked;
                        self.to_retry.retain(|&other| other != step);
                        Some(Effect::Ask {
                            step: StepIdx::new(step),
                            attempt: self.steps[step].attempts + 1,
                            input,
                        })
                    }
                    Err(error) => {
                        self.steps[step].error = Some(error.into());
                        self.settle_as_failed(step);
                        Some(self.poll())
                    }
                }
            }
            Now::Asked | Now::LetPass | Now::Running | Now::Settled(_) => None,
        }
    }

    /// A slot of its kind is free and nobody of its kind goes before it (rulings 17, 19, 22).
    fn may_take_a_slot(&self, step: usize) -> bool {
        let kind = self.shape(step).kind;
        let of_kind = |other: &usize| self.shape(*other).kind == kind;
        let holds_slot = |other: &usize| match self.steps[*other].now {
            Now::Asked | Now::LetPass | Now::Running => true,
            Now::Untouched | Now::Cleared | Now::ToRetry | Now::Settled(_) => false,
        };
        let taken = (0..self.steps.len())
            .filter(of_kind)
            .filter(holds_slot)
            .count();
        let first = self.to_retry.iter().copied().find(of_kind).or_else(|| {
            (0..self.steps.len())
                .filter(of_kind)
                .find(|&other| self.steps[other].now == Now::Cleared)
        });
        taken < self.world.limit(kind) && first == Some(step)
    }

    pub(crate) fn status(&self, step: usize) -> Option<Status> {
        match self.steps[step].now {
            Now::Settled(status) => Some(status),
            Now::Untouched
            | Now::Cleared
            | Now::Asked
            | Now::LetPass
            | Now::Running
            | Now::ToRetry => None,
        }
    }

    pub(crate) fn output(&self, step: usize) -> Option<&str> {
        self.steps[step].output.as_deref()
    }

    pub(crate) fn error(&self, step: usize) -> Option<&str> {
        self.steps[step].error.as_deref()
    }

    pub(crate) fn attempts(&self, step: usize) -> u32 {
        self.steps[step].attempts
    }

    /// Where the plan stands.
    pub(crate) fn progress(&self) -> Progress {
        let mut progress = Progress {
            closed: self.is_over(),
            ..Progress::default()
        };
        for (step, shape) in self.steps.iter().zip(&self.world.steps) {
            let unlocked = shape.depends_on.iter().all(|&on| self.status(on).is_some());
            match step.now {
                Now::Running => progress.in_flight += 1,
                Now::Settled(_) => progress.settled += 1,
                // Nobody waits for anything once the plan is over.
                Now::Asked | Now::LetPass if !self.is_over() => progress.in_flight += 1,
                Now::Untouched | Now::Cleared | Now::ToRetry if unlocked && !self.is_over() => {
                    progress.ready += 1;
                }
                Now::Untouched | Now::Cleared | Now::Asked | Now::LetPass | Now::ToRetry => {}
            }
        }
        progress
    }

    /// Whether this is the report of the run.
    pub(crate) fn agrees_with(&self, report: &Report) -> bool {
        let completed = self.settled.len() == self.steps.len() && !self.is_over();
        let failed_step = self.stopped_by.map(|step| &self.world.ids[step]);
        let entries = self.settled.len() == report.steps.len()
            && self
                .settled
                .iter()
                .zip(&report.steps)
                .all(|(&step, entry)| {
                    entry.step_id == self.world.ids[step]
                        && Some(entry.status) == self.status(step)
                        && entry.output.as_deref() == self.output(step)
                        && entry.error.as_deref() == self.error(step)
                });
        report.plan_id == "p"
            && report.completed == completed
            && report.canceled == self.canceled
            && report.failed_step.as_ref() == failed_step
            && entries
    }

    fn shape(&self, step: usize) -> &'w StepShape {
        &self.world.steps[step]
    }
}
