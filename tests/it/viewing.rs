//! Looking at traces from outside: which one is found, and what stands on which stream.

use nix::sys::signal::Signal;
use serde_json::Value;

use crate::{
    command::workspace,
    ended::Ended,
    space::{Call, Space},
};

/// `trace` with the session's home and workdir.
pub(crate) fn trace_of<'s>(space: &'s Space, words: &[&str]) -> Call<'s> {
    space
        .command(&["trace"])
        .args(words)
        .args(&["--workdir", "dir", "--home", "home"])
}

fn shown(ended: &Ended) -> String {
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    assert_eq!(ended.stderr, "", "what was found is data");
    // When it was, how long it took and what a host can bound vary.
    let lines = ended.stdout.lines();
    let varies = ["started", "took", "bounding"];
    let lines = lines.filter(|line| !varies.iter().any(|word| line.starts_with(word)));
    let text = lines.map(masked_times).collect::<Vec<_>>().join("\n");
    ended.masked(&text)
}

/// Masks times, and the blanks that fill up the column of one that is missing: it is as wide as the widest.
fn masked_times(line: &str) -> String {
    if let Some((before, after)) = line.split_once("not run ") {
        return format!("{before}not run  {}", after.trim_start());
    }
    let words: Vec<&str> = line.split(' ').collect();
    let mut shown: Vec<&str> = Vec::new();
    for (at, word) in words.iter().enumerate() {
        let unit = words.get(at + 1).map(|unit| unit.trim_end_matches(','));
        let is_time =
            matches!(unit, Some("ms" | "s")) && word.starts_with(|c: char| c.is_ascii_digit());
        shown.push(if is_time { "[..]" } else { word });
    }
    shown.join(" ").replace("[..] ms", "[..] s")
}

/// spec: In the trace; spec: The session: the newest session of the workdir, and the one before.
#[test]
fn the_newest_run_is_shown_and_the_one_before_on_request() {
    let space = Space::new();
    let first = space.steps(r#"{"id": "one", "shell": "true"}"#).run();
    assert_eq!(first.status, Some(0));
    let second = space
        .steps(
            r#"{"id": "two", "shell": "sh -c 'echo no >&2; exit 3'", "retries": 1},
               {"id": "three", "shell": "true", "depends_on": ["two"], "if": "$two.status == 'failed'"}"#,
        )
        .run();
    assert_eq!(second.status, Some(1));
    insta::assert_snapshot!(shown(&trace_of(&space, &["show"]).run()), @r"
    session     ses_[..]
    capsule     space 0.1.0
    outcome     failed

    Plan p
      failed in [..] s, stopped by `two`
      2 steps: 0 succeeded, 1 failed, 0 skipped, 1 not run
        two    shell  failed   [..] s  2 attempts
            no
        three  shell  not run  after two; conditional
    ");
    insta::assert_snapshot!(shown(&trace_of(&space, &["show", "@2"]).run()), @r"
    session     ses_[..]
    capsule     space 0.1.0
    outcome     ok

    Plan p
      completed in [..] s
      1 step: 1 succeeded, 0 failed, 0 skipped
        one  shell  success  [..] s
    ");
    let steps = trace_of(&space, &["steps", "@2"]).run();
    assert!(steps.stdout.contains("one"), "{}", steps.stdout);
}

/// spec: In the trace: `--json` gives the same as data; a session is also found by its id and by its file.
#[test]
fn a_run_is_found_by_its_id_the_end_of_it_and_its_file() {
    let space = Space::new();
    let run = space.steps(r#"{"id": "one", "shell": "true"}"#).run();
    let path = run.trace().path.clone();
    let folder = path.parent().unwrap();
    let id = folder.file_name().unwrap().to_str().unwrap().to_owned();
    let by_file = [path.to_str().unwrap(), folder.to_str().unwrap()];
    for address in [id.as_str(), &id[24..], by_file[0], by_file[1]] {
        let ended = trace_of(&space, &["show", address, "--json"]).run();
        let session: Value = serde_json::from_str(&ended.stdout).unwrap();
        assert_eq!(session["session"]["session_id"], id, "{address}");
        assert_eq!(session["plans"][0]["steps"][0]["status"], "success");
    }
    // The workdir does not matter to an id.
    let elsewhere = space.command(&["trace", "steps", &id, "--home", "home", "--json"]);
    let rows: Value = serde_json::from_str(&elsewhere.run().stdout).unwrap();
    assert_eq!(rows["rows"][0]["steps"][0]["step_id"], "one");
}

/// spec: In the trace; a run that goes on is told from one that was killed
#[test]
fn a_run_under_way_is_still_going_on_and_a_killed_one_is_not() {
    let space = Space::new();
    let fifo = space.fifo("gate");
    let mut run = space
        .plain(r#"{"id": "p", "steps": [{"id": "wait", "shell": "cat gate"}]}"#)
        .args(&["--bounding", "off"])
        .start();
    run.wait_for("wait");
    // Not as other runs are: the session under way has its folders.
    let session = || -> Value {
        let mut command = trace_of(&space, &["show", "--json"]).prepare();
        let output = command.output().expect("the command can be started");
        let shown: Value = serde_json::from_slice(&output.stdout).unwrap();
        shown["session"].clone()
    };
    let under_way = session();
    assert_eq!(under_way["ending"], "going_on");
    assert_eq!(under_way["last_line"]["event_type"], "plan_step_start");
    run.signal(Signal::SIGKILL);
    drop(run);
    drop(fifo);
    let killed = session();
    assert_eq!(killed["ending"], "killed");
    assert_eq!(killed["last_line"]["step_id"], "wait");
}

/// spec: Bad input: one clear message, exit status 2, and nothing on standard output.
#[test]
fn what_is_not_there_or_no_trace_is_refused_with_advice() {
    let space = Space::new();
    let said = |words: &[&str]| {
        let ended = trace_of(&space, words).run();
        assert_eq!((ended.status, ended.stdout.as_str()), (Some(2), ""));
        ended.said()
    };
    insta::assert_snapshot!(said(&["show"]), @r"
    error: no session of `[space]/dir` has left a trace
    hint: name the folder a plan ran in with `--workdir DIR`, or a trace by its file
    ");
    insta::assert_snapshot!(said(&["show", "@0"]), @r"
    error: `@0` names no session: write `@1` for the newest, `@2` for the one before, a session's id or the end of one, or a file, with a `/` in it or with `.jsonl` at its end
    hint: `mur-plan trace show` without a session shows the newest one of this folder
    ");
    insta::assert_snapshot!(said(&["steps", "dir/none.jsonl"]), @r"
    error: cannot read the trace `dir/none.jsonl`: No such file or directory (os error 2)
    hint: name a `trace.jsonl` that Murmur or `mur-plan run` wrote
    ");
    space.file("dir/x.jsonl", "{}\n");
    insta::assert_snapshot!(said(&["steps", "dir/x.jsonl"]), @r"
    error: cannot read the trace `dir/x.jsonl`, line 1: it has no `event_type`
    hint: name a `trace.jsonl` that Murmur or `mur-plan run` wrote
    ");
    space.file("dir/other.jsonl", "{\"event_type\": \"something\"}\n");
    insta::assert_snapshot!(said(&["show", "dir/other.jsonl"]), @r"
    error: `dir/other.jsonl` holds no line of a trace
    hint: name a `trace.jsonl` that Murmur or `mur-plan run` wrote
    ");
    space.file("dir/empty.jsonl", "");
    insta::assert_snapshot!(said(&["show", "dir/empty.jsonl"]), @r"
    error: cannot read the trace `dir/empty.jsonl`: it is empty
    hint: name a `trace.jsonl` that Murmur or `mur-plan run` wrote
    ");
}

/// spec: In the trace; the traces of Murmur 0.8.0 are shown as well
#[test]
fn the_traces_of_murmur_are_shown() {
    let space = Space::new();
    let fixtures = workspace().join("tests/fixtures/trace/murmur");
    for entry in std::fs::read_dir(fixtures).unwrap() {
        let path = entry.unwrap().path();
        for view in ["show", "steps", "timeline"] {
            let ended = trace_of(&space, &[view, path.to_str().unwrap()]).run();
            assert_eq!((ended.status, ended.stderr.as_str()), (Some(0), ""));
            assert!(!ended.stdout.is_empty(), "{}", path.display());
        }
    }
}

/// spec: In the trace: a trace that an embedding runtime writes need not have a session
#[test]
fn a_trace_without_a_session_is_shown() {
    let space = Space::new();
    space.file(
        "dir/x.jsonl",
        r#"{"event_type":"plan_start","event_id":"evt_1","parent_id":null,"plan_id":"p","step_count":1,"steps":[{"step_id":"a","kind":"shell","depends_on":[],"has_condition":false}]}
{"event_type":"plan_step","event_id":"evt_2","parent_id":null,"plan_id":"p","step_id":"a","kind":"shell","status":"success","attempts":1,"duration_ms":4}
{"event_type":"plan_end","event_id":"evt_3","parent_id":null,"plan_id":"p","outcome":"completed","duration_ms":5}
"#,
    );
    insta::assert_snapshot!(shown(&trace_of(&space, &["show", "dir/x.jsonl"]).run()), @r"


    Plan p
      completed in [..] s
      1 step: 1 succeeded, 0 failed, 0 skipped
        a  shell  success  [..] s
    ");
}

/// spec: In the trace: the same run on an axis of time, as text, as a picture and as a page
#[test]
fn a_run_is_shown_on_an_axis_of_time() {
    let space = Space::new();
    let run = space
        .steps(
            r#"{"id": "one", "shell": "true"},
               {"id": "two", "shell": "sh -c 'exit 3'", "depends_on": ["one"], "retries": 1}"#,
        )
        .run();
    assert_eq!(run.status, Some(1));
    let text = trace_of(&space, &["timeline"]).run();
    assert_eq!((text.status, text.stderr.as_str()), (Some(0), ""));
    for words in [
        "Plan p",
        "critical path: one → two",
        "2 attempts",
        "▓ shell",
    ] {
        assert!(text.stdout.contains(words), "{words}: {}", text.stdout);
    }
    for (option, file, begins, ends) in [
        ("--svg", "run.svg", "<svg ", "</svg>\n"),
        ("--html", "run.html", "<!DOCTYPE html>", "</html>\n"),
    ] {
        let written = trace_of(&space, &["timeline", "@1", option, file]).run();
        assert_eq!((written.status, written.stdout.as_str()), (Some(0), ""));
        let in_file = std::fs::read_to_string(space.path(file)).unwrap();
        assert!(in_file.starts_with(begins) && in_file.ends_with(ends));
        let printed = trace_of(&space, &["timeline", "@1", option, "-"]).run();
        assert_eq!(printed.stdout, in_file);
    }
}

/// spec: Bad input: what cannot be written or drawn is told, and no file is left behind for what was refused
#[test]
fn what_cannot_be_drawn_or_written_is_told() {
    let space = Space::new();
    let path = workspace().join("tests/fixtures/trace/views/failed.jsonl");
    let path = path.to_str().unwrap();
    let ended = trace_of(&space, &["timeline", path, "--html", "none/x.html"]).run();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(1), ""));
    insta::assert_snapshot!(ended.said(), @"error: cannot write `none/x.html`: No such file or directory (os error 2)");
    let steps: Vec<String> = (0..20_000)
        .map(|step| format!(r#"{{"step_id":"{step}","kind":"shell","depends_on":[]}}"#))
        .collect();
    space.file(
        "dir/big.jsonl",
        format!(
            r#"{{"event_type":"plan_start","event_id":"evt_1","parent_id":null,"plan_id":"p","step_count":20000,"steps":[{}]}}"#,
            steps.join(",")
        ),
    );
    let ended = trace_of(&space, &["timeline", "dir/big.jsonl", "--svg", "big.svg"]).run();
    assert_eq!((ended.status, ended.stdout.as_str()), (Some(2), ""));
    insta::assert_snapshot!(ended.said(), @r"
    error: 20001 rows are too many for one picture or page, which holds 20000
    hint: leave out `--svg` and `--html`: text has no such bound
    ");
    assert!(!space.path("big.svg").exists());
    let ended = trace_of(&space, &["timeline", "dir/big.jsonl"]).run();
    assert_eq!(ended.status, Some(0));
    assert_eq!(ended.stdout.lines().count(), 20_002);
    let both = trace_of(&space, &["timeline", path, "--svg", "a", "--html", "b"]).run();
    assert_eq!((both.status, both.stdout.as_str()), (Some(2), ""));
}
