//! Tests of plan-sched.

mod contract;
mod exhaustive;
mod invariants;
mod oracle;
mod random;
mod sim;
mod stage;
mod table;
mod timelines;
mod walk;
mod world;
