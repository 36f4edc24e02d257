//! A timeline for a terminal: block characters, as wide as the window.

mod cells;
mod legend;
mod page;
mod widths;

use std::io::{self, Write};

use super::{chart::Chart, words};
use crate::render::style::Look;
use page::Page;

/// Writes `chart` in lines that end at the window, or at 100 columns where there is none.
///
/// # Errors
///
/// Faults of writing to `out`.
pub fn text(out: &mut dyn Write, chart: &Chart<'_>, look: Look) -> io::Result<()> {
    let mut page = Page::new(out, look, chart.is_going_on());
    if let Some(words) = words::no_end(chart) {
        page.wrapped(&words, 0)?;
    }
    for section in &chart.sections {
        page.section(section)?;
    }
    if !chart.strays.is_empty() {
        page.strays(&chart.strays)?;
    }
    if chart.run.delegations.left_out > 0 {
        let count = chart.run.delegations.left_out;
        page.wrapped(&format!("… and {count} more delegations"), 0)?;
    }
    if chart.sections.is_empty() && chart.strays.is_empty() {
        page.wrapped("no plan ran", 0)?;
    }
    page.legend()
}
