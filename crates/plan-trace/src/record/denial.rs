//! The lines of a refused call: `call_denied`, `protected_path_denied`. Both hang off the turn, else the task,
//! else the session.

use serde::{Deserialize, Serialize};

use crate::{
    owned::into_owned,
    text::Text,
    word::{CallKind, HookEvent},
};

/// A hook refused a call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct CallDenied<'a> {
    /// The turn, from 0.
    #[serde(default)]
    pub turn: u64,
    /// The event the hook is bound to.
    pub event: HookEvent<'a>,
    /// The hook.
    pub hook_name: Text<'a>,
    /// The resolved program, or the tool's name.
    pub target: Text<'a>,
    /// Why.
    pub reason: Text<'a>,
}
into_owned!(CallDenied {
    turn,
    event,
    hook_name,
    target,
    reason
});

/// A call would have written a declared read-only path.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(bound(deserialize = "'de: 'a"))]
pub struct ProtectedPathDenied<'a> {
    /// The turn, from 0.
    #[serde(default)]
    pub turn: u64,
    /// What kind of call.
    pub call: CallKind<'a>,
    /// The resolved program, or the tool's name.
    pub target: Text<'a>,
    /// The path, resolved and relative to the workdir.
    pub path: Text<'a>,
    /// The rule as declared.
    pub rule: Text<'a>,
    /// What gave the write away.
    pub signal: Text<'a>,
    /// Why.
    pub reason: Text<'a>,
}
into_owned!(ProtectedPathDenied {
    turn,
    call,
    target,
    path,
    rule,
    signal,
    reason
});
