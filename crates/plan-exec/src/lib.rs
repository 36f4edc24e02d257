//! How a step runs: the traits an embedder supplies, and real executors for commands and tool programs.
//!
//! ```text
//! embedder or driver --> Gate::ask --> ToolExecutor | ShellExecutor | CapsuleExecutor --> Outcome
//!                                        ToolPrograms  ShellCommands   RoostCapsules (capsule/)
//!                                              \         /
//!                                            CommandSession: workdir, environment, bounds,
//!                                                            and every process until its plan ends
//! ```
//!
//! An executor runs one attempt and says how it ended. It does not retry, decide what runs next, write a trace
//! line or print. A step that could not be started, was ended by its bound or was killed is an [`Outcome`] like
//! any other: nothing here fails in another way.
//!
//! A sub-capsule is a process of its own, in no scope and no session of commands: [`RoostCapsules`] ends it with its
//! step, and its lifeline ends it with this process.
//!
//! Commands and tools run in process groups of their own, read and bounded as rulings 23 to 26 and 33 say. What
//! leaves its group (`setsid`) is out of reach of a group's signals: it takes a cgroup to end that, which this
//! crate does not use yet.
//!
//! The futures of the executors have to run on a tokio runtime with its I/O and time drivers enabled; a
//! current-thread runtime will do. Starting a program blocks the thread until it is loaded, well under a
//! millisecond. The embedding process must neither ignore SIGCHLD nor wait for any child it did not start, and
//! must ignore SIGPIPE, as a Rust program does by default.

mod bounding;
mod call;
mod cancel;
mod capsule;
#[cfg(target_os = "linux")]
mod cgroup;
mod contain;
mod delegation;
mod environment;
mod executor;
mod gate;
mod launcher;
mod limits;
mod outcome;
mod output;
mod plan_bounds;
mod process;
mod session;
mod shell;
mod tool;

pub use bounding::Bounding;
pub use call::{Attempt, CapsuleCall, ShellCall, ToolCall};
pub use cancel::{Cancel, CancelHandle, CancelLevel};
pub use capsule::{
    ChildManifests, ChildProgram, DelegationBounds, Echo, RoostCapsules, RoostSpec, RoostUrl,
    RoostUrlError, Secret, SpawnerFacts, Standing, ToRegister, UndelegatedCapsules,
};
pub use contain::{ContainmentSpec, HeldLimits, HeldScope, Holds};
pub use delegation::{Delegation, DelegationSender};
pub use environment::{EnvironmentSpec, Host, ThisHost, path_in};
pub use executor::{BoxFuture, CapsuleExecutor, ShellExecutor, ToolExecutor};
pub use gate::{
    Gate, GateCall, Gates, HookAnswer, HookCall, HookEvent, HookProgram, HookProgramError,
    HookProgramSpec, PolicyHook, PolicyHooks, ProtectedPaths, ReadOnlyError, ReadOnlyFault,
    ReadOnlySpec, Refusal, RefusalRecord,
};
pub use launcher::{
    Abilities, Confinement, KnownTree, LauncherError, LauncherProgram, Missing, ProcessLimits,
    Walls, serve_as_launcher,
};
pub use limits::ResourceLimits;
pub use outcome::{Outcome, Verdict};
pub use output::{LastLine, OpenLine};
pub use plan_bounds::{LeftBehind, NothingStarted, PlanBounds, PlanStart, Unbounded};
pub use process::find_program;
pub use session::{Bounds, CommandSession, SessionError, SessionSpec};
pub use shell::ShellCommands;
pub use tool::{ToolProgram, ToolPrograms};
