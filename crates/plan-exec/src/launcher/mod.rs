//! The launcher: a single-threaded program that confines itself and becomes a step's program.
//!
//! ```text
//! runtime                            launcher (posix_spawn of this very program, or of a named one)
//!   instructions, descriptors  -->     leaf, mounts, workdir, Landlock, signals, limits
//!   failure, or end-of-file    <--     execve(the step's program)
//! ```
//!
//! Whatever forks a process copies its page tables, so what has to happen between a fork and an exec happens in
//! a small program of its own instead: starting a step costs the same however much memory the runtime holds. The
//! same program probes what the host allows, supervises a step where no cgroup can, and ends a scope whose runtime
//! has died. What goes on in the runtime is `program`, `probe`, `watcher` and `process/start.rs`; everything else
//! here runs in the launcher. All `unsafe` of the workspace is in `sys.rs`.

mod limits;
mod probe;
mod program;
mod walls;
#[cfg(target_os = "linux")]
mod watcher;

mod birth;
mod failure;
mod frame;
mod instructions;
#[cfg(target_os = "linux")]
mod known;

#[cfg(target_os = "linux")]
mod children;
#[cfg(target_os = "linux")]
mod mounts;
#[cfg(target_os = "linux")]
mod privileges;
#[cfg(target_os = "linux")]
mod rules;
mod serve;
mod step;
#[cfg(target_os = "linux")]
mod supervise;
mod sys;
#[cfg(target_os = "linux")]
mod watch;

pub(crate) use birth::{Birth, Born};
pub(crate) use failure::{Failure, Operation};
pub(crate) use frame::{Arrival, FrameReader, again, encode, pair, put};
pub(crate) use instructions::{Job, Report, Request, Step};
pub use limits::ProcessLimits;
pub use probe::{Abilities, Missing};
pub(crate) use program::ARGUMENT;
pub use program::{LauncherError, LauncherProgram, serve_as_launcher};
pub use walls::{Confinement, KnownTree, Walls};
#[cfg(target_os = "linux")]
pub(crate) use watcher::Watcher;
