//! Several gates asked as one.

use std::{fmt, sync::Arc};

use super::{Gate, GateCall, Refusal};
use crate::executor::BoxFuture;

/// Gates asked in order: the first refusal is final, and later gates are then not asked (spec: What a plan may
/// reach).
///
/// Without any gate everything passes.
#[derive(Clone, Default)]
pub struct Gates(Vec<Arc<dyn Gate>>);

impl Gates {
    /// Makes one gate of `gates`.
    pub fn new(gates: Vec<Arc<dyn Gate>>) -> Self {
        Self(gates)
    }

    /// Adds a gate that is asked after those already there.
    pub fn push(&mut self, gate: Arc<dyn Gate>) {
        self.0.push(gate);
    }

    /// Returns whether there is nothing to ask.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl Gate for Gates {
    fn ask<'a>(&'a self, call: GateCall<'a>) -> BoxFuture<'a, Result<(), Refusal>> {
        Box::pin(async move {
            for gate in &self.0 {
                gate.ask(call.clone()).await?;
            }
            Ok(())
        })
    }
}

impl fmt::Debug for Gates {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Gates")
            .field("gates", &self.0.len())
            .finish()
    }
}
