//! The command `mur-plan`: the exit status, nothing else.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(mur_plan::cli::main(std::env::args_os()))
}
