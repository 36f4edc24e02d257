//! A running plan as it is watched on standard error: redrawn in place on a terminal, else line by line.
//!
//! [`Watch`] knows where the plan stands, [`frame`] and the lines draw it, [`View`] writes what was drawn.

mod frame;
mod lines;
mod stops;
mod view;
mod waiting;
mod watch;

pub use frame::{Canvas, frame};
pub(super) use stops::Stops;
pub use view::{Mode, View, Window};
pub use waiting::{Reason, Waits};
pub use watch::{Running, Settled, Watch};
