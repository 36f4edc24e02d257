//! Protected paths of the manifest: a step seen to write one is refused, and nothing of it runs.

use serde_json::Value;

use crate::{
    ended::{Ended, text},
    space::Space,
};

/// Returns a space that protects `entries`, with `tests/a` and `src/a` in its workdir.
fn protected(entries: &str) -> Space {
    let space = Space::new().grants(&format!(
        "filesystem: {{read_only: [{entries}]}}\n  shell: {{allow: [sh, cat, rm, tee, ln, true, printf]}}\n  \
         spawn: {{allow: [worker]}}"
    ));
    space.file("dir/tests/a", "kept");
    space.file("dir/src/a", "kept");
    space
}

/// Returns the refusals in the trace, a line each, without their words.
fn denials(ended: &Ended) -> String {
    let shown = |line: &Value| {
        assert!(!text(&line["signal"]).is_empty() && !text(&line["reason"]).is_empty());
        let target = text(&line["target"]);
        // Where a program is, and what it is a link to, differs from host to host.
        let target = if target.starts_with('/') {
            "[program]"
        } else {
            target
        };
        format!(
            "turn {} {} {target} {} {}\n",
            line["turn"],
            text(&line["call"]),
            text(&line["path"]),
            text(&line["rule"]),
        )
    };
    ended
        .trace()
        .of("protected_path_denied")
        .map(shown)
        .collect()
}

/// spec: What a plan may reach; ruling 22. Nothing of a refused step runs, it is not tried again, and what only reads is
/// not touched.
#[test]
fn a_step_that_writes_a_protected_path_is_refused() {
    let space = protected("tests");
    let ended = space
        .steps(
            r#"{"id": "a", "shell": "sh -c 'echo x > ran; echo x > tests/a'", "on_error": "continue", "retries": 3},
               {"id": "b", "shell": "rm -f src/a tests/a", "on_error": "skip", "depends_on": ["a"]},
               {"id": "c", "shell": "cat tests/a", "depends_on": ["b"]},
               {"id": "d", "shell": "tee tests2/a src/b", "on_error": "continue", "depends_on": ["c"]},
               {"id": "e", "shell": "tee ./src/../tests/new", "depends_on": ["d"]},
               {"id": "f", "shell": "true", "depends_on": ["e"]}"#,
        )
        .run();
    assert_eq!(ended.status, Some(1));
    let statuses = "a failed, b skipped, c success, d failed, e failed";
    assert_eq!(ended.statuses(), statuses);
    assert_eq!(ended.output("c"), "kept");
    for (name, expected) in [
        ("tests/a", Some("kept")),
        ("src/a", Some("kept")),
        // `tests2` is not there, which is the command's own failure.
        ("src/b", Some("")),
        ("ran", None),
        ("tests/new", None),
    ] {
        assert_eq!(space.work(name).as_deref(), expected, "{name}");
    }
    insta::assert_snapshot!(denials(&ended), @r"
    turn 0 shell [program] tests/a tests
    turn 0 shell [program] tests/a tests
    turn 0 shell [program] tests/new tests
    ");
    for id in ["a", "b", "e"] {
        assert_eq!(ended.trace().step("plan_step", id)["attempts"], 0);
        let error = ended.error(id);
        // Which path, which entry, what showed it, and that nothing ran.
        assert!(
            error.contains("`tests/") && error.contains("`tests`"),
            "{error}"
        );
    }
    insta::assert_snapshot!(ended.error("a"), @"`tests/a` is protected by `tests` in capabilities.filesystem.read_only and would be written (redirection `>`); nothing of this step ran; write to a path outside of `tests`, or only read there");
}

/// spec: What a plan may reach: a tool is judged by the input it would get, references replaced, and by its schema.
#[test]
fn a_tool_is_judged_by_its_input() {
    let space = protected("tests");
    let manifest = std::fs::read_to_string(space.path("murmur.yaml")).expect("it was written");
    let tools = "tools:\n  - {name: save, command: [sh, -c, 'cat >> ran']}\n  \
                 - {name: mark, command: [sh, -c, 'cat >> ran'], input_schema: {properties: \
                 {at: {type: string, format: murmur-destination}, to: {format: murmur-opaque}}}}\n";
    space.file("murmur.yaml", manifest.replace("tools: []\n", tools));
    let ended = space
        .steps(
            r#"{"id": "name", "shell": "printf %s tests/a"},
               {"id": "a", "tool": "save", "input": {"path": "$name.output", "content": "x"}, "depends_on": ["name"], "on_error": "continue"},
               {"id": "b", "tool": "save", "input": {"deep": [{"outputPath": "tests"}]}, "on_error": "continue"},
               {"id": "c", "tool": "mark", "input": {"at": "tests/b"}, "on_error": "continue"},
               {"id": "d", "tool": "mark", "input": {"to": "tests/b"}, "depends_on": ["a", "b", "c"]},
               {"id": "e", "tool": "save", "input": {"path": "tests/a"}, "depends_on": ["d"]}"#,
        )
        .run();
    assert_eq!(ended.status, Some(0), "{}", ended.stdout);
    let mut lines: Vec<_> = denials(&ended).lines().map(str::to_owned).collect();
    lines.sort();
    insta::assert_snapshot!(lines.join("\n"), @r"
    turn 0 tool mark tests/b tests
    turn 0 tool save tests tests
    turn 0 tool save tests/a tests
    ");
    // Only what was not refused ran.
    let ran = space.work("ran").expect("two tools ran");
    assert_eq!(ran.matches("tests/b").count(), 1, "{ran}");
    assert_eq!(ran.matches("tests/a").count(), 1, "{ran}");
}

/// spec: What a plan may reach: a link that an earlier step made counts as what it leads to.
#[test]
fn a_link_into_a_protected_subtree_is_that_subtree() {
    let space = protected("tests");
    let ended = space
        .steps(
            r#"{"id": "a", "shell": "ln -s tests in"},
               {"id": "b", "shell": "tee in/a", "depends_on": ["a"], "on_error": "continue"},
               {"id": "c", "shell": "tee in/../src/b", "depends_on": ["b"]}"#,
        )
        .run();
    assert_eq!(denials(&ended), "turn 0 shell [program] tests/a tests\n");
    assert_eq!(space.work("tests/a").as_deref(), Some("kept"));
    assert_eq!(space.work("src/b").as_deref(), Some(""));
}

/// ruling 22; spec: What a plan may reach: protected paths come before the hooks, and the first refusal is final.
#[test]
fn protected_paths_come_before_hooks() {
    let space = protected("tests");
    let mut manifest = std::fs::read_to_string(space.path("murmur.yaml")).expect("it was written");
    let hook = space.file(
        "hook",
        "read -r call; echo x >> asked; echo '{\"deny\": \"no\"}'\n",
    );
    manifest.push_str(&format!(
        "hooks: [{{name: h, on: on-shell, commit_policy: deny, command: [sh, {}]}}]\n",
        hook.display()
    ));
    space.file("murmur.yaml", manifest);
    let ended = space
        .steps(
            r#"{"id": "a", "shell": "rm tests/a", "on_error": "continue"},
               {"id": "b", "shell": "rm src/a", "on_error": "continue"}"#,
        )
        .run();
    assert_eq!(ended.trace().of("protected_path_denied").count(), 1);
    assert_eq!(ended.error("b"), "Refused by policy hook 'h': no");
    assert_eq!(space.work("asked").as_deref(), Some("x\n"));
    assert_eq!(space.work("src/a").as_deref(), Some("kept"));
}

/// spec: What a plan may reach: a capsule step is not put to the gate, whatever its task says.
#[test]
fn a_capsule_step_is_not_judged() {
    let space = protected("tests, .");
    let ended = space
        .steps(r#"{"id": "a", "capsule": "worker", "input": "rm -rf tests"}"#)
        .run();
    assert_eq!(ended.trace().of("protected_path_denied").count(), 0);
    assert_eq!(ended.trace().step("plan_step", "a")["attempts"], 1);
}

/// spec: Bad input: an entry that is no path below the workdir refuses the run and the check, and nothing has run.
#[test]
fn a_bad_entry_refuses_the_manifest() {
    let plan = r#"{"id": "p", "steps": [{"id": "a", "shell": "sh -c 'echo x > ran'"}]}"#;
    for (entry, what) in [
        ("/etc", "is absolute"),
        ("../other", "climbs out of the workdir"),
        ("a/../..", "climbs out of the workdir"),
        ("''", "is blank"),
    ] {
        let space = protected(&format!("tests, {entry}"));
        let (run, check) = (space.plan(plan).run(), space.check(plan).run());
        for ended in [run, check] {
            assert_eq!(ended.status, Some(2), "{entry}");
            let said = ended.said();
            let key = "`capabilities.filesystem.read_only[1]`";
            assert!(said.contains(key) && said.contains(what), "{said}");
        }
        assert_eq!(space.work("ran"), None);
        assert!(!space.path("home").exists());
    }
}

/// spec: Bad input: an entry that leads out of the workdir through a link refuses the session, and nothing has run.
#[test]
fn an_entry_that_leads_out_through_a_link_refuses_the_session() {
    let space = protected("tests, out/a");
    space.link("dir/out", "/etc");
    let ended = space
        .steps(r#"{"id": "a", "shell": "sh -c 'echo x > ran'"}"#)
        .run();
    assert_eq!(ended.status, Some(2));
    assert_eq!(space.work("ran"), None);
    insta::assert_snapshot!(ended.said(), @r"
    error: the manifest `murmur.yaml`: `out/a` in capabilities.filesystem.read_only leads out of the workdir through a link; write a path relative to the workdir that stays in it, such as `tests` or `docs/spec.md`
    hint: the workdir is the manifest's folder, or what `--workdir DIR` names
    ");
    assert!(ended.error("plan").contains("out/a"));
}

/// spec: What a plan may reach: an entry that could not be protected when a step starts refuses the run.
#[test]
fn an_entry_that_cannot_be_looked_at_refuses_the_run() {
    let long = "x".repeat(256);
    for entry in ["circle", long.as_str()] {
        let space = protected(entry);
        space.link("dir/circle", "circle");
        let ended = space
            .steps(r#"{"id": "a", "shell": "sh -c 'echo x > ran'"}"#)
            .run();
        assert_eq!(ended.status, Some(2), "{}", ended.stderr);
        assert_eq!(space.work("ran"), None);
        let told = format!("`{entry}` in capabilities.filesystem.read_only cannot be looked at: ");
        assert!(ended.said().contains(&told), "{}", ended.said());
    }
}
