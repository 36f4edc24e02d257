//! Tests of plan-exec, against real processes.

mod cancel;
mod capsule;
mod data_path;
mod environment;
mod leftovers;
mod limits;
mod output;
mod shell;
mod space;
mod tool;
