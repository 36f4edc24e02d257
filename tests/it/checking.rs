//! `mur-plan check`: faults and warnings in the plan's own text, and nothing run.

use serde_json::Value;

use crate::space::Space;

const PLAN: &str = r#"{
  "id": "p",
  "steps": [
    {"id": "a", "shell": "curl x"},
    {"id": "b", "tool": "shw", "depends_on": ["aa"], "input": "$HOME"}
  ]
}
"#;

/// spec: The command: each fault with a caret, line and column; exit status 2.
#[test]
fn faults_are_shown_in_the_plans_own_text() {
    let ended = Space::new().tool("show", "cat").check(PLAN).run();
    assert_eq!(ended.status, Some(2));
    insta::assert_snapshot!(ended.stdout, @r#"
    error[binary-not-allowed]: binary `curl` is not in `capabilities.shell.allow`
     --> plan.json:4:26
      |
    4 |     {"id": "a", "shell": "curl x"},
      |                          ^^^^^^^^
      |
      = hint: it allows `sh`, `true`, `false`, `printf`, `cat`, `env`, `sleep`, `echo`, `pwd`, `ghost`

    error[unknown-tool]: tool `shw` is not in the inventory
     --> plan.json:5:25
      |
    5 |     {"id": "b", "tool": "shw", "depends_on": ["aa"], "input": "$HOME"}
      |                         ^^^^^
      |
      = hint: did you mean `show`?

    error[unknown-dependency]: depends_on names `aa`, which the plan does not declare
     --> plan.json:5:47
      |
    5 |     {"id": "b", "tool": "shw", "depends_on": ["aa"], "input": "$HOME"}
      |                                               ^^^^
      |
      = hint: name the `id` of a step of this plan; the nearest is `a`

    warning[dollar-literal]: `$HOME` names no step, so the text is handed over as it is
     --> plan.json:5:63
      |
    5 |     {"id": "b", "tool": "shw", "depends_on": ["aa"], "input": "$HOME"}
      |                                                               ^^^^^^^
      |
      = hint: variables are not replaced; `$<step id>.output` and `$<step id>.status` are, and `$$` at the start says that the text is meant

    3 faults, 1 warning
    "#);
    assert_eq!(ended.stderr, "");
}

/// spec: The command: without a manifest, the faults that need no grants, and a note that says so.
#[test]
fn without_a_manifest_only_the_plan_itself_is_checked() {
    let space = Space::new();
    std::fs::remove_file(space.path("murmur.yaml")).expect("it was there");
    let ended = space.check(PLAN).run();
    assert_eq!(ended.status, Some(2));
    insta::assert_snapshot!(ended.stdout, @r#"
    error[unknown-dependency]: depends_on names `aa`, which the plan does not declare
     --> plan.json:5:47
      |
    5 |     {"id": "b", "tool": "shw", "depends_on": ["aa"], "input": "$HOME"}
      |                                               ^^^^
      |
      = hint: name the `id` of a step of this plan; the nearest is `a`

    warning[dollar-literal]: `$HOME` names no step, so the text is handed over as it is
     --> plan.json:5:63
      |
    5 |     {"id": "b", "tool": "shw", "depends_on": ["aa"], "input": "$HOME"}
      |                                                               ^^^^^^^
      |
      = hint: variables are not replaced; `$<step id>.output` and `$<step id>.status` are, and `$$` at the start says that the text is meant

    1 fault, 1 warning
    "#);
    insta::assert_snapshot!(ended.stderr, @r#"
    note: no manifest was found, so nothing that needs grants was checked: tools, commands, `capabilities.plan.submit`
    hint: name one with `--manifest FILE`
    "#);
    let ended = space
        .check(r#"{"id": "p", "steps": [{"id": "a", "shell": "curl x"}]}"#)
        .run();
    assert_eq!(ended.status, Some(0));
}

/// spec: The command: `--json` gives a list with every key for each, and nothing else on standard output.
#[test]
fn json_gives_a_list_of_faults_and_warnings() {
    let ended = Space::new().check(PLAN).args(&["--json"]).run();
    assert_eq!(ended.status, Some(2));
    let found: Value = serde_json::from_str(&ended.stdout).expect("a list");
    let found = found.as_array().expect("a list");
    let keys = [
        "step_id", "pointer", "line", "column", "code", "message", "hint", "severity",
    ];
    for one in found {
        let mut has: Vec<_> = one
            .as_object()
            .expect("an object")
            .keys()
            .map(String::as_str)
            .collect();
        has.sort_unstable();
        let mut wanted = keys;
        wanted.sort_unstable();
        assert_eq!(has, wanted);
    }
    let shown: Vec<_> = found
        .iter()
        .map(|one| {
            format!(
                "{} {} {} {}:{} {}",
                one["severity"],
                one["step_id"],
                one["pointer"],
                one["line"],
                one["column"],
                one["code"]
            )
        })
        .collect();
    insta::assert_snapshot!(shown.join("\n"), @r#"
    "error" "a" "/steps/0/shell" 4:26 "binary-not-allowed"
    "error" "b" "/steps/1/tool" 5:25 "unknown-tool"
    "error" "b" "/steps/1/depends_on/0" 5:47 "unknown-dependency"
    "warning" "b" "/steps/1/input" 5:63 "dollar-literal"
    "#);
    let ended = Space::new()
        .check(r#"{"id": "p", "steps": []}"#)
        .args(&["--json"])
        .run();
    assert_eq!(ended.stdout.trim(), "[]");
    assert_eq!(ended.status, Some(0));
}

/// spec: The command: a right plan passes, and warnings alone refuse nothing.
#[test]
fn warnings_alone_pass() {
    let ended = Space::new()
        .check(r#"{"id": "p", "steps": [{"id": "a", "shell": "true", "input": {}}]}"#)
        .run();
    assert_eq!(ended.status, Some(0));
    insta::assert_snapshot!(ended.stdout, @r#"
    warning[shell-input-ignored]: a shell step ignores its input
     --> plan.json:1:61
      |
    1 | {"id": "p", "steps": [{"id": "a", "shell": "true", "input": {}}]}
      |                                                             ^
      |
      = hint: leave it out, or put what it says into the command line

    no faults, 1 warning
    "#);
}

/// spec: The command: a check makes no session and runs nothing.
#[test]
fn a_check_leaves_nothing() {
    let space = Space::new();
    let ended = space
        .check(r#"{"id": "p", "steps": [{"id": "a", "shell": "sh -c 'echo x > ran'"}]}"#)
        .env("MURMUR_HOME", space.path("home"))
        .run();
    assert_eq!(ended.status, Some(0));
    assert!(!space.path("home").exists());
    assert!(!space.path("user").exists());
    assert_eq!(space.work("ran"), None);
}

/// spec: Bad input: what cannot be read is one fault, also as JSON.
#[test]
fn what_cannot_be_read_is_one_fault() {
    let space = Space::new();
    for words in [
        ["check", "missing.json", "--json"],
        ["check", "dir", "--json"],
    ] {
        let ended = space.command(&words).run();
        assert_eq!(ended.status, Some(2));
        let found: Value = serde_json::from_str(&ended.stdout).expect("a list");
        assert_eq!(found.as_array().map(Vec::len), Some(1));
    }
    let ended = space.command(&["check", "-"]).input("{").run();
    assert_eq!(ended.status, Some(2));
    assert!(
        ended.stdout.contains("<standard input>:1:"),
        "{}",
        ended.stdout
    );
}
