//! Tests of the command, and of what comes with it.
#![expect(clippy::unwrap_used, reason = "a test that cannot unwrap is to fail")]

mod example_tools;
