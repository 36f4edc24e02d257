//! Project chores: `cargo xtask ci`, `cargo xtask tidy`, `cargo xtask compare-spawn`, `cargo xtask vm`, `cargo
//! xtask browser`, `cargo xtask interop`.
//!
//! It imports no crate of the project, so it builds and runs whatever state they are in.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore talks to the person at the terminal, and has no other output"
)]

mod browser;
mod ci;
mod compare_spawn;
mod interop;
mod tidy;
mod vm;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
};

const USAGE: &str = "\
usage: cargo xtask <command>

  ci               runs what CI runs, in its order, and stops at the first failure
  tidy             checks the rules of CONVENTIONS.md and ARCHITECTURE.md that no compiler knows
  compare-spawn [--jobs N] [--steps N] [--rounds N]
                   times 1,000 commands through mur-plan, ninja and a bare spawn loop
  vm [--keep] [FILTER]
                   runs the kernel tests in an emulated machine, as root and as an ordinary user
  browser [FILTER]
                   opens timelines in a Chromium and looks for faults, in light, dark and a narrow window
  interop [FILTER]
                   runs capsule steps through the real daemon and its children, which it installs once
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["ci"] => ci::run(&root()),
        ["tidy"] => tidy::run(&root()),
        ["compare-spawn", options @ ..] => compare_spawn::run(&root(), options),
        ["browser", words @ ..] => browser::run(&root(), words),
        ["vm", words @ ..] => vm::run(&root(), words).map_err(vm::VmError::reason),
        ["interop", words @ ..] => interop::run(&root(), words),
        ["help" | "-h" | "--help"] => {
            print!("{USAGE}");
            Ok(())
        }
        _ => Err(format!("no such chore\n\n{USAGE}")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("xtask: {reason}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the folder of the workspace, wherever the chore was called from.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("xtask is a folder of the workspace")
        .to_owned()
}
