//! Tests of the built command, from outside.

mod cancelling;
mod checking;
mod command;
mod commands;
mod ended;
mod failing;
mod fifo;
mod groups;
mod happy;
mod malformed;
mod output;
mod references;
mod refusing;
mod running;
mod space;
mod tools;
mod trace;
mod tracing;
