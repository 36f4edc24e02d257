//! The launcher: a single-threaded program that confines itself and becomes a step's program.

/// Does what a launcher is asked for and never returns, when this process was started as one; else returns.
pub fn serve_as_launcher() {}
