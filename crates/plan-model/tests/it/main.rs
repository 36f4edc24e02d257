//! Tests of plan-model.

mod accepts;
mod argv;
mod big;
mod cycle;
mod escaped;
mod order;
mod page;
mod reading;
mod refuses;
mod report;
mod shape;
mod syntax;
mod template;
mod warns;
