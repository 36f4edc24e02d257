//! The views of a trace: [`steps`] gives rows as they happened, [`show`] the whole session in sections, [`data`]
//! both as JSON, [`timeline`] bars on an axis of time. They write what a [`Run`](crate::pair::Run) holds; reading it
//! is done by then.

pub mod columns;
pub mod data;
mod ending;
pub mod markup;
mod outline;
mod show;
mod steps;
mod style;
pub mod timeline;
mod when;

pub use ending::{Ending, Writer};
pub use show::show;
pub use steps::steps;
pub use style::Look;
