//! Where scheduler, executors and trace meet:
//!
//! ```text
//!   plan-sched --Effect--> event_loop --call--> lanes (one task per attempt) --> plan-exec
//!       ^                      |                          |
//!       +------- Input --------+<-------- outcome --------+
//!                              |
//!                              +--> narrate: one trace line per effect
//! ```
//!
//! It holds no scheduling rule, no format and no system call of its own.

mod answers;
mod event_loop;
mod lanes;
mod narrate;

pub(crate) use event_loop::{Drive, Driven, drive};
pub(crate) use narrate::Narrator;
