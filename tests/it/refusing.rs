//! A refused plan: every fault is told, and nothing has run.

use std::{fs, os::unix::fs::DirBuilderExt as _};

use crate::{ended::Ended, space::Space};

/// Nothing of the plan ran, and the trace says no more than that it was refused.
fn refused(ended: &Ended, space: &Space) {
    assert_eq!(ended.status, Some(2), "{}", ended.stderr);
    assert_eq!(space.work("ran"), None);
    if let Some(trace) = &ended.trace {
        assert_eq!(trace.of("plan_step").count(), 0);
        assert_eq!(trace.of("plan_step_start").count(), 0);
    }
    let report = ended.report();
    assert_eq!(report["completed"], false);
    assert_eq!(report["canceled"], false);
    assert_eq!(report["failed_step"], report["steps"][0]["step_id"]);
}

/// rulings 3 and 28: every fault of every step in one report, in plan order, with its place and advice.
#[test]
fn every_fault_is_told_at_once_and_nothing_runs() {
    let space = Space::new().tool("show", "cat");
    let ended = space
        .steps(
            r#"{"id": "a", "shell": "sh -c 'echo x > ran'"},
               {"id": "a", "tool": "show"},
               {"id": "none"},
               {"id": "two", "tool": "show", "shell": "true"},
               {"id": "tool", "tool": "shwo"},
               {"id": "nest", "tool": "submit-plan"},
               {"id": "bin", "shell": "/bin/sh -c x"},
               {"id": "quote", "shell": "echo 'x"},
               {"id": "cap", "capsule": "worker", "input": {"objective": "x", "more": 1}},
               {"id": "dep", "tool": "show", "depends_on": ["ghost"]},
               {"id": "ref", "tool": "show", "input": ["$ghost.output"]},
               {"id": "field", "tool": "show", "input": "$none.stdout"},
               {"id": "pol", "tool": "show", "on_error": "retry", "retries": 0.5},
               {"id": "cond", "tool": "show", "if": "$a.status >= 'x'"},
               {"id": "x", "shell": "true", "depends_on": ["z"]},
               {"id": "y", "shell": "true", "depends_on": ["x"]},
               {"id": "z", "shell": "true", "depends_on": ["y"]}"#,
        )
        .run();
    refused(&ended, &space);
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 2 not completed failed_step "a"
      a failed, error "duplicate step id `a`: step 1 has it already (at /steps/1/id, line 2, column 23); give every step an id of its own"
      none failed, error "the step declares none of `tool`, `shell` and `capsule` (at /steps/2, line 3, column 16); add exactly one of `\"tool\"`, `\"shell\"` or `\"capsule\"`"
      two failed, error "the step declares more than one of tool, shell and capsule: `tool`, `shell` (at /steps/3/shell, line 4, column 46); keep one and move the others to steps of their own"
      tool failed, error "tool `shwo` is not in the inventory (at /steps/4/tool, line 5, column 39); did you mean `show`?"
      nest failed, error "the step calls the tool `submit-plan`: a plan cannot submit a plan (at /steps/5/tool, line 6, column 39); put the steps of that plan into this one"
      bin failed, error "binary `/bin/sh` is not in `capabilities.shell.allow` (at /steps/6/shell, line 7, column 39); write `sh`: the first word must be an entry of the list, letter for letter"
      quote failed, error "the command line has a `'` that is not closed (at /steps/7/shell, line 8, column 47); close the quote with `'`; a `'` that is meant as a character goes between double quotes"
      cap failed, error "a capsule step's input has no key but `objective`; this one has `more` (at /steps/8/input/more, line 9, column 79); leave the key out, and say in the text of `objective` what it was to say"
      dep failed, error "depends_on names `ghost`, which the plan does not declare (at /steps/9/depends_on/0, line 10, column 61); name the `id` of a step of this plan; the nearest is `nest`"
      ref failed, error "input reads step `ghost`, which the plan does not declare (at /steps/10/input/0, line 11, column 56); name the `id` of a step of this plan; the nearest is `nest`"
      field failed, error "input reads field `stdout` of step `none`: a step has only `output` and `status` (at /steps/11/input, line 12, column 57); write `$none.output` or `$none.status`"
      pol failed, error "on_error must be `fail`, `skip` or `continue`, not `retry` (at /steps/12/on_error, line 13, column 58); write `fail`, `skip` or `continue`, or leave the key out\nretries must be a whole number from 0 to 4294967295, not `0.5` (at /steps/12/retries, line 13, column 78); give how many times to try again, such as `2`, or leave the key out"
      cond failed, error "the condition does not parse: `>=` is not an operator (at /steps/13/if, line 14, column 64); write `($a.status > 'x' || $a.status == 'x')`"
      x failed, error "the steps wait for one another in a cycle: x -> z -> y -> x (at /steps/14/depends_on/0, line 15, column 60); take one of these steps out of another's `depends_on`"
    plan_end failed, 17 = 0 + 0 + 0, failed_step "a", reason "the plan was refused with 15 faults, the first: duplicate step id `a`: step 1 has it already"
    "#);
}

/// rulings 1 and 28: a fault of shape and a fault of validation stand side by side; what has no step is `plan`'s.
#[test]
fn faults_of_shape_hide_no_others() {
    let space = Space::new();
    let ended = space
        .plan(
            r#"{"id": 7, "steps": [
                 {"id": "a", "shell": 1, "depends_on": ["b"]},
                 {"shell": "ghost"},
                 "c",
                 {"id": "d", "shell": "curl x", "retries": -1, "on_error": null}
               ]}"#,
        )
        .run();
    refused(&ended, &space);
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 2 not completed failed_step "plan"
      plan failed, error "id must be a string, not a number (at /id, line 1, column 8); write `\"id\": \"…\"`\nthe step has no `id` (at /steps/1, line 3, column 18); add `\"id\": \"<name>\"`\na step is an object, not a string (at /steps/2, line 4, column 18); write `{\"id\": \"…\", \"tool\": \"…\"}`"
      a failed, error "shell must be a string, not a number (at /steps/0/shell, line 2, column 39); write the command line as one string, such as `\"cargo test\"`\ndepends_on names `b`, which the plan does not declare (at /steps/0/depends_on/0, line 2, column 57); name the `id` of a step of this plan; the nearest is `d`"
      d failed, error "binary `curl` is not in `capabilities.shell.allow` (at /steps/3/shell, line 5, column 39); it allows `sh`, `true`, `false`, `printf`, `cat`, `env`, `sleep`, `echo`, `pwd`, `ghost`\nretries must be a whole number from 0 to 4294967295, not `-1` (at /steps/3/retries, line 5, column 60); give how many times to try again, such as `2`, or leave the key out\non_error must be a string, not `null` (at /steps/3/on_error, line 5, column 76); leave the key out instead"
    plan_end failed, 4 = 0 + 0 + 0, failed_step "plan", reason "the plan was refused with 8 faults, the first: id must be a string, not a number"
    "#);
}

/// ruling 15: each slip in a condition has an error of its own that says what to write.
#[test]
fn a_condition_that_does_not_parse_says_what_to_write() {
    let space = Space::new();
    let conditions = [
        "$a.status >= 'x'",
        "$a.status = 'x'",
        "!$a.status",
        "$a.status == 'x' and $a.status == 'y'",
        "$a.status",
        "$a.status == 'x",
        "$a.status == failed",
        "($a.status == 'x'",
    ];
    let mut said = String::new();
    for condition in conditions {
        let step = format!(
            r#"{{"id": "a", "shell": "true"}}, {{"id": "b", "shell": "true", "if": "{condition}"}}"#
        );
        let ended = space.steps(&step).run();
        refused(&ended, &space);
        said.push_str(&format!(
            "{condition}\n  {}\n",
            ended.error("b").replace('\n', "\n  ")
        ));
    }
    insta::assert_snapshot!(said, @r#"
    $a.status >= 'x'
      the condition does not parse: `>=` is not an operator (at /steps/1/if, line 1, column 99); write `($a.status > 'x' || $a.status == 'x')`
    $a.status = 'x'
      the condition does not parse: found `=` where `==` was expected (at /steps/1/if, line 1, column 99); write `==`
    !$a.status
      the condition does not parse: `!` negates, and conditions have no negation (at /steps/1/if, line 1, column 89); write `$a.status != 'success'`
    $a.status == 'x' and $a.status == 'y'
      the condition does not parse: `and` is not an operator (at /steps/1/if, line 1, column 106); write `&&`
    $a.status
      the condition does not parse: `$a.status` is compared with nothing (at /steps/1/if, line 1, column 89); write `$a.status == 'success'`
    $a.status == 'x
      the condition does not parse: the literal is never closed: a second ' is missing (at /steps/1/if, line 1, column 102); write ' where the literal ends
    $a.status == failed
      the condition does not parse: `failed` is neither quoted nor a reference (at /steps/1/if, line 1, column 102); quote it: 'failed'
    ($a.status == 'x'
      the condition does not parse: the parenthesis is never closed (at /steps/1/if, line 1, column 89); write `)` after the last comparison that belongs to it
    "#);
}

/// ruling 35: a capsule's input has a refusal for each way it can be wrong.
#[test]
fn a_capsule_input_that_is_no_task_is_refused() {
    let space = Space::new();
    let mut said = String::new();
    for input in [
        "",
        r#", "input": 5"#,
        r#", "input": ["x"]"#,
        r#", "input": {}"#,
        r#", "input": {"objective": "x", "y": 1}"#,
        r#", "input": {"objective": 1}"#,
        r#", "input": null"#,
    ] {
        let ended = space
            .steps(&format!(r#"{{"id": "c", "capsule": "worker"{input}}}"#))
            .run();
        refused(&ended, &space);
        said.push_str(&format!("{}\n", ended.error("c")));
    }
    insta::assert_snapshot!(said, @r#"
    a capsule step needs an `input`, its task (at /steps/0, line 1, column 46); write the task as `"input": "<text>"` or `"input": {"objective": "<text>"}`
    a capsule step's input must be a string or an object with an `objective`, not a number (at /steps/0/input, line 1, column 65); write the task as `"input": "<text>"` or `"input": {"objective": "<text>"}`
    a capsule step's input must be a string or an object with an `objective`, not a list (at /steps/0/input, line 1, column 65); write the task as `"input": "<text>"` or `"input": {"objective": "<text>"}`
    the capsule step's input has no `objective` (at /steps/0/input, line 1, column 65); write the task as `"input": "<text>"` or `"input": {"objective": "<text>"}`
    a capsule step's input has no key but `objective`; this one has `y` (at /steps/0/input/y, line 1, column 84); leave the key out, and say in the text of `objective` what it was to say
    the `objective` of a capsule step must be a string, not a number (at /steps/0/input/objective, line 1, column 79); write the task as `"input": "<text>"` or `"input": {"objective": "<text>"}`
    a capsule step's input must be a string or an object with an `objective`, not `null` (at /steps/0/input, line 1, column 65); write the task as `"input": "<text>"` or `"input": {"objective": "<text>"}`
    "#);
}

/// spec: Shape: the tool exists only where it is granted, and the refusal names the declaration.
#[test]
fn a_manifest_that_grants_no_plan_is_refused() {
    for grant in [
        "capabilities: {shell: {allow: [sh]}}",
        "capabilities: {plan: {submit: false}}",
    ] {
        let space = Space::new();
        space.file("murmur.yaml", format!("name: a\nversion: 0.1.0\n{grant}\n"));
        let ended = space.plan(r#"{"id": "p", "steps": []}"#).run();
        refused(&ended, &space);
        assert!(ended.error("plan").contains("capabilities.plan.submit"));
    }
}

/// ruling 20: one fault for each set of steps that reach one another, with a shortest cycle from its first step.
#[test]
fn each_cycle_is_told_once() {
    let space = Space::new();
    let ended = space
        .steps(
            r#"{"id": "ok", "shell": "sh -c 'echo x > ran'"},
               {"id": "self", "shell": "true", "depends_on": ["self"]},
               {"id": "x", "shell": "true", "depends_on": ["w", "z"]},
               {"id": "y", "shell": "true", "depends_on": ["x"]},
               {"id": "z", "shell": "true", "depends_on": ["y"]},
               {"id": "w", "shell": "true", "depends_on": ["z"]},
               {"id": "after", "shell": "true", "depends_on": ["x"]}"#,
        )
        .run();
    refused(&ended, &space);
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 2 not completed failed_step "self"
      self failed, error "the steps wait for one another in a cycle: self -> self (at /steps/1/depends_on/0, line 2, column 63); take one of these steps out of another's `depends_on`"
      x failed, error "the steps wait for one another in a cycle: x -> z -> y -> x (at /steps/2/depends_on/1, line 3, column 65); take one of these steps out of another's `depends_on`"
    plan_start 7 steps
    plan_end failed, 7 = 0 + 0 + 0, failed_step "self", reason "the plan was refused with 2 faults, the first: the steps wait for one another in a cycle: self -> self"
    "#);
}

/// spec: What a plan may reach: a session that can start nothing needs no scope.
#[test]
fn a_session_that_starts_nothing_needs_no_scope() {
    let space = Space::new().grants("shell: {allow: []}");
    let ended = space
        .plain(r#"{"id": "p", "steps": []}"#)
        .args(&["--json"])
        .run();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
}

/// spec: What a plan may reach: where sessions and records are kept no step may write, so no plan works there.
#[test]
fn a_workdir_among_the_sessions_is_refused() {
    let plan = r#"{"id": "p", "steps": [{"id": "a", "shell": "sh -c 'echo x > ran'"}]}"#;
    for folder in ["home/records", "home/records/x", "home/sessions"] {
        let space = Space::new();
        let made = fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(space.path(folder));
        made.expect("a folder");
        space.link("link", folder);
        for named in [folder, "link"] {
            space.file("plan.json", plan);
            let words = [
                "run",
                "plan.json",
                "--home",
                "home",
                "--json",
                "--workdir",
                named,
            ];
            let ended = space.command(&words).run();
            assert_eq!(ended.status, Some(2), "{}", ended.stderr);
            let said = ended.said();
            assert!(
                said.contains("where sessions are kept and no step may write"),
                "{said}"
            );
            assert!(
                said.contains("hint: name another folder with `--workdir DIR`"),
                "{said}"
            );
            assert!(!space.path(folder).join("ran").exists());
        }
    }
}
