//! A program as a child process: started, read from, ended, and kept from outliving its plan.
//!
//! ```text
//! lookup -> spawn -> run: watch (exit), streams (pipes), ladder (bound), cancel
//!                     |
//!                 processes: every leader until its group is empty or its plan ends (ruling 34)
//! ```
//!
//! What a program means is `shell.rs`'s and `tool/`'s.

mod exit;
mod groups;
mod ladder;
mod launch;
mod leftovers;
pub(crate) mod lookup;
mod processes;
mod ready;
mod run;
mod spawn;
mod streams;
mod watch;

pub(crate) use exit::{Ending, Exit};
pub(crate) use launch::Launch;
pub(crate) use processes::Processes;
pub(crate) use run::{Program, run};
