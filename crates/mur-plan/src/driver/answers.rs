//! What gates and executors answer, in the scheduler's words.

use plan_exec::{Outcome as ExecOutcome, Refusal, RefusalRecord, Verdict};
use plan_model::Action;
use plan_sched::Outcome;

/// Words an attempt's end. Only a sub-capsule of a cancelled task is `ended`: from any other executor the word
/// is a failure, which the scheduler can take.
pub(super) fn outcome(outcome: ExecOutcome, may_end: bool) -> Outcome {
    let output = outcome.output;
    match outcome.verdict {
        Verdict::Passed => Outcome::Passed { output },
        Verdict::Failed(error) => Outcome::Failed { output, error },
        Verdict::Ended if may_end => Outcome::Ended,
        Verdict::Ended => Outcome::Failed {
            output,
            error: "its executor ended it although the task was not cancelled".to_owned(),
        },
    }
}

/// Refuses a step whose gate broke: one that cannot be asked lets nothing pass.
pub(super) fn unanswered(action: Action<'_>) -> Refusal {
    let target = match action {
        Action::Tool(name) | Action::Capsule(name) => name.to_owned(),
        Action::Shell(line) => line.split_whitespace().next().unwrap_or(line).to_owned(),
    };
    let reason = "the gate broke before it answered";
    Refusal {
        error: format!("refused: {reason}, and a step it has not let pass does not run"),
        record: RefusalRecord::CallDenied {
            hook_name: "gate".to_owned(),
            target,
            reason: reason.to_owned(),
        },
    }
}
