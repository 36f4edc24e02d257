//! Effects and outcomes to trace records.

use std::{sync::Arc, time::Instant};

use plan_exec::{Delegation, RefusalRecord};
use plan_model::{Kind, Plan, PlanDoc, Report, StepIdx};
use plan_sched::Settled;
use plan_trace::{CallKind, EventId, HookEvent, Json, PlanOutcome, Record, Text, record};

use super::lanes::Running;
use crate::{
    result::EndedDelegation,
    sink::{TraceFailed, TraceSink},
    submit::TraceNodes,
};

/// Writes the lines of one plan.
pub(crate) struct Narrator {
    sink: Arc<dyn TraceSink>,
    nodes: TraceNodes,
    plan_start: Option<EventId>,
    plan_id: String,
    steps_total: usize,
    started: Instant,
}

impl Narrator {
    pub(crate) fn new(sink: Arc<dyn TraceSink>, nodes: TraceNodes, doc: &PlanDoc) -> Self {
        Self {
            sink,
            nodes,
            plan_start: None,
            plan_id: doc.plan_id().unwrap_or_default().to_owned(),
            steps_total: doc.declared(),
            started: Instant::now(),
        }
    }

    /// Writes `plan_start`; only for a text with a plan's shape (ruling 1).
    pub(crate) fn plan_start(&mut self, doc: &PlanDoc) -> Result<(), TraceFailed> {
        // Streamed: a plan of a million steps is not held a second time for one line.
        let steps = |take: &mut dyn FnMut(&record::PlannedStep<'_>)| {
            for step in doc.outline() {
                take(&record::PlannedStep {
                    step_id: step.id.into(),
                    kind: step.kind.into(),
                    depends_on: step.depends_on.into_iter().map(Text::from).collect(),
                    has_condition: step.has_condition,
                });
            }
        };
        let line = Record::PlanStart(record::PlanStart {
            plan_id: self.plan_id.as_str().into(),
            step_count: self.steps_total as u64,
            steps: record::Steps::Streamed(&steps),
        });
        self.plan_start = Some(self.sink.append(self.nodes.session.as_ref(), &line)?);
        Ok(())
    }

    /// Writes `plan_step_start`.
    pub(crate) fn step_start(&self, plan: &Plan, step: StepIdx) -> Result<(), TraceFailed> {
        let view = plan.step(step);
        let depends_on = plan.dependencies(step).iter();
        let line = Record::PlanStepStart(record::PlanStepStart {
            plan_id: self.plan_id.as_str().into(),
            step_id: view.id().into(),
            kind: view.kind().into(),
            depends_on: depends_on.map(|&on| plan.step(on).id().into()).collect(),
        });
        self.sink.append(self.plan_start.as_ref(), &line).map(drop)
    }

    /// Writes `plan_step` and returns the duration it states.
    pub(super) fn step(
        &self,
        plan: &Plan,
        step: StepIdx,
        settled: &Settled<'_>,
        running: Option<&Running>,
    ) -> Result<u64, TraceFailed> {
        let view = plan.step(step);
        let dispatched = running.filter(|_| settled.attempts > 0);
        let duration_ms = dispatched.map_or(0, |running| millis(running.spent));
        let input = dispatched
            .filter(|_| view.kind() == Kind::Tool)
            .map(|running| {
                Json::new(&running.input).expect("the input of a tool step is JSON text")
            });
        let line = Record::PlanStep(record::PlanStep {
            plan_id: self.plan_id.as_str().into(),
            step_id: view.id().into(),
            kind: view.kind().into(),
            status: settled.status.into(),
            attempts: settled.attempts.into(),
            duration_ms,
            error: settled.error.map(Text::from),
            input,
            state_effect: dispatched.and_then(|r| r.state_effect.as_deref().map(Text::from)),
            resource_id: dispatched.and_then(|r| r.resource_id.as_deref().map(Text::from)),
        });
        self.sink.append(self.plan_start.as_ref(), &line)?;
        Ok(duration_ms)
    }

    /// Writes `plan_end` for a plan that was driven.
    pub(crate) fn plan_end(&self, report: &Report) -> Result<(), TraceFailed> {
        let counts = report.counts();
        let outcome = match (report.completed, report.canceled) {
            (true, _) => PlanOutcome::Completed,
            (false, true) => PlanOutcome::Canceled,
            (false, false) => PlanOutcome::Failed,
        };
        let reason = report
            .canceled
            .then_some("the task running this plan was cancelled");
        self.end(outcome, report.failed_step.as_deref(), counts, reason)
    }

    /// Writes `plan_end` for a plan of which nothing ran.
    pub(crate) fn plan_refused(&self, report: &Report, reason: &str) -> Result<(), TraceFailed> {
        let none = plan_model::Counts::default();
        self.end(
            PlanOutcome::Failed,
            report.failed_step.as_deref(),
            none,
            Some(reason),
        )
    }

    fn end(
        &self,
        outcome: PlanOutcome<'_>,
        failed_step: Option<&str>,
        counts: plan_model::Counts,
        reason: Option<&str>,
    ) -> Result<(), TraceFailed> {
        let line = Record::PlanEnd(record::PlanEnd {
            plan_id: self.plan_id.as_str().into(),
            outcome,
            failed_step: failed_step.map(Text::from),
            steps_total: self.steps_total as u64,
            steps_succeeded: counts.succeeded as u64,
            steps_failed: counts.failed as u64,
            steps_skipped: counts.skipped as u64,
            duration_ms: millis(self.started.elapsed()),
            reason: reason.map(Text::from),
        });
        let parent = self.plan_start.as_ref().or(self.nodes.session.as_ref());
        self.sink.append(parent, &line).map(drop)
    }

    /// Writes the line of a refusal.
    pub(crate) fn denied(&self, kind: Kind, refusal: &RefusalRecord) -> Result<(), TraceFailed> {
        let line = denial_record(kind, self.nodes.turn, refusal);
        self.sink
            .append(self.nodes.caller.as_ref(), &line)
            .map(drop)
    }

    /// Writes a delegation's line, or hands back one that the cancelled task has to write.
    pub(crate) fn delegation(
        &self,
        delegation: Delegation,
    ) -> Result<Option<EndedDelegation>, TraceFailed> {
        let line = match delegation {
            Delegation::Started {
                delegation_id,
                capsule,
                version,
                child_session_id,
                child_workdir,
                child_records_dir,
            } => Record::DelegationStart(record::DelegationStart {
                delegation_id: delegation_id.into(),
                capsule: capsule.into(),
                version: version.into(),
                child_session_id: child_session_id.into(),
                child_workdir: child_workdir.into(),
                child_records_dir: child_records_dir.into(),
            }),
            Delegation::Ended {
                capsule,
                version,
                delegation_id: Some(delegation_id),
                child_session_id: Some(child_session_id),
                duration_ms,
                outcome: "terminated",
                reason: _,
            } => {
                return Ok(Some(EndedDelegation {
                    delegation_id,
                    capsule,
                    version,
                    child_session_id,
                    duration_ms,
                }));
            }
            Delegation::Ended {
                capsule,
                version,
                delegation_id,
                child_session_id,
                duration_ms,
                outcome,
                reason,
            } => Record::Delegation(record::Delegation {
                capsule: capsule.into(),
                version: version.into(),
                delegation_id: delegation_id.map(Text::from),
                child_session_id: child_session_id.map(Text::from),
                duration_ms,
                outcome: outcome.into(),
                reason: reason.map(Text::from),
            }),
        };
        self.sink.append(self.nodes.session.as_ref(), &line)?;
        Ok(None)
    }
}

/// Returns the record of a refusal of a step of `kind`.
fn denial_record(kind: Kind, turn: u64, refusal: &RefusalRecord) -> Record<'_> {
    match refusal {
        RefusalRecord::CallDenied {
            hook_name,
            target,
            reason,
        } => Record::CallDenied(record::CallDenied {
            turn,
            event: match kind {
                Kind::Tool | Kind::Capsule => HookEvent::OnToolCall,
                Kind::Shell => HookEvent::OnShell,
            },
            hook_name: hook_name.as_str().into(),
            target: target.as_str().into(),
            reason: reason.as_str().into(),
        }),
        RefusalRecord::ProtectedPath {
            target,
            path,
            rule,
            signal,
            reason,
        } => Record::ProtectedPathDenied(record::ProtectedPathDenied {
            turn,
            call: match kind {
                Kind::Tool | Kind::Capsule => CallKind::Tool,
                Kind::Shell => CallKind::Shell,
            },
            target: target.as_str().into(),
            path: path.as_str().into(),
            rule: rule.as_str().into(),
            signal: signal.as_str().into(),
            reason: reason.as_str().into(),
        }),
    }
}

fn millis(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
