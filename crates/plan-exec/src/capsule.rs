//! The seam of capsule steps: what a session has that can delegate to no daemon.
//!
//! It asks nobody and starts nothing, so it reports no delegation (`not asked at all` in the wire notes).

use crate::{
    call::CapsuleCall,
    executor::{BoxFuture, CapsuleExecutor},
    outcome::Outcome,
};

/// Fails every capsule step, saying what is missing.
#[derive(Debug, Clone)]
pub struct UndelegatedCapsules {
    roost_url: Option<String>,
}

impl UndelegatedCapsules {
    /// Takes the value of `MURMUR_ROOST_URL`; a blank one counts as unset.
    pub fn new(roost_url: Option<String>) -> Self {
        Self {
            roost_url: roost_url.filter(|url| !url.trim().is_empty()),
        }
    }
}

impl CapsuleExecutor for UndelegatedCapsules {
    fn run(&self, call: CapsuleCall) -> BoxFuture<'_, Outcome> {
        let error = match &self.roost_url {
            None => format!(
                "capsule `{}` was not started: `MURMUR_ROOST_URL` is unset, so there is no daemon to ask",
                call.name
            ),
            Some(url) => format!(
                "capsule `{}` was not started: this build does not delegate to a daemon yet \
                 (`MURMUR_ROOST_URL` is `{url}`)",
                call.name
            ),
        };
        Box::pin(std::future::ready(Outcome::failed(error)))
    }
}
