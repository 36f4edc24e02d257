//! Plans that complete: the examples of the format and of the README.

use std::fs;

use crate::{command::workspace, space::Space};

/// spec: Shape; spec: The report: an empty list is a plan that completes having done nothing.
#[test]
fn a_plan_without_steps_completes() {
    let ended = Space::new().steps("").run();
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 0 completed failed_step null
    plan_start 0 steps
    plan_end completed, 0 = 0 + 0 + 0
    "#);
}

/// spec: References: the format's own example, whose upstream text reaches the next step as it is.
#[test]
fn the_example_of_the_references_hands_a_log_over() {
    let space = Space::new().tool("notes", SHOW);
    let ended = space
        .steps(
            r#"{"id": "build", "shell": "printf 'a \"b\"\\n'"},
               {"id": "report", "tool": "notes", "depends_on": ["build"], "input": {"log": "$build.output"}}"#,
        )
        .run();
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 0 completed failed_step null
      build success, output "a \"b\"\n"
      report success, output "{\"data\":\"{\\\"log\\\":\\\"a \\\\\\\"b\\\\\\\"\\\\n\\\"}\",\"log_path\":null}"
    plan_start 2 steps
    plan_step_start build shell
    plan_step build success, attempts 1
    plan_step_start report tool
    plan_step report success, attempts 1
    plan_end completed, 2 = 2 + 0 + 0
    "#);
}

/// spec: Conditions: the format's own example, either way.
#[test]
fn the_example_of_the_conditions_notifies_when_something_failed() {
    let space = Space::new().tool("notes", SHOW);
    let run = |test: &str, lint: &str| {
        let ended = space
            .steps(&format!(
                r#"{{"id": "test", "shell": "{test}", "on_error": "continue"}},
                   {{"id": "lint", "shell": "{lint}", "on_error": "continue"}},
                   {{"id": "notify", "tool": "notes", "depends_on": ["test", "lint"],
                     "if": "$test.status == 'failed' || $lint.status == 'failed'"}}"#
            ))
            .run();
        assert_eq!(ended.status, Some(0));
        ended.step("notify")["status"].clone()
    };
    assert_eq!(run("true", "true"), "skipped");
    assert_eq!(run("true", "false"), "success");
    assert_eq!(run("false", "true"), "success");
}

/// ruling 10: the format's first example reads `$check` without depending on it; that is a warning, and the note
/// is written or not as the race goes.
#[test]
fn the_first_example_warns_of_its_race() {
    let space = Space::new()
        .tool("repo-files", "echo a")
        .tool("notes", SHOW);
    let ended = space
        .plan(
            r#"{"id": "refresh-fixtures", "steps": [
                 {"id": "list", "tool": "repo-files", "input": {"glob": "tests/**"}},
                 {"id": "check", "shell": "sh -c 'exit 1'", "depends_on": ["list"]},
                 {"id": "note", "tool": "notes", "if": "$check.status == 'failed'", "input": {"body": "$check.output"}}
               ]}"#,
        )
        .run();
    assert_eq!(ended.status, Some(1));
    assert!(ended.said().contains("`check`"), "{}", ended.said());
    // Nothing waits for `list`, so `note` is looked at first: its condition cannot be resolved.
    assert_eq!(ended.report()["failed_step"], "note");
}

/// spec: Shape: what the README runs, in a copy so that the folder stays as it is.
#[test]
fn the_example_of_the_readme_completes_and_quotes_the_failed_check() {
    let space = Space::new();
    copy(
        &workspace().join("examples/refresh-fixtures"),
        &space.path("dir"),
    );
    let home = std::env::var("HOME").unwrap_or_default();
    let toolchain = |name: &str, folder: &str| {
        std::env::var(name).unwrap_or_else(|_| format!("{home}/{folder}"))
    };
    let ended = space
        .command(&[
            "run",
            "dir/plan.json",
            "--bounding",
            "off",
            "--json",
            "--home",
            "home",
        ])
        .env("CARGO_HOME", toolchain("CARGO_HOME", ".cargo"))
        .env("RUSTUP_HOME", toolchain("RUSTUP_HOME", ".rustup"))
        .run();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    assert_eq!(ended.statuses(), "list success, check failed, note success");
    let note = space.work("notes.txt").expect("the note was written");
    assert!(note.contains("the_greeting_matches_its_fixture"), "{note}");
    assert_eq!(note.trim_end(), ended.output("check").trim_end());
}

/// spec: The manifest; spec: The command: the manifest beside the plan goes before the one here, and its folder is the
/// workdir.
#[test]
fn the_manifest_beside_the_plan_is_found_first() {
    let space = Space::new();
    space.file(
        "sub/murmur.yaml",
        "name: sub\nversion: 0.1.0\ncapabilities: {plan: {submit: true}, shell: {allow: [pwd]}}\n",
    );
    space.file(
        "sub/plan.json",
        r#"{"id": "p", "steps": [{"id": "a", "shell": "pwd"}]}"#,
    );
    let run = [
        "run",
        "sub/plan.json",
        "--bounding",
        "off",
        "--json",
        "--home",
        "home",
    ];
    let ended = space.command(&run).run();
    assert_eq!(ended.masked(&ended.output("a")), "[space]/sub\n");
    fs::remove_file(space.path("sub/murmur.yaml")).expect("it was there");
    let ended = space.command(&run).run();
    assert_eq!(ended.masked(&ended.output("a")), "[space]\n");
    fs::remove_file(space.path("murmur.yaml")).expect("it was there");
    let ended = space.command(&run).run();
    assert_eq!(ended.status, Some(2));
    insta::assert_snapshot!(ended.said(), @r#"
    error: there is no manifest: no `murmur.yaml` beside the plan or in this folder
    hint: name one with `--manifest FILE`; it says which tools and commands the plan may use
    "#);
}

fn copy(from: &std::path::Path, to: &std::path::Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("the example is there") {
        let entry = entry.expect("the example can be read");
        let (name, path) = (entry.file_name(), entry.path());
        if name == "target" || name == "notes.txt" {
            continue;
        }
        if path.is_dir() {
            copy(&path, &to.join(name));
        } else {
            fs::copy(&path, to.join(name)).expect("a copy");
        }
    }
}

/// A tool whose output is what it was given.
pub(crate) const SHOW: &str = "cat";

/// decision: the embedding shown is whole, runs, and takes fewer than 80 lines.
#[test]
fn the_embedding_shown_runs() {
    let source = workspace().join("crates/mur-plan/examples/embed.rs");
    let lines = fs::read_to_string(source).expect("it is there");
    assert!(lines.lines().count() < 80);
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let ran = std::process::Command::new(cargo)
        .args([
            "run",
            "--quiet",
            "--offline",
            "--package",
            "mur-plan",
            "--example",
            "embed",
        ])
        .current_dir(workspace())
        .output()
        .expect("cargo can be started");
    assert!(
        ran.status.success(),
        "{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    let report: serde_json::Value = serde_json::from_slice(&ran.stdout).expect("a report");
    assert_eq!(report["completed"], true);
}
