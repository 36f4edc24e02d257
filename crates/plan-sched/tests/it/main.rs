//! Tests of plan-sched.

mod contract;
mod exhaustive;
mod halts;
mod invariants;
mod oracle;
mod random;
mod readings;
mod sim;
mod stage;
mod table;
mod timelines;
mod walk;
mod world;
