//! What carries steps out: the embedder's three executors and its gate.

use std::{fmt, sync::Arc};

use plan_exec::{CapsuleExecutor, Gate, ShellExecutor, ToolExecutor};

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
}

impl Executors {
    /// Ends what the steps of a plan left running.
    pub(crate) async fn end_plan(&self) {
        self.tool.end_plan().await;
        self.shell.end_plan().await;
        self.capsule.end_plan().await;
    }
}

impl fmt::Debug for Executors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Executors")
            .field("gate", &self.gate.is_some())
            .finish_non_exhaustive()
    }
}
