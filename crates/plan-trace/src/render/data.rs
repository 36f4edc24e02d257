//! The views as JSON, for a program: one line, keys as the trace spells them.
//!
//! Times are unix milliseconds, durations milliseconds. A value the trace does not give is `null`.

use std::io::{self, Write};

use serde::{Serialize, Serializer, ser::SerializeSeq};

use super::{
    ending::{Ending, Writer},
    outline::{Entry, outline},
};
use crate::{
    pair::{DelegationRun, First, PlanRun, Run, Standing, StepRun},
    record::{CallDenied, ProtectedPathDenied, TaskCanceled},
};

/// Writes everything [`show`](super::show) shows as one JSON object and a line break.
///
/// # Errors
///
/// Faults of writing to `out`.
pub fn show(out: &mut dyn Write, run: &Run, writer: Writer) -> io::Result<()> {
    let page = Page {
        session: session(run, writer),
        plans: run.plans.iter().map(PlanData::of).collect(),
        delegations: run
            .delegations
            .kept
            .iter()
            .map(DelegationData::of)
            .collect(),
        denied_calls: records(&run.denials, |denial| {
            (denial.line, denial.at_ms, &denial.record)
        }),
        protected_paths: records(&run.protections, |path| {
            (path.line, path.at_ms, &path.record)
        }),
        canceled: records(&run.canceled, |task| (task.line, task.at_ms, &task.record)),
        left_out: left_out(run),
    };
    write(out, &page)
}

/// Writes everything [`steps`](super::steps) shows as one JSON object and a line break.
///
/// # Errors
///
/// Faults of writing to `out`.
pub fn steps(out: &mut dyn Write, run: &Run, writer: Writer) -> io::Result<()> {
    let page = StepsPage {
        session: session(run, writer),
        rows: Rows(&outline(run)),
        left_out: left_out(run),
    };
    write(out, &page)
}

fn write(out: &mut dyn Write, page: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, page)?;
    out.write_all(b"\n")
}

#[derive(Serialize)]
struct Page<'r> {
    session: SessionData<'r>,
    plans: Vec<PlanData<'r>>,
    delegations: Vec<DelegationData<'r>>,
    denied_calls: Vec<RecordData<'r, CallDenied<'static>>>,
    protected_paths: Vec<RecordData<'r, ProtectedPathDenied<'static>>>,
    canceled: Vec<RecordData<'r, TaskCanceled<'static>>>,
    left_out: LeftOut,
}

#[derive(Serialize)]
struct StepsPage<'r> {
    session: SessionData<'r>,
    rows: Rows<'r>,
    left_out: LeftOut,
}

#[derive(Serialize)]
struct SessionData<'r> {
    session_id: Option<&'r str>,
    capsule_name: Option<&'r str>,
    capsule_version: Option<&'r str>,
    model: Option<&'r str>,
    bounding_achieved: Option<&'r str>,
    spawned_by: Option<&'r str>,
    started_ms: Option<u64>,
    duration_ms: Option<u64>,
    /// `ended`, `going_on`, `killed`, `no_end` or `no_session`.
    ending: &'static str,
    exit_status: Option<&'r str>,
    last_line: Option<LastData<'r>>,
    torn_line: Option<u64>,
}

#[derive(Serialize)]
struct LastData<'r> {
    line: u64,
    event_type: &'static str,
    at_ms: Option<u64>,
    step_id: Option<&'r str>,
}

fn session(run: &Run, writer: Writer) -> SessionData<'_> {
    let start = run.start.as_ref();
    SessionData {
        session_id: run.session_id.as_deref(),
        capsule_name: start.map(|start| start.capsule_name.as_str()),
        capsule_version: start.map(|start| start.capsule_version.as_str()),
        model: start.map(|start| start.model.as_str()),
        bounding_achieved: start.and_then(|start| start.bounding_achieved.as_deref()),
        spawned_by: start.and_then(|start| start.spawned_by.as_deref()),
        started_ms: run.started_ms,
        duration_ms: run.duration_ms(),
        ending: Ending::of(run, writer).name(),
        exit_status: run.end.as_ref().map(|end| end.exit_status.name()),
        last_line: run.last.as_ref().map(|last| LastData {
            line: last.line,
            event_type: last.event.name(),
            at_ms: last.at_ms,
            step_id: last.step_id.as_deref(),
        }),
        torn_line: run.torn,
    }
}

#[derive(Serialize)]
struct PlanData<'r> {
    plan_id: &'r str,
    line: u64,
    started_ms: Option<u64>,
    outcome: Option<&'r str>,
    failed_step: Option<&'r str>,
    reason: Option<&'r str>,
    duration_ms: Option<u64>,
    steps_total: u64,
    steps_succeeded: u64,
    steps_failed: u64,
    steps_skipped: u64,
    steps_unsettled: u64,
    steps_not_run: u64,
    steps: Steps<'r>,
}

impl<'r> PlanData<'r> {
    fn of(plan: &'r PlanRun) -> Self {
        let tally = plan.tally();
        let end = plan.end.as_ref();
        Self {
            plan_id: &plan.id,
            line: plan.line,
            started_ms: plan.started_ms,
            outcome: end.map(|end| end.outcome.name()),
            failed_step: end.and_then(|end| end.failed_step.as_deref()),
            reason: end.and_then(|end| end.reason.as_deref()),
            duration_ms: end.map(|end| end.duration_ms),
            steps_total: tally.total,
            steps_succeeded: tally.succeeded,
            steps_failed: tally.failed,
            steps_skipped: tally.skipped,
            steps_unsettled: tally.unsettled,
            steps_not_run: tally.not_run,
            steps: Steps(plan),
        }
    }
}

/// The steps of a plan in file order, made one at a time.
struct Steps<'r>(&'r PlanRun);

impl Serialize for Steps<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        for step in self.0.steps() {
            with_step(step, |data| list.serialize_element(data))?;
        }
        list.end()
    }
}

#[derive(Serialize)]
struct StepData<'r> {
    step_id: &'r str,
    kind: &'r str,
    /// As the trace has it, else `unsettled` or `not_run`.
    status: &'r str,
    attempts: u64,
    duration_ms: u64,
    error: Option<&'r str>,
    /// Whether `error` is only the start of what the line has.
    error_is_cut: bool,
    depends_on: Vec<&'r str>,
    has_condition: bool,
    started_ms: Option<u64>,
    settled_ms: Option<u64>,
    /// The line that says how it settled.
    line: Option<u64>,
}

/// Hands a step as data to `take`; the words of its kind and status do not outlive the call.
fn with_step<T>(step: StepRun<'_>, take: impl FnOnce(&StepData<'_>) -> T) -> T {
    let (kind, standing) = (step.kind(), step.standing());
    let mut data = StepData {
        step_id: step.id(),
        kind: kind.name(),
        status: "not_run",
        attempts: 0,
        duration_ms: 0,
        error: None,
        error_is_cut: false,
        depends_on: step.depends_on().collect(),
        has_condition: step.has_condition(),
        started_ms: step.started_ms(),
        settled_ms: None,
        line: None,
    };
    match &standing {
        Standing::NotRun => {}
        Standing::Unsettled => data.status = "unsettled",
        Standing::Settled(settled) => {
            data.status = settled.status.name();
            data.attempts = settled.attempts;
            data.duration_ms = settled.duration_ms;
            data.error = settled.error.map(|error| error.text);
            data.error_is_cut = settled.error.is_some_and(|error| error.is_cut);
            data.settled_ms = settled.at_ms;
            data.line = Some(settled.line);
        }
    }
    take(&data)
}

#[derive(Serialize)]
struct DelegationData<'r> {
    line: u64,
    at_ms: Option<u64>,
    delegation_id: Option<&'r str>,
    capsule: &'r str,
    version: &'r str,
    child_session_id: Option<&'r str>,
    child_workdir: Option<&'r str>,
    child_records_dir: Option<&'r str>,
    outcome: Option<&'r str>,
    reason: Option<&'r str>,
    duration_ms: Option<u64>,
}

impl<'r> DelegationData<'r> {
    fn of(delegation: &'r DelegationRun) -> Self {
        let (start, end) = (delegation.start.as_ref(), delegation.end.as_ref());
        Self {
            line: delegation.line,
            at_ms: delegation.at_ms,
            delegation_id: delegation.id(),
            capsule: delegation.capsule(),
            version: delegation.version(),
            child_session_id: delegation.child_session(),
            child_workdir: start.map(|start| start.child_workdir.as_str()),
            child_records_dir: start.map(|start| start.child_records_dir.as_str()),
            outcome: end.map(|end| end.outcome.name()),
            reason: end.and_then(|end| end.reason.as_deref()),
            duration_ms: end.map(|end| end.duration_ms),
        }
    }
}

/// A line as it stands in the trace, and where.
#[derive(Serialize)]
struct RecordData<'r, T> {
    line: u64,
    at_ms: Option<u64>,
    record: &'r T,
}

fn records<'r, T, R>(
    list: &'r First<T>,
    record: impl Fn(&'r T) -> (u64, Option<u64>, &'r R),
) -> Vec<RecordData<'r, R>> {
    let of = |entry| {
        let (line, at_ms, record) = record(entry);
        RecordData {
            line,
            at_ms,
            record,
        }
    };
    list.kept.iter().map(of).collect()
}

/// How many entries of lists too long to hold are missing.
#[derive(Serialize)]
struct LeftOut {
    delegations: u64,
    denied_calls: u64,
    protected_paths: u64,
    canceled: u64,
}

fn left_out(run: &Run) -> LeftOut {
    LeftOut {
        delegations: run.delegations.left_out,
        denied_calls: run.denials.left_out,
        protected_paths: run.protections.left_out,
        canceled: run.canceled.left_out,
    }
}

/// The rows of `trace steps`: what hangs off the session, in the order it began; a plan holds its steps.
struct Rows<'r>(&'r [Entry<'r>]);

impl Serialize for Rows<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|entry| RowData::of(*entry)))
    }
}

#[derive(Serialize)]
#[serde(tag = "row", rename_all = "snake_case")]
enum RowData<'r> {
    Plan {
        plan_id: &'r str,
        line: u64,
        started_ms: Option<u64>,
        outcome: Option<&'r str>,
        failed_step: Option<&'r str>,
        reason: Option<&'r str>,
        duration_ms: Option<u64>,
        steps: Happened<'r>,
    },
    Delegation(DelegationData<'r>),
    DeniedCall(RecordData<'r, CallDenied<'static>>),
    ProtectedPath(RecordData<'r, ProtectedPathDenied<'static>>),
    Canceled(RecordData<'r, TaskCanceled<'static>>),
}

impl<'r> RowData<'r> {
    fn of(entry: Entry<'r>) -> Self {
        let (line, at_ms) = (entry.line(), entry.at_ms());
        match entry {
            Entry::Plan(plan) => {
                let end = plan.end.as_ref();
                Self::Plan {
                    plan_id: &plan.id,
                    line,
                    started_ms: at_ms,
                    outcome: end.map(|end| end.outcome.name()),
                    failed_step: end.and_then(|end| end.failed_step.as_deref()),
                    reason: end.and_then(|end| end.reason.as_deref()),
                    duration_ms: end.map(|end| end.duration_ms),
                    steps: Happened(plan),
                }
            }
            Entry::Delegation(delegation) => Self::Delegation(DelegationData::of(delegation)),
            Entry::Denial(denial) => Self::DeniedCall(RecordData {
                line,
                at_ms,
                record: &denial.record,
            }),
            Entry::Protection(protection) => Self::ProtectedPath(RecordData {
                line,
                at_ms,
                record: &protection.record,
            }),
            Entry::Canceled(canceled) => Self::Canceled(RecordData {
                line,
                at_ms,
                record: &canceled.record,
            }),
        }
    }
}

/// The steps of a plan that settled, in that order, then those that were dispatched and did not settle.
struct Happened<'r>(&'r PlanRun);

impl Serialize for Happened<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let unsettled = self.0.steps();
        let unsettled = unsettled.filter(|step| step.standing() == Standing::Unsettled);
        for step in self.0.settled().chain(unsettled) {
            with_step(step, |data| list.serialize_element(data))?;
        }
        list.end()
    }
}
