//! The scheduler: inputs in, effects out. What an input means for a step is left to `settle`, `cancel` and
//! `resolve`.

use crate::{
    Effect, Input, Limits, Outcome, Progress, UnexpectedInput,
    phase::{Board, Phase},
    settle::Course,
};
use alloc::{
    collections::{BTreeSet, VecDeque},
    format,
    sync::Arc,
};
use plan_model::{Kind, Plan, StepIdx};

/// The scheduler of one plan. [The crate's page](crate) has the contract.
#[derive(Debug, Clone)]
pub struct Sched {
    pub(crate) plan: Arc<Plan>,
    pub(crate) board: Board,
    pub(crate) course: Course,
    /// How many settled steps the driver has been told of.
    told: usize,
    /// Capsule steps whose sub-capsule is to be ended, in file order.
    pub(crate) to_end: VecDeque<StepIdx>,
    /// Steps the gate let pass that are to be dispatched, in the order of the answers.
    admitted: VecDeque<StepIdx>,
    /// Steps that were being asked about when a stop or a cancel came: an answer is still on its way.
    pub(crate) answers_to_drop: BTreeSet<StepIdx>,
}

impl Sched {
    /// Makes the scheduler of `plan`.
    pub fn new(plan: Arc<Plan>, limits: Limits) -> Self {
        Self {
            board: Board::new(&plan, limits),
            plan,
            course: Course::Going,
            told: 0,
            to_end: VecDeque::new(),
            admitted: VecDeque::new(),
            answers_to_drop: BTreeSet::new(),
        }
    }

    /// Takes in what happened. Poll again afterwards.
    ///
    /// # Errors
    /// When the input does not fit the phase its step is in; nothing has changed then.
    pub fn handle(&mut self, input: Input) -> Result<(), UnexpectedInput> {
        match input {
            Input::Admitted { step } => {
                if self.is_in(step, Phase::Asked) {
                    self.board.set_phase(step, Phase::Admitted);
                    self.admitted.push_back(step);
                    return Ok(());
                }
                self.drop_late_answer(step, "admitted")
            }
            Input::Refused { step, error } => {
                if self.is_in(step, Phase::Asked) {
                    self.fail(step, error);
                    return Ok(());
                }
                self.drop_late_answer(step, "refused")
            }
            Input::Finished { step, outcome } => self.finished(step, outcome),
            Input::Cancel => {
                self.cancel();
                Ok(())
            }
        }
    }

    /// Gives the next thing to do; call until [`Effect::Idle`] or [`Effect::Finished`].
    pub fn poll_effect(&mut self) -> Effect {
        loop {
            if let Some(effect) = self.poll_due() {
                return effect;
            }
            let Some(step) = self.board.ready().next() else {
                // With nothing in flight every slot is free, so that nobody can be waiting either.
                return match self.board.ready().in_flight() {
                    0 => Effect::Finished,
                    _ => Effect::Idle,
                };
            };
            if self.is_in(step, Phase::Unlocked) {
                self.decide_condition(step);
            } else if let Some(effect) = self.ask(step) {
                return effect;
            }
        }
    }

    /// Returns how many steps wait for a slot, are in flight (asked or dispatched) and have settled.
    pub fn progress(&self) -> Progress {
        Progress {
            ready: self.board.ready().waiting(),
            in_flight: self.board.ready().in_flight(),
            settled: self.board.settled().len(),
            closed: self.course != Course::Going,
        }
    }

    /// Gives what the inputs so far have made due, the most pressing first.
    fn poll_due(&mut self) -> Option<Effect> {
        while let Some(step) = self.to_end.pop_front() {
            // It may have finished by itself since the cancel.
            if self.is_in(step, Phase::Running) {
                return Some(Effect::EndCapsule { step });
            }
        }
        if let Some(&step) = self.board.settled().get(self.told) {
            self.told += 1;
            return Some(Effect::Settled { step });
        }
        while let Some(step) = self.admitted.pop_front() {
            // A stop or a cancel may have come since the answer.
            if self.is_in(step, Phase::Admitted) {
                self.board.set_phase(step, Phase::Running);
                return Some(Effect::Dispatch {
                    step,
                    attempt: self.board.attempts(step),
                });
            }
        }
        None
    }

    /// Asks about the next attempt of a step that has a slot, or fails the step when its input cannot be
    /// resolved.
    fn ask(&mut self, step: StepIdx) -> Option<Effect> {
        match self.resolve_input(step) {
            Ok(input) => {
                self.board.set_phase(step, Phase::Asked);
                Some(Effect::Ask {
                    step,
                    attempt: self.board.attempts(step).saturating_add(1),
                    input,
                })
            }
            Err(unresolved) => {
                let error = unresolved.describe(&self.plan);
                self.fail(step, error);
                None
            }
        }
    }

    fn finished(&mut self, step: StepIdx, outcome: Outcome) -> Result<(), UnexpectedInput> {
        if !self.is_in(step, Phase::Running) {
            return Err(self.unexpected(step, "finished"));
        }
        match outcome {
            Outcome::Passed { output } => self.pass(step, output),
            Outcome::Failed { output, error } => self.attempt_failed(step, output, error),
            Outcome::Ended => {
                if !self.course.task_is_canceled() || self.board.kind(step) != Kind::Capsule {
                    return Err(self.unexpected(step, "ended"));
                }
                self.end_with_task(step);
            }
        }
        Ok(())
    }

    fn drop_late_answer(
        &mut self,
        step: StepIdx,
        input: &'static str,
    ) -> Result<(), UnexpectedInput> {
        if self.answers_to_drop.remove(&step) {
            return Ok(());
        }
        Err(self.unexpected(step, input))
    }

    fn is_in(&self, step: StepIdx, phase: Phase) -> bool {
        self.board.phase(step) == Some(phase)
    }

    fn unexpected(&self, step: StepIdx, input: &'static str) -> UnexpectedInput {
        match self.board.phase(step) {
            Some(phase) => UnexpectedInput {
                step,
                id: self.plan.step(step).id().into(),
                input,
                phase: phase.words(),
            },
            None => UnexpectedInput {
                step,
                id: format!("#{}", step.get() + 1),
                input,
                phase: "not in the plan",
            },
        }
    }
}
