//! What a capsule executor reports while it runs, for the trace lines of a delegation (trace.md).

/// What a capsule executor reports while it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Delegation {
    /// The child reported itself.
    Started {
        /// `dlg_…`.
        delegation_id: String,
        /// The full name.
        capsule: String,
        /// The version.
        version: String,
        /// `ses_…`.
        child_session_id: String,
        /// The child's work folder.
        child_workdir: String,
        /// The child's records directory.
        child_records_dir: String,
    },
    /// The delegation ended.
    Ended {
        /// The full name.
        capsule: String,
        /// The version.
        version: String,
        /// `dlg_…`, `None` when no child came up.
        delegation_id: Option<String>,
        /// `ses_…`, `None` when no child came up.
        child_session_id: Option<String>,
        /// How long it took.
        duration_ms: u64,
        /// `completed`, `timed_out`, `failed`, `refused` or `terminated`. A `terminated` one is not written by
        /// the step: the cancelled task writes it.
        outcome: &'static str,
        /// `None` exactly for `completed`.
        reason: Option<String>,
    },
}

/// Carries delegations to the driver, in order.
pub type DelegationSender = tokio::sync::mpsc::UnboundedSender<Delegation>;
