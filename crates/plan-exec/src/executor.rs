//! The three executors an embedder supplies. The real ones of this crate are `shell.rs` and `tool/`.

use std::{future::Future, pin::Pin};

use crate::{
    call::{CapsuleCall, ShellCall, ToolCall},
    outcome::Outcome,
};

/// A boxed future, so that the traits can be trait objects.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Runs tool steps. The driver calls it for one step at a time.
pub trait ToolExecutor: Send + Sync {
    /// Runs one attempt.
    fn run(&self, call: ToolCall) -> BoxFuture<'_, Outcome>;
}

/// Runs shell steps.
pub trait ShellExecutor: Send + Sync {
    /// Runs one attempt.
    fn run(&self, call: ShellCall) -> BoxFuture<'_, Outcome>;
}

/// Runs capsule steps.
pub trait CapsuleExecutor: Send + Sync {
    /// Runs one attempt. When `call.cancel` says the task was cancelled, the sub-capsule is to be ended.
    fn run(&self, call: CapsuleCall) -> BoxFuture<'_, Outcome>;
}
