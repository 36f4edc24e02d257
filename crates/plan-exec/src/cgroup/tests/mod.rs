//! Tests of the scope that need its insides, against a kernel that plays along.

mod base;
mod end;
mod fake;
mod mount;
mod scope;
mod step_aside;
#[cfg(feature = "systemd")]
mod systemd;
mod unmet;
