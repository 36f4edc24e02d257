//! What is refused before anything runs: one test for each documented rule, with its words.

use insta::assert_snapshot;
use plan_model::{Grants, PlanDoc};

use crate::page::{check, faults, steps};

/// ruling 3: what a call of `submit-plan` is given is not the plan but holds it.
#[test]
fn a_plan_inside_another_object_is_refused_with_advice_to_take_it_out() {
    assert_snapshot!(faults(r#"{"plan": {"id": "p", "steps": []}}"#), @r#"
    missing-key at '' of -, 1:1 [{]
      the plan has no `id`
      hint: the plan stands inside `plan`: give that object alone
    missing-key at '' of -, 1:1 [{]
      the plan has no `steps`
      hint: the plan stands inside `plan`: give that object alone
    "#);
    // Neither a plan with steps of its own nor a name is that.
    assert_snapshot!(faults(r#"{"plan": {}, "steps": []}"#), @r#"
    missing-key at '' of -, 1:1 [{]
      the plan has no `id`
      hint: add `"id": "<name>"`
    "#);
    assert_snapshot!(faults(r#"{"plan": "p", "id": "p"}"#), @r#"
    missing-key at '' of -, 1:1 [{]
      the plan has no `steps`
      hint: add `"steps": […]`; an empty list is a plan that does nothing
    "#);
}

/// spec: What is refused before anything runs.
#[test]
fn two_steps_with_the_same_id_are_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "a", "shell": "true"}, {"id": "b", "shell": "true"}, {"id": "\u0061", "shell": "true"}"#
    )), @r#"
    duplicate-id at '/steps/2/id' of a, 1:90 ["\u0061"]
      duplicate step id `a`: step 1 has it already
      hint: give every step an id of its own
    "#);
}

/// spec: What is refused before anything runs.
#[test]
fn a_step_of_no_kind_is_refused() {
    assert_snapshot!(faults(&steps(r#"{"id": "a"}"#)), @r#"
    no-kind at '/steps/0' of a, 1:23 [{]
      the step declares none of `tool`, `shell` and `capsule`
      hint: add exactly one of `"tool"`, `"shell"` or `"capsule"`
    "#);
}

/// spec: What is refused before anything runs.
#[test]
fn a_step_of_several_kinds_is_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "a", "tool": "notes", "shell": "true", "capsule": "w"}"#
    )), @r#"
    several-kinds at '/steps/0/capsule' of a, 1:69 ["capsule"]
      the step declares more than one of tool, shell and capsule: `tool`, `shell`, `capsule`
      hint: keep one and move the others to steps of their own
    "#);
}

/// spec: What is refused before anything runs; ruling 3, the fault says what to do about it.
#[test]
fn an_unknown_tool_is_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "a", "tool": "repo_file"}, {"id": "b", "tool": "something-else"}"#
    )), @r#"
    unknown-tool at '/steps/0/tool' of a, 1:43 ["repo_file"]
      tool `repo_file` is not in the inventory
      hint: did you mean `repo-files`?
    unknown-tool at '/steps/1/tool' of b, 1:77 ["something-else"]
      tool `something-else` is not in the inventory
      hint: the tools are `notes`, `repo-files`
    "#);
}

/// spec: What is refused before anything runs; ruling 3, also where there is no name to propose.
#[test]
fn an_unknown_tool_is_refused_with_advice_whatever_the_inventory() {
    let hint = |tools: Vec<String>| {
        let grants = Grants {
            tools,
            shell_allow: Vec::new(),
        };
        let text = steps(r#"{"id": "a", "tool": "xyz"}"#);
        let checked = PlanDoc::read(text.into_bytes()).check(Some(&grants));
        checked.plan.unwrap_err().faults.remove(0).hint.unwrap()
    };
    assert_snapshot!(hint(Vec::new()), @r#"this session has no tools: use a `shell` step, or have the tool added to the inventory"#);
    let many = (0..100).map(|n| format!("tool-{n}"));
    assert_snapshot!(hint(many.collect()), @r#"use a tool of the inventory, or have this one added to it"#);
}

/// spec: What is refused before anything runs.
#[test]
fn a_plan_that_submits_a_plan_is_refused() {
    assert_snapshot!(faults(&steps(r#"{"id": "a", "tool": "submit-plan"}"#)), @r#"
    nested-plan at '/steps/0/tool' of a, 1:43 ["submit-plan"]
      the step calls the tool `submit-plan`: a plan cannot submit a plan
      hint: put the steps of that plan into this one
    "#);
}

/// spec: What is refused before anything runs; ruling 31, the first word must equal an entry byte for byte.
#[test]
fn a_binary_that_is_not_allowed_is_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "a", "shell": "curl x"}, {"id": "b", "shell": "/bin/bash -c x"}, {"id": "c", "shell": "'' x"},
        {"id": "d", "shell": "carg\\o' test'"}, {"id": "e", "shell": "ba's'\"h\""}"#
    )), @r#"
    binary-not-allowed at '/steps/0/shell' of a, 1:44 ["curl x"]
      binary `curl` is not in `capabilities.shell.allow`
      hint: it allows `bash`, `cargo`, `true`
    binary-not-allowed at '/steps/1/shell' of b, 1:76 ["/bin/bash -c x"]
      binary `/bin/bash` is not in `capabilities.shell.allow`
      hint: write `bash`: the first word must be an entry of the list, letter for letter
    binary-not-allowed at '/steps/2/shell' of c, 1:116 ["'' x"]
      binary `` is not in `capabilities.shell.allow`
      hint: it allows `bash`, `cargo`, `true`
    binary-not-allowed at '/steps/3/shell' of d, 2:30 ["carg\\o' test'"]
      binary `cargo test` is not in `capabilities.shell.allow`
      hint: it allows `bash`, `cargo`, `true`
    "#);
}

/// ruling 31: an unclosed quote, a trailing backslash or an empty line refuses the plan.
#[test]
fn a_command_line_that_cannot_be_split_is_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "a", "shell": "bash -c 'x"}, {"id": "b", "shell": "bash \"x"}, {"id": "c", "shell": "bash x\\"},
        {"id": "d", "shell": " \n"}, {"id": "e", "shell": ""}"#
    )), @r#"
    unsplittable-command at '/steps/0/shell' of a, 1:53 ['x]
      the command line has a `'` that is not closed
      hint: close the quote with `'`; a `'` that is meant as a character goes between double quotes
    unsplittable-command at '/steps/1/shell' of b, 1:86 [\"x]
      the command line has a `"` that is not closed
      hint: close the quote with `"`; in JSON it is written `\"`
    unsplittable-command at '/steps/2/shell' of c, 1:121 [\\]
      the command line ends in a backslash that quotes nothing
      hint: take the last backslash away, or double it to pass one on (in JSON `\\\\`)
    unsplittable-command at '/steps/3/shell' of d, 2:31 [ \n]
      the command line is empty
      hint: write a program and its arguments, such as `cargo test`
    unsplittable-command at '/steps/4/shell' of e, 2:60 []
      the command line is empty
      hint: write a program and its arguments, such as `cargo test`
    "#);
}

/// spec: What is refused before anything runs; ruling 35, each gets a refusal of its own.
#[test]
fn a_capsule_without_a_task_is_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "a", "capsule": "w"}, {"id": "b", "capsule": "w", "input": null},
        {"id": "c", "capsule": "w", "input": 7}, {"id": "d", "capsule": "w", "input": ["x"]},
        {"id": "e", "capsule": "w", "input": {"objective": "x", "more": 1}},
        {"id": "f", "capsule": "w", "input": {}}, {"id": "g", "capsule": "w", "input": {"objective": ["x"]}}"#
    )), @r#"
    capsule-input at '/steps/0' of a, 1:46 ["w"]
      a capsule step needs an `input`, its task
      hint: write the task as `"input": "<text>"` or `"input": {"objective": "<text>"}`
    capsule-input at '/steps/1/input' of b, 1:89 [null]
      a capsule step's input must be a string or an object with an `objective`, not `null`
      hint: write the task as `"input": "<text>"` or `"input": {"objective": "<text>"}`
    capsule-input at '/steps/2/input' of c, 2:46 [7]
      a capsule step's input must be a string or an object with an `objective`, not a number
      hint: write the task as `"input": "<text>"` or `"input": {"objective": "<text>"}`
    capsule-input at '/steps/3/input' of d, 2:87 [[]
      a capsule step's input must be a string or an object with an `objective`, not a list
      hint: write the task as `"input": "<text>"` or `"input": {"objective": "<text>"}`
    capsule-input at '/steps/4/input/more' of e, 3:65 ["more"]
      a capsule step's input has no key but `objective`; this one has `more`
      hint: leave the key out, and say in the text of `objective` what it was to say
    capsule-input at '/steps/5/input' of f, 4:46 [{]
      the capsule step's input has no `objective`
      hint: write the task as `"input": "<text>"` or `"input": {"objective": "<text>"}`
    capsule-input at '/steps/6/input/objective' of g, 4:102 [[]
      the `objective` of a capsule step must be a string, not a list
      hint: write the task as `"input": "<text>"` or `"input": {"objective": "<text>"}`
    "#);
}

/// spec: What is refused before anything runs; ruling 6, the nearest declared id is named.
#[test]
fn a_name_the_plan_does_not_declare_is_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "build", "shell": "true"},
        {"id": "a", "tool": "notes", "depends_on": ["build", "Build", "ghost"], "if": "$biuld.status == 'x'",
         "input": {"x": ["$buil.output", "$ghost.nothing"]}}"#
    )), @r#"
    unknown-dependency at '/steps/1/depends_on/1' of a, 2:62 ["Build"]
      depends_on names `Build`, which the plan does not declare
      hint: did you mean `build`?
    unknown-dependency at '/steps/1/depends_on/2' of a, 2:71 ["ghost"]
      depends_on names `ghost`, which the plan does not declare
      hint: name the `id` of a step of this plan; the nearest is `build`
    unknown-step at '/steps/1/if' of a, 2:88 [$biuld.status]
      if reads step `biuld`, which the plan does not declare
      hint: did you mean `build`?
    unknown-step at '/steps/1/input/x/0' of a, 3:26 ["$buil.output"]
      input reads step `buil`, which the plan does not declare
      hint: did you mean `build`?
    unknown-step at '/steps/1/input/x/1' of a, 3:42 ["$ghost.nothing"]
      input reads step `ghost`, which the plan does not declare
      hint: name the `id` of a step of this plan; the nearest is `build`
    unknown-field at '/steps/1/input/x/1' of a, 3:42 ["$ghost.nothing"]
      input reads field `nothing` of step `ghost`: a step has only `output` and `status`
      hint: write `$ghost.output` or `$ghost.status`
    "#);
}

/// spec: What is refused before anything runs; ruling 9, also in a shell step's input.
#[test]
fn a_field_other_than_output_and_status_is_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "a.b", "shell": "true"},
        {"id": "c", "shell": "true", "input": "$a.b.stdout", "if": "'x' == $a.b.exit_code || $a.b.status < $a.b.OUTPUT"}"#
    )), @r#"
    unknown-field at '/steps/1/input' of c, 2:47 ["$a.b.stdout"]
      input reads field `stdout` of step `a.b`: a step has only `output` and `status`
      hint: write `$a.b.output` or `$a.b.status`
    unknown-field at '/steps/1/if' of c, 2:76 [$a.b.exit_code]
      if reads field `exit_code` of step `a.b`: a step has only `output` and `status`
      hint: write `$a.b.output` or `$a.b.status`
    unknown-field at '/steps/1/if' of c, 2:108 [$a.b.OUTPUT]
      if reads field `OUTPUT` of step `a.b`: a step has only `output` and `status`
      hint: write `$a.b.output` or `$a.b.status`
    "#);
}

/// ruling 6: `$<declared id>` with no field is refused, whatever the id.
#[test]
fn a_reference_without_a_field_is_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "build", "shell": "true"}, {"id": "5.00", "shell": "true"},
        {"id": "c", "tool": "notes", "input": {"x": "$build", "y": "$5.00"}}"#
    )), @r#"
    no-field at '/steps/2/input/x' of c, 2:53 ["$build"]
      the reference to step `build` names no field
      hint: write `$build.output` or `$build.status`, or `$$build` for the text itself
    no-field at '/steps/2/input/y' of c, 2:68 ["$5.00"]
      the reference to step `5.00` names no field
      hint: write `$5.00.output` or `$5.00.status`, or `$$5.00` for the text itself
    "#);
}

/// spec: What is refused before anything runs.
#[test]
fn another_policy_is_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "a", "shell": "true", "on_error": "retry"}, {"id": "b", "shell": "true", "on_error": "Fail"}"#
    )), @r#"
    bad-on-error at '/steps/0/on_error' of a, 1:64 ["retry"]
      on_error must be `fail`, `skip` or `continue`, not `retry`
      hint: write `fail`, `skip` or `continue`, or leave the key out
    bad-on-error at '/steps/1/on_error' of b, 1:115 ["Fail"]
      on_error must be `fail`, `skip` or `continue`, not `Fail`
      hint: write `fail`, `skip` or `continue`, or leave the key out
    "#);
}

/// ruling 6: a reference that goes on behind its field is one fault, which says where it ends.
#[test]
fn a_reference_past_its_field_is_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "a", "shell": "true"}, {"id": "a.b", "shell": "true"},
        {"id": "c", "tool": "notes", "depends_on": ["a", "a.b"], "if": "$a.status.x.y == 'z'",
         "input": {"x": "$a.output.n", "y": "$a.b.output.output", "w": "$a.output.1.output"}}"#
    )), @r#"
    unknown-field at '/steps/2/if' of c, 2:73 [$a.status.x.y]
      if reads `x.y` inside `status` of step `a`, which is text and has no parts
      hint: a reference ends at its field: write `$a.status`
    unknown-field at '/steps/2/input/x' of c, 3:25 ["$a.output.n"]
      input reads `n` inside `output` of step `a`, which is text and has no parts
      hint: a reference ends at its field: write `$a.output`
    unknown-field at '/steps/2/input/y' of c, 3:45 ["$a.b.output.output"]
      input reads `output` inside `output` of step `a.b`, which is text and has no parts
      hint: a reference ends at its field: write `$a.b.output`
    unknown-field at '/steps/2/input/w' of c, 3:72 ["$a.output.1.output"]
      input reads `1.output` inside `output` of step `a`, which is text and has no parts
      hint: a reference ends at its field: write `$a.output`
    "#);
}

/// ruling 15: a condition that does not parse is refused, with its place in the plan's text.
#[test]
fn a_condition_that_does_not_parse_is_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "a", "shell": "true"},
        {"id": "b", "shell": "true", "depends_on": ["a"], "if": "$a.status >= 'x'"},
        {"id": "c", "shell": "true", "depends_on": ["a"], "if": "$a.status = \"x\""}"#
    )), @r#"
    bad-condition at '/steps/1/if' of b, 2:76 [>=]
      the condition does not parse: `>=` is not an operator
      hint: write `($a.status > 'x' || $a.status == 'x')`
    bad-condition at '/steps/2/if' of c, 3:76 [=]
      the condition does not parse: found `=` where `==` was expected
      hint: write `==`
    "#);
}

/// ruling 20: one error for each strongly connected set, on its first step, with a shortest cycle.
#[test]
fn a_cycle_is_refused() {
    assert_snapshot!(faults(&steps(
        r#"{"id": "free", "shell": "true"},
        {"id": "x", "shell": "true", "depends_on": ["free", "z"]},
        {"id": "y", "shell": "true", "depends_on": ["x"]},
        {"id": "z", "shell": "true", "depends_on": ["y", "x2"]},
        {"id": "x2", "shell": "true", "depends_on": ["y"]},
        {"id": "after", "shell": "true", "depends_on": ["z"]},
        {"id": "self", "shell": "true", "depends_on": ["after", "self"]}"#
    )), @r#"
    cycle at '/steps/1/depends_on/1' of x, 2:61 ["z"]
      the steps wait for one another in a cycle: x -> z -> y -> x
      hint: take one of these steps out of another's `depends_on`
    cycle at '/steps/6/depends_on/1' of self, 7:65 ["self"]
      the steps wait for one another in a cycle: self -> self
      hint: take one of these steps out of another's `depends_on`
    "#);
}

/// ruling 3: an entry that is no step keeps its place, so the steps after it have theirs.
#[test]
fn entries_that_are_no_steps_count_as_declared() {
    let text = steps(
        r#"1, {"id": "a", "shell": "true"}, {}, {"id": "b"}, {"id": "a", "shell": "true", "depends_on": ["a"]}, null"#,
    );
    assert_snapshot!(faults(&text), @r#"
    step-not-an-object at '/steps/0' of -, 1:23 [1]
      a step is an object, not a number
      hint: write `{"id": "…", "tool": "…"}`
    missing-key at '/steps/2' of -, 1:56 [{]
      the step has no `id`
      hint: add `"id": "<name>"`
    no-kind at '/steps/2' of -, 1:56 [{]
      the step declares none of `tool`, `shell` and `capsule`
      hint: add exactly one of `"tool"`, `"shell"` or `"capsule"`
    no-kind at '/steps/3' of b, 1:60 [{]
      the step declares none of `tool`, `shell` and `capsule`
      hint: add exactly one of `"tool"`, `"shell"` or `"capsule"`
    duplicate-id at '/steps/4/id' of a, 1:80 ["a"]
      duplicate step id `a`: step 2 has it already
      hint: give every step an id of its own
    step-not-an-object at '/steps/5' of -, 1:124 [null]
      a step is an object, not `null`
      hint: write `{"id": "…", "tool": "…"}`
    "#);
    let doc = PlanDoc::read(text.clone().into_bytes());
    let ids: Vec<&str> = doc.outline().map(|step| step.id).collect();
    assert_eq!(ids, ["", "a", "", "b", "a", ""]);
    let refused = check(&text).plan.unwrap_err();
    let places = refused
        .faults
        .iter()
        .filter_map(|fault| fault.step.as_ref());
    let places: Vec<usize> = places.map(|step| step.index.get()).collect();
    assert_eq!((refused.declared, places), (6, vec![3, 4]));
}

/// ruling 3: every fault is reported in one pass, in document order, and none follows from another.
#[test]
fn every_fault_is_reported_at_once() {
    let text = r#"{"steps": [
        {"id": "a", "tool": null, "depends_on": "b", "retries": 1.5, "input": {"x": 1, "x": 2}},
        {"tool": 5, "if": 1, "on_error": true},
        {"id": 7, "shell": "bash \u0000"},
        "a",
        {"id": "b", "shell": "curl", "depends_on": ["c", 3]}
    ], "id": 1, "id": 2}"#;
    assert_snapshot!(faults(text), @r#"
    wrong-type at '/steps/0/tool' of a, 2:29 [null]
      tool must be a string, not `null`
      hint: leave the key out instead
    wrong-type at '/steps/0/depends_on' of a, 2:49 ["b"]
      depends_on must be a list of step ids, not a string
      hint: write `"depends_on": ["<step id>"]`
    bad-retries at '/steps/0/retries' of a, 2:65 [1.5]
      retries must be a whole number from 0 to 4294967295, not `1.5`
      hint: give how many times to try again, such as `2`, or leave the key out
    duplicate-key at '/steps/0/input/x' of a, 2:88 ["x"]
      duplicate key `x` in one object
      hint: keep one of them
    missing-key at '/steps/1' of -, 3:9 [{]
      the step has no `id`
      hint: add `"id": "<name>"`
    wrong-type at '/steps/1/tool' of -, 3:18 [5]
      tool must be a string, not a number
      hint: write `"tool": "…"`
    wrong-type at '/steps/1/if' of -, 3:27 [1]
      if must be a string, not a number
      hint: write `"if": "…"`
    wrong-type at '/steps/1/on_error' of -, 3:42 [true]
      on_error must be a string, not a boolean
      hint: write `"on_error": "…"`
    wrong-type at '/steps/2/id' of -, 4:16 [7]
      id must be a string, not a number
      hint: write `"id": "…"`
    nul-in-shell at '/steps/2/shell' of -, 4:28 ["bash \u0000"]
      the command line holds a NUL character
      hint: take the `\u0000` away: no command can be given one
    step-not-an-object at '/steps/3' of -, 5:9 ["a"]
      a step is an object, not a string
      hint: write `{"id": "…", "tool": "…"}`
    binary-not-allowed at '/steps/4/shell' of b, 6:30 ["curl"]
      binary `curl` is not in `capabilities.shell.allow`
      hint: it allows `bash`, `cargo`, `true`
    unknown-dependency at '/steps/4/depends_on/0' of b, 6:53 ["c"]
      depends_on names `c`, which the plan does not declare
      hint: name the `id` of a step of this plan; the nearest is `a`
    wrong-type at '/steps/4/depends_on/1' of b, 6:58 [3]
      an entry of depends_on must be a string, not a number
      hint: write the id of a step in double quotes
    wrong-type at '/id' of -, 7:14 [1]
      id must be a string, not a number
      hint: write `"id": "…"`
    duplicate-key at '/id' of -, 7:17 ["id"]
      duplicate key `id` in one object
      hint: keep one of them
    "#);
}

/// decision: a step whose dependencies are not known in full is not warned about what it may not wait for.
#[test]
fn a_fault_does_not_bring_warnings_along() {
    let text = steps(
        r#"{"id": "build", "shell": "true"}, {"id": "a", "tool": "notes", "depends_on": ["biuld"], "input": "$build.output"},
        {"id": "b", "tool": "notes", "depends_on": ["a"], "input": "$build.output"}"#,
    );
    let checked = check(&text);
    assert_eq!(checked.warnings, []);
    assert_eq!(checked.plan.unwrap_err().faults.len(), 1);
}

/// ruling 6: a near name is looked for the first hundred times only.
#[test]
fn a_near_name_is_named_a_hundred_times() {
    let entries: Vec<String> = (0..150).map(|_| "\"biuld\"".to_owned()).collect();
    let text = steps(&format!(
        r#"{{"id": "build", "shell": "true"}}, {{"id": "a", "shell": "true", "depends_on": [{}]}}"#,
        entries.join(",")
    ));
    let refused = check(&text).plan.unwrap_err();
    let named = refused
        .faults
        .iter()
        .filter(|fault| fault.hint.as_deref() == Some("did you mean `build`?"));
    assert_eq!((refused.faults.len(), named.count()), (150, 100));
}

/// decision: codes are stable, so each is documented once and every diagnostic carries one of them.
#[test]
fn every_code_is_listed_once() {
    let mut names: Vec<&str> = plan_model::CODES.iter().map(|code| code.name).collect();
    let kebab = |name: &&str| {
        name.chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
    };
    assert!(names.iter().all(kebab));
    names.sort_unstable();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count);
}
