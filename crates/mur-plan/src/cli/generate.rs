//! What is generated from the definitions of the format and of the command line: schema, completions, manual.

use std::io::{self, Write};

use clap_mangen::Man;

use super::{
    args::{self, definition},
    print,
};
use crate::exit::Exit;

/// Prints the JSON Schema of a plan or of a call.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn schema(args: &args::Schema) -> io::Result<Exit> {
    let schema = if args.input {
        plan_model::schema::submit_input()
    } else {
        plan_model::schema::plan()
    };
    print::plain_data_with(|out| {
        serde_json::to_writer_pretty(&mut *out, &schema)?;
        out.write_all(b"\n")
    })?;
    Ok(Exit::Completed)
}

/// Prints the completions of a shell.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn completions(args: &args::Completions) -> io::Result<Exit> {
    // Into memory first: the generator panics where it cannot write.
    let mut text = Vec::new();
    clap_complete::generate(args.shell, &mut definition(), NAME, &mut text);
    print::plain_data_with(|out| out.write_all(&text))?;
    Ok(Exit::Completed)
}

/// Prints the manual page: the command, then each of its commands with its options and examples.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn manual() -> io::Result<Exit> {
    print::plain_data_with(|out| {
        let mut command = definition();
        command.build();
        let page = Man::new(command.clone())
            .manual("User Commands")
            // A date would make two builds of one source differ.
            .date("");
        page.render_title(out)?;
        page.render_name_section(out)?;
        page.render_synopsis_section(out)?;
        page.render_description_section(out)?;
        page.render_options_section(out)?;
        let mut text = Vec::new();
        page.render_extra_section(&mut text)?;
        out.write_all(headed(&text, ".SH").as_bytes())?;
        for command in leaves(&command) {
            section(out, command)?;
        }
        page.render_version_section(out)
    })?;
    Ok(Exit::Completed)
}

/// Returns the commands that are run, those below another one included.
fn leaves(command: &clap::Command) -> Vec<&clap::Command> {
    let mut leaves = Vec::new();
    for below in command
        .get_subcommands()
        .filter(|below| !below.is_hide_set())
    {
        if below.has_subcommands() {
            leaves.extend(below.get_subcommands());
        } else {
            leaves.push(below);
        }
    }
    leaves
}

/// Writes what a page of its own would hold, as a section of this one.
fn section(out: &mut dyn Write, command: &clap::Command) -> io::Result<()> {
    let page = Man::new(command.clone());
    let mut text = Vec::new();
    page.render_synopsis_section(&mut text)?;
    page.render_description_section(&mut text)?;
    page.render_options_section(&mut text)?;
    page.render_extra_section(&mut text)?;
    let name = command.get_bin_name().unwrap_or(command.get_name());
    writeln!(out, ".SH {}", name.to_uppercase().replace('-', "\\-"))?;
    out.write_all(headed(&text, ".SS").as_bytes())
}

/// Returns a page's text with its headings made by `macro_name`; what follows the options is called by its name.
fn headed(text: &[u8], macro_name: &str) -> String {
    let mut headed = String::new();
    for line in String::from_utf8_lossy(text).lines() {
        match line.strip_prefix(".SH ") {
            Some(heading) => {
                headed.push_str(macro_name);
                headed.push(' ');
                headed.push_str(if heading == "EXTRA" { "NOTES" } else { heading });
            }
            None => headed.push_str(line),
        }
        headed.push('\n');
    }
    headed
}

const NAME: &str = "mur-plan";
