//! What CI runs, in its order. `.ci/run` calls this and nothing else.

use crate::{
    tidy,
    vm::{self, VmError},
};
use std::{path::Path, process::Command, time::Instant};

/// One command of CI.
struct Step {
    /// The arguments of cargo.
    args: &'static [&'static str],
    /// What is set in its environment.
    env: &'static [(&'static str, &'static str)],
}

/// What runs before `tidy`: the quick checks, each over everything it can see.
const BEFORE_TIDY: &[Step] = &[
    Step {
        args: &["fmt", "--check"],
        env: &[],
    },
    Step {
        args: &[
            "clippy",
            "--workspace",
            "--all-targets",
            "--",
            "-D",
            "warnings",
        ],
        env: &[],
    },
    // As an embedding runtime builds it: the facade without its command.
    Step {
        args: &[
            "clippy",
            "-p",
            "mur-plan",
            "--no-default-features",
            "--",
            "-D",
            "warnings",
        ],
        env: &[],
    },
    Step {
        args: &["doc", "--workspace", "--no-deps"],
        env: &[("RUSTDOCFLAGS", "-D warnings")],
    },
];

/// The README's test command; `tidy` holds the README to it. Snapshots are compared, never written.
pub(crate) const TEST: &[&str] = &["test", "--workspace"];

/// Runs everything and stops at the first failure.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    let begin = Instant::now();
    for step in BEFORE_TIDY {
        cargo(root, step)?;
    }
    println!("==> cargo xtask tidy");
    tidy::run(root)?;
    cargo(
        root,
        &Step {
            args: TEST,
            env: &[("INSTA_UPDATE", "no")],
        },
    )?;
    in_the_machine(root)?;
    println!("==> all passed in {} s", begin.elapsed().as_secs());
    Ok(())
}

/// Runs the kernel tests in an emulated machine. Where no such machine can be had, that is said and is no failure: the
/// rest of CI needs nothing but Rust and a C linker.
fn in_the_machine(root: &Path) -> Result<(), String> {
    println!("==> cargo xtask vm");
    match vm::run(root, &[]) {
        Ok(()) => Ok(()),
        Err(VmError::Failed(reason)) => Err(reason),
        Err(VmError::Cannot(reason)) => {
            println!("==> the kernel tests were not run: {reason}");
            Ok(())
        }
    }
}

fn cargo(root: &Path, step: &Step) -> Result<(), String> {
    let mut shown: Vec<String> = step
        .env
        .iter()
        .map(|(name, value)| format!("{name}='{value}'"))
        .collect();
    shown.push(format!("cargo {}", step.args.join(" ")));
    let shown = shown.join(" ");
    println!("==> {shown}");

    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let status = Command::new(program)
        .args(step.args)
        .envs(step.env.iter().copied())
        .current_dir(root)
        .status()
        .map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("`{shown}` failed ({status})"))
    }
}
