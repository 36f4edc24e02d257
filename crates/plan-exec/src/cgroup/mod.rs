//! Control groups, as files: the base, a scope per plan, a leaf per step.
//!
//! ```text
//! mount: where this process is      manager, systemd: a scope of its own, if it can be had
//!    `------------ base: a candidate that controllers can be enabled in (step_aside), or the condition unmet
//!                    `-- scope: a draft with limits ------ end: killed and removed, however the plan ended
//!                          `-- leaf, leaves: one per attempt ------- counts, blame: which limit it ran into
//! ```
//!
//! Everything goes through `file`, and `file` through `kernel`, which a test can stand in for.

pub(crate) mod base;
pub(crate) mod blame;
mod candidate;
pub(crate) mod controllers;
pub(crate) mod counts;
mod disk;
mod draft;
pub(crate) mod end;
pub(crate) mod file;
mod kernel;
pub(crate) mod leaf;
mod leaves;
pub(crate) mod limits;
mod manager;
pub(crate) mod mount;
mod name;
pub(crate) mod scope;
pub(crate) mod slack;
mod step_aside;
#[cfg(feature = "systemd")]
mod systemd;
pub(crate) mod unmet;

#[cfg(test)]
mod tests;
