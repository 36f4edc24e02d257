//! Bad input of every sort: one clear message, exit status 2, nothing run.

use std::fs;

use crate::space::Space;

/// The first thing said on standard error, without the excerpt below it.
fn first_line(said: &str) -> &str {
    said.lines().next().unwrap_or_default()
}

/// ruling 1; spec: Reading a plan: what is no plan is told in one line, whatever it is.
#[test]
fn what_is_no_plan_is_refused() {
    let space = Space::new().tool("show", "cat");
    let deep = format!(
        r#"{{"id": "p", "steps": {}{}}}"#,
        "[".repeat(5000),
        "]".repeat(5000)
    );
    let nested = |levels: usize| {
        format!(
            r#"{{"id": "p", "steps": [{{"id": "a", "tool": "show", "input": {}{}}}]}}"#,
            "[".repeat(levels),
            "]".repeat(levels)
        )
    };
    let cases: [(&str, Vec<u8>); 15] = [
        ("empty", Vec::new()),
        ("a list", b"[]".to_vec()),
        ("a string", br#""{}""#.to_vec()),
        ("text after it", br#"{"id": "p", "steps": []} {}"#.to_vec()),
        (
            "cut off",
            br#"{"id": "p", "steps": [{"id": "a", "shell": "tr"#.to_vec(),
        ),
        (
            "invalid UTF-8",
            b"{\"id\": \"p\xff\", \"steps\": []}".to_vec(),
        ),
        ("no id", br#"{"steps": []}"#.to_vec()),
        ("no steps", br#"{"id": "p"}"#.to_vec()),
        (
            "a key twice",
            br#"{"id": "p", "steps": [], "id": "q"}"#.to_vec(),
        ),
        (
            "steps of another type",
            br#"{"id": "p", "steps": {}}"#.to_vec(),
        ),
        ("half a pair", br#"{"id": "\ud800", "steps": []}"#.to_vec()),
        ("YAML", b"id: p\nsteps: []\n".to_vec()),
        (
            "a comment",
            b"// a plan\n{\"id\": \"p\", \"steps\": []}".to_vec(),
        ),
        ("5,000 levels", deep.into_bytes()),
        ("129 levels", nested(126).into_bytes()),
    ];
    let mut said = String::new();
    for (what, text) in cases {
        let ended = space.plan(&text).run();
        assert_eq!(ended.status, Some(2), "{what}");
        assert_eq!(ended.report()["completed"], false, "{what}");
        said.push_str(&format!("{what}: {}\n", first_line(&ended.said())));
    }
    insta::assert_snapshot!(said, @r#"
    empty: error[syntax]: the plan's text is empty
    a list: error[not-an-object]: a plan is one JSON object, not a list
    a string: error[not-an-object]: a plan is one JSON object, not a string
    text after it: error[syntax]: text follows the end of the plan
    cut off: error[syntax]: a string is not closed before the text ends
    invalid UTF-8: error[invalid-utf8]: the plan's text is not UTF-8
    no id: error[missing-key]: the plan has no `id`
    no steps: error[missing-key]: the plan has no `steps`
    a key twice: error[duplicate-key]: duplicate key `id` in one object
    steps of another type: error[wrong-type]: steps must be a list of steps, not an object
    half a pair: error[lone-surrogate]: the string holds half of a surrogate pair, which is no text
    YAML: error[syntax]: `id` is not a value of JSON
    a comment: error[syntax]: JSON has no comments
    5,000 levels: error[step-not-an-object]: a step is an object, not a list
    129 levels: error[too-deep]: lists and objects are nested deeper than 128 levels here
    "#);
    let ended = space.plan(nested(125)).run();
    assert_eq!(ended.status, Some(0), "128 levels pass: {}", ended.stderr);
}

/// ruling 1: a byte-order mark is skipped; ids may be any text; places count characters.
#[test]
fn odd_but_right_plans_are_read() {
    let space = Space::new();
    let ended = space
        .plan("\u{feff}{\"id\": \"\", \"steps\": [{\"id\": \"a b/../\\u0000é\\n$.\", \"shell\": \"true\"}]}")
        .run();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    assert_eq!(ended.statuses(), "a b/../\0é\n$. success");
    let ended = space.plan("{\"id\": \"é\u{1f600}\", \"steps\": 1}").run();
    assert!(
        ended.error("plan").contains("line 1, column 23"),
        "{}",
        ended.error("plan")
    );
}

/// spec: Bad input: a hundred megabytes are refused or run as any other text, in bounded time.
#[test]
fn a_hundred_megabytes_of_text_are_no_problem() {
    let space = Space::new();
    let size = 100_000_000;
    let ended = space
        .command(&["run", "-", "--bounding", "off", "--json", "--home", "home"])
        .input(vec![b'x'; size])
        .run();
    assert_eq!(ended.status, Some(2));
    assert!(ended.stdout.len() < 10_000, "{} bytes", ended.stdout.len());
    assert!(ended.stderr.len() < 10_000, "{} bytes", ended.stderr.len());
    fs::remove_dir_all(space.path("home")).expect("the home was made");
    let mut plan = br#"{"id": "p", "steps": [{"id": "a", "shell": "true", "on_error": ""#.to_vec();
    plan.resize(size, b'y');
    plan.extend(br#""}]}"#);
    let ended = space.plan(plan).run();
    assert_eq!(ended.status, Some(2));
    assert!(ended.stdout.len() < 10_000, "{} bytes", ended.stdout.len());
    assert!(ended.stderr.len() < 10_000, "{} bytes", ended.stderr.len());
}

/// spec: The command: the plan may come through standard input; then the manifest is looked for here.
#[test]
fn a_dash_reads_the_plan_from_standard_input() {
    let space = Space::new();
    let run = ["run", "-", "--bounding", "off", "--json", "--home", "home"];
    let plan = r#"{"id": "p", "steps": [{"id": "a", "shell": "pwd"}]}"#;
    let ended = space.command(&run).input(plan).run();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    assert_eq!(ended.masked(&ended.output("a")), "[space]\n");
    let ended = space.command(&run).input("").run();
    assert_eq!(ended.status, Some(2));
}

/// spec: Bad input: wrong arguments say what is wrong, and nothing is made.
#[test]
fn wrong_arguments_are_told() {
    let space = Space::new();
    space.file("plan.json", r#"{"id": "p", "steps": []}"#);
    let cases: [&[&str]; 14] = [
        &[],
        &["walk"],
        &["run"],
        &["run", "missing.json"],
        &["run", "dir"],
        &["run", "plan.json", "--jobs", "0"],
        &["run", "plan.json", "--jobs", "many"],
        &["run", "plan.json", "--capsules", "-1"],
        &["run", "plan.json", "--bounding", "maybe"],
        &["run", "plan.json", "--what"],
        &["run", "plan.json", "--manifest", "missing.yaml"],
        &["run", "plan.json", "--workdir", "missing", "--home", "home"],
        &[
            "run",
            "plan.json",
            "--workdir",
            "plan.json",
            "--home",
            "home",
        ],
        &["run", "plan.json", "--home", "plan.json"],
    ];
    let mut said = String::new();
    for words in cases {
        let ended = space.command(words).run();
        assert_eq!(ended.status, Some(2), "{words:?}");
        assert_eq!(ended.stdout, "", "{words:?}");
        said.push_str(&format!(
            "{}: {}\n",
            words.join(" "),
            first_line(&ended.said())
        ));
    }
    insta::assert_snapshot!(said, @r#"
    : Checks a JSON plan as a whole, runs it with all the parallelism it allows, and gives back one report
    walk: error: unrecognized subcommand 'walk'
    run: error: the following required arguments were not provided:
    run missing.json: error: cannot read the plan `missing.json`: No such file or directory (os error 2)
    run dir: error: cannot read the plan `dir`: Is a directory (os error 21)
    run plan.json --jobs 0: error: invalid value '0' for '--jobs <N>': write a whole number from 1 to 65535
    run plan.json --jobs many: error: invalid value 'many' for '--jobs <N>': write a whole number from 1 to 65535
    run plan.json --capsules -1: error: invalid value '-1' for '--capsules <N>': write a whole number from 1 to 65535
    run plan.json --bounding maybe: error: invalid value 'maybe' for '--bounding <WHEN>'
    run plan.json --what: error: unexpected argument '--what' found
    run plan.json --manifest missing.yaml: error: cannot read the manifest `missing.yaml`: No such file or directory (os error 2)
    run plan.json --workdir missing --home home: error: cannot work in `missing`: No such file or directory (os error 2)
    run plan.json --workdir plan.json --home home: error: cannot work in `plan.json`: not a directory
    run plan.json --home plan.json: error: cannot make the records directory `[space]/plan.json`: File exists (os error 17)
    "#);
    assert!(!space.path("home").exists());
}

/// spec: Bad input; spec: The manifest: a malformed manifest is refused with its place.
#[test]
fn a_malformed_manifest_is_refused() {
    let space = Space::new();
    let cases = [
        ("empty", ""),
        ("a list", "- a\n"),
        ("no YAML", "name: [a\n"),
        (
            "no name",
            "version: 0.1.0\ncapabilities: {plan: {submit: true}}\n",
        ),
        (
            "a wrong type",
            "name: a\nversion: 0.1.0\ncapabilities: {plan: {submit: sure}}\n",
        ),
        (
            "a list of the wrong type",
            "name: a\nversion: 0.1.0\ncapabilities: {plan: {submit: true}, shell: {allow: sh}}\n",
        ),
        (
            "a tool without command",
            "name: a\nversion: 0.1.0\ncapabilities: {plan: {submit: true}}\ntools: [{name: x}]\n",
        ),
        (
            "a tool twice",
            "name: a\nversion: 0.1.0\ncapabilities: {plan: {submit: true}}\ntools: [{name: x, command: [a]}, {name: x, command: [b]}]\n",
        ),
        (
            "an empty command",
            "name: a\nversion: 0.1.0\ncapabilities: {plan: {submit: true}}\ntools: [{name: x, command: []}]\n",
        ),
    ];
    let mut said = String::new();
    for (what, manifest) in cases {
        space.file("murmur.yaml", manifest);
        let ended = space.plan(r#"{"id": "p", "steps": []}"#).run();
        assert_eq!(ended.status, Some(2), "{what}");
        assert_eq!(ended.report()["failed_step"], "plan", "{what}");
        said.push_str(&format!("{what}: {}\n", first_line(&ended.said())));
    }
    space.file("murmur.yaml", b"name: \xff\n");
    let ended = space.plan(r#"{"id": "p", "steps": []}"#).run();
    assert_eq!(ended.status, Some(2));
    said.push_str(&format!("invalid UTF-8: {}\n", first_line(&ended.said())));
    insta::assert_snapshot!(said, @r#"
    empty: error: the manifest must be a mapping, not nothing
    a list: error: the manifest must be a mapping, not a list
    no YAML: error: not valid YAML: unclosed bracket '['
    no name: error: `name` is missing
    a wrong type: error: `capabilities.plan.submit` must be `true` or `false`, not the string `sure`
    a list of the wrong type: error: `capabilities.shell.allow` must be a list, not the string `sh`
    a tool without command: error: `tools[0].command` names no program
    a tool twice: error: two tools are named `x`
    an empty command: error: `tools[0].command` names no program
    invalid UTF-8: error: the manifest is not UTF-8 text
    "#);
    assert!(!space.path("home").exists());
}

/// spec: The manifest: keys of a real Murmur manifest that are not this command's are accepted in silence.
#[test]
fn unknown_keys_of_a_manifest_are_accepted_in_silence() {
    let space = Space::new();
    space.file(
        "murmur.yaml",
        "name: a\nversion: 0.1.0\nmodel: {provider: x}\nartifacts: []\ncapabilities:\n  plan: {submit: true, more: 1}\n  \
         network: {allow: []}\n  shell: {allow: [sh], x: y}\n  filesystem: {read_only: [], workdir: .}\n",
    );
    let ended = space.plan(r#"{"id": "p", "steps": []}"#).run();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    assert_eq!(ended.said(), "");
}

/// spec: In the trace: a trace that cannot be written ends the run with that error; no run goes on untraced.
#[test]
fn a_full_disk_under_the_trace_ends_the_run() {
    let space = Space::new();
    let steps: Vec<_> = (0..20)
        .map(|n| {
            let after = if n == 0 {
                String::new()
            } else {
                format!(r#", "depends_on": ["s{}"]"#, n - 1)
            };
            format!(r#"{{"id": "s{n}", "shell": "sh -c 'echo x >> ran'"{after}}}"#)
        })
        .collect();
    let whole = space.steps(&steps.join(",")).run();
    assert_eq!(whole.status, Some(0));
    fs::remove_dir_all(space.path("home")).expect("the home was made");
    fs::remove_file(space.path("dir/ran")).expect("the steps ran");
    // Room for the plan's own file and the beginning of the trace.
    let ended = space.steps(&steps.join(",")).file_blocks(10).run();
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    let said = ended.said();
    assert_eq!(ended.report()["failed_step"], "plan");
    let started = space.work("ran").unwrap_or_default().lines().count();
    assert!(started > 0 && started < 20, "{started} steps ran");
    let traced = ended.trace().of("plan_step_start").count();
    assert!(
        started <= traced + 1,
        "{started} ran, {traced} are in the trace"
    );
    assert!(said.contains("cannot write to the trace"), "{said}");
    assert!(
        said.ends_with("hint: the trace of this run has no end\n"),
        "{said}"
    );
}

/// spec: In the trace: where the trace cannot even be begun, nothing has run.
#[test]
fn a_full_disk_from_the_start_refuses_the_run() {
    let space = Space::new();
    let ended = space
        .steps(r#"{"id": "a", "shell": "sh -c 'echo x > ran'"}"#)
        .file_blocks(1)
        .run();
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert_eq!(space.work("ran"), None);
    assert!(ended.said().contains("trace"), "{}", ended.said());
}

/// decision: advice follows the error: a folder that cannot be made for want of descriptors is no fault of the folder.
#[test]
fn too_few_open_files_are_no_fault_of_the_folder() {
    let space = Space::new();
    let step = r#"{"id": "a", "shell": "sh -c 'echo x > ran'"}"#;
    let hints: Vec<String> = (8..14)
        .map(|most| {
            let script = format!("ulimit -n {most}; exec \"$@\"");
            let ended = space.steps(step).through(&script).run();
            ended.said()
        })
        .filter(|said| said.contains("os error 24") && said.contains("cannot make"))
        .collect();
    assert!(!hints.is_empty());
    for said in hints {
        assert!(
            said.contains("hint: let this process open more files"),
            "{said}"
        );
    }
}
