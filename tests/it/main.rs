//! Tests of the built command from outside, and of what comes with it.
#![expect(clippy::unwrap_used, reason = "a test that cannot unwrap is to fail")]

mod bounding;
mod cancelling;
mod checking;
mod command;
mod commands;
mod delegating;
mod ended;
mod example_tools;
mod failing;
mod fake_child;
mod fake_roost;
mod fifo;
mod groups;
mod habits;
mod happy;
mod hooked;
mod malformed;
mod output;
mod protecting;
mod references;
mod refusing;
mod running;
mod space;
mod terminal;
mod tools;
mod trace;
mod tracing;
mod viewing;
