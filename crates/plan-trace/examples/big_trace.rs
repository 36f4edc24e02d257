//! Writes a trace of one plan with many steps, two lines each, to time the views with.
//!
//! Run with `cargo run --release --package plan-trace --example big_trace FILE [STEPS]`.

use std::{error::Error, fs::File, io::BufWriter};

use plan_trace::{
    Appender, ExitStatus, PlanOutcome, Record, SessionId, StepKind, StepStatus, record,
};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let path = words.next().ok_or("name the file to write")?;
    let steps: u64 = words.next().map_or(Ok(STEPS), |word| word.parse())?;
    let file = BufWriter::new(File::create(path)?);
    let mut trace = Appender::new(file, SessionId::new(BEGIN_MS));
    let start = Record::SessionStart(record::SessionStart {
        capsule_name: "big".into(),
        capsule_version: "0.1.0".into(),
        ..record::SessionStart::default()
    });
    let session = trace.append(BEGIN_MS, None, &start)?;
    let each = |take: &mut dyn FnMut(&record::PlannedStep<'_>)| {
        for at in 0..steps {
            take(&record::PlannedStep {
                step_id: id(at).into(),
                kind: StepKind::Shell,
                depends_on: depends_on(at),
                has_condition: false,
            });
        }
    };
    let start = Record::PlanStart(record::PlanStart {
        plan_id: "big".into(),
        step_count: steps,
        steps: record::Steps::Streamed(&each),
    });
    let plan = trace.append(BEGIN_MS, Some(&session), &start)?;
    for at in 0..steps {
        let now = BEGIN_MS + at;
        let start = Record::PlanStepStart(record::PlanStepStart {
            plan_id: "big".into(),
            step_id: id(at).into(),
            kind: StepKind::Shell,
            depends_on: depends_on(at),
        });
        trace.append(now, Some(&plan), &start)?;
        let failed = at % 1000 == 999;
        let step = Record::PlanStep(record::PlanStep {
            plan_id: "big".into(),
            step_id: id(at).into(),
            kind: StepKind::Shell,
            status: match failed {
                true => StepStatus::Failed,
                false => StepStatus::Success,
            },
            attempts: 1,
            duration_ms: at % 97,
            error: failed.then(|| "exit code 1".into()),
            input: None,
            state_effect: None,
            resource_id: None,
        });
        trace.append(now, Some(&plan), &step)?;
    }
    let failed = steps / 1000;
    let end = Record::PlanEnd(record::PlanEnd {
        plan_id: "big".into(),
        outcome: PlanOutcome::Completed,
        failed_step: None,
        steps_total: steps,
        steps_succeeded: steps - failed,
        steps_failed: failed,
        steps_skipped: 0,
        duration_ms: steps,
        reason: None,
    });
    trace.append(BEGIN_MS + steps, Some(&plan), &end)?;
    let end = Record::SessionEnd(record::SessionEnd {
        total_turns: 0,
        total_input_tokens: 0,
        total_output_tokens: 0,
        total_tool_calls: 0,
        total_shell_calls: steps,
        duration_ms: steps,
        exit_status: ExitStatus::Ok,
    });
    trace.append(BEGIN_MS + steps, Some(&session), &end)?;
    Ok(())
}

fn id(at: u64) -> String {
    format!("step-{at}")
}

fn depends_on(at: u64) -> Vec<plan_trace::Text<'static>> {
    at.checked_sub(1)
        .map(|before| id(before).into())
        .into_iter()
        .collect()
}

/// How many steps, where nothing is said: a million lines, and a few.
const STEPS: u64 = 500_000;

/// When it began, in milliseconds of the system's clock.
const BEGIN_MS: u64 = 1_796_083_200_000;
