//! Every run of a plan: a walk over all choices the outside world has, in which the scheduler, the oracle and
//! the invariants see the same things at the same time.

use crate::{
    invariants::{Moment, Seen, each_step_settles_exactly_once, report_order_is_settle_order},
    oracle::Oracle,
    world::World,
};
use plan_model::{Kind, Status, StepIdx};
use plan_sched::{Effect, Input, Outcome, Sched};
use std::sync::Arc;

/// What the outside world may do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choices {
    pub(crate) gate: Gate,
    pub(crate) outcomes: &'static [Ending],
    /// Whether several things may happen between two polls.
    pub(crate) bursts: bool,
}

/// How the gate answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gate {
    /// It lets everything pass at once.
    Open,
    /// It lets everything pass, whenever it likes: also after a stop or a cancel.
    Slow,
    /// It lets pass or refuses, whenever it likes.
    Strict,
}

/// How an attempt may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// It passes.
    Pass { output: Option<&'static str> },
    /// It fails.
    Fail {
        output: Option<&'static str>,
        error: &'static str,
    },
}

/// One run, up to some moment.
#[derive(Clone)]
pub(crate) struct Run<'w> {
    world: &'w World,
    sched: Sched,
    oracle: Oracle<'w>,
    seen: Seen,
    /// What the driver owes an answer to.
    pending: Vec<Pending>,
    canceled: bool,
    finished: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pending {
    Answer(usize),
    Attempt(usize),
}

/// One thing that may happen next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Event {
    Admit(usize),
    Refuse(usize),
    End(usize, Ending),
    EndWithTask(usize),
    Cancel,
}

/// What all runs that share a beginning write down; cut back when the walk goes back.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) moments: Vec<Moment>,
    pub(crate) settled: Vec<(usize, Status)>,
}

/// What a refusal says.
const REFUSAL: &str = "no";

/// Walks every run of a plan and returns how many there are.
pub(crate) fn walk(world: &World, choices: Choices) -> u64 {
    let mut walker = Walker {
        choices,
        log: Log::default(),
        runs: 0,
    };
    // A cancel may come before the first poll.
    let run = Run::new(world);
    walker.after(run.clone(), Event::Cancel);
    walker.polled(run);
    walker.runs
}

struct Walker {
    choices: Choices,
    log: Log,
    runs: u64,
}

impl Walker {
    /// Goes on from a run that has just been told something.
    fn after(&mut self, mut run: Run<'_>, event: Event) {
        let mark = (self.log.moments.len(), self.log.settled.len());
        run.tell(&mut self.log, event);
        if self.choices.bursts {
            self.branch(run.clone());
        }
        self.polled(run);
        self.log.moments.truncate(mark.0);
        self.log.settled.truncate(mark.1);
    }

    fn polled(&mut self, mut run: Run<'_>) {
        let mark = (self.log.moments.len(), self.log.settled.len());
        run.poll_all(&mut self.log, self.choices.gate == Gate::Open);
        if run.finished {
            run.check_end(&mut self.log);
            self.runs += 1;
        } else {
            self.branch(run);
        }
        self.log.moments.truncate(mark.0);
        self.log.settled.truncate(mark.1);
    }

    /// Follows everything that may happen next.
    fn branch(&mut self, run: Run<'_>) {
        let mut events = [Event::Cancel; MAX_EVENTS];
        let mut count = 0;
        run.each_event(self.choices, |event| {
            events[count] = event;
            count += 1;
        });
        let Some((&last, others)) = events[..count].split_last() else {
            return;
        };
        for &event in others {
            self.after(run.clone(), event);
        }
        self.after(run, last);
    }
}

/// Four steps in flight with four endings each, their capsules ended, and a cancel.
const MAX_EVENTS: usize = 4 * 5 + 1;

impl<'w> Run<'w> {
    pub(crate) fn new(world: &'w World) -> Self {
        Self {
            world,
            sched: Sched::new(Arc::clone(&world.plan), world.limits),
            oracle: Oracle::new(world),
            seen: Seen::default(),
            pending: Vec::new(),
            canceled: false,
            finished: false,
        }
    }

    /// Visits what may happen next.
    pub(crate) fn each_event(&self, choices: Choices, mut visit: impl FnMut(Event)) {
        for &pending in &self.pending {
            match pending {
                Pending::Answer(step) => {
                    visit(Event::Admit(step));
                    if choices.gate == Gate::Strict {
                        visit(Event::Refuse(step));
                    }
                }
                Pending::Attempt(step) => {
                    for &ending in choices.outcomes {
                        visit(Event::End(step, ending));
                    }
                    if self.canceled && self.world.steps[step].kind == Kind::Capsule {
                        visit(Event::EndWithTask(step));
                    }
                }
            }
        }
        if !self.canceled {
            visit(Event::Cancel);
        }
    }

    pub(crate) fn finished(&self) -> bool {
        self.finished
    }

    pub(crate) fn pending(&self) -> &[Pending] {
        &self.pending
    }

    pub(crate) fn tell(&mut self, log: &mut Log, event: Event) {
        let (input, moment) = match event {
            Event::Admit(step) => (
                Input::Admitted {
                    step: StepIdx::new(step),
                },
                Moment::Admitted(step),
            ),
            Event::Refuse(step) => (
                Input::Refused {
                    step: StepIdx::new(step),
                    error: REFUSAL.to_owned(),
                },
                Moment::Refused(step),
            ),
            Event::End(step, ending) => (
                Input::Finished {
                    step: StepIdx::new(step),
                    outcome: ending.outcome(),
                },
                Moment::Ended(step),
            ),
            Event::EndWithTask(step) => (
                Input::Finished {
                    step: StepIdx::new(step),
                    outcome: Outcome::Ended,
                },
                Moment::Ended(step),
            ),
            Event::Cancel => {
                self.canceled = true;
                (Input::Cancel, Moment::Canceled)
            }
        };
        self.pending.retain(|pending| match (*pending, moment) {
            (Pending::Answer(step), Moment::Admitted(told) | Moment::Refused(told)) => step != told,
            (Pending::Attempt(step), Moment::Ended(told)) => step != told,
            (Pending::Answer(_) | Pending::Attempt(_), _) => true,
        });
        self.note(log, moment);
        self.oracle.handle(&input);
        if let Err(error) = self.sched.handle(input) {
            self.fault(log, &format!("{error}"));
        }
    }

    /// Polls until there is nothing to do; `admit` lets every step pass the gate at once.
    pub(crate) fn poll_all(&mut self, log: &mut Log, admit: bool) {
        while self.poll(log, admit) {}
    }

    fn poll(&mut self, log: &mut Log, admit: bool) -> bool {
        let effect = self.sched.poll_effect();
        let expected = self.oracle.poll();
        if effect != expected {
            self.fault(
                log,
                &format!("got {effect:?}\nthe oracle expected {expected:?}"),
            );
        }
        match effect {
            Effect::Ask { step, .. } => {
                let step = step.get();
                self.note(log, Moment::Asked(step));
                self.pending.push(Pending::Answer(step));
                if admit {
                    self.tell(log, Event::Admit(step));
                }
            }
            Effect::Dispatch { step, .. } => {
                let step = step.get();
                self.note(log, Moment::Dispatched(step));
                self.pending.push(Pending::Attempt(step));
            }
            Effect::EndCapsule { step } => self.note(log, Moment::EndedCapsule(step.get())),
            Effect::Settled { step } => self.check_settled(log, step),
            Effect::Finished => {
                self.note(log, Moment::Finished);
                self.finished = true;
                return false;
            }
            Effect::Idle => {
                self.note(log, Moment::Idle);
                if self.sched.progress() != self.oracle.progress() {
                    self.fault(log, &format!("the progress is {:?}", self.sched.progress()));
                }
                return false;
            }
        }
        true
    }

    fn check_settled(&mut self, log: &mut Log, step: StepIdx) {
        let index = step.get();
        let Some(settled) = self.sched.settled(step) else {
            self.fault(log, "a step that settled is not settled");
        };
        let expected = (
            self.oracle.status(index).expect("the oracle settled it"),
            self.oracle.output(index),
            self.oracle.error(index),
            self.oracle.attempts(index),
        );
        let got = (
            settled.status,
            settled.output,
            settled.error,
            settled.attempts,
        );
        if got != expected {
            self.fault(
                log,
                &format!("got {got:?}\nthe oracle expected {expected:?}"),
            );
        }
        log.settled.push((index, expected.0));
        self.note(log, Moment::Settled(index, expected.0));
    }

    /// What must hold at the end, whatever comes later.
    pub(crate) fn check_end(mut self, log: &mut Log) {
        if self.sched.progress() != self.oracle.progress() {
            self.fault(log, &format!("the progress is {:?}", self.sched.progress()));
        }
        // Answers still on their way, and a cancel, change nothing any more.
        while let Some(&pending) = self.pending.first() {
            match pending {
                Pending::Answer(step) if step % 2 == 0 => self.tell(log, Event::Admit(step)),
                Pending::Answer(step) => self.tell(log, Event::Refuse(step)),
                Pending::Attempt(_) => self.fault(log, "finished with an attempt in flight"),
            }
        }
        self.tell(log, Event::Cancel);
        if self.sched.poll_effect() != Effect::Finished {
            self.fault(log, "a finished plan goes on");
        }
        let report = self.sched.into_report();
        report_order_is_settle_order(self.world, &report, &log.settled);
        each_step_settles_exactly_once(self.world, &self.seen, &report);
        assert!(
            self.oracle.agrees_with(&report),
            "got {report:#?}\nthe oracle disagrees: {:#?}\n{:?}",
            self.oracle,
            log.moments
        );
    }

    fn note(&mut self, log: &mut Log, moment: Moment) {
        log.moments.push(moment);
        self.seen.see(self.world, moment);
    }

    fn fault(&self, log: &Log, what: &str) -> ! {
        panic!(
            "{what}\nafter {:?}\nin {:#?}",
            log.moments, self.world.steps
        )
    }
}

impl Ending {
    fn outcome(self) -> Outcome {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        match self {
            Self::Pass { output } => Outcome::Passed {
                output: owned(output),
            },
            Self::Fail { output, error } => Outcome::Failed {
                output: owned(output),
                error: error.to_owned(),
            },
        }
    }
}
