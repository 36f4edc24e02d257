//! The command `mur-plan`: its launcher, then the exit status, nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    // Each step's program is started by this very program, which then becomes it.
    plan_exec::serve_as_launcher();
    ExitCode::from(mur_plan::cli::main(std::env::args_os()))
}
