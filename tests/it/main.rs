//! Tests of the built command, from outside.

mod command;
mod ended;
mod fifo;
mod happy;
mod running;
mod space;
mod trace;
