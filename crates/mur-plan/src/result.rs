//! What a call of `submit-plan` gives back: the tool result, and what stands beside it.

use plan_model::{Diagnostic, Report};

/// How the tool call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResultStatus {
    /// The plan completed.
    Passed,
    /// The plan was refused, stopped or cancelled.
    Failed,
    /// The run itself broke: the trace could not be written any more.
    Error,
}

/// The result of one call of `submit-plan`.
#[derive(Debug)]
pub struct PlanResult {
    /// Whether the call is a passing result (spec: The report).
    pub status: ResultStatus,
    /// One sentence: the counts (ruling 29), or what broke.
    pub summary: String,
    /// The report; its JSON is the tool result's data.
    pub report: Report,
    /// Attempts and time of each entry of the report, in its order; empty for a refused plan.
    pub facts: Vec<StepFacts>,
    /// How many attempts of each kind were dispatched.
    pub dispatches: Dispatches,
    /// Whether the plan was refused before anything ran.
    pub refused: bool,
    /// Every fault of a refused plan, with its place; empty when the refusal has no place in the text.
    pub faults: Vec<Diagnostic>,
    /// What deserves a look but stopped nothing (ruling 2).
    pub warnings: Vec<Warning>,
    /// The delegations a cancel ended; whoever owns the task writes their lines (spec: When the task is
    /// cancelled).
    pub ended_delegations: Vec<EndedDelegation>,
}

impl PlanResult {
    /// Returns the report as the tool result's data: compact JSON.
    pub fn data(&self) -> String {
        self.report.to_json()
    }
}

/// What the report does not say about a settled step.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct StepFacts {
    /// How often it was dispatched.
    pub attempts: u32,
    /// All attempts together, in milliseconds.
    pub duration_ms: u64,
}

/// How many attempts of each kind were dispatched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Dispatches {
    /// Calls of tools.
    pub tool: u64,
    /// Commands.
    pub shell: u64,
    /// Sub-capsules.
    pub capsule: u64,
}

/// A warning beside the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Warning {
    /// About a place in the plan's text.
    Plan(Diagnostic),
    /// A ceiling that was asked for and did not hold around the plan.
    Bounds(String),
    /// About the call itself.
    Call {
        /// What was noticed.
        message: String,
        /// What to send instead.
        hint: String,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (message, hint) = match self {
            Self::Plan(diagnostic) => {
                write!(
                    f,
                    "{} (at {}, line {}, column {})",
                    diagnostic.message, diagnostic.pointer, diagnostic.line, diagnostic.column
                )?;
                ("", diagnostic.hint.as_deref())
            }
            Self::Bounds(message) => (message.as_str(), None),
            Self::Call { message, hint } => (message.as_str(), Some(hint.as_str())),
        };
        f.write_str(message)?;
        match hint {
            Some(hint) => write!(f, "; {hint}"),
            None => Ok(()),
        }
    }
}

/// A delegation that a cancel ended, with what its trace lines need.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EndedDelegation {
    /// `dlg_…`.
    pub delegation_id: String,
    /// The capsule's full name.
    pub capsule: String,
    /// Its version.
    pub version: String,
    /// `ses_…`.
    pub child_session_id: String,
    /// From launch to end, in milliseconds.
    pub duration_ms: u64,
}

impl EndedDelegation {
    /// Returns it as [`plan_trace::canceled_task`] takes it.
    pub fn in_trace(&self) -> plan_trace::EndedDelegation<'_> {
        plan_trace::EndedDelegation {
            delegation_id: self.delegation_id.as_str().into(),
            capsule: self.capsule.as_str().into(),
            version: self.version.as_str().into(),
            child_session_id: self.child_session_id.as_str().into(),
            duration_ms: self.duration_ms,
        }
    }
}
