//! The running tasks, by step: one task per gate question or attempt, every one of them joined.

use std::{
    collections::HashMap,
    sync::Arc,
    time::{Duration, Instant},
};

use plan_exec::{
    Attempt, Cancel, CancelHandle, CapsuleCall, DelegationSender, GateCall, LastLine, Outcome,
    Refusal, ShellCall, ToolCall,
};
use plan_model::{Action, Plan, StepIdx, argv};
use tokio::task::{AbortHandle, JoinError, JoinSet};

use crate::executors::Executors;

/// What a task of a step ended with.
#[derive(Debug)]
pub(super) enum Answer {
    /// The gate's.
    Gate(Result<(), Refusal>),
    /// The gate broke before it answered.
    Silence,
    /// The executor's.
    Attempt(Outcome),
}

/// A step between its first question to the gate and its settling.
#[derive(Debug)]
pub(super) struct Running {
    /// The id, shared with every call of the step.
    pub(super) id: Arc<str>,
    /// The input as the last `Ask` gave it.
    pub(super) input: Arc<str>,
    /// How long its attempts have taken so far.
    pub(super) spent: Duration,
    /// Whether `plan_step_start` is written.
    pub(super) announced: bool,
    /// The last outcome's metadata for the trace.
    pub(super) state_effect: Option<String>,
    /// The same.
    pub(super) resource_id: Option<String>,
    started: Option<Instant>,
    task: Option<AbortHandle>,
    end_capsule: Option<CancelHandle>,
}

/// The tasks of a plan.
pub(super) struct Lanes {
    plan: Arc<Plan>,
    plan_number: u32,
    executors: Executors,
    cancel: Cancel,
    delegations: DelegationSender,
    steps: HashMap<StepIdx, Running>,
    tasks: JoinSet<(StepIdx, Answer)>,
    by_task: HashMap<tokio::task::Id, StepIdx>,
}

impl Lanes {
    pub(super) fn new(
        plan: Arc<Plan>,
        plan_number: u32,
        executors: Executors,
        cancel: Cancel,
        delegations: DelegationSender,
    ) -> Self {
        Self {
            plan,
            plan_number,
            executors,
            cancel,
            delegations,
            steps: HashMap::new(),
            tasks: JoinSet::new(),
            by_task: HashMap::new(),
        }
    }

    /// Puts an attempt to the gate. Returns `false` when there is none to ask.
    pub(super) fn ask(&mut self, step: StepIdx, input: String) -> bool {
        let view = self.plan.step(step);
        let input: Arc<str> = input.into();
        let running = self.steps.entry(step).or_insert_with(|| Running {
            id: view.id().into(),
            input: Arc::clone(&input),
            spent: Duration::ZERO,
            announced: false,
            state_effect: None,
            resource_id: None,
            started: None,
            task: None,
            end_capsule: None,
        });
        running.input = Arc::clone(&input);
        let Some(gate) = self.executors.gate.clone() else {
            return false;
        };
        let plan = Arc::clone(&self.plan);
        match view.action() {
            Action::Tool(_) | Action::Shell(_) => {}
            Action::Capsule(_) => return false,
        }
        let task = self.tasks.spawn(async move {
            let answer = match plan.step(step).action() {
                Action::Tool(name) => {
                    let input = &input;
                    gate.ask(GateCall::Tool { name, input }).await
                }
                Action::Shell(line) => {
                    let words = words(line);
                    let words = &words;
                    gate.ask(GateCall::Shell { line, words }).await
                }
                Action::Capsule(_) => Ok(()),
            };
            (step, Answer::Gate(answer))
        });
        self.remember(step, task);
        true
    }

    /// Starts an admitted attempt, which tells `last_line` what it writes.
    pub(super) fn dispatch(&mut self, step: StepIdx, attempt: u32, last_line: Option<LastLine>) {
        let view = self.plan.step(step);
        let running = self
            .steps
            .get_mut(&step)
            .expect("a step is asked about before it is dispatched");
        running.started = Some(Instant::now());
        let input = Arc::clone(&running.input);
        let attempt = Attempt {
            plan_number: self.plan_number,
            step_number: step.get() + 1,
            step_id: Arc::clone(&running.id),
            attempt,
        };
        let cancel = self.cancel.clone();
        let task = match view.action() {
            Action::Tool(name) => {
                let executor = Arc::clone(&self.executors.tool);
                let name = name.into();
                self.tasks.spawn(async move {
                    let call = ToolCall {
                        attempt,
                        name,
                        input,
                        cancel,
                        last_line,
                    };
                    (step, Answer::Attempt(executor.run(call).await))
                })
            }
            Action::Shell(line) => {
                let executor = Arc::clone(&self.executors.shell);
                let words = words(line);
                let line = line.into();
                self.tasks.spawn(async move {
                    let call = ShellCall {
                        attempt,
                        line,
                        words,
                        cancel,
                        last_line,
                    };
                    (step, Answer::Attempt(executor.run(call).await))
                })
            }
            Action::Capsule(name) => {
                let executor = Arc::clone(&self.executors.capsule);
                let name = name.into();
                let delegations = self.delegations.clone();
                // Ended when the scheduler says so, which is not the moment of the cancel for every step.
                let (handle, cancel) = CancelHandle::new();
                running.end_capsule = Some(handle);
                self.tasks.spawn(async move {
                    let call = CapsuleCall {
                        attempt,
                        name,
                        task: input,
                        cancel,
                        delegations,
                    };
                    (step, Answer::Attempt(executor.run(call).await))
                })
            }
        };
        self.remember(step, task);
    }

    /// Tells a capsule step to end its sub-capsule.
    pub(super) fn end_capsule(&self, step: StepIdx) {
        let handle = self
            .steps
            .get(&step)
            .and_then(|running| running.end_capsule.as_ref());
        if let Some(handle) = handle {
            handle.cancel();
        }
    }

    /// Tells every capsule step to kill its sub-capsule. Tool and shell steps read the plan's own signal.
    pub(super) fn kill_capsules(&self) {
        for running in self.steps.values() {
            if let Some(handle) = &running.end_capsule {
                handle.kill();
            }
        }
    }

    /// Drops the questions to the gate that are still open: nobody waits for their answers any more.
    pub(super) fn drop_questions(&self) {
        for running in self.steps.values() {
            if let (None, Some(task)) = (running.started, &running.task) {
                task.abort();
            }
        }
    }

    /// Drops every task that still runs; [`Lanes::next`] then gives their ends.
    pub(super) fn abort(&mut self) {
        self.tasks.abort_all();
    }

    /// Waits for the next end of a task; `None` when none runs.
    pub(super) async fn next(&mut self) -> Option<(StepIdx, Answer)> {
        match self.tasks.join_next_with_id().await? {
            Ok((task, (step, answer))) => {
                self.by_task.remove(&task);
                Some((step, self.note(step, answer)))
            }
            Err(error) => {
                let step = self
                    .by_task
                    .remove(&error.id())
                    .expect("every task is remembered with its step");
                let dispatched = self.steps.get(&step).is_some_and(|r| r.started.is_some());
                let answer = broken(&error, dispatched);
                Some((step, self.note(step, answer)))
            }
        }
    }

    /// Returns what is known of a step that is running or has just settled.
    pub(super) fn get_mut(&mut self, step: StepIdx) -> Option<&mut Running> {
        self.steps.get_mut(&step)
    }

    /// Forgets a settled step. What its gate may still answer goes unheard.
    pub(super) fn forget(&mut self, step: StepIdx) -> Option<Running> {
        let running = self.steps.remove(&step)?;
        if let Some(task) = &running.task {
            task.abort();
        }
        Some(running)
    }

    fn remember(&mut self, step: StepIdx, task: AbortHandle) {
        self.by_task.insert(task.id(), step);
        if let Some(running) = self.steps.get_mut(&step) {
            running.task = Some(task);
        }
    }

    fn note(&mut self, step: StepIdx, mut answer: Answer) -> Answer {
        let Some(running) = self.steps.get_mut(&step) else {
            return answer;
        };
        running.task = None;
        if let Answer::Attempt(outcome) = &mut answer {
            running.end_capsule = None;
            if let Some(started) = running.started.take() {
                running.spent += started.elapsed();
            }
            running.state_effect = outcome.state_effect.take();
            running.resource_id = outcome.resource_id.take();
        }
        answer
    }
}

/// Returns the words of a checked command line.
fn words(line: &str) -> Vec<String> {
    argv::split(line).expect("a checked plan's command lines split into words")
}

/// Words a task that panicked or was dropped: the step fails, the plan and its report live on.
fn broken(error: &JoinError, dispatched: bool) -> Answer {
    let why = if error.is_cancelled() {
        "killed: it did not end when everything was to be killed"
    } else {
        "its executor panicked"
    };
    if dispatched {
        Answer::Attempt(Outcome::failed(why))
    } else {
        Answer::Silence
    }
}
