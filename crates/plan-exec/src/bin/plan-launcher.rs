//! The launcher as a program of its own, for an embedder that names one.

use std::process::ExitCode;

fn main() -> ExitCode {
    plan_exec::serve_as_launcher();
    explain();
    ExitCode::from(2)
}

#[expect(clippy::print_stderr, reason = "somebody called this by hand")]
fn explain() {
    eprintln!("this is how commands of a plan are started; it is of no use to call it by hand");
}
