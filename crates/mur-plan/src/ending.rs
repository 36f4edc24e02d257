//! How a call ends: what the driver gave, a refusal or a trace that broke, as one result and one `plan_end`.

use plan_model::{Diagnostic, Refused, Report};

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
    let report = Report::of_failed_plan(plan_id, error);
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
    unrun(ResultStatus::Failed, report.summary(), report, faults)
}

/// The result when the trace broke before anything ran.
pub(crate) fn broken(plan_id: &str, failed: &TraceFailed) -> PlanResult {
    let summary = format!("Plan '{plan_id}' did not run: {failed}");
    let report = Report::of_failed_plan(plan_id, failed.to_string());
    unrun(ResultStatus::Error, summary, report, Vec::new())
}

/// The result of a plan of which nothing ran.
fn unrun(
    status: ResultStatus,
    summary: String,
    report: Report,
    faults: Vec<Diagnostic>,
) -> PlanResult {
    PlanResult {
        status,
        summary,
        report,
        facts: Vec::new(),
        dispatches: Dispatches::default(),
        refused: true,
        faults,
        warnings: Vec::new(),
        ended_delegations: Vec::new(),
    }
}

/// Adds to a report that the run ended because its trace could not be written.
fn with_breakage(mut report: Report, failed: &TraceFailed) -> (Report, String) {
    report.fail(failed.to_string());
    let summary = format!("{}; the run ended there: {failed}", report.summary());
    (report, summary)
}
