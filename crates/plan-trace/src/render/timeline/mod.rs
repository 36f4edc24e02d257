//! The timeline of a run: a bar for each step on an axis of time. [`Chart`] is the layout, which knows nothing of how
//! it is drawn; each writer draws all of it in one language.

mod axis;
mod bar;
mod chart;
mod critical;
mod html;
mod ranks;
mod svg;
#[cfg(test)]
mod tests;
mod text;
mod words;

pub use chart::Chart;
pub use html::html;
pub use svg::svg;
pub use text::text;

/// More rows than these fit no window in a size that can be read, and take a browser seconds. A text has no bound.
pub const MOST_DRAWN: usize = 20_000;
