//! What a session delegates with, filled in by whoever runs it.

use std::{ffi::OsString, fmt, os::fd::OwnedFd, path::PathBuf, sync::Arc, time::Duration};

use super::{registration::Standing, url::RoostUrl};
use crate::environment::Host;

/// What a session delegates with.
pub struct RoostSpec {
    /// The daemon.
    pub url: RoostUrl,
    /// How the session stands with it.
    pub standing: Standing,
    /// `capabilities.spawn.allow`, as written: full names.
    pub spawn_allow: Vec<String>,
    /// The session and its conversation, which a child is told together; `None` when either is not known.
    pub spawner: Option<SpawnerFacts>,
    /// The formation the session belongs to.
    pub formation_id: Option<String>,
    /// When the session must have ended, in unix milliseconds; a child inherits it.
    pub deadline_ms: Option<u64>,
    /// The session's records directory, an absolute path, in which its children work; without it every capsule
    /// step fails.
    pub records_dir: Option<PathBuf>,
    /// The open runtime directory; without one an answer that is cut cannot be kept whole.
    pub runtime_dir: Option<OwnedFd>,
    /// What a child is started as.
    pub program: ChildProgram,
    /// The program that starts it, holding its lifeline.
    pub launcher: crate::launcher::LauncherProgram,
    /// `capabilities.env.allow` of this session.
    pub env_allow: Vec<String>,
    /// Says what a child's own manifest lets it see.
    pub manifests: Arc<dyn ChildManifests>,
    /// The host whose variables are handed on.
    pub host: Arc<dyn Host + Send + Sync>,
    /// Takes what children write to their outputs.
    pub echo: Arc<dyn Echo>,
    /// Makes a fresh id of a delegation: `dlg_` and a UUIDv7 in hex.
    pub fresh_id: fn() -> String,
    /// How long things may take.
    pub bounds: DelegationBounds,
}

/// Which session and conversation a child is told it was launched by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpawnerFacts {
    /// `ses_…`.
    pub session_id: String,
    /// `ctx_…`.
    pub context_id: String,
}

/// The program of every child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChildProgram {
    /// A path, or a bare word that is looked up on `path`.
    pub word: OsString,
    /// The `PATH` it is looked up on.
    pub path: OsString,
}

/// Says what a child's own manifest lets it see of the host.
pub trait ChildManifests: Send + Sync {
    /// Returns the child's `capabilities.env.allow`, in its order. May block.
    ///
    /// # Errors
    /// Why that cannot be known; the step then fails before the launch.
    fn env_allow(&self, name: &str, version: &str) -> Result<Vec<String>, String>;
}

/// Takes what children write, for the standard error of the parent. Must not block.
pub trait Echo: Send + Sync {
    /// Takes one line, without its end. A very long one comes in pieces.
    fn line(&self, line: &str);
}

/// How long the parts of a delegation may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DelegationBounds {
    /// Connecting to the daemon, handing it a request and reading its answer, each.
    pub request: Duration,
    /// From the launch to the line with which a child reports itself.
    pub readiness: Duration,
    /// For how long a child that could not be handed its task is tried again.
    pub door: Duration,
    /// From the task to its answer.
    pub answer: Duration,
    /// How long after a cancel a child that is starting may still come up.
    pub starting: Duration,
    /// How long after SIGTERM a child is sent SIGKILL.
    pub grace: Duration,
    /// How long saying goodbye to the daemon may take.
    pub deregister: Duration,
}

impl Default for DelegationBounds {
    /// Returns the times of docs/roost.md.
    fn default() -> Self {
        Self {
            request: Duration::from_secs(30),
            readiness: Duration::from_secs(180),
            door: Duration::from_secs(30),
            answer: Duration::from_secs(600),
            starting: Duration::from_secs(5),
            grace: Duration::from_secs(5),
            deregister: Duration::from_secs(2),
        }
    }
}

impl fmt::Debug for RoostSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoostSpec")
            .field("url", &self.url)
            .field("spawn_allow", &self.spawn_allow)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}
