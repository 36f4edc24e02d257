//! A step `x` brought into a given phase, with a step beside it that can stop the plan.

use crate::{
    sim::{input, plan, settled, step},
    world::limits,
};
use plan_model::{Kind, Plan};
use plan_sched::{Effect, Input, Sched, UnexpectedInput};
use std::sync::Arc;

/// Where `x` stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum At {
    /// Waits for a dependency.
    Blocked,
    /// Its dependencies have settled, nobody has polled.
    Unlocked,
    /// Waits for a slot.
    Ready,
    /// The gate is asked about the first attempt.
    Asked,
    /// The gate is asked about the second attempt.
    AskedAgain,
    /// The gate let it pass, nobody has polled.
    Admitted,
    /// The same for the second attempt.
    AdmittedAgain,
    /// The first attempt runs.
    Running,
    /// The first attempt failed, nobody has polled.
    Retrying,
    /// It passed.
    Settled,
}

impl At {
    pub(crate) const ALL: [Self; 10] = [
        Self::Blocked,
        Self::Unlocked,
        Self::Ready,
        Self::Asked,
        Self::AskedAgain,
        Self::Admitted,
        Self::AdmittedAgain,
        Self::Running,
        Self::Retrying,
        Self::Settled,
    ];
}

/// A plan of three steps: `first` (of the kind of `x`), `x` (one retry), and `stop` (of another kind).
#[derive(Debug)]
pub(crate) struct Stage {
    pub(crate) plan: Arc<Plan>,
    pub(crate) sched: Sched,
    /// What was polled since the last call of `take_log`.
    log: Vec<String>,
}

impl Stage {
    pub(crate) fn new(kind: Kind, on_error: &str, at: At) -> Self {
        let word = kind.name();
        let other = match kind {
            Kind::Tool => "shell",
            Kind::Shell | Kind::Capsule => "tool",
        };
        let needs = match at {
            At::Blocked => r#", "depends_on": ["first"]"#,
            At::Unlocked => r#", "depends_on": ["first"], "if": "'a' == 'a'""#,
            At::Ready
            | At::Asked
            | At::AskedAgain
            | At::Admitted
            | At::AdmittedAgain
            | At::Running
            | At::Retrying
            | At::Settled => "",
        };
        let plan = plan(&format!(
            r#"[
                {{"id": "first", "{word}": "x", "input": "go"}},
                {{"id": "x", "{word}": "x", "input": "go", "retries": 1, "on_error": "{on_error}"{needs}}},
                {{"id": "stop", "{other}": "x"}}
            ]"#
        ));
        let mut stage = Self {
            sched: Sched::new(Arc::clone(&plan), limits(1, 1)),
            plan,
            log: Vec::new(),
        };
        stage.poll();
        stage.told(&["admit first", "admit stop"]);
        stage.poll();
        match at {
            At::Blocked | At::Ready => {}
            At::Unlocked => stage.told(&["pass first"]),
            At::Asked => stage.polled(&["pass first"]),
            At::Admitted => {
                stage.polled(&["pass first"]);
                stage.told(&["admit x"]);
            }
            At::Running => stage.polled(&["pass first", "admit x"]),
            At::Retrying => {
                stage.polled(&["pass first", "admit x"]);
                stage.told(&["fail x: once"]);
            }
            At::AskedAgain => stage.polled(&["pass first", "admit x", "fail x: once"]),
            At::AdmittedAgain => {
                stage.polled(&["pass first", "admit x", "fail x: once"]);
                stage.told(&["admit x"]);
            }
            At::Settled => stage.polled(&["pass first", "admit x", "pass x"]),
        }
        stage.log.clear();
        stage
    }

    pub(crate) fn tell(&mut self, line: &str) -> Result<(), UnexpectedInput> {
        self.sched.handle(input(&self.plan, line))
    }

    /// Tells lines that all fit.
    pub(crate) fn told(&mut self, lines: &[&str]) {
        for line in lines {
            assert_eq!(self.tell(line), Ok(()), "{line}");
        }
    }

    /// Tells lines that all fit, and polls after each.
    pub(crate) fn polled(&mut self, lines: &[&str]) {
        for line in lines {
            self.told(&[line]);
            self.poll();
        }
    }

    pub(crate) fn poll(&mut self) {
        loop {
            let effect = self.sched.poll_effect();
            let (word, step) = match effect {
                Effect::Ask { step, .. } => ("ask", step),
                Effect::Dispatch { step, .. } => ("run", step),
                Effect::EndCapsule { step } => ("end", step),
                Effect::Settled { step } => ("settled", step),
                Effect::Finished => {
                    self.log.push("finished".to_owned());
                    return;
                }
                Effect::Idle => return,
            };
            self.log
                .push(format!("{word} {}", self.plan.step(step).id()));
        }
    }

    /// Gives the log away.
    pub(crate) fn take_log(&mut self) -> String {
        std::mem::take(&mut self.log).join(", ")
    }

    /// Says how `x` settled, if it did.
    pub(crate) fn x(&self) -> String {
        settled(&self.sched, &self.plan, step(&self.plan, "x"))
    }

    /// Takes an answer about a step the plan does not have.
    pub(crate) fn tell_stranger(&mut self) -> Result<(), UnexpectedInput> {
        self.sched.handle(Input::Admitted {
            step: plan_model::StepIdx::new(99),
        })
    }
}
