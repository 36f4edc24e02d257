//! Tests of plan-trace.
#![expect(clippy::unwrap_used, reason = "a test that cannot unwrap is to fail")]

mod addressing;
mod appending;
mod canceled;
mod checking;
mod lines;
mod places;
mod random;
mod reading;
mod values;
mod viewing;
