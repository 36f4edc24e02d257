//! A scripted world: a plan and what happens to it in, the log of effects out.

use plan_model::{Plan, PlanDoc, StepIdx};
use plan_sched::{Effect, Input, Limits, Outcome, Sched};
use std::{fmt::Write as _, sync::Arc};

/// Plays a script against a plan whose gate lets everything pass at once, and returns what was seen.
///
/// A script has one event a line: `pass a: text`, `fail a: text`, `end a`, `cancel`; the text of `pass` is the
/// output, the text of `fail` the error, and either may be left out.
pub(crate) fn play(steps: &str, limits: Limits, script: &str) -> String {
    Play::new(steps, limits, true).run(script)
}

/// The same with a gate that answers by script only: `admit a`, `refuse a: text`.
pub(crate) fn play_with_gate(steps: &str, limits: Limits, script: &str) -> String {
    Play::new(steps, limits, false).run(script)
}

/// Makes a checked plan of the text of its `steps`.
pub(crate) fn plan(steps: &str) -> Arc<Plan> {
    let text = format!(r#"{{"id": "p", "steps": {steps}}}"#);
    match PlanDoc::read(text.into_bytes()).check(None).plan {
        Ok(plan) => Arc::new(plan),
        Err(refused) => panic!("{refused:?}"),
    }
}

/// Finds a step by its id.
pub(crate) fn step(plan: &Plan, id: &str) -> StepIdx {
    plan.indices()
        .find(|&step| plan.step(step).id() == id)
        .unwrap_or_else(|| panic!("the plan has no step {id}"))
}

/// Reads one line of a script.
pub(crate) fn input(plan: &Plan, line: &str) -> Input {
    let (event, text) = match line.split_once(": ") {
        Some((event, text)) => (event, Some(text.to_owned())),
        None => (line, None),
    };
    let (verb, id) = event.split_once(' ').unwrap_or((event, ""));
    let finished = |outcome| Input::Finished {
        step: step(plan, id),
        outcome,
    };
    match verb {
        "cancel" => Input::Cancel,
        "admit" => Input::Admitted {
            step: step(plan, id),
        },
        "refuse" => Input::Refused {
            step: step(plan, id),
            error: text.unwrap_or_default(),
        },
        "pass" => finished(Outcome::Passed { output: text }),
        "fail" => finished(Outcome::Failed {
            output: None,
            error: text.unwrap_or_else(|| "bad".to_owned()),
        }),
        "end" => finished(Outcome::Ended),
        unknown => panic!("a script cannot {unknown}"),
    }
}

/// Says how a step settled, in one line.
pub(crate) fn settled(sched: &Sched, plan: &Plan, step: StepIdx) -> String {
    let id = plan.step(step).id();
    let Some(settled) = sched.settled(step) else {
        return format!("{id} not settled");
    };
    let mut line = format!("{id} {}", settled.status.name());
    if settled.attempts != 1 {
        let _ = write!(line, " attempts={}", settled.attempts);
    }
    if let Some(output) = settled.output {
        let _ = write!(line, " output={output:?}");
    }
    if let Some(error) = settled.error {
        let _ = write!(line, " error={error:?}");
    }
    line
}

struct Play {
    plan: Arc<Plan>,
    sched: Sched,
    open_gate: bool,
    log: String,
}

impl Play {
    fn new(steps: &str, limits: Limits, open_gate: bool) -> Self {
        let plan = plan(steps);
        Self {
            sched: Sched::new(Arc::clone(&plan), limits),
            plan,
            open_gate,
            log: String::new(),
        }
    }

    fn run(mut self, script: &str) -> String {
        let mut over = self.poll();
        for line in script
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
        {
            self.line(&format!("> {line}"));
            if let Err(error) = self.sched.handle(input(&self.plan, line)) {
                self.line(&format!("error: {error}"));
            }
            over = self.poll();
        }
        if over {
            let report = self.sched.into_report();
            let _ = write!(
                self.log,
                "report completed={} canceled={} failed_step={} steps={}",
                report.completed,
                report.canceled,
                report.failed_step.as_deref().unwrap_or("null"),
                report.steps.len(),
            );
        }
        self.log
    }

    /// Polls until there is nothing to do, and says whether the plan is over.
    fn poll(&mut self) -> bool {
        loop {
            match self.sched.poll_effect() {
                Effect::Ask {
                    step,
                    attempt,
                    input,
                } => {
                    let line = format!("ask {} #{attempt} {input}", self.plan.step(step).id());
                    self.line(line.trim_end());
                    if self.open_gate {
                        let answer = self.sched.handle(Input::Admitted { step });
                        assert_eq!(answer, Ok(()));
                    }
                }
                Effect::Dispatch { step, attempt } => {
                    let id = self.plan.step(step).id();
                    if self.open_gate {
                        // The line just written asked about the same attempt.
                        let asked = self.log.rfind("ask").expect("a dispatch follows an ask");
                        self.log.replace_range(asked.."ask".len() + asked, "run");
                    } else {
                        self.line(&format!("run {id} #{attempt}"));
                    }
                }
                Effect::EndCapsule { step } => {
                    self.line(&format!("end {}", self.plan.step(step).id()));
                }
                Effect::Settled { step } => {
                    let line = settled(&self.sched, &self.plan, step);
                    self.line(&format!("settled {line}"));
                }
                Effect::Finished => return true,
                Effect::Idle => return false,
            }
        }
    }

    fn line(&mut self, line: &str) {
        self.log.push_str(line);
        self.log.push('\n');
    }
}
