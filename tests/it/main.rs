//! Tests of the command, and of what comes with it.

mod example_tools;
