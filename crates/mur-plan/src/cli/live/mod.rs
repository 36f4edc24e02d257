//! A running plan as it is watched on standard error: redrawn in place on a terminal, else line by line.
//!
//! [`Watch`] knows where the plan stands, [`frame`] and the lines draw it, [`View`] writes what was drawn.

mod frame;
mod lines;
mod view;
mod watch;

pub use frame::frame;
pub use view::{Mode, View};
pub use watch::{Running, Settled, Watch};
