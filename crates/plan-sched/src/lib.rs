//! Which step of a plan runs next: a pure state machine. Running steps, asking gates, writing traces and
//! measuring time are left to the driver. No clock, no I/O, no threads, no callbacks.
//!
//! # The contract
//!
//! The driver owns one [`Sched`] and repeats two calls: [`Sched::poll_effect`] until it says
//! [`Effect::Idle`], doing what each effect asks for, then [`Sched::handle`] with whatever happened next.
//! It ends at [`Effect::Finished`] and takes the report with [`Sched::into_report`].
//!
//! ```text
//!   poll -> Ask(a, attempt 1)        the gate is asked; the step holds a slot of its kind from here on
//!   handle(Admitted a)
//!   poll -> Dispatch(a, attempt 1)   the attempt starts and counts
//!   handle(Finished a, failed)
//!   poll -> Ask(a, attempt 2)        a retry, ahead of other waiting steps of its kind (ruling 22)
//!   handle(Refused a)
//!   poll -> Settled(a)               exactly once a step
//!   poll -> Finished
//! ```
//!
//! Several inputs may be handled between two polls. What is due then comes in this order: capsules to end,
//! steps that settled, attempts that were admitted, and only then new choices. A choice is always the lowest
//! step in file order among the steps whose condition has not been looked at and, for each kind with a free
//! slot, the first waiting step of that kind, where a waiting retry is first (decision: order of choices).
//!
//! # What never happens
//!
//! - Two tool steps in flight (asked about or dispatched), or more shell or capsule steps than [`Limits`] says.
//! - A `Dispatch` before the step's dependencies settled, after a stop, or after a cancel, even when the
//!   answer of the gate was handled before.
//! - A free slot and a ready step of its kind when `poll_effect` says `Idle`.
//! - A step settling twice, a report in another order than the `Settled` effects, or `Finished` while
//!   something is in flight.
//! - A panic, whatever the order of the inputs: one that does not fit is an [`UnexpectedInput`] and changes
//!   nothing.
//!
//! # Cost
//!
//! A step costs about 60 bytes beside its output and error. Each effect is found in constant time, each
//! edge is followed once, and only a stop and a cancel walk over all steps, once each.
#![no_std]
#![deny(clippy::wildcard_enum_match_arm)]

extern crate alloc;

mod cancel;
mod effect;
mod input;
mod lowest;
mod phase;
mod ready;
mod resolve;
mod sched;
mod settle;
mod tally;

pub use effect::Effect;
pub use input::{Input, Outcome, UnexpectedInput};
pub use ready::{Limits, Progress};
pub use sched::Sched;
pub use tally::Settled;
