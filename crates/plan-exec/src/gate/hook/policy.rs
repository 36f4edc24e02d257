//! What a policy hook is, what it is shown and what it answers.

use crate::executor::BoxFuture;

/// May refuse the calls it is bound to (spec: Policy hooks).
pub trait PolicyHook: Send + Sync {
    /// Returns the name that its refusals give.
    fn name(&self) -> &str;

    /// Returns the calls it is asked about.
    fn event(&self) -> HookEvent;

    /// Answers for one attempt. A question that nobody waits for any more is dropped.
    fn ask<'a>(&'a self, call: HookCall<'a>) -> BoxFuture<'a, HookAnswer>;
}

/// The calls a hook is bound to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HookEvent {
    /// Shell steps.
    OnShell,
    /// Tool steps.
    OnToolCall,
}

impl HookEvent {
    /// Every event.
    pub const ALL: [Self; 2] = [Self::OnShell, Self::OnToolCall];

    /// Returns the word of the manifest and of the trace.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OnShell => "on-shell",
            Self::OnToolCall => "on-tool-call",
        }
    }
}

/// What a hook is shown of a call.
#[derive(Debug, Clone, Copy)]
pub enum HookCall<'a> {
    /// A tool step.
    Tool {
        /// The tool's name.
        name: &'a str,
        /// The input it would get, as JSON text.
        input: &'a str,
    },
    /// A shell step.
    Shell {
        /// The first word as found on `PATH`, without links; the bare word where it is not found.
        program: &'a str,
        /// The whole command line.
        command: &'a str,
        /// Its other words.
        argv: &'a [String],
        /// The script, where the program is a shell called with `-c`.
        script: Option<&'a str>,
    },
}

impl HookCall<'_> {
    /// Returns the event it is.
    pub const fn event(&self) -> HookEvent {
        match self {
            Self::Tool { .. } => HookEvent::OnToolCall,
            Self::Shell { .. } => HookEvent::OnShell,
        }
    }

    /// Returns what a refusal names: the tool, or the program as found.
    pub const fn target(&self) -> &str {
        match self {
            Self::Tool { name, .. } => name,
            Self::Shell { program, .. } => program,
        }
    }
}

/// What a hook answers. Anything but the first refuses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HookAnswer {
    /// The call may go on.
    NoObjection,
    /// It may not, and why; a blank reason refuses as well, and the refusal says that it was blank.
    Denied {
        /// Why, for the step's error and the trace.
        reason: String,
    },
    /// There is no clean answer, and what came instead.
    Failed {
        /// What happened: lower case, no full stop.
        what: String,
    },
}
