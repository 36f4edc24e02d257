//! A whole trace as what happened: starts joined with ends, lines hung under the plan they belong to. How it is
//! shown is left to [`render`](crate::render).
//!
//! A trace is read once and its lines are not held: of a step some hundred bytes are kept, of long texts a start,
//! and of lists that could grow without end the first entries and a count.

mod delegation;
mod error_text;
mod first;
mod join;
mod plan;
mod run;
mod slot;
mod texts;

pub use delegation::DelegationRun;
pub use error_text::ErrorText;
pub use first::First;
pub use plan::{PlanRun, Tally};
pub use run::{Canceled, Denial, LastLine, Protection, Run};
pub use slot::{Settled, Standing, StepRun};
