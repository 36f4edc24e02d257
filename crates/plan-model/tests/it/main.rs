//! Tests of plan-model.

mod accepts;
mod argv;
mod big;
mod cycle;
mod diagnostics;
mod escaped;
mod order;
mod page;
mod reading;
mod refuses;
mod report;
#[cfg(feature = "schema")]
mod schema;
mod shape;
mod syntax;
mod template;
mod warns;
