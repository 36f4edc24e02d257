//! The command `mur-plan`: what it is asked, what it reads, and what it shows.

pub mod args;
mod artifact;
mod check;
mod frame;
mod gate;
mod generate;
mod home;
mod input;
pub mod manifest;
mod own_files;
mod refusal;
mod roost;
mod run;
mod session;
mod shown;
mod signals;
mod threads;
mod trace;
mod workdir;

pub mod diagnose;
pub mod graph;
pub mod live;
pub mod print;
pub mod snippet;
pub mod table;
pub mod visible;

use std::ffi::OsString;

use args::Command;

use crate::exit::Exit;

/// Does what the command line asks for, and returns the exit status.
pub fn main(words: impl IntoIterator<Item = OsString>) -> u8 {
    let command = match args::parse(words) {
        Ok(command) => command,
        Err(shown) if shown.is_error => {
            print::talk(&shown.text);
            return Exit::Refused.status();
        }
        Err(shown) => return ended(print::data(&shown.text).map(|()| Exit::Completed)),
    };
    ended(match command {
        Command::Run(args) => run::run(&args),
        Command::Check(args) => check::check(&args),
        Command::Trace(args) => trace::trace(&args),
        Command::Graph(args) => graph::graph(&args),
        Command::Schema(args) => generate::schema(&args),
        Command::Completions(args) => generate::completions(&args),
        Command::Man => generate::manual(),
    })
}

/// Turns an error of writing or of the machine into a message and a status.
fn ended(exit: std::io::Result<Exit>) -> u8 {
    match exit {
        Ok(exit) => exit.status(),
        Err(error) => {
            print::error(&error.to_string(), None);
            Exit::NotCompleted.status()
        }
    }
}
