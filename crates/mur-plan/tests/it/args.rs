//! The command line: what is accepted, what is refused, and the help.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

use mur_plan::Bounding;
use mur_plan::cli::args::{Command, Shown, parse};

fn words(line: &str) -> Result<Command, Shown> {
    parse(
        ["mur-plan"]
            .into_iter()
            .chain(line.split_whitespace())
            .map(OsString::from),
    )
}

/// The text shown instead of running, without styles, after how the command would exit.
fn shown(line: &str) -> String {
    match words(line) {
        Ok(command) => format!("accepted: {command:?}"),
        Err(Shown { is_error, text }) => {
            let status = if is_error { 2 } else { 0 };
            format!(
                "exit status {status}\n{}",
                anstream::adapter::strip_str(&text)
            )
        }
    }
}

/// spec: The command; `--jobs` 64, `--capsules` 4, `--bounding required` where nothing is said.
#[test]
fn a_run_without_options_has_the_defaults() {
    let Ok(Command::Run(run)) = words("run plan.json") else {
        panic!("refused")
    };
    assert_eq!(run.plan, PathBuf::from("plan.json"));
    assert_eq!((run.manifest, run.workdir, run.home), (None, None, None));
    assert!(!run.json && !run.verbose);
    assert_eq!((run.jobs.get(), run.capsules.get()), (64, 4));
    assert_eq!(run.bounding, Bounding::Required);
}

/// spec: The command; every option, in any place.
#[test]
fn a_run_takes_every_option() {
    let line = "run --json -v --jobs 3 - --capsules=2 --bounding best-effort --manifest m --workdir w --home h";
    let Ok(Command::Run(run)) = words(line) else {
        panic!("refused")
    };
    assert_eq!(run.plan, PathBuf::from("-"));
    assert_eq!(run.manifest, Some(PathBuf::from("m")));
    assert_eq!(run.workdir, Some(PathBuf::from("w")));
    assert_eq!(run.home, Some(PathBuf::from("h")));
    assert!(run.json && run.verbose);
    assert_eq!((run.jobs.get(), run.capsules.get()), (3, 2));
    assert_eq!(run.bounding, Bounding::BestEffort);
}

/// spec: The command; a path is bytes, not text.
#[test]
fn a_path_need_not_be_utf8() {
    let path = OsString::from_vec(b"pl\xffan.json".to_vec());
    let line = ["mur-plan".into(), "check".into(), path.clone()];
    let Ok(Command::Check(check)) = parse(line) else {
        panic!("refused")
    };
    assert_eq!(check.plan, PathBuf::from(path));
    assert!(!check.json);
}

/// spec: Bad input; one clear message and exit status 2.
#[test]
fn a_number_out_of_range_is_refused_with_the_range() {
    for number in ["0", "65536", "99999999999999999999999", "1.5", "many", "-1"] {
        let text = shown(&format!("run plan.json --jobs {number}"));
        assert!(text.starts_with("exit status 2\n"), "{text}");
        assert!(
            text.contains("write a whole number from 1 to 65535"),
            "{text}"
        );
    }
    insta::assert_snapshot!(shown("run plan.json --capsules 0"), @r"
    exit status 2
    error: invalid value '0' for '--capsules <N>': write a whole number from 1 to 65535

    For more information, try '--help'.
    ");
}

/// spec: Bad input; one clear message and exit status 2.
#[test]
fn wrong_arguments_are_refused() {
    insta::assert_snapshot!(shown("run"), @r"
    exit status 2
    error: the following required arguments were not provided:
      <PLAN>

    Usage: mur-plan run <PLAN>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(shown("run a.json b.json"), @r"
    exit status 2
    error: unexpected argument 'b.json' found

    Usage: mur-plan run [OPTIONS] <PLAN>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(shown("run a.json --json --json"), @r"
    exit status 2
    error: the argument '--json' cannot be used multiple times

    Usage: mur-plan run [OPTIONS] <PLAN>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(shown("run a.json --jobs 1 --jobs 2"), @r"
    exit status 2
    error: the argument '--jobs <N>' cannot be used multiple times

    Usage: mur-plan run [OPTIONS] <PLAN>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(shown("run a.json --bounding of"), @r"
    exit status 2
    error: invalid value 'of' for '--bounding <WHEN>'
      [possible values: required, best-effort, off]

      tip: a similar value exists: 'off'

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(shown("check a.json --jsno"), @r"
    exit status 2
    error: unexpected argument '--jsno' found

      tip: a similar argument exists: '--json'

    Usage: mur-plan check --json <PLAN>

    For more information, try '--help'.
    ");
    insta::assert_snapshot!(shown("rum a.json"), @r"
    exit status 2
    error: unrecognized subcommand 'rum'

      tip: a similar subcommand exists: 'run'

    Usage: mur-plan <COMMAND>

    For more information, try '--help'.
    ");
}

/// decision: nothing a person did not write themselves steers their terminal.
#[test]
fn a_control_character_in_an_argument_is_made_visible() {
    let line = ["mur-plan".into(), "run".into(), "--\x1b[2J".into()];
    let shown = parse(line).expect_err("no such option");
    insta::assert_snapshot!(shown.text, @r"
    error: unexpected argument '--' found

      tip: to pass '--' as a value, use '-- --'

    Usage: mur-plan run [OPTIONS] <PLAN>

    For more information, try '--help'.
    ");
}

/// spec: The command; help texts with an example for each command, and `--version`.
#[test]
fn help_and_version_are_no_errors() {
    insta::assert_snapshot!(shown("--help"), @r"
    exit status 0
    Checks a JSON plan as a whole, runs it with all the parallelism it allows, and gives back one report

    Usage: mur-plan <COMMAND>

    Commands:
      run          Run a plan and report how every step settled
      check        Show every fault and warning of a plan, and run nothing
      trace        Look at a run that is over, or at one still going on
      graph        Draw a plan: its steps and what each waits for, coloured by how a run of it went
      schema       Print the JSON Schema of a plan, for editors and for models that write plans
      completions  Print the completions of a shell
      man          Print the manual page

    Options:
      -h, --help     Print help
      -V, --version  Print version

    Examples:
      mur-plan check plan.json
      mur-plan run plan.json --bounding off
    ");
    insta::assert_snapshot!(shown("run --help"), @r"
    exit status 0
    Run a plan and report how every step settled

    Usage: mur-plan run [OPTIONS] <PLAN>

    Arguments:
      <PLAN>  The plan, a JSON file; `-` reads standard input

    Options:
          --manifest <FILE>  The manifest with the grants and the tools [default: `murmur.yaml` beside
                             the plan, else here]
          --workdir <DIR>    Where tools and commands run [default: the manifest's folder]
          --home <DIR>       Where sessions and records are kept [default: `$MURMUR_HOME`, else
                             `~/.murmur`]
          --json             Print the report alone, as JSON, on standard output
      -v, --verbose          Show the last line of what each running command writes, in the live view of
                             a terminal
          --jobs <N>         How many shell steps may run at once, from 1 [default: 64]
          --capsules <N>     How many capsule steps may run at once, from 1 [default: 4]
          --bounding <WHEN>  What to do where the host cannot bound what a plan starts: refuse, bound
                             what it can, or not try [default: required] [possible values: required,
                             best-effort, off]
      -h, --help             Print help

    Exit status: 0 completed, 1 did not complete, 2 refused before anything ran, 130 cancelled.

    Example:
      mur-plan run plan.json --manifest murmur.yaml --json
    ");
    insta::assert_snapshot!(shown("check --help"), @r"
    exit status 0
    Show every fault and warning of a plan, and run nothing

    Usage: mur-plan check [OPTIONS] <PLAN>

    Arguments:
      <PLAN>  The plan, a JSON file; `-` reads standard input

    Options:
          --manifest <FILE>  The manifest with the grants and the tools [default: `murmur.yaml` beside
                             the plan, else here]
          --json             Print the faults and warnings as a JSON list on standard output
      -h, --help             Print help

    Exit status: 0 no fault, 2 refused.

    Example:
      mur-plan check plan.json --json
    ");
    let version = shown("--version");
    assert_eq!(
        version,
        format!("exit status 0\nmur-plan {}\n", env!("CARGO_PKG_VERSION"))
    );
}
