//! One delegation: its start joined with its end.

use crate::record::{Delegation, DelegationStart};

/// A sub-capsule that was launched, or was to be.
#[derive(Debug, Clone)]
pub struct DelegationRun {
    /// The line of the trace that first speaks of it, from 1.
    pub line: u64,
    /// When that was, in unix milliseconds.
    pub at_ms: Option<u64>,
    /// Its `delegation_start`; none when the launch was refused or failed.
    pub start: Option<DelegationStart<'static>>,
    /// Its `delegation`; none when it had not ended.
    pub end: Option<Delegation<'static>>,
    /// When that was, in unix milliseconds.
    pub ended_ms: Option<u64>,
}

impl DelegationRun {
    /// Returns the capsule's full name.
    pub fn capsule(&self) -> &str {
        let start = self.start.as_ref().map(|start| start.capsule.as_str());
        let end = self.end.as_ref().map(|end| end.capsule.as_str());
        start.or(end).unwrap_or_default()
    }

    /// Returns the capsule's version.
    pub fn version(&self) -> &str {
        let start = self.start.as_ref().map(|start| start.version.as_str());
        let end = self.end.as_ref().map(|end| end.version.as_str());
        start.or(end).unwrap_or_default()
    }

    /// Returns the child's session; none when the launch was refused or failed.
    pub fn child_session(&self) -> Option<&str> {
        let start = self.start.as_ref().map(|start| &start.child_session_id);
        let end = self.end.as_ref();
        let end = end.and_then(|end| end.child_session_id.as_ref());
        start.or(end).map(|id| id.as_str())
    }

    /// Returns the delegation's id; none when the launch was refused or failed.
    pub fn id(&self) -> Option<&str> {
        let start = self.start.as_ref().map(|start| &start.delegation_id);
        let end = self.end.as_ref();
        let end = end.and_then(|end| end.delegation_id.as_ref());
        start.or(end).map(|id| id.as_str())
    }
}
