//! The facade.

mod bounding;
#[cfg(feature = "cli")]
pub mod cli;
mod progress;
mod result;

pub use bounding::Bounding;
pub use progress::{Progress, ProgressSender};
pub use result::{Dispatches, EndedDelegation, PlanResult, ResultStatus, StepFacts, Warning};
