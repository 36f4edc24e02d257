//! What holds what a session's plans start.

mod holds;
mod workdir_size;

pub use holds::{HeldLimits, HeldScope, Holds};
