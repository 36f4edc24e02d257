//! `murmur.yaml`: what the gate is made from, and every way it is refused.

use mur_plan::cli::manifest::{Hook, Program};
use mur_plan::plan_exec::HookEvent;

use crate::manifest::{faults, with_head};

/// spec: The manifest; protected paths, hooks in the order declared, and the input schemas of tools.
#[test]
fn what_the_gate_is_made_from_is_read() {
    let manifest = with_head(
        r#"
capabilities:
  filesystem: {read_only: [tests, ./docs/spec.md, a/../b, ., "with space"]}
hooks:
  - {name: second, on: on-shell, commit_policy: deny, command: [./hooks/guard, "", --strict]}
  - name: first
    on: "on-tool-call"
    commit_policy: deny
    command: [guard]
    timeout: 5
tools:
  - name: save
    command: [save]
    input_schema: {type: object, properties: {at: {format: murmur-destination, maxLength: 1.5e1}},
                   minProperties: -1, enum: [~, true, 7, .inf], 5: x, additionalProperties: false}
  - {name: bare, command: [x], input_schema: }
"#,
    )
    .unwrap();
    assert_eq!(
        manifest.read_only,
        ["tests", "./docs/spec.md", "a/../b", ".", "with space"]
    );
    let hook = |name: &str, on, program: &str, arguments: &[&str]| Hook {
        name: name.to_owned(),
        on,
        command: Program {
            name: program.to_owned(),
            arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
        },
    };
    assert_eq!(
        manifest.hooks,
        [
            hook(
                "second",
                HookEvent::OnShell,
                "./hooks/guard",
                &["", "--strict"]
            ),
            hook("first", HookEvent::OnToolCall, "guard", &[]),
        ]
    );
    let schema = manifest.tools[0].input_schema.as_ref().unwrap();
    insta::assert_snapshot!(schema, @r#"{"5":"x","additionalProperties":false,"enum":[null,true,7,".inf"],"minProperties":-1,"properties":{"at":{"format":"murmur-destination","maxLength":15.0}},"type":"object"}"#);
    assert_eq!(manifest.tools[1].input_schema, None);
}

/// spec: Bad input; a protected path lies below the workdir, and each that does not is named with its value.
#[test]
fn a_protected_path_lies_below_the_workdir() {
    insta::assert_snapshot!(faults(
        "capabilities:
  filesystem:
    read_only:
      - /etc
      - ../other
      - a/../../b
      - ./..
      - ''
      - '  '
      - \"a\\0b\"
      - 5
      - ~
      - [tests]
      - tests
"), @r#"
6:9: `capabilities.filesystem.read_only[0]` must be a path below the workdir, and `/etc` is absolute
  hint: name a path below the workdir, relative to it, such as `tests`
7:9: `capabilities.filesystem.read_only[1]` must be a path below the workdir, and `../other` climbs out of the workdir
  hint: name a path below the workdir, relative to it, such as `tests`
8:9: `capabilities.filesystem.read_only[2]` must be a path below the workdir, and `a/../../b` climbs out of the workdir
  hint: name a path below the workdir, relative to it, such as `tests`
9:9: `capabilities.filesystem.read_only[3]` must be a path below the workdir, and `./..` climbs out of the workdir
  hint: name a path below the workdir, relative to it, such as `tests`
10:9: `capabilities.filesystem.read_only[4]` is blank
  hint: name a path below the workdir, relative to it, such as `tests`
11:9: `capabilities.filesystem.read_only[5]` is blank
  hint: name a path below the workdir, relative to it, such as `tests`
12:9: `capabilities.filesystem.read_only[6]` has a NUL character in it
  hint: leave the `\0` out
13:9: `capabilities.filesystem.read_only[7]` must be a string, not the number `5`
  hint: write it in quotes: `"5"`
14:9: `capabilities.filesystem.read_only[8]` must be a string, not nothing
  hint: write a string, or leave the item out
15:9: `capabilities.filesystem.read_only[9]` must be a string, not a list
  hint: write a string, or leave the item out
"#);
    insta::assert_snapshot!(faults("capabilities: {filesystem: {read_only: tests}}"), @r"
    3:40: `capabilities.filesystem.read_only` must be a list, not the string `tests`
      hint: write `read_only: [first, second]`
    ");
    insta::assert_snapshot!(faults("capabilities: {filesystem: [tests]}"), @r"
    3:28: `capabilities.filesystem` must be a mapping, not a list
      hint: write its keys under `filesystem:`
    ");
}

/// spec: Bad input; each fault of a hook is named with its key, its value and what is allowed, all at once.
#[test]
fn every_fault_of_a_hook_is_reported_at_once() {
    insta::assert_snapshot!(faults(
        "hooks:
  - {name: a, on: on-shell, commit_policy: deny}
  - {name: b, on: on-shell, commit_policy: deny, command: []}
  - {name: c, on: on-shell, commit_policy: deny, command: [' ', x]}
  - {name: d, on: on-shell, commit_policy: deny, command: ./guard}
  - {name: e, on: on-shell, commit_policy: observe, command: [x]}
  - {name: f, on: on-shell, commit_policy: Deny, command: [x]}
  - {name: g, on: on-shell, command: [x]}
  - {name: h, on: on-shell, commit_policy: , command: [x]}
  - {name: i, on: on_shell, commit_policy: deny, command: [x]}
  - {name: j, on: on-session-start, commit_policy: deny, command: [x]}
  - {name: k, on: true, commit_policy: deny, command: [x]}
  - {name: l, commit_policy: deny, command: [x]}
  - {name: m, event: on-shell, commit_policy: deny, command: [x]}
  - {name: a, on: on-tool-call, commit_policy: deny, command: [x]}
  - {name: '', on: on-shell, commit_policy: deny, command: [x]}
  - {on: on-shell, commit_policy: deny, command: [x]}
  - {name: 5, on: on-shell, commit_policy: deny, command: [x, 7]}
  - guard
  - {}
"), @r#"
4:5: `hooks[0].command` names no program
  hint: write `command: [program, argument]`
5:59: `hooks[1].command` names no program
  hint: write `command: [program, argument]`
6:59: `hooks[2].command[0]`, the program, is blank
  hint: write `command: [program, argument]`
7:59: `hooks[3].command` must be a list, not the string `./guard`
  hint: write `command: [first, second]`
8:44: `hooks[4].commit_policy` must be `deny`, not `observe`
  hint: write `commit_policy: deny`
9:44: `hooks[5].commit_policy` must be `deny`, not `Deny`
  hint: did you mean `commit_policy: deny`?
10:5: `hooks[6].commit_policy` is missing
  hint: write `commit_policy: deny`
11:42: `hooks[7].commit_policy` must be a string, not nothing
  hint: write `commit_policy: deny`
12:19: `hooks[8].on` must be `on-shell` or `on-tool-call`, not `on_shell`
  hint: did you mean `on: on-shell`?
13:19: `hooks[9].on` must be `on-shell` or `on-tool-call`, not `on-session-start`
  hint: write `on: on-shell` or `on: on-tool-call`
14:19: `hooks[10].on` must be a string, not `true`
  hint: write `on: on-shell` or `on: on-tool-call`
15:5: `hooks[11].on` is missing
  hint: write `on: on-shell` or `on: on-tool-call`
16:5: `hooks[12].on` is missing
  hint: write `on: on-shell` or `on: on-tool-call`
17:12: two hooks are named `a`
  hint: give each hook a name of its own
18:12: `hooks[14].name` is blank
  hint: write `name: my-hook`
19:5: `hooks[15].name` is missing
  hint: write `name: my-hook`
20:12: `hooks[16].name` must be a string, not the number `5`
  hint: write it in quotes: `name: "5"`
20:63: `hooks[16].command[1]` must be a string, not the number `7`
  hint: write it in quotes: `"7"`
21:5: `hooks[17]` must be a mapping, not the string `guard`
  hint: write `- name: my-hook` and under it `on:`, `commit_policy: deny` and `command:`
22:5: `hooks[18].name` is missing
  hint: write `name: my-hook`
22:5: `hooks[18].on` is missing
  hint: write `on: on-shell` or `on: on-tool-call`
22:5: `hooks[18].commit_policy` is missing
  hint: write `commit_policy: deny`
22:5: `hooks[18].command` names no program
  hint: write `command: [program, argument]`
"#);
    insta::assert_snapshot!(faults("hooks: {name: a}"), @r"
    3:8: `hooks` must be a list, not a mapping
      hint: write `hooks: [first, second]`
    ");
}

/// spec: Bad input; faults of limits, protected paths, hooks and tools are told together.
#[test]
fn faults_of_every_part_are_told_together() {
    insta::assert_snapshot!(faults(
        "capabilities:
  filesystem: {read_only: [/]}
  resources: {cpu_seconds: 0}
tools:
  - {name: t, command: [x], input_schema: [object]}
hooks:
  - {name: h, on: on-shell, commit_policy: warn, command: [x]}
"), @r"
4:28: `capabilities.filesystem.read_only[0]` must be a path below the workdir, and `/` is absolute
  hint: name a path below the workdir, relative to it, such as `tests`
5:28: `capabilities.resources.cpu_seconds` must be a whole number from 1, not the number `0`
  hint: write a number without quotes, or leave the key out for the default
7:43: `tools[0].input_schema` must be a mapping, not a list
  hint: write its keys under `input_schema:`
9:44: `hooks[0].commit_policy` must be `deny`, not `warn`
  hint: write `commit_policy: deny`
");
}

/// ruling 32: `baseline_env` names variables exactly, so that a pattern in it would mean nothing.
#[test]
fn a_pattern_in_baseline_env_is_refused() {
    insta::assert_snapshot!(faults(
        "capabilities:\n  shell: {baseline_env: [LC_TIME, 'LC_*', '*'], strip_env: ['*_X']}\n"), @r"
        4:35: `capabilities.shell.baseline_env[1]` is the pattern `LC_*`
          hint: `baseline_env` names variables exactly; write each name out
        4:43: `capabilities.shell.baseline_env[2]` is the pattern `*`
          hint: `baseline_env` names variables exactly; write each name out
        ");
}

/// spec: Bad input; a schema however deep or large is read or refused, and never makes reading panic.
#[test]
fn a_deep_schema_is_refused_as_any_deep_value_is() {
    let deep = |levels: usize| {
        let (open, close) = ("{a: ".repeat(levels), "}".repeat(levels));
        faults(&format!(
            "tools: [{{name: t, command: [x], input_schema: {open}1{close}}}]\n"
        ))
    };
    assert!(deep(40).starts_with("accepted"));
    assert!(
        deep(5000).contains("too large or too deep"),
        "{}",
        deep(5000)
    );
}
