//! Tests of plan-cond.

mod allocations;
mod eval;
mod messages;
mod oracle;
mod parse;
mod props;
mod reference;
mod tree;
