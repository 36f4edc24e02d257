//! Slack: a ceiling that does not hold, and why.

use super::{controllers::Controller, disk::NoDisk, file::FileError};

/// A ceiling that does not hold.
#[derive(Debug)]
pub(crate) struct Slack {
    /// What is not bounded.
    pub(crate) controller: Controller,
    /// Why.
    pub(crate) cause: Cause,
}

/// Why a ceiling does not hold.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Cause {
    /// The base does not offer the controller.
    #[error("the controller `{}` is not to be had", .0.name())]
    NoController(Controller),
    /// The kernel refuses it.
    #[error(transparent)]
    Refused(FileError),
    /// There is no disk to bound.
    #[error(transparent)]
    NoDisk(NoDisk),
}
