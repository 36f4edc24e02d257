//! A scripted world for the facade: executors that do what a test says, a trace kept in memory.
#![expect(
    clippy::unwrap_used,
    reason = "a world that cannot be made fails the test that asked for it"
)]

use std::{
    collections::BTreeMap,
    fs::File,
    io::{self, Write},
    num::NonZeroUsize,
    os::fd::OwnedFd,
    sync::{Arc, Mutex},
    time::Duration,
};

use mur_plan::{
    Executors, PlanResult, PlanTool, Session, TraceFailed, TraceNodes, TraceSink,
    plan_exec::{
        BoxFuture, Cancel, CancelLevel, CapsuleCall, CapsuleExecutor, Delegation, Gate, GateCall,
        LeftBehind, Outcome, PlanBounds, PlanStart, Refusal, RefusalRecord, ShellCall,
        ShellExecutor, ToolCall, ToolExecutor, Unbounded, Verdict,
    },
    plan_model::Grants,
    plan_sched::Limits,
    plan_trace::{Appender, EventId, Record, SessionId},
};

/// What an executor does with an attempt of a step.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// Passes with this output after so long.
    Pass(&'static str, Duration),
    /// Fails with this error after so long.
    Fail(&'static str, Duration),
    /// Panics.
    Panic,
    /// Never ends, whatever it is told.
    Hang,
    /// A sub-capsule that comes up and ends when it is told to.
    Child,
    /// Runs until everything is killed.
    UntilKilled,
    /// Says at once that it was ended, whether or not anything was cancelled.
    End,
}

/// Returns an act that passes at once.
pub(crate) fn pass(output: &'static str) -> Act {
    Act::Pass(output, Duration::ZERO)
}

/// Returns an act that fails at once.
pub(crate) fn fail(error: &'static str) -> Act {
    Act::Fail(error, Duration::ZERO)
}

/// Runs each step as scripted, by the step's id and attempt; a step without a script passes with its input.
#[derive(Debug, Default)]
pub(crate) struct Script {
    acts: BTreeMap<String, Vec<Act>>,
    /// What was called, in order.
    pub(crate) calls: Mutex<Vec<String>>,
}

impl Script {
    pub(crate) fn new<const N: usize>(acts: [(&str, Vec<Act>); N]) -> Arc<Self> {
        let acts = acts
            .into_iter()
            .map(|(id, acts)| (id.to_owned(), acts))
            .collect();
        Arc::new(Self {
            acts,
            calls: Mutex::default(),
        })
    }

    pub(crate) fn calls(&self) -> Vec<String> {
        self.calls.lock().unwrap().clone()
    }

    fn act(&self, id: &str, attempt: u32, input: &str) -> Option<Act> {
        self.calls
            .lock()
            .unwrap()
            .push(format!("{id}#{attempt} {input}"));
        let acts = self.acts.get(id)?;
        acts.get(attempt as usize - 1).or(acts.last()).cloned()
    }
}

async fn perform(act: Option<Act>, input: &str, cancel: &Cancel) -> Outcome {
    match act {
        None => outcome(Verdict::Passed, Some(input)),
        Some(Act::Pass(output, after)) => {
            tokio::time::sleep(after).await;
            outcome(Verdict::Passed, Some(output))
        }
        Some(Act::Fail(error, after)) => {
            tokio::time::sleep(after).await;
            outcome(Verdict::Failed(error.to_owned()), None)
        }
        Some(Act::Panic) => panic!("scripted"),
        Some(Act::Hang) => std::future::pending().await,
        Some(Act::Child) => {
            cancel.reached(CancelLevel::Cancelled).await;
            outcome(Verdict::Ended, None)
        }
        Some(Act::End) => outcome(Verdict::Ended, None),
        Some(Act::UntilKilled) => {
            cancel.reached(CancelLevel::Killed).await;
            outcome(Verdict::Failed("killed".to_owned()), None)
        }
    }
}

fn outcome(verdict: Verdict, output: Option<&str>) -> Outcome {
    Outcome {
        verdict,
        output: output.map(str::to_owned),
        state_effect: None,
        resource_id: None,
    }
}

impl ToolExecutor for Script {
    fn run(&self, call: ToolCall) -> BoxFuture<'_, Outcome> {
        let act = self.act(&call.attempt.step_id, call.attempt.attempt, &call.input);
        Box::pin(async move { perform(act, &call.input, &call.cancel).await })
    }
}

/// Refuses the plans whose id is `unbounded`, falls short for those whose id is `loose`, and cannot end the second
/// plan.
impl PlanBounds for Script {
    fn plan_starting<'a>(
        &'a self,
        plan: PlanStart<'a>,
    ) -> BoxFuture<'a, Result<Vec<String>, Unbounded>> {
        let answer = match plan.id {
            "unbounded" => Err(Unbounded {
                reason: "E-RUN-012: there is no scope".to_owned(),
            }),
            "loose" => Ok(vec!["memory is not limited".to_owned()]),
            _ => Ok(Vec::new()),
        };
        Box::pin(std::future::ready(answer))
    }

    fn plan_ended(&self, plan_number: u32) -> BoxFuture<'_, Result<(), LeftBehind>> {
        self.calls
            .lock()
            .unwrap()
            .push(format!("plan {plan_number} ended"));
        let ended = if plan_number == 2 {
            let why = "somebody stayed".to_owned();
            Err(LeftBehind { why })
        } else {
            Ok(())
        };
        Box::pin(std::future::ready(ended))
    }
}

impl ShellExecutor for Script {
    fn run(&self, call: ShellCall) -> BoxFuture<'_, Outcome> {
        let act = self.act(&call.attempt.step_id, call.attempt.attempt, &call.line);
        Box::pin(async move { perform(act, &call.line, &call.cancel).await })
    }
}

impl CapsuleExecutor for Script {
    fn run(&self, call: CapsuleCall) -> BoxFuture<'_, Outcome> {
        let id = call.attempt.step_id.to_string();
        let act = self.act(&id, call.attempt.attempt, &call.task);
        Box::pin(async move {
            let is_child = matches!(act, Some(Act::Child));
            if is_child {
                call.delegations.send(started(&id)).unwrap();
            }
            let outcome = perform(act, &call.task, &call.cancel).await;
            if is_child {
                call.delegations.send(terminated(&id)).unwrap();
            }
            outcome
        })
    }
}

fn started(id: &str) -> Delegation {
    Delegation::Started {
        delegation_id: format!("dlg_{id}"),
        capsule: "local/worker".to_owned(),
        version: "0.1.0".to_owned(),
        child_session_id: format!("ses_{id}"),
        child_workdir: "/w".to_owned(),
        child_records_dir: "/r".to_owned(),
    }
}

fn terminated(id: &str) -> Delegation {
    Delegation::Ended {
        capsule: "local/worker".to_owned(),
        version: "0.1.0".to_owned(),
        delegation_id: Some(format!("dlg_{id}")),
        child_session_id: Some(format!("ses_{id}")),
        duration_ms: 1,
        outcome: "terminated",
        reason: None,
    }
}

/// Refuses every step whose command line or input holds `forbidden`, breaks on `broken`, hangs on `slow`.
#[derive(Debug)]
pub(crate) struct Guard;

impl Gate for Guard {
    fn ask<'a>(&'a self, call: GateCall<'a>) -> BoxFuture<'a, Result<(), Refusal>> {
        Box::pin(async move {
            let (target, text) = match &call {
                GateCall::Tool { name, input } => (*name, *input),
                GateCall::Shell { line, words } => (words[0].as_str(), *line),
            };
            assert!(!text.contains("broken"), "scripted");
            if text.contains("slow") {
                std::future::pending::<()>().await;
            }
            if !text.contains("forbidden") {
                return Ok(());
            }
            Err(Refusal {
                error: "refused by guard".to_owned(),
                record: RefusalRecord::CallDenied {
                    hook_name: "guard".to_owned(),
                    target: target.to_owned(),
                    reason: "no".to_owned(),
                },
            })
        })
    }
}

/// A trace in memory that can be made to fail at its nth line.
#[derive(Debug)]
pub(crate) struct Memory {
    appender: Mutex<Appender<Page>>,
    page: Page,
    fails_at: usize,
}

/// Where the appender writes and the test reads.
#[derive(Debug, Clone, Default)]
struct Page(Arc<Mutex<Vec<u8>>>);

impl Write for Page {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Page {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl Memory {
    pub(crate) fn new(fails_at: usize) -> Arc<Self> {
        let page = Page::default();
        Arc::new(Self {
            appender: Mutex::new(Appender::new(page.clone(), SessionId::new(0))),
            page,
            fails_at,
        })
    }

    /// Returns one short line per trace line, without what varies.
    pub(crate) fn text(&self) -> String {
        let text = self.page.text();
        text.lines().map(short).collect::<Vec<_>>().join("\n")
    }
}

impl TraceSink for Memory {
    fn append(
        &self,
        parent: Option<&EventId>,
        record: &Record<'_>,
    ) -> Result<EventId, TraceFailed> {
        if self.fails_at < usize::MAX && self.page.text().lines().count() + 1 >= self.fails_at {
            return Err(TraceFailed::new(
                "cannot write to the trace: no space left on device",
            ));
        }
        let mut appender = self.appender.lock().unwrap();
        let appended = appender.append(0, parent, record);
        appended.map_err(|error| TraceFailed::new(error.to_string()))
    }
}

fn short(line: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(line).unwrap();
    let kind = value["event_type"].as_str().unwrap();
    let varies = [
        "event_type",
        "event_id",
        "parent_id",
        "session_id",
        "timestamp",
        "duration_ms",
    ];
    let fields = value.as_object().unwrap().iter();
    let fields = fields.filter(|(key, _)| !varies.contains(&key.as_str()));
    let fields: Vec<_> = fields
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    format!("{kind} {}", fields.join(" "))
}

/// A session with one plan tool.
pub(crate) struct World {
    pub(crate) tool: PlanTool,
    pub(crate) trace: Arc<Memory>,
    pub(crate) folder: tempfile::TempDir,
}

impl World {
    pub(crate) fn new(script: &Arc<Script>) -> Self {
        Self::with(script, Memory::new(usize::MAX), |_| {})
    }

    pub(crate) fn with(
        script: &Arc<Script>,
        trace: Arc<Memory>,
        change: impl FnOnce(&mut Session),
    ) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let sink: Arc<dyn TraceSink> = trace.clone();
        let mut session = Session {
            plan_submit: true,
            grants: Grants {
                tools: vec!["t".to_owned()],
                shell_allow: vec!["true".to_owned(), "sh".to_owned()],
            },
            executors: Executors {
                tool: script.clone(),
                shell: script.clone(),
                capsule: script.clone(),
                gate: None,
                bounds: script.clone(),
            },
            limits: Limits {
                shell: NonZeroUsize::new(64).unwrap(),
                capsule: NonZeroUsize::new(4).unwrap(),
            },
            trace: sink,
            progress: None,
        };
        change(&mut session);
        let runtime_dir = OwnedFd::from(File::open(folder.path()).unwrap());
        let tool = PlanTool::new(session, &runtime_dir).unwrap();
        Self {
            tool,
            trace,
            folder,
        }
    }

    pub(crate) async fn run(&self, plan: &str) -> PlanResult {
        let cancel = Cancel::never();
        self.tool
            .run(plan.into(), TraceNodes::default(), cancel)
            .await
    }
}

/// Returns a result as a few lines: its summary, then a line per step.
pub(crate) fn brief(result: &PlanResult) -> String {
    let mut text = format!("{:?}: {}", result.status, result.summary);
    for (at, step) in result.report.steps.iter().enumerate() {
        let attempts = result.facts.get(at).map_or(0, |facts| facts.attempts);
        text.push_str(&format!(
            "\n{} {} x{attempts} {:?} {:?}",
            step.step_id,
            step.status.name(),
            step.output,
            step.error
        ));
    }
    text
}
