//! The lines of a delegation: `delegation_start`, `delegation`. Both hang off the session.

use serde::{Deserialize, Serialize};

use crate::{owned::into_owned, text::Text, word::DelegationOutcome};

/// A child was launched and reported itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct DelegationStart<'a> {
    /// The delegation.
    pub delegation_id: Text<'a>,
    /// The child's full name, such as `local/worker`.
    pub capsule: Text<'a>,
    /// The child's version.
    pub version: Text<'a>,
    /// The child's session.
    pub child_session_id: Text<'a>,
    /// Where the child works.
    pub child_workdir: Text<'a>,
    /// Where the child's records are.
    pub child_records_dir: Text<'a>,
}
into_owned!(DelegationStart {
    delegation_id,
    capsule,
    version,
    child_session_id,
    child_workdir,
    child_records_dir
});

/// A delegation ended, or its launch was refused or failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct Delegation<'a> {
    /// The child's full name, such as `local/worker`.
    pub capsule: Text<'a>,
    /// The child's version.
    pub version: Text<'a>,
    /// The delegation; `None` when the launch was refused or failed.
    #[serde(default)]
    pub delegation_id: Option<Text<'a>>,
    /// The child's session; `None` when the launch was refused or failed.
    #[serde(default)]
    pub child_session_id: Option<Text<'a>>,
    /// How long it took.
    #[serde(default)]
    pub duration_ms: u64,
    /// How it ended.
    pub outcome: DelegationOutcome<'a>,
    /// Why, `None` exactly when it completed.
    #[serde(default)]
    pub reason: Option<Text<'a>>,
}
into_owned!(Delegation {
    capsule,
    version,
    delegation_id,
    child_session_id,
    duration_ms,
    outcome,
    reason
});
