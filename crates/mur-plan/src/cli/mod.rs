//! The command `mur-plan`: what it is asked, what it reads, and what it shows.

pub mod args;
pub mod manifest;

pub mod diagnose;
pub mod live;
pub mod print;
pub mod snippet;
pub mod table;
pub mod visible;
