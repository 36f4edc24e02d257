//! What carries steps out: the embedder's three executors and its gate.

use std::{fmt, sync::Arc};

use plan_exec::{
    BoxFuture, CapsuleCall, CapsuleExecutor, Gate, Outcome, PlanBounds, ShellCall, ShellExecutor,
    ToolCall, ToolExecutor,
};
use plan_model::Kind;

/// The executors and the gate of a session. Each is the embedder's own or one of plan-exec's.
#[derive(Clone)]
pub struct Executors {
    /// Runs tool steps, one at a time.
    pub tool: Arc<dyn ToolExecutor>,
    /// Runs shell steps.
    pub shell: Arc<dyn ShellExecutor>,
    /// Runs capsule steps.
    pub capsule: Arc<dyn CapsuleExecutor>,
    /// Asked before every attempt of a tool or shell step; `None` when nothing may object.
    pub gate: Option<Arc<dyn Gate>>,
    /// Bounds what the others start: [`plan_exec::CommandSession`], or [`plan_exec::NothingStarted`].
    pub bounds: Arc<dyn PlanBounds>,
}

/// Stands in for an executor a session does not have: every step it is given fails, saying so.
#[derive(Debug, Clone, Copy)]
pub struct NoExecutor;

impl NoExecutor {
    fn answer(kind: Kind) -> BoxFuture<'static, Outcome> {
        let error = format!("this session has nothing that runs {} steps", kind.name());
        Box::pin(std::future::ready(Outcome::failed(error)))
    }
}

impl ToolExecutor for NoExecutor {
    fn run(&self, _: ToolCall) -> BoxFuture<'_, Outcome> {
        Self::answer(Kind::Tool)
    }
}

impl ShellExecutor for NoExecutor {
    fn run(&self, _: ShellCall) -> BoxFuture<'_, Outcome> {
        Self::answer(Kind::Shell)
    }
}

impl CapsuleExecutor for NoExecutor {
    fn run(&self, _: CapsuleCall) -> BoxFuture<'_, Outcome> {
        Self::answer(Kind::Capsule)
    }
}

impl fmt::Debug for Executors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executors")
            .field("gate", &self.gate.is_some())
            .finish_non_exhaustive()
    }
}
