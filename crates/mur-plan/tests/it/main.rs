//! The facade and the command's parts.

#[cfg(feature = "cli")]
mod args;
#[cfg(feature = "cli")]
mod definition;
#[cfg(feature = "cli")]
mod diagnose;
#[cfg(feature = "cli")]
mod graph;
#[cfg(feature = "cli")]
mod live;
#[cfg(feature = "cli")]
mod live_view;
#[cfg(feature = "cli")]
mod manifest;
#[cfg(feature = "cli")]
mod manifest_gate;
#[cfg(feature = "cli")]
mod print;
#[cfg(feature = "cli")]
mod table;
#[cfg(feature = "cli")]
mod visible;

mod cancel;
mod driver;
mod gated;
mod submit;
mod world;
