//! The launcher as a program of its own, for an embedder that names one.

use std::process::ExitCode;

fn main() -> ExitCode {
    plan_exec::serve_as_launcher();
    ExitCode::from(2)
}
