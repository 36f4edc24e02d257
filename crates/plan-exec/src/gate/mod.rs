//! The gate: asked before a dispatch, never runs the step.

mod hook;
mod protected_path;
mod sequence;
pub(crate) mod shown;

pub use hook::{
    HookAnswer, HookCall, HookEvent, HookProgram, HookProgramError, HookProgramSpec, PolicyHook,
    PolicyHooks,
};
pub use protected_path::{ProtectedPaths, ReadOnlyError, ReadOnlyFault, ReadOnlySpec};
pub use sequence::Gates;

use crate::executor::BoxFuture;

/// Asked before every attempt of a tool or shell step is dispatched.
pub trait Gate: Send + Sync {
    /// Lets the call pass or refuses it.
    fn ask<'a>(&'a self, call: GateCall<'a>) -> BoxFuture<'a, Result<(), Refusal>>;
}

/// What the gate is shown.
#[derive(Debug, Clone)]
pub enum GateCall<'a> {
    /// A tool step.
    Tool {
        /// The tool's name.
        name: &'a str,
        /// The input it would get, as JSON text.
        input: &'a str,
    },
    /// A shell step.
    Shell {
        /// The whole command line.
        line: &'a str,
        /// Its words.
        words: &'a [String],
    },
}

/// A refusal, with what its trace line needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusal {
    /// The step's error.
    pub error: String,
    /// The line that records it.
    pub record: RefusalRecord,
}

/// What the line of a refusal says (trace.md).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RefusalRecord {
    /// `call_denied`.
    CallDenied {
        /// The hook's name.
        hook_name: String,
        /// The resolved program, or the tool's name.
        target: String,
        /// Why.
        reason: String,
    },
    /// `protected_path_denied`.
    ProtectedPath {
        /// The resolved program, or the tool's name.
        target: String,
        /// The resolved path, relative to the workdir.
        path: String,
        /// The entry as declared.
        rule: String,
        /// What showed it to be a write.
        signal: String,
        /// Why.
        reason: String,
    },
}
