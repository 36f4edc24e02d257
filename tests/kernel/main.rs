//! Tests that need abilities of the kernel: what bounds and confines a plan, shown on real processes.
//!
//! `PLAN_TEST_CGROUP=kernel cargo test -p plan-tests --test kernel` runs what this host can run; a trial whose
//! abilities are missing is shown as ignored with the missing one. `cargo xtask vm` runs all of them in a machine that
//! has everything. Called by another name than its own this is one of the programs in `hostile.rs`, which steps start.
#![expect(clippy::unwrap_used, reason = "a test that cannot unwrap is to fail")]

mod trial;

mod abilities;
mod escaping;
mod host;

mod base;
mod scene;

mod hostile;

mod leaving;
mod limits;
mod refusing;
mod starting;
mod writing;

#[path = "../it/command.rs"]
mod command;
#[path = "../it/ended.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod ended;
#[path = "../it/fifo.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod fifo;
#[path = "../it/running.rs"]
mod running;
#[path = "../it/space.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod space;
#[path = "../it/trace.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod trace;

use std::process::ExitCode;

use libtest_mimic::Arguments;

use crate::{host::Host, trial::Trial};

fn main() -> ExitCode {
    if let Some(code) = hostile::called() {
        return code;
    }
    let arguments = Arguments::from_args();
    let host = Host::probe();
    let trials = [
        limits::TRIALS,
        writing::TRIALS,
        leaving::TRIALS,
        starting::TRIALS,
        refusing::TRIALS,
        escaping::TRIALS,
    ];
    let trials = trials.into_iter().flatten();
    let trials = trials
        .map(|trial: &'static Trial| trial.prepare(host))
        .collect();
    let conclusion = libtest_mimic::run(&arguments, trials);
    host.leave();
    conclusion.exit_code()
}
