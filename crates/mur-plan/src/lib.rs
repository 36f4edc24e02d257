//! The facade.

#[cfg(feature = "cli")]
pub mod cli;
pub mod progress;
