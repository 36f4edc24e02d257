//! Text from plans, tools and commands made fit for a terminal, as the views of a trace do it.

pub use plan_trace::render::columns::{
    columns, elapsed, first_line, fit, fit_end, push_padded, visible, visible_lines,
};
