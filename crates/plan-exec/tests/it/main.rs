//! Tests of plan-exec, against real processes.
#![expect(clippy::unwrap_used, reason = "a test that cannot unwrap is to fail")]

mod cancel;
mod capsule;
mod capsule_cancel;
mod capsule_child;
mod capsule_daemon;
mod capsule_secrets;
mod data_path;
mod environment;
mod hook;
mod launch;
#[cfg(target_os = "linux")]
mod launch_supervised;
mod leftovers;
mod limits;
mod output;
mod read_only;
mod roost_listener;
mod roost_world;
mod shell;
mod space;
mod tool;
