//! What deserves a look but does not refuse the plan.

use insta::assert_snapshot;

use crate::page::{check, steps, warnings};

/// ruling 2: an unknown key is a warning, with the nearest known key named.
#[test]
fn an_unknown_key_is_a_warning() {
    let text = r#"{"id": "p", "version": 1, "step": [], "steps": [
        {"id": "a", "dependsOn": [], "run": "x", "shell": "true", "retires": 1, "timeout": 5, "name": "x"}]}"#;
    assert_snapshot!(warnings(text), @r#"
    warning unknown-key at '/version' of -, 1:13 ["version"]
      key `version` is not part of the format and is ignored
      hint: the keys here are `id`, `steps`
    warning unknown-key at '/step' of -, 1:27 ["step"]
      key `step` is not part of the format and is ignored
      hint: did you mean `steps`?
    warning unknown-key at '/steps/0/dependsOn' of a, 2:21 ["dependsOn"]
      key `dependsOn` is not part of the format and is ignored
      hint: did you mean `depends_on`?
    warning unknown-key at '/steps/0/run' of a, 2:38 ["run"]
      key `run` is not part of the format and is ignored
      hint: the keys here are `id`, `tool`, `shell`, `capsule`, `input`, `depends_on`, `if`, `on_error`, `retries`
    warning unknown-key at '/steps/0/retires' of a, 2:67 ["retires"]
      key `retires` is not part of the format and is ignored
      hint: did you mean `retries`?
    warning unknown-key at '/steps/0/timeout' of a, 2:81 ["timeout"]
      key `timeout` is not part of the format and is ignored
      hint: the keys here are `id`, `tool`, `shell`, `capsule`, `input`, `depends_on`, `if`, `on_error`, `retries`
    warning unknown-key at '/steps/0/name' of a, 2:95 ["name"]
      key `name` is not part of the format and is ignored
      hint: the keys here are `id`, `tool`, `shell`, `capsule`, `input`, `depends_on`, `if`, `on_error`, `retries`
    "#);
}

/// ruling 6: `$HOME` is a literal and a warning; `$5.00` and text around a `$` are plain literals.
#[test]
fn a_string_that_looks_like_a_variable_is_a_warning() {
    let text = steps(
        r#"{"id": "a", "tool": "notes", "input": {"$HOME": "$HOME", "b": ["$5", "$5.00", "$a b", "$", "$$5", "$_x-1", "\u0024PATH"]}}"#,
    );
    assert_snapshot!(warnings(&text), @r#"
    warning dollar-literal at '/steps/0/input/$HOME' of a, 1:71 ["$HOME"]
      `$HOME` names no step, so the text is handed over as it is
      hint: variables are not replaced; `$<step id>.output` and `$<step id>.status` are, and `$$` at the start says that the text is meant
    warning dollar-literal at '/steps/0/input/b/5' of a, 1:121 ["$_x-1"]
      `$_x-1` names no step, so the text is handed over as it is
      hint: variables are not replaced; `$<step id>.output` and `$<step id>.status` are, and `$$` at the start says that the text is meant
    warning dollar-literal at '/steps/0/input/b/6' of a, 1:130 ["\u0024PATH"]
      `$PATH` names no step, so the text is handed over as it is
      hint: variables are not replaced; `$<step id>.output` and `$<step id>.status` are, and `$$` at the start says that the text is meant
    "#);
}

/// ruling 9: a reference inside a command line is not substituted.
#[test]
fn a_reference_inside_a_command_line_is_a_warning() {
    let text = steps(
        r#"{"id": "a.b", "shell": "true"},
        {"id": "c", "shell": "bash -c \"echo $a.b.output\"", "depends_on": ["a.b"]},
        {"id": "d", "shell": "bash $a.b.status", "depends_on": ["a.b"]},
        {"id": "e", "shell": "bash $ghost.output $HOME", "depends_on": ["a.b"]}"#,
    );
    assert_snapshot!(warnings(&text), @r#"
    warning reference-in-shell at '/steps/1/shell' of c, 2:46 [$a.b.output]
      `$a.b.output` inside a command line is not replaced: nothing is substituted there
      hint: have the step before write a file, or read the result in a tool step's `input`
    warning reference-in-shell at '/steps/2/shell' of d, 3:36 [$a.b.status]
      `$a.b.status` inside a command line is not replaced: nothing is substituted there
      hint: have the step before write a file, or read the result in a tool step's `input`
    "#);
}

/// ruling 10: a reference to a step that is no ancestor is a race; one to itself cannot work.
#[test]
fn a_reference_that_nothing_waits_for_is_a_warning() {
    let text = steps(
        r#"{"id": "a", "shell": "true"},
        {"id": "b", "tool": "notes", "if": "$a.status == 'x'", "input": ["x", "$b.output"]},
        {"id": "c", "tool": "notes", "depends_on": ["a"], "input": "$a.output"},
        {"id": "d", "tool": "notes", "depends_on": ["c"], "input": {"x": "$a.output"}}"#,
    );
    assert_snapshot!(warnings(&text), @r#"
    warning unordered-reference at '/steps/1/if' of b, 2:45 [$a.status]
      if reads step `a`, but nothing makes this step wait for it, so it may not have settled
      hint: add "a" to this step's `depends_on`
    warning tool-input-type at '/steps/1/input' of b, 2:73 [[]
      a tool's input is an object or a string; this one is a list
      hint: write an object, such as `{"value": …}`
    warning unordered-reference at '/steps/1/input/1' of b, 2:79 ["$b.output"]
      input reads the step's own result: `b` cannot have settled when it is dispatched
      hint: read an earlier step
    "#);
}

/// ruling 10: no advice to wait for a step that waits for this one, be it through others: that would be a cycle.
#[test]
fn a_reference_to_a_step_that_waits_for_this_one_is_a_warning_of_its_own() {
    let text = steps(
        r#"{"id": "a", "tool": "notes", "input": ["$b.output", "$c.output", "$free.output"], "if": "$c.status == \"x\""},
        {"id": "b", "shell": "true", "depends_on": ["a"]},
        {"id": "c", "shell": "true", "depends_on": ["b"]},
        {"id": "on", "shell": "true"},
        {"id": "free", "shell": "true", "depends_on": ["on"]}"#,
    );
    assert_snapshot!(warnings(&text), @r#"
    warning tool-input-type at '/steps/0/input' of a, 1:61 [[]
      a tool's input is an object or a string; this one is a list
      hint: write an object, such as `{"value": …}`
    warning unordered-reference at '/steps/0/input/0' of a, 1:62 ["$b.output"]
      input reads step `b`, which waits for this step, so it can never have settled
      hint: read an earlier step
    warning unordered-reference at '/steps/0/input/1' of a, 1:75 ["$c.output"]
      input reads step `c`, which waits for this step, so it can never have settled
      hint: read an earlier step
    warning unordered-reference at '/steps/0/input/2' of a, 1:88 ["$free.output"]
      input reads step `free`, but nothing makes this step wait for it, so it may not have settled
      hint: add "free" to this step's `depends_on`
    warning unordered-reference at '/steps/0/if' of a, 1:112 [$c.status]
      if reads step `c`, which waits for this step, so it can never have settled
      hint: read an earlier step
    "#);
}

/// ruling 35 and decision: another type for a tool, and any input for a shell step, are warnings.
#[test]
fn an_input_that_fits_ill_is_a_warning() {
    let text = steps(
        r#"{"id": "a", "tool": "notes", "input": null}, {"id": "b", "tool": "notes", "input": 7},
        {"id": "c", "shell": "true", "input": "$a.output"}"#,
    );
    assert_snapshot!(warnings(&text), @r#"
    warning tool-input-type at '/steps/0/input' of a, 1:61 [null]
      a tool's input is an object or a string; this one is `null`
      hint: leave the key out: the tool is handed `null`
    warning tool-input-type at '/steps/1/input' of b, 1:106 [7]
      a tool's input is an object or a string; this one is a number
      hint: write an object, such as `{"value": …}`
    warning shell-input-ignored at '/steps/2/input' of c, 2:47 ["$a.output"]
      a shell step ignores its input
      hint: leave it out, or put what it says into the command line
    "#);
}

/// ruling 2: warnings stand beside a refusal, too.
#[test]
fn warnings_stand_beside_a_refusal() {
    let text = steps(r#"{"id": "a", "tool": "nope", "foo": 1}"#);
    let checked = check(&text);
    assert!(checked.plan.is_err());
    assert_eq!(checked.warnings[0].code, "unknown-key");
}
