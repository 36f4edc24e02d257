//! Capsule steps of a session that can delegate to no daemon.
//!
//! It asks nobody and starts nothing, so it reports no delegation (`not asked at all` in docs/roost.md).

use crate::{
    call::CapsuleCall,
    executor::{BoxFuture, CapsuleExecutor},
    outcome::Outcome,
};

/// Fails every capsule step, saying what is missing.
#[derive(Debug, Clone)]
pub struct UndelegatedCapsules {
    why: String,
}

impl UndelegatedCapsules {
    /// Stands in where no daemon is named.
    pub fn without_daemon() -> Self {
        Self::because("`MURMUR_ROOST_URL` is unset, so there is no daemon to ask")
    }

    /// Stands in for the reason `why`, a sentence such as that of [`crate::RoostUrlError`].
    pub fn because(why: impl Into<String>) -> Self {
        Self { why: why.into() }
    }
}

impl CapsuleExecutor for UndelegatedCapsules {
    fn run(&self, call: CapsuleCall) -> BoxFuture<'_, Outcome> {
        let error = format!("capsule `{}` was not started: {}", call.name, self.why);
        Box::pin(std::future::ready(Outcome::failed(error)))
    }
}
