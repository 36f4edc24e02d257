//! What every command has, by the one definition of the command line.

use clap::Command;
use mur_plan::cli::args::definition;

/// Every command that is run, by its whole name.
fn commands() -> Vec<(String, Command)> {
    let mut definition = definition();
    definition.build();
    let mut found = Vec::new();
    let mut open = vec![definition];
    while let Some(command) = open.pop() {
        let name = command
            .get_bin_name()
            .unwrap_or(command.get_name())
            .to_owned();
        open.extend(command.get_subcommands().cloned());
        found.push((name, command));
    }
    found.sort_by(|one, other| one.0.cmp(&other.0));
    found
}

/// spec: The command
#[test]
fn the_commands_are_these() {
    let names: Vec<_> = commands().into_iter().map(|(name, _)| name).collect();
    insta::assert_snapshot!(names.join("\n"), @r"
    mur-plan
    mur-plan check
    mur-plan completions
    mur-plan graph
    mur-plan man
    mur-plan run
    mur-plan schema
    mur-plan trace
    mur-plan trace show
    mur-plan trace steps
    mur-plan trace timeline
    ");
}

/// spec: The command; issue: `--help` for each command with an example
#[test]
fn every_command_has_an_example_in_its_help_that_it_understands() {
    for (name, mut command) in commands() {
        let help = command.render_long_help().to_string();
        let (_, examples) = help
            .split_once("Example")
            .unwrap_or_else(|| panic!("`{name} --help` has no example:\n{help}"));
        let mut lines = examples.lines().skip(1).peekable();
        assert!(lines.peek().is_some(), "{help}");
        for line in lines {
            let (line, _) = line.split_once('>').unwrap_or((line, ""));
            let words = line.split_whitespace();
            let parsed = definition().try_get_matches_from(words);
            assert!(parsed.is_ok(), "{name}: {line}: {parsed:?}");
        }
    }
}

/// spec: The command; every option says what it does, in a sentence that does not depend on another
#[test]
fn every_argument_has_a_help_line() {
    for (name, command) in commands() {
        for argument in command.get_arguments() {
            let help = argument.get_help().map(ToString::to_string);
            assert!(help.is_some_and(|help| help.len() > 8), "{name} {argument}");
        }
    }
}
