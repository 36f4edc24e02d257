//! One plan, start to end: effects out, outcomes in, one select. The only task that owns the scheduler.

use std::{sync::Arc, time::Duration};

use plan_exec::{
    Cancel, CancelHandle, CancelLevel, Delegation, LastLine, Outcome as ExecOutcome, Refusal,
};
use plan_model::{Kind, Plan, Report, StepIdx};
use plan_sched::{Effect, Input, Limits, Outcome, Sched};
use tokio::{
    sync::mpsc::{self, UnboundedReceiver},
    time::{Instant, sleep_until, timeout},
};

use super::{
    answers,
    lanes::{Answer, Lanes},
    narrate::Narrator,
};
use crate::{
    executors::Executors,
    progress::{Progress, ProgressSender, tell},
    result::{Dispatches, EndedDelegation, StepFacts},
    sink::TraceFailed,
};

/// How long a killed plan waits for its executors before their tasks are dropped: longer than the five
/// seconds an ended process is given, so that only an executor that ignores the signal is dropped.
const KILL_GRACE: Duration = Duration::from_secs(8);

/// Effects handled between two looks at the cancel signal, so that a million steps that settle without
/// running do not make a plan deaf.
const EFFECTS_PER_LOOK: u32 = 256;

/// What a plan is driven with.
pub(crate) struct Drive<'d> {
    pub(crate) plan: Arc<Plan>,
    pub(crate) plan_number: u32,
    pub(crate) limits: Limits,
    pub(crate) executors: Executors,
    pub(crate) cancel: Cancel,
    pub(crate) narrator: &'d mut Narrator,
    pub(crate) progress: Option<ProgressSender>,
}

/// What driving a plan gave.
#[derive(Debug)]
pub(crate) struct Driven {
    pub(crate) report: Report,
    /// One per entry of the report.
    pub(crate) facts: Vec<StepFacts>,
    pub(crate) dispatches: Dispatches,
    pub(crate) ended: Vec<EndedDelegation>,
    /// The trace could not be written any more; the plan was killed there.
    pub(crate) trace_failed: Option<TraceFailed>,
}

/// Runs a checked plan.
pub(crate) async fn drive(drive: Drive<'_>) -> Driven {
    let (delegation_sender, delegations) = mpsc::unbounded_channel();
    // The executors hear the driver, not the caller: a trace that fails kills what runs as well.
    let (to_executors, cancel_of_executors) = CancelHandle::new();
    let lanes = Lanes::new(
        Arc::clone(&drive.plan),
        drive.plan_number,
        drive.executors,
        cancel_of_executors,
        delegation_sender,
    );
    let mut run = Run {
        sched: Sched::new(Arc::clone(&drive.plan), drive.limits),
        plan: drive.plan,
        lanes,
        narrator: drive.narrator,
        progress: drive.progress,
        delegations,
        cancel: drive.cancel,
        to_executors,
        seen: CancelLevel::No,
        facts: Vec::new(),
        dispatches: Dispatches::default(),
        ended: Vec::new(),
    };
    let trace_failed = run.until_finished().await.err();
    run.empty_lanes().await;
    Driven {
        report: run.sched.into_report(),
        facts: run.facts,
        dispatches: run.dispatches,
        ended: run.ended,
        trace_failed,
    }
}

struct Run<'d> {
    plan: Arc<Plan>,
    sched: Sched,
    lanes: Lanes,
    narrator: &'d mut Narrator,
    progress: Option<ProgressSender>,
    delegations: UnboundedReceiver<Delegation>,
    cancel: Cancel,
    to_executors: CancelHandle,
    seen: CancelLevel,
    facts: Vec<StepFacts>,
    dispatches: Dispatches,
    ended: Vec<EndedDelegation>,
}

impl Run<'_> {
    async fn until_finished(&mut self) -> Result<(), TraceFailed> {
        let mut drop_tasks_at: Option<Instant> = None;
        loop {
            self.take_cancel(self.cancel.level());
            match self.carry_out_effects()? {
                Pause::Finished => return Ok(()),
                Pause::Look => {
                    tokio::task::yield_now().await;
                    continue;
                }
                Pause::Idle => {}
            }
            if self.seen == CancelLevel::Killed && drop_tasks_at.is_none() {
                drop_tasks_at = Some(Instant::now() + KILL_GRACE);
            }
            let awaited = match self.seen {
                CancelLevel::No => Some(CancelLevel::Cancelled),
                CancelLevel::Cancelled => Some(CancelLevel::Killed),
                CancelLevel::Killed => None,
            };
            tokio::select! {
                biased;
                Some(delegation) = self.delegations.recv() => self.take_delegation(delegation)?,
                () = reached(&self.cancel, awaited) => {}
                Some((step, answer)) = self.lanes.next() => self.take_answer(step, answer)?,
                () = until(drop_tasks_at) => {
                    drop_tasks_at = None;
                    self.lanes.abort();
                }
            }
        }
    }

    /// Does what the scheduler asks for until it waits for an input.
    fn carry_out_effects(&mut self) -> Result<Pause, TraceFailed> {
        for _ in 0..EFFECTS_PER_LOOK {
            match self.sched.poll_effect() {
                Effect::Ask {
                    step,
                    attempt: _,
                    input,
                } => {
                    if self.lanes.ask(step, input) {
                        self.show(|_| Progress::StepAsked { index: step });
                    } else {
                        self.tell(Input::Admitted { step });
                    }
                }
                Effect::Dispatch { step, attempt } => self.dispatch(step, attempt)?,
                Effect::EndCapsule { step } => self.lanes.end_capsule(step),
                Effect::Settled { step } => self.settled(step)?,
                Effect::Finished => return Ok(Pause::Finished),
                Effect::Idle => return Ok(Pause::Idle),
            }
        }
        Ok(Pause::Look)
    }

    fn dispatch(&mut self, step: StepIdx, attempt: u32) -> Result<(), TraceFailed> {
        let running = self
            .lanes
            .get_mut(step)
            .expect("a step is asked about before it is dispatched");
        if !running.announced {
            running.announced = true;
            self.narrator.step_start(&self.plan, step)?;
        }
        match self.plan.step(step).kind() {
            Kind::Tool => self.dispatches.tool += 1,
            Kind::Shell => self.dispatches.shell += 1,
            Kind::Capsule => self.dispatches.capsule += 1,
        }
        let last_line = self.watched_line(step);
        self.lanes.dispatch(step, attempt, last_line.clone());
        self.show(|plan| Progress::StepStarted {
            index: step,
            id: plan.step(step).id().to_owned(),
            kind: plan.step(step).kind(),
            attempt,
            last_line,
        });
        Ok(())
    }

    /// Makes the line that an attempt tells its output by. Where nobody watches there is none.
    fn watched_line(&self, step: StepIdx) -> Option<LastLine> {
        let writes = match self.plan.step(step).kind() {
            Kind::Tool | Kind::Shell => true,
            Kind::Capsule => false,
        };
        (writes && self.progress.is_some()).then(LastLine::default)
    }

    fn settled(&mut self, step: StepIdx) -> Result<(), TraceFailed> {
        let running = self.lanes.forget(step);
        let settled = self
            .sched
            .settled(step)
            .expect("the scheduler says that the step settled");
        let duration_ms = self
            .narrator
            .step(&self.plan, step, &settled, running.as_ref())?;
        self.facts.push(StepFacts {
            attempts: settled.attempts,
            duration_ms,
        });
        if self.progress.is_some() {
            let (status, attempts) = (settled.status, settled.attempts);
            let error = settled.error.map(str::to_owned);
            self.show(|plan| Progress::StepSettled {
                index: step,
                id: plan.step(step).id().into(),
                kind: plan.step(step).kind(),
                status,
                attempts,
                duration_ms,
                error,
            });
            self.show_counts();
        }
        Ok(())
    }

    fn take_cancel(&mut self, level: CancelLevel) {
        if level == self.seen {
            return;
        }
        if self.seen == CancelLevel::No {
            self.tell(Input::Cancel);
            self.show(|_| Progress::Cancelled);
        }
        match level {
            CancelLevel::No => {}
            CancelLevel::Cancelled => self.to_executors.cancel(),
            CancelLevel::Killed => self.kill(),
        }
        self.seen = level;
    }

    fn kill(&self) {
        self.to_executors.kill();
        self.lanes.kill_capsules();
    }

    /// Joins every task. After a plan's end only answers nobody waits for are left; after a trace that
    /// failed, steps are, and they are killed: a run never goes on untraced.
    async fn empty_lanes(&mut self) {
        self.kill();
        self.lanes.drop_questions();
        let all_ended = async { while self.lanes.next().await.is_some() {} };
        if timeout(KILL_GRACE, all_ended).await.is_err() {
            self.lanes.abort();
            while self.lanes.next().await.is_some() {}
        }
    }

    fn take_answer(&mut self, step: StepIdx, answer: Answer) -> Result<(), TraceFailed> {
        // What the step reported before it ended comes before its end.
        while let Ok(delegation) = self.delegations.try_recv() {
            self.take_delegation(delegation)?;
        }
        let input = match answer {
            Answer::Gate(Ok(())) => Input::Admitted { step },
            Answer::Gate(Err(refusal)) => self.refused(step, refusal)?,
            Answer::Silence => {
                let refusal = answers::unanswered(self.plan.step(step).action());
                self.refused(step, refusal)?
            }
            Answer::Attempt(outcome) => Input::Finished {
                step,
                outcome: self.outcome(step, outcome),
            },
        };
        self.tell(input);
        Ok(())
    }

    fn refused(&mut self, step: StepIdx, refusal: Refusal) -> Result<Input, TraceFailed> {
        if self.lanes.get_mut(step).is_some() {
            self.narrator
                .denied(self.plan.step(step).kind(), &refusal.record)?;
        }
        Ok(Input::Refused {
            step,
            error: refusal.error,
        })
    }

    fn outcome(&self, step: StepIdx, outcome: ExecOutcome) -> Outcome {
        let may_end = self.seen != CancelLevel::No && self.plan.step(step).kind() == Kind::Capsule;
        answers::outcome(outcome, may_end)
    }

    fn take_delegation(&mut self, delegation: Delegation) -> Result<(), TraceFailed> {
        if let Some(ended) = self.narrator.delegation(delegation)? {
            self.ended.push(ended);
        }
        Ok(())
    }

    fn tell(&mut self, input: Input) {
        if let Err(unexpected) = self.sched.handle(input) {
            // Ours to keep: the loop answers each effect once. A release build goes on without the input.
            debug_assert!(false, "{unexpected}");
            tracing::error!(%unexpected, "the driver broke the scheduler's contract");
        }
    }

    fn show(&self, progress: impl FnOnce(&Plan) -> Progress) {
        tell(self.progress.as_ref(), || progress(&self.plan));
    }

    fn show_counts(&self) {
        let now = self.sched.progress();
        self.show(|_| Progress::Counts {
            ready: now.ready,
            in_flight: now.in_flight,
            settled: now.settled,
            closed: now.closed,
        });
    }
}

/// Why carrying out effects paused.
enum Pause {
    Finished,
    Idle,
    Look,
}

async fn reached(cancel: &Cancel, level: Option<CancelLevel>) {
    match level {
        Some(level) => cancel.reached(level).await,
        None => std::future::pending().await,
    }
}

async fn until(instant: Option<Instant>) {
    match instant {
        Some(instant) => sleep_until(instant).await,
        None => std::future::pending().await,
    }
}
