//! What goes where: data on standard output, talk on standard error, no styles where nobody sees them.

use std::{
    io::Read,
    process::Stdio,
    time::{Duration, Instant},
};

use nix::{
    sys::signal::{Signal, kill},
    unistd::Pid,
};

use crate::space::Space;

const PLAN: &str = r#"{"id": "p", "steps": [
    {"id": "a", "shell": "echo one"},
    {"id": "b", "shell": "false", "on_error": "continue", "retries": 1, "depends_on": ["a"]},
    {"id": "c", "shell": "true", "depends_on": ["b"], "if": "'a' == 'b'"}
]}"#;

/// spec: The command: without `--json` a line for each event on standard error, and the report as a table.
#[test]
fn a_run_is_told_in_plain_lines_and_a_table() {
    let ended = Space::new().plain(PLAN).args(&["--bounding", "off"]).run();
    assert_eq!(ended.status, Some(0));
    insta::assert_snapshot!(ended.masked(&ended.stdout), @r#"
    step  status   tries  time   error or output
    a     success  1      [..] s  one
    b     failed   2      [..] s  exit code 1
    c     skipped

    Plan 'p': 3 steps, 1 succeeded, 1 failed, 1 skipped in [..] s
    "#);
    insta::assert_snapshot!(ended.said(), @r#"
    start   a (shell)
    success a (shell) in [..] s
    start   b (shell)
    start   b (shell), attempt 2
    failed  b (shell) in [..] s, 2 attempts: exit code 1
    skipped c (shell)
    "#);
}

/// spec: The command: with `--json` the report alone, one line, is on standard output.
#[test]
fn json_prints_the_report_alone() {
    let ended = Space::new().plan(PLAN).run();
    insta::assert_snapshot!(ended.stdout, @r#"{"plan_id":"p","completed":true,"canceled":false,"failed_step":null,"steps":[{"step_id":"a","status":"success","output":"one\n","error":null},{"step_id":"b","status":"failed","output":"","error":"exit code 1"},{"step_id":"c","status":"skipped","output":null,"error":null}]}"#);
}

/// spec: The command: colours are for terminals, and what steps print cannot steer one.
#[test]
fn nothing_steers_a_terminal() {
    let plan = r#"{"id": "p\u001b[2J", "steps": [
        {"id": "a\u001b[31m", "shell": "sh -c 'printf \"\\033[2Jx\"; printf \"\\033]0;t\\007\" >&2; exit 1'"}
    ]}"#;
    let ended = Space::new().plain(plan).args(&["--bounding", "off"]).run();
    assert_eq!(ended.status, Some(1));
    assert!(!ended.stdout.contains('\u{1b}'), "{:?}", ended.stdout);
    assert!(!ended.stderr.contains('\u{1b}'), "{:?}", ended.stderr);
    let ended = Space::new().plan(plan).run();
    assert_eq!(ended.report()["steps"][0]["step_id"], "a\u{1b}[31m");
}

/// spec: The command: `NO_COLOR` wins over a demand for colours.
#[test]
fn no_color_takes_the_colours_away() {
    let space = Space::new();
    let run = || {
        space
            .plain(PLAN)
            .args(&["--bounding", "off"])
            .env("CLICOLOR_FORCE", "1")
    };
    let coloured = run().run();
    assert!(coloured.stdout.contains('\u{1b}'), "{:?}", coloured.stdout);
    let plain = run().env("NO_COLOR", "1").run();
    assert!(!plain.stdout.contains('\u{1b}'), "{:?}", plain.stdout);
    assert!(!plain.stderr.contains('\u{1b}'), "{:?}", plain.stderr);
}

/// spec: Bad input: a reader that went away is no fault of the plan.
#[test]
fn a_reader_that_went_away_is_no_error() {
    let space = Space::new();
    for words in [&["--bounding", "off"][..], &["--bounding", "off", "--json"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let mut command = space.plain(PLAN).args(words).prepare();
        let mut child = command
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .expect("it starts");
        drop(command);
        let mut said = String::new();
        let mut stderr = child.stderr.take().expect("piped");
        stderr.read_to_string(&mut said).expect("text");
        assert_eq!(child.wait().expect("it ends").code(), Some(0), "{said}");
        assert!(!said.contains("error"), "{said}");
    }
}

/// spec: Bad input: a report that cannot be written is told, and the run does not pass for completed.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_under_the_report_is_told() {
    let space = Space::new();
    let full = std::fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("every Linux has it");
    let mut command = space.plan(PLAN).prepare();
    let output = command.stdout(full).output().expect("it starts");
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("error: cannot write to standard output: "),
        "{said}"
    );
}

/// ruling 27: once the run is over, a signal ends a command whose reader does not read.
#[test]
fn a_signal_ends_a_command_that_nobody_reads() {
    let space = Space::new();
    let mut done = space.fifo("done");
    // More than a pipe holds.
    let plan = r#"{"id": "p", "steps": [{"id": "a", "shell": "sh -c 'yes | head -c 900000; echo x > done'"}]}"#;
    let mut command = space.plan(plan).prepare();
    let mut child = command.stdout(Stdio::piped()).spawn().expect("it starts");
    assert_eq!(done.wait(), "x");
    let id = i32::try_from(child.id()).expect("process ids are small");
    let began = Instant::now();
    // The first ones may still cancel the run; whichever comes while the report is written ends it.
    let status = loop {
        kill(Pid::from_raw(id), Signal::SIGTERM).expect("it has not been waited for");
        if let Some(status) = child.try_wait().expect("it is our child") {
            break status;
        }
        assert!(began.elapsed() < Duration::from_secs(30), "it does not end");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(matches!(status.code(), Some(0 | 130)), "{status}");
    let left = std::fs::read_dir(space.path("home/sessions")).expect("a folder");
    assert_eq!(left.count(), 0);
}

/// ruling 26: without `--json` the table says where a cut output is kept whole.
#[test]
fn the_table_says_where_a_cut_output_is() {
    let space = Space::new();
    let plan = r#"{"id": "p", "steps": [{"id": "big", "shell": "sh -c 'yes | head -c 2000000'"}]}"#;
    let ended = space.plain(plan).args(&["--bounding", "off"]).run();
    let last = ended.stdout.lines().next_back().unwrap_or_default();
    insta::assert_snapshot!(ended.masked(last), @r#"the whole output of `big` is in [space]/home/records[space]/dir/ses_[..]/outputs/plan-1/1.txt"#);
}

/// spec: The command: help and version go to standard output, with status 0.
#[test]
fn help_is_no_error() {
    let space = Space::new();
    for words in [
        &["--help"][..],
        &["--version"],
        &["run", "--help"],
        &["check", "--help"],
    ] {
        let ended = space.command(words).run();
        assert_eq!(ended.status, Some(0), "{words:?}");
        assert!(!ended.stdout.is_empty(), "{words:?}");
        assert_eq!(ended.stderr, "", "{words:?}");
    }
}

/// ruling 29; spec: The report: the summary counts the entries of the report, and says whether it was refused.
#[test]
fn a_refused_run_says_so_in_one_line() {
    let ended = Space::new()
        .plain(r#"{"id": "p", "steps": [{"id": "a", "shell": "curl"}]}"#)
        .args(&["--bounding", "off"])
        .run();
    assert_eq!(ended.status, Some(2));
    insta::assert_snapshot!(ended.stdout, @r#"Plan 'p': 1 steps, 0 succeeded, 1 failed, 0 skipped"#);
    insta::assert_snapshot!(ended.said(), @r#"
    error[binary-not-allowed]: binary `curl` is not in `capabilities.shell.allow`
     --> plan.json:1:44
      |
    1 | {"id": "p", "steps": [{"id": "a", "shell": "curl"}]}
      |                                            ^^^^^^
      |
      = hint: it allows `sh`, `true`, `false`, `printf`, `cat`, `env`, `sleep`, `echo`, `pwd`, `ghost`
    "#);
}
