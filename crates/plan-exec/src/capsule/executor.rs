//! The executor of capsule steps: one session's delegating, and the way it is begun and ended.

use std::{fmt, sync::Arc, time::Duration};

use super::{attempt, registration::Registration, roost::RoostClient, spec::RoostSpec};
use crate::{
    call::CapsuleCall,
    executor::{BoxFuture, CapsuleExecutor},
    outcome::Outcome,
};

/// Runs capsule steps by delegating them to sub-agents that the daemon approves.
///
/// A clone is the same session. What runs is ended when the future of its step is dropped.
#[derive(Clone)]
pub struct RoostCapsules {
    delegating: Arc<Delegating>,
}

/// What every attempt of a session shares.
pub(super) struct Delegating {
    pub(super) spec: RoostSpec,
    pub(super) client: Arc<RoostClient>,
    pub(super) registration: Registration,
}

impl RoostCapsules {
    /// Makes the executor; asks nobody yet.
    pub fn new(mut spec: RoostSpec) -> Self {
        let client = Arc::new(RoostClient {
            url: spec.url.clone(),
            bound: spec.bounds.request,
        });
        let standing = std::mem::replace(
            &mut spec.standing,
            super::registration::Standing::NotRegistered,
        );
        Self {
            delegating: Arc::new(Delegating {
                registration: Registration::new(Arc::clone(&client), standing),
                spec,
                client,
            }),
        }
    }

    /// Begins to register the session, if that is to be done; else the first capsule step does. To be called on
    /// the runtime. Returns at once: capsule steps wait for the end of it, and nothing else does.
    pub fn register(&self) {
        drop(self.delegating.registration.begin());
    }

    /// Tells the daemon that the session it registered has ended, at best: a daemon that does not answer in time,
    /// or no more, is let be. Does nothing for a session that somebody else has registered.
    pub async fn deregister(&self, completed: bool) {
        if let Some(credential) = self.delegating.registration.end() {
            let within: Duration = self.delegating.spec.bounds.deregister;
            let told = self.delegating.client.deregister(&credential, completed);
            // Whether it heard makes no difference any more.
            drop(tokio::time::timeout(within, told).await);
        }
    }
}

impl CapsuleExecutor for RoostCapsules {
    fn run(&self, call: CapsuleCall) -> BoxFuture<'_, Outcome> {
        Box::pin(attempt::run(&self.delegating, call))
    }
}

impl fmt::Debug for RoostCapsules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoostCapsules")
            .field("spec", &self.delegating.spec)
            .finish_non_exhaustive()
    }
}
