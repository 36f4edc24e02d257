//! Tests of plan-trace.
#![expect(clippy::unwrap_used, reason = "a test that cannot unwrap is to fail")]

mod appending;
mod lines;
mod places;
mod reading;
