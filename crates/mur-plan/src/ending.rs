//! How a call ends: what the driver gave, a refusal or a trace that broke, as one result and one `plan_end`.

use plan_model::{Diagnostic, Refused, Report, Status, StepReport};

use crate::{
    driver::{Driven, Narrator},
    result::{Dispatches, PlanResult, ResultStatus},
    sink::TraceFailed,
};

/// Ends a plan that was driven.
pub(crate) fn finish(narrator: &Narrator, driven: Driven) -> PlanResult {
    let Driven {
        report,
        facts,
        dispatches,
        ended,
        trace_failed,
    } = driven;
    let failed = trace_failed.or_else(|| narrator.plan_end(&report).err());
    let status = match (&failed, report.completed) {
        (Some(_), _) => ResultStatus::Error,
        (None, true) => ResultStatus::Passed,
        (None, false) => ResultStatus::Failed,
    };
    let (report, summary) = match failed {
        Some(failed) => with_breakage(report, &failed),
        None => {
            let summary = report.summary();
            (report, summary)
        }
    };
    PlanResult {
        status,
        summary,
        report,
        facts,
        dispatches,
        refused: false,
        faults: Vec::new(),
        warnings: Vec::new(),
        ended_delegations: ended,
    }
}

/// Refuses a plan for the faults in its text.
pub(crate) fn refused_plan(narrator: &Narrator, refused: Refused) -> PlanResult {
    let report = refused.report();
    let first = refused
        .faults
        .first()
        .map_or("", |fault| fault.message.as_str());
    let reason = match refused.count() {
        1 => format!("the plan was refused: {first}"),
        n => format!("the plan was refused with {n} faults, the first: {first}"),
    };
    refusal(narrator, report, &reason, refused.faults)
}

/// Refuses a plan for a reason that has no place in its text (ruling 28).
pub(crate) fn refused_whole(narrator: &Narrator, plan_id: &str, error: String) -> PlanResult {
    let reason = format!("the plan was refused: {error}");
    let report = whole_plan_failed(plan_id, error);
    refusal(narrator, report, &reason, Vec::new())
}

fn refusal(
    narrator: &Narrator,
    report: Report,
    reason: &str,
    faults: Vec<Diagnostic>,
) -> PlanResult {
    if let Err(failed) = narrator.plan_refused(&report, reason) {
        return broken(&report.plan_id, &failed);
    }
    PlanResult {
        status: ResultStatus::Failed,
        summary: report.summary(),
        report,
        facts: Vec::new(),
        dispatches: Dispatches::default(),
        refused: true,
        faults,
        warnings: Vec::new(),
        ended_delegations: Vec::new(),
    }
}

/// The result when the trace broke before anything ran.
pub(crate) fn broken(plan_id: &str, failed: &TraceFailed) -> PlanResult {
    let report = whole_plan_failed(plan_id, failed.to_string());
    PlanResult {
        status: ResultStatus::Error,
        summary: format!("Plan '{plan_id}' did not run: {failed}"),
        report,
        facts: Vec::new(),
        dispatches: Dispatches::default(),
        refused: true,
        faults: Vec::new(),
        warnings: Vec::new(),
        ended_delegations: Vec::new(),
    }
}

/// Adds to a report that the run ended because its trace could not be written.
fn with_breakage(mut report: Report, failed: &TraceFailed) -> (Report, String) {
    report.completed = false;
    report.steps.push(plan_entry(failed.to_string()));
    report.failed_step.get_or_insert_with(|| PLAN.to_owned());
    let summary = format!("{}; the run ended there: {failed}", report.summary());
    (report, summary)
}

fn whole_plan_failed(plan_id: &str, error: String) -> Report {
    Report {
        plan_id: plan_id.to_owned(),
        completed: false,
        canceled: false,
        failed_step: Some(PLAN.to_owned()),
        steps: vec![plan_entry(error)],
    }
}

fn plan_entry(error: String) -> StepReport {
    StepReport {
        step_id: PLAN.to_owned(),
        status: Status::Failed,
        output: None,
        error: Some(error),
    }
}

/// Stands for the plan where the report names a step (ruling 28).
const PLAN: &str = "plan";
