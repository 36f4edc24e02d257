//! A program as a child process: started, read from, ended, and kept from outliving its plan.
//!
//! ```text
//! lookup -> start -> run: watch (exit), streams (pipes), ladder (bound), cancel
//!             |       |
//!           spawn, of the program or of a launcher that becomes it
//!                     |
//!                 processes: every leader until its group is empty or its plan ends (ruling 34)
//! ```
//!
//! What a program means is `shell.rs`'s and `tool/`'s.

mod child;
mod exit;
mod groups;
mod guard;
mod ladder;
mod launch;
mod leftovers;
pub(crate) mod lookup;
mod processes;
mod ready;
mod reap;
mod reason;
mod run;
mod spawn;
mod start;
mod streams;
mod supervisor;
mod watch;

pub(crate) use child::{ChildProcess, ChildStart};
pub(crate) use exit::{Ending, Exit, Spelled};
pub(crate) use launch::{Confined, Launch};
pub use lookup::find_program;
pub(crate) use processes::Processes;
pub(crate) use reap::{kill_and_reap, reap};
pub(crate) use run::{Program, run};
pub(crate) use spawn::{Outputs, spawn_launcher};
