//! What every command does alike: streams, colours, a reader that goes away, a disk that is full.

use std::{
    fs::OpenOptions,
    io::Read,
    process::{Output, Stdio},
};

use crate::{
    command::workspace,
    space::{Call, Space},
    viewing::trace_of,
};

const PLAN: &str = r#"{"id": "p", "steps": [{"id": "a", "shell": "true"}]}"#;

/// Commands that print data and nothing else.
fn printing(space: &Space) -> Vec<Call<'_>> {
    space.file("plan.json", PLAN);
    let trace = workspace().join("tests/fixtures/trace/views/failed.jsonl");
    let trace = trace.to_str().expect("its path is text").to_owned();
    let words: [&[&str]; 14] = [
        &["--help"],
        &["--version"],
        &["check", "plan.json"],
        &["check", "plan.json", "--json"],
        &["trace", "show", &trace],
        &["trace", "steps", &trace],
        &["trace", "show", &trace, "--json"],
        &["trace", "timeline", &trace],
        &["trace", "timeline", &trace, "--html", "-"],
        &["graph", "plan.json"],
        &["graph", "plan.json", "--format", "svg"],
        &["schema"],
        &["completions", "bash"],
        &["man"],
    ];
    words
        .into_iter()
        .map(|words| space.command(words))
        .collect()
}

fn output(call: &Call<'_>, stdout: impl Into<Stdio>) -> Output {
    let mut command = call.prepare();
    command.stdout(stdout).stderr(Stdio::piped());
    command.output().expect("the command can be started")
}

/// spec: The command; spec: Bad input: a reader that goes away is no fault
#[test]
fn a_reader_that_went_away_is_no_fault_of_any_command() {
    let space = Space::new();
    for call in printing(&space) {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let ended = output(&call, writer);
        assert_eq!(ended.status.code(), Some(0), "{call:?}");
        assert_eq!(String::from_utf8_lossy(&ended.stderr), "", "{call:?}");
    }
}

/// spec: The command: the report could not be written
#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_fault_of_every_command() {
    let space = Space::new();
    for call in printing(&space) {
        let full = OpenOptions::new().write(true).open("/dev/full");
        let ended = output(&call, full.expect("the device is there"));
        assert_eq!(ended.status.code(), Some(1), "{call:?}");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert!(
            said.starts_with("error: cannot write to standard output: "),
            "{call:?}: {said}"
        );
    }
}

/// spec: The command: where nothing is a terminal nothing has colours, whatever the command
#[test]
fn no_command_writes_colours_to_a_pipe() {
    let space = Space::new();
    for call in printing(&space) {
        let (mut reader, writer) = std::io::pipe().expect("a pipe");
        let mut command = call.prepare();
        let mut child = command
            .env("TERM", "xterm-256color")
            .stdout(writer)
            .spawn()
            .expect("the command can be started");
        // The command holds the other end too, and would keep it open.
        drop(command);
        let mut text = String::new();
        reader.read_to_string(&mut text).expect("it is text");
        assert!(child.wait().expect("it ends").success());
        assert!(
            !text.contains('\u{1b}') && !text.is_empty(),
            "{call:?}: {text}"
        );
    }
}

/// spec: The command: `NO_COLOR` takes colours away, also where they are forced; a picture and data have none ever
#[test]
fn colours_can_be_forced_and_no_color_is_stronger() {
    let space = Space::new();
    let trace = workspace().join("tests/fixtures/trace/views/failed.jsonl");
    let trace = trace.to_str().expect("its path is text");
    space.file("plan.json", PLAN);
    let is_coloured = |words: &[&str], no_color: &str| {
        let call = space.command(words).env("CLICOLOR_FORCE", "1");
        let ended = output(&call.env("NO_COLOR", no_color), Stdio::piped());
        assert_eq!(ended.status.code(), Some(0));
        String::from_utf8_lossy(&ended.stdout).contains('\u{1b}')
    };
    for view in ["show", "steps"] {
        assert!(is_coloured(&["trace", view, trace], ""), "{view}");
        assert!(!is_coloured(&["trace", view, trace], "1"), "{view}");
        assert!(
            !is_coloured(&["trace", view, trace, "--json"], ""),
            "{view}"
        );
    }
    assert!(is_coloured(&["trace", "timeline", trace], ""));
    assert!(!is_coloured(&["trace", "timeline", trace], "1"));
    assert!(!is_coloured(
        &["trace", "timeline", trace, "--html", "-"],
        ""
    ));
    assert!(!is_coloured(&["graph", "plan.json", "--format", "svg"], ""));
}

/// spec: The command; a run's report that nobody reads changes nothing about the run
#[test]
fn a_run_whose_reader_went_away_runs_to_its_end() {
    let space = Space::new();
    let call = space.plan(PLAN);
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    assert_eq!(output(&call, writer).status.code(), Some(0));
    let shown = trace_of(&space, &["show", "--json"]).run();
    let shown: serde_json::Value = serde_json::from_str(&shown.stdout).expect("it is JSON");
    assert_eq!(shown["session"]["exit_status"], "ok");
}

/// spec: The command: the schema is data for a program, and so is a picture
#[test]
fn a_plan_is_drawn_with_the_outcomes_of_its_last_run() {
    let space = Space::new();
    let plan =
        r#"{"id": "p", "steps": [{"id": "a", "shell": "true"}, {"id": "b", "shell": "false"}]}"#;
    let run = space.plan(plan).run();
    assert_eq!(run.status, Some(1));
    let graph = |words: &[&str]| {
        space
            .command(&["graph", "plan.json", "--home", "home"])
            .args(words)
            .run()
    };
    let drawn = graph(&["--trace", "@1", "--workdir", "dir"]);
    assert_eq!((drawn.status, drawn.stderr.as_str()), (Some(0), ""));
    assert!(drawn.stdout.contains(":::success") && drawn.stdout.contains(":::failed"));
    space.file("plan.json", plan.replacen('p', "q", 1));
    let refused = graph(&["--trace", "@1", "--workdir", "dir"]);
    assert_eq!((refused.status, refused.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(refused.said(), @r"
    error: the trace has no plan `q`
    hint: the plans of that session are `p`
    ");
    space.file("plan.json", r#"{"id": "p"}"#);
    let refused = space.command(&["graph", "plan.json"]).run();
    assert_eq!((refused.status, refused.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(refused.said(), @r#"
    error[missing-key]: the plan has no `steps`
     --> plan.json:1:1
      |
    1 | {"id": "p"}
      | ^
      |
      = hint: add `"steps": […]`; an empty list is a plan that does nothing

    error: a plan with these faults has no shape that could be drawn
    "#);
}
