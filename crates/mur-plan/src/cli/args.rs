//! What the command is asked for on its command line; doing it is left to others.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, CommandFactory, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use super::visible::visible_lines;
use crate::Bounding;

/// Reads a command line, the program's name first.
///
/// # Errors
/// The text to show instead, for wrong arguments and for `--help` and `--version`.
pub fn parse(words: impl IntoIterator<Item = OsString>) -> Result<Command, Shown> {
    let words: Vec<OsString> = words.into_iter().collect();
    let steers = words.iter().any(|word| {
        let word = word.to_string_lossy();
        visible_lines(&word) != word
    });
    match CommandLine::try_parse_from(words) {
        Ok(line) => Ok(line.command),
        Err(error) => Err(Shown {
            is_error: error.use_stderr(),
            // The message quotes what was typed: styled only when nothing in that steers a terminal.
            text: if steers {
                visible_lines(&error.render().to_string()).into_owned()
            } else {
                error.render().ansi().to_string()
            },
        }),
    }
}

/// What the command line asks for instead of a command being run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// Whether the arguments are wrong: standard error and exit status 2, else standard output and 0.
    pub is_error: bool,
    /// The text, with styles for a terminal in it.
    pub text: String,
}

/// Returns the command line's definition, from which help, completions and manual are made.
pub fn definition() -> clap::Command {
    CommandLine::command()
}

#[derive(Debug, Parser)]
#[command(
    name = "mur-plan",
    version,
    about = "Checks a JSON plan as a whole, runs it with all the parallelism it allows, and gives back one report",
    after_help = "Examples:\n  mur-plan check plan.json\n  mur-plan run plan.json --bounding off",
    disable_help_subcommand = true,
    // The same text everywhere: what is shown in a document is what a terminal shows.
    term_width = 100
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

/// One of the command's commands.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum Command {
    /// Run a plan and report how every step settled.
    #[command(
        after_help = "Exit status: 0 completed, 1 did not complete, 2 refused before anything ran, 130 cancelled.\n\n\
                      Example:\n  mur-plan run plan.json --manifest murmur.yaml --json"
    )]
    Run(Run),
    /// Show every fault and warning of a plan, and run nothing.
    #[command(after_help = "Exit status: 0 no fault, 2 refused.\n\n\
                      Example:\n  mur-plan check plan.json --json")]
    Check(Check),
    /// Look at a run that is over, or at one still going on.
    #[command(
        subcommand_required = true,
        arg_required_else_help = false,
        after_help = "Examples:\n  mur-plan trace show\n  mur-plan trace steps @2 --json"
    )]
    Trace(Trace),
    /// Draw a plan: its steps and what each waits for, coloured by how a run of it went.
    #[command(
        after_help = "Exit status: 0 drawn, 2 refused: a plan without a shape, or no such trace.\n\n\
                      Examples:\n  mur-plan graph plan.json --format svg > plan.svg\n  \
                      mur-plan graph plan.json --trace @1"
    )]
    Graph(Graph),
    /// Print the JSON Schema of a plan, for editors and for models that write plans.
    #[command(
        after_help = "Examples:\n  mur-plan schema > plan.schema.json\n  mur-plan schema --input"
    )]
    Schema(Schema),
    /// Print the completions of a shell.
    #[command(
        after_help = "Example:\n  mur-plan completions bash > ~/.local/share/bash-completion/completions/mur-plan"
    )]
    Completions(Completions),
    /// Print the manual page.
    #[command(after_help = "Example:\n  mur-plan man > ~/.local/share/man/man1/mur-plan.1")]
    Man,
}

/// `mur-plan run`.
#[derive(Debug, Clone, PartialEq, Eq, ClapArgs)]
pub struct Run {
    /// The plan, a JSON file; `-` reads standard input.
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// The manifest with the grants and the tools [default: `murmur.yaml` beside the plan, else here].
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// Where tools and commands run [default: the manifest's folder].
    #[arg(long, value_name = "DIR")]
    pub workdir: Option<PathBuf>,
    /// Where sessions and records are kept [default: `$MURMUR_HOME`, else `~/.murmur`].
    #[arg(long, value_name = "DIR")]
    pub home: Option<PathBuf>,
    /// Print the report alone, as JSON, on standard output.
    #[arg(long)]
    pub json: bool,
    /// Show the last line of what each running command writes, in the live view of a terminal.
    #[arg(short, long)]
    pub verbose: bool,
    /// How many shell steps may run at once, from 1.
    #[arg(long, value_name = "N", default_value = DEFAULT_JOBS, value_parser = at_once, allow_negative_numbers = true)]
    pub jobs: NonZeroUsize,
    /// How many capsule steps may run at once, from 1.
    #[arg(long, value_name = "N", default_value = DEFAULT_CAPSULES, value_parser = at_once, allow_negative_numbers = true)]
    pub capsules: NonZeroUsize,
    /// What to do where the host cannot bound what a plan starts: refuse, bound what it can, or not try.
    #[arg(long, value_name = "WHEN", default_value = Bounding::Required.name(), value_parser = bounding())]
    pub bounding: Bounding,
}

/// `mur-plan check`.
#[derive(Debug, Clone, PartialEq, Eq, ClapArgs)]
pub struct Check {
    /// The plan, a JSON file; `-` reads standard input.
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// The manifest with the grants and the tools [default: `murmur.yaml` beside the plan, else here].
    #[arg(long, value_name = "FILE")]
    pub manifest: Option<PathBuf>,
    /// Print the faults and warnings as a JSON list on standard output.
    #[arg(long)]
    pub json: bool,
}

/// `mur-plan trace`.
#[derive(Debug, Clone, PartialEq, Eq, ClapArgs)]
#[command(disable_help_subcommand = true)]
pub struct Trace {
    /// What is shown of it.
    #[command(subcommand)]
    pub view: TraceView,
}

/// A view of a trace.
#[derive(Debug, Clone, PartialEq, Eq, Subcommand)]
pub enum TraceView {
    /// Show what happened as rows: each plan, each step under it, in the order they settled.
    #[command(
        after_help = "Exit status: 0 shown, 2 no such trace or one that cannot be read.\n\n\
                            Example:\n  mur-plan trace steps @2 --workdir examples/refresh-fixtures"
    )]
    Steps(TraceOptions),
    /// Show a session in sections: how it ended, every step of each plan, delegations, refusals, cancels.
    #[command(
        after_help = "Exit status: 0 shown, 2 no such trace or one that cannot be read.\n\n\
                            Example:\n  mur-plan trace show @1 --json"
    )]
    Show(TraceOptions),
    /// Show a session on an axis of time: what ran when, what waited, what the end waited for.
    #[command(
        after_help = "Exit status: 0 shown, 1 a file that cannot be written, 2 no such trace or one that cannot be \
                      read or drawn.\n\n\
                      Examples:\n  mur-plan trace timeline\n  mur-plan trace timeline @2 --html run.html"
    )]
    Timeline(Timeline),
}

/// Which trace, and how.
#[derive(Debug, Clone, PartialEq, Eq, ClapArgs)]
pub struct TraceOptions {
    /// `@1` the newest session, `@2` the one before, a session's id or the end of one, or a file.
    #[arg(value_name = "SESSION", default_value = "@1")]
    pub session: OsString,
    /// Where the plan ran [default: this folder].
    #[arg(long, value_name = "DIR")]
    pub workdir: Option<PathBuf>,
    /// Where sessions and records are kept [default: `$MURMUR_HOME`, else `~/.murmur`].
    #[arg(long, value_name = "DIR")]
    pub home: Option<PathBuf>,
    /// Print the same as JSON on standard output.
    #[arg(long)]
    pub json: bool,
}

/// `mur-plan trace timeline`.
#[derive(Debug, Clone, PartialEq, Eq, ClapArgs)]
pub struct Timeline {
    /// `@1` the newest session, `@2` the one before, a session's id or the end of one, or a file.
    #[arg(value_name = "SESSION", default_value = "@1")]
    pub session: OsString,
    /// Where the plan ran [default: this folder].
    #[arg(long, value_name = "DIR")]
    pub workdir: Option<PathBuf>,
    /// Where sessions and records are kept [default: `$MURMUR_HOME`, else `~/.murmur`].
    #[arg(long, value_name = "DIR")]
    pub home: Option<PathBuf>,
    /// Write a picture to this file; `-` is standard output.
    #[arg(long, value_name = "FILE", conflicts_with = "html")]
    pub svg: Option<PathBuf>,
    /// Write a page to this file that opens without a network; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
}

/// `mur-plan graph`.
#[derive(Debug, Clone, PartialEq, Eq, ClapArgs)]
pub struct Graph {
    /// The plan, a JSON file; `-` reads standard input.
    #[arg(value_name = "PLAN")]
    pub plan: PathBuf,
    /// The language of the picture; an SVG is drawn as it is, in light and dark.
    #[arg(long, value_name = "LANGUAGE", default_value = "mermaid")]
    pub format: GraphFormat,
    /// A session in which the plan ran, named as for `trace`: its outcomes give the colours.
    #[arg(long, value_name = "SESSION")]
    pub trace: Option<OsString>,
    /// Where the plan ran [default: the folder of the plan's manifest, else this folder].
    #[arg(long, value_name = "DIR", requires = "trace")]
    pub workdir: Option<PathBuf>,
    /// Where sessions and records are kept [default: `$MURMUR_HOME`, else `~/.murmur`].
    #[arg(long, value_name = "DIR", requires = "trace")]
    pub home: Option<PathBuf>,
}

/// The language of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum GraphFormat {
    /// A flowchart of Mermaid, as Markdown pages show it.
    Mermaid,
    /// A digraph for Graphviz.
    Dot,
    /// A picture.
    Svg,
}

/// `mur-plan schema`.
#[derive(Debug, Clone, PartialEq, Eq, ClapArgs)]
pub struct Schema {
    /// Print the schema of what `submit-plan` takes instead, without what interfaces of models refuse.
    #[arg(long)]
    pub input: bool,
}

/// `mur-plan completions`.
#[derive(Debug, Clone, PartialEq, Eq, ClapArgs)]
pub struct Completions {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub shell: Shell,
}

fn bounding() -> impl TypedValueParser<Value = Bounding> {
    const ALL: [Bounding; 3] = [Bounding::Required, Bounding::BestEffort, Bounding::Off];
    PossibleValuesParser::new(ALL.map(Bounding::name)).map(|word| {
        let named = ALL.into_iter().find(|bounding| bounding.name() == word);
        named.expect("the parser lets only these words through")
    })
}

fn at_once(word: &str) -> Result<NonZeroUsize, String> {
    word.parse()
        .ok()
        .filter(|number: &NonZeroUsize| number.get() <= MOST_AT_ONCE)
        .ok_or_else(|| format!("write a whole number from 1 to {MOST_AT_ONCE}"))
}

/// Shell steps at once, where nothing is said (ruling 19).
const DEFAULT_JOBS: &str = "64";
/// Capsule steps at once, where nothing is said: what the daemon admits per session (ruling 19).
const DEFAULT_CAPSULES: &str = "4";
/// More processes of one plan at once than this is a slip of the finger, not a wish.
const MOST_AT_ONCE: usize = 65_535;
