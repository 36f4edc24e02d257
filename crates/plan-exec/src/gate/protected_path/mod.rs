//! `capabilities.filesystem.read_only`: refuses a call that is seen to write a protected path.
//!
//! ```text
//! declared entries -> subtree (resolved once)
//! shell step -> script/ (grammar) -> program/ (what each program writes) -> resolve -> finding -> Refusal
//! tool step  -> tool_input, tool_schema (destination keys) ---------------> resolve -> finding -> Refusal
//! ```
//!
//! It judges by what a call says. A file that a program opens by itself is the kernel's to hold.

mod arg;
mod finding;
mod gate;
mod judge;
mod program;
mod resolve;
mod script;
mod subtree;
mod tool_input;
mod tool_schema;

pub use gate::{ProtectedPaths, ReadOnlySpec};
pub use subtree::{ReadOnlyError, ReadOnlyFault};
