//! Runs plans: one JSON object of steps in, one report and a trace out.
//!
//! An embedding runtime fills in a [`Session`] (its grants, its executors, where trace lines go), makes a
//! [`PlanTool`] of it, and calls that as its tool `submit-plan`. `examples/embed.rs` is a whole embedding.
//! The command `mur-plan` is one more embedder, in `cli/` behind the feature `cli`.
//!
//! Deciding is plan-sched's, doing is plan-exec's, recording is plan-trace's; they meet in `driver/`.

mod arguments;
#[cfg(feature = "cli")]
pub mod cli;
mod clock;
mod driver;
mod ending;
mod executors;
pub mod exit;
mod plan_file;
mod progress;
mod result;
mod sink;
mod submit;

pub use executors::{Executors, NoExecutor};
pub use plan_exec::Bounding;
pub use plan_file::PlanFileError;
pub use progress::{Progress, ProgressSender};
pub use result::{Dispatches, EndedDelegation, PlanResult, ResultStatus, StepFacts, Warning};
pub use sink::{FileTrace, TraceFailed, TraceSink};
pub use submit::{PlanTool, Session, TraceNodes};

/// The crates an embedder names types of.
pub use {plan_exec, plan_model, plan_sched, plan_trace};
