//! `murmur.yaml`: what is read, and every way it is refused.

use std::fs;
use std::path::Path;

use mur_plan::cli::manifest::{
    Manifest, ManifestError, Program, Resources, Tool, find_manifest, parse, read,
};

const HEAD: &str = "name: demo\nversion: 0.1.0\n";

pub(crate) fn with_head(rest: &str) -> Result<Manifest, ManifestError> {
    parse(Path::new("murmur.yaml"), format!("{HEAD}{rest}").as_bytes())
}

/// Every fault of a manifest, one to a line with its hint under it.
fn faults_of(text: impl AsRef<[u8]>) -> String {
    match parse(Path::new("murmur.yaml"), text.as_ref()) {
        Ok(manifest) => format!("accepted: {manifest:?}"),
        Err(ManifestError::Refused {
            path: _,
            text: _,
            faults,
        }) => {
            let lines = faults.iter().map(|fault| {
                let hint = fault.hint.as_ref().map(|hint| format!("\n  hint: {hint}"));
                let hint = hint.unwrap_or_default();
                format!("{}:{}: {}{hint}", fault.line, fault.column, fault.message)
            });
            lines.collect::<Vec<_>>().join("\n")
        }
        Err(other) => other.to_string(),
    }
}

/// The same of a manifest with a name and a version.
pub(crate) fn faults(rest: &str) -> String {
    faults_of(format!("{HEAD}{rest}"))
}

/// spec: The manifest; Murmur's own names, and this command's own `tools`.
#[test]
fn every_key_is_read() {
    let manifest = with_head(
        r#"
capabilities:
  plan: {submit: true}
  shell:
    allow: [bash, "cargo", true]
    strip_env: ["*_TOKEN"]
    baseline_env: [LC_TIME]
  spawn: {allow: [local/worker]}
  filesystem: {read_only: []}
  env: {allow: [EDITOR]}
  resources: {cgroup_memory_bytes: 4294967296, max_open_files: 16}
tools:
  - name: notes
    command: [./tools/notes, "", --to=x]
  - {name: files, command: [git]}
hooks: []
"#,
    )
    .unwrap();
    assert_eq!(
        (manifest.name.as_str(), manifest.version.as_str()),
        ("demo", "0.1.0")
    );
    assert!(manifest.plan_submit);
    assert_eq!(manifest.shell.allow, ["bash", "cargo", "true"]);
    assert_eq!(manifest.shell.strip_env, ["*_TOKEN"]);
    assert_eq!(manifest.shell.baseline_env, ["LC_TIME"]);
    assert_eq!(manifest.spawn_allow, ["local/worker"]);
    assert_eq!(manifest.env_allow, ["EDITOR"]);
    let resources = Resources {
        cgroup_memory_bytes: Some(4_294_967_296),
        max_open_files: Some(16),
        ..Resources::default()
    };
    assert_eq!(manifest.resources, resources);
    let tool = |name: &str, program: &str, arguments: &[&str]| Tool {
        name: name.to_owned(),
        command: Program {
            name: program.to_owned(),
            arguments: arguments.iter().map(|&word| word.to_owned()).collect(),
        },
        input_schema: None,
    };
    assert_eq!(
        manifest.tools,
        [
            tool("notes", "./tools/notes", &["", "--to=x"]),
            tool("files", "git", &[])
        ]
    );
}

/// spec: The manifest; what is not said is not granted.
#[test]
fn a_manifest_grants_nothing_by_itself() {
    for rest in [
        "",
        "capabilities:\ntools:\nhooks:\n",
        "capabilities: {shell: {allow: }, plan: {}}\n",
    ] {
        let manifest = with_head(rest).unwrap();
        assert!(!manifest.plan_submit);
        assert!(manifest.shell.allow.is_empty() && manifest.spawn_allow.is_empty());
        assert!(manifest.tools.is_empty() && manifest.env_allow.is_empty());
        assert_eq!(manifest.resources, Resources::default());
    }
}

/// spec: The manifest; unknown keys of a real Murmur manifest are accepted silently, at any level.
#[test]
fn unknown_keys_are_accepted() {
    let manifest = with_head(
        r"
entry: !custom {run: x, 5: [1, .nan, ~], ? [complex, key] : v}
description: >
  folded
  text
capabilities:
  network: {allow: [example.org]}
  plan: {submit: true, max: 3}
  shell: {allow: [sh], timeout: 5}
  resources: {later: -1}
tools: [{name: t, command: [x], schema: {type: object}}]
",
    )
    .unwrap();
    assert!(manifest.plan_submit);
    assert_eq!(manifest.shell.allow, ["sh"]);
}

/// spec: The manifest; JSON is YAML, with or without a byte-order mark.
#[test]
fn json_is_a_manifest() {
    let text = "\u{feff}{\"name\":\"demo\",\"version\":\"0.1.0\",\"capabilities\":{\"plan\":{\"submit\":true},\
                \"shell\":{\"allow\":[\"\\u0062ash\",\"\\ud83d\\ude00\"]}},\"tools\":[]}";
    let manifest = parse(Path::new("m"), text.as_bytes()).unwrap();
    assert!(manifest.plan_submit);
    assert_eq!(manifest.shell.allow, ["bash", "😀"]);
}

/// spec: The manifest; JSON on one long line is YAML too, whatever the length of its lines and strings.
#[test]
fn json_on_one_long_line_is_a_manifest() {
    let tools: Vec<String> = (0..500)
        .map(|at| {
            format!(
                "{{\"name\":\"t{at}\",\"command\":[\"{}\"]}}",
                "x".repeat(2000)
            )
        })
        .collect();
    let text = format!(
        "{{\"tools\":[{}],\"version\":\"1.0.0\",\"name\":\"demo\"}}",
        tools.join(",")
    );
    let manifest = parse(Path::new("m"), text.as_bytes()).unwrap();
    assert_eq!(manifest.tools.len(), 500);
}

/// spec: Bad input; no text makes reading panic, and every refusal can be shown.
#[test]
fn no_damage_to_a_manifest_panics() {
    let text = "name: &n demo\nversion: \"0.1.0\"\ncapabilities:\n  plan: {submit: true}\n  shell: {allow: [*n, |]}\n";
    for at in 0..text.len() {
        for byte in *b"\0\t\n :-&*!|>{}[]'\"#%@,?\x1b\xff0" {
            let mut damaged = text.as_bytes().to_vec();
            damaged[at] = byte;
            for bytes in [&damaged[..], &damaged[..at]] {
                if let Err(error) = parse(Path::new("m"), bytes) {
                    assert!(!error.to_string().is_empty());
                    assert!(error.listing(80, false).contains("-->"));
                }
            }
        }
    }
}

/// decision: anchors, aliases and merge keys are YAML, and mean what they mean.
#[test]
fn anchors_and_merge_keys_work() {
    let manifest = with_head(
        "capabilities:\n  shell: &s {allow: &a [sh, 'true'], baseline_env: *a}\n  env: {<<: *s, x: 1}\n",
    )
    .unwrap();
    assert_eq!(manifest.shell.baseline_env, ["sh", "true"]);
    assert_eq!(manifest.env_allow, ["sh", "true"]);
}

/// ruling 32: a `*` stands for anything at the start or the end of a name to strip, and nowhere else.
#[test]
fn a_star_in_the_middle_of_a_pattern_is_refused() {
    let with = |patterns| {
        faults(&format!(
            "capabilities:\n  shell: {{strip_env: [{patterns}]}}\n"
        ))
    };
    insta::assert_snapshot!(with("'A*B', '*ok*', '*', 'A**'"), @r#"
        4:22: `capabilities.shell.strip_env` has the pattern `A*B`, with a `*` in its middle
          hint: a `*` stands only at the start or the end; write `A*` and `*B` as two entries
        4:22: `capabilities.shell.strip_env` has the pattern `A**`, with a `*` in its middle
          hint: a `*` stands only at the start or the end; write `A*` and `*B` as two entries
        "#);
}

/// spec: Bad input; each problem is named with its key, its value and what is allowed.
#[test]
fn every_wrong_type_is_reported_at_once() {
    insta::assert_snapshot!(faults("
capabilities:
  plan: {submit: 'yes'}
  shell: {allow: bash, strip_env: [7, ~, [x]], baseline_env: {A: 1}}
  spawn: [worker]
  env: {allow: [' ', \"A\\0B\", 1.5]}
"), @r#"
    5:18: `capabilities.plan.submit` must be `true` or `false`, not the string `yes`
      hint: write `submit: true` or `submit: false`, without quotes
    6:18: `capabilities.shell.allow` must be a list, not the string `bash`
      hint: write `allow: [first, second]`
    6:36: `capabilities.shell.strip_env[0]` must be a string, not the number `7`
      hint: write it in quotes: `"7"`
    6:39: `capabilities.shell.strip_env[1]` must be a string, not nothing
      hint: write a string, or leave the item out
    6:42: `capabilities.shell.strip_env[2]` must be a string, not a list
      hint: write a string, or leave the item out
    6:62: `capabilities.shell.baseline_env` must be a list, not a mapping
      hint: write `baseline_env: [first, second]`
    7:10: `capabilities.spawn` must be a mapping, not a list
      hint: write its keys under `spawn:`
    8:17: `capabilities.env.allow[0]` is blank
      hint: write a name, or leave the item out
    8:22: `capabilities.env.allow[1]` has a NUL character in it
      hint: leave the `\0` out
    8:30: `capabilities.env.allow[2]` must be a string, not the number `1.5`
      hint: write it in quotes: `"1.5"`
    "#);
}

/// decision: no YAML surprise; only `true` and `false` are flags, and a number is not a version.
#[test]
fn near_misses_of_yaml_are_refused() {
    insta::assert_snapshot!(faults("capabilities: {plan: {submit: yes}}"), @r"
    3:31: `capabilities.plan.submit` must be `true` or `false`, not the string `yes`
      hint: write `submit: true` or `submit: false`, without quotes
    ");
    insta::assert_snapshot!(faults("capabilities: {plan: {submit: 1}}"), @r"
    3:31: `capabilities.plan.submit` must be `true` or `false`, not the number `1`
      hint: write `submit: true` or `submit: false`, without quotes
    ");
    insta::assert_snapshot!(faults("capabilities: {plan: {submit: }}"), @r"
    3:29: `capabilities.plan.submit` must be `true` or `false`, not nothing
      hint: write `submit: true` or `submit: false`, without quotes
    ");
    insta::assert_snapshot!(faults_of("name: 0x1F\nversion: 1.10\n"), @r#"
    1:7: `name` must be a string, not the number `0x1F`
      hint: write it in quotes: `name: "0x1F"`
    2:10: `version` must be a string, not the number `1.10`
      hint: write it in quotes: `version: "1.10"`
    "#);
}

/// spec: The manifest; `name` and `version` are needed.
#[test]
fn a_manifest_without_a_name_or_version_is_refused() {
    insta::assert_snapshot!(faults_of(""), @r"
    1:1: the manifest must be a mapping, not nothing
      hint: write `name`, `version` and `capabilities` as keys
    ");
    insta::assert_snapshot!(faults_of("capabilities: {}\n"), @r#"
    1:1: `name` is missing
      hint: write `name: my-capsule`
    1:1: `version` is missing
      hint: write `version: "0.1.0"`
    "#);
    insta::assert_snapshot!(faults_of("name: ''\nversion: ~\n"), @r#"
    1:7: `name` is blank
      hint: write `name: my-capsule`
    2:10: `version` must be a string, not nothing
      hint: write `version: "0.1.0"`
    "#);
    insta::assert_snapshot!(faults_of("- name\n"), @r"
    1:1: the manifest must be a mapping, not a list
      hint: write `name`, `version` and `capabilities` as keys
    ");
    insta::assert_snapshot!(faults_of("just text\n"), @r"
    1:1: the manifest must be a mapping, not the string `just text`
      hint: write `name`, `version` and `capabilities` as keys
    ");
}

/// spec: The manifest; a declared 0 is refused when the manifest is read, and so is what is no whole number.
#[test]
fn a_limit_is_a_whole_number_from_1() {
    insta::assert_snapshot!(faults(
        "capabilities:
  resources:
    cgroup_memory_bytes: 0
    cgroup_pids_max: -1
    cgroup_cpu_percent: '200'
    cgroup_io_bytes_per_sec: 1e9
    max_open_files: 18446744073709551616
    max_file_size_bytes: 4GiB
    cpu_seconds: 010
    memory_bytes: 1_000
    max_processes:
    workdir_max_bytes: .inf
"), @r"
    5:26: `capabilities.resources.cgroup_memory_bytes` must be a whole number from 1, not the number `0`
      hint: write a number without quotes, or leave the key out for the default
    6:22: `capabilities.resources.cgroup_pids_max` must be a whole number from 1, not the number `-1`
      hint: write a number without quotes, or leave the key out for the default
    7:25: `capabilities.resources.cgroup_cpu_percent` must be a whole number from 1, not the string `200`
      hint: write a number without quotes, or leave the key out for the default
    8:30: `capabilities.resources.cgroup_io_bytes_per_sec` must be a whole number from 1, not the number `1e9`
      hint: write a number without quotes, or leave the key out for the default
    9:21: `capabilities.resources.max_open_files` must be a whole number from 1, not the number `18446744073709551616`
      hint: write a number without quotes, or leave the key out for the default
    10:26: `capabilities.resources.max_file_size_bytes` must be a whole number from 1, not the string `4GiB`
      hint: write a number without quotes, or leave the key out for the default
    11:18: `capabilities.resources.cpu_seconds` must be a whole number from 1, not the string `010`
      hint: write a number without quotes, or leave the key out for the default
    12:19: `capabilities.resources.memory_bytes` must be a whole number from 1, not the string `1_000`
      hint: write a number without quotes, or leave the key out for the default
    13:18: `capabilities.resources.max_processes` must be a whole number from 1, not nothing
      hint: write a number without quotes, or leave the key out for the default
    14:24: `capabilities.resources.workdir_max_bytes` must be a whole number from 1, not the number `.inf`
      hint: write a number without quotes, or leave the key out for the default
    ");
}

/// spec: The manifest; a tool has a name of its own and a program.
#[test]
fn a_tool_needs_a_name_of_its_own_and_a_program() {
    insta::assert_snapshot!(faults(
        "tools:
  - {name: a, command: [x]}
  - {name: a, command: [y]}
  - {name: submit-plan, command: [x]}
  - {name: '', command: [x]}
  - {command: [x]}
  - {name: b}
  - {name: c, command: []}
  - {name: d, command: ['', y]}
  - {name: e, command: x y}
  - {name: f, command: [x, 5]}
  - {name: g, command: [\"x\\0\"]}
  - h
"), @r#"
    5:12: two tools are named `a`
      hint: give each tool a name of its own
    6:12: `tools[2].name` is `submit-plan`, the runtime's own tool
      hint: give the tool another name
    7:12: `tools[3].name` is blank
      hint: write `name: my-tool`
    8:5: `tools[4].name` is missing
      hint: write `name: my-tool`
    9:5: `tools[5].command` names no program
      hint: write `command: [program, argument]`
    10:24: `tools[6].command` names no program
      hint: write `command: [program, argument]`
    11:24: `tools[7].command[0]`, the program, is blank
      hint: write `command: [program, argument]`
    12:24: `tools[8].command` must be a list, not the string `x y`
      hint: write `command: [first, second]`
    13:28: `tools[9].command[1]` must be a string, not the number `5`
      hint: write it in quotes: `"5"`
    14:25: `tools[10].command[0]` has a NUL character in it
      hint: leave the `\0` out
    15:5: `tools[11]` must be a mapping, not the string `h`
      hint: write `- name: my-tool` and under it `command: [program, argument]`
    "#);
}

/// decision: what cannot be read as one YAML document is one fault, with its place.
#[test]
fn what_is_not_one_yaml_document_is_one_fault() {
    insta::assert_snapshot!(faults("name: again\n"), @r"
    3:1: the key `name` is given twice
      hint: keep one of the two
    ");
    insta::assert_snapshot!(faults("capabilities: {plan: {submit: true, submit: false}}\n"), @r"
    3:37: the key `submit` is given twice
      hint: keep one of the two
    ");
    insta::assert_snapshot!(faults("---\nname: b\n"), @r"
    4:1: the manifest is more than one YAML document
      hint: keep what comes before the second `---`
    ");
    insta::assert_snapshot!(faults("tools:\n\t- x\n"), @r"
    4:2: not valid YAML: tabs disallowed within this context (block indentation)
      hint: look for an unclosed quote or bracket, or a wrong indentation
    ");
    insta::assert_snapshot!(faults("tools: [a\n"), @r"
    3:8: not valid YAML: unclosed bracket '['
      hint: look for an unclosed quote or bracket, or a wrong indentation
    ");
    insta::assert_snapshot!(faults("tools: *nowhere\n"), @r"
    3:8: not valid YAML: reference to unknown value
      hint: look for an unclosed quote or bracket, or a wrong indentation
    ");
    insta::assert_snapshot!(faults("tools: \"\x1b[2J\n"), @r"
    3:9: not valid YAML: unexpected character: `\u{1b}'
      hint: look for an unclosed quote or bracket, or a wrong indentation
    ");
    insta::assert_snapshot!(faults_of(b"name: d\xc3\xa9mo\nversion: \xff\n"), @r"
    2:10: the manifest is not UTF-8 text
      hint: save the file as UTF-8
    ");
    insta::assert_snapshot!(faults_of(b"name: a\0b\n"), @r"
    1:8: not valid YAML: unexpected character: `\u{0}'
      hint: look for an unclosed quote or bracket, or a wrong indentation
    ");
}

/// spec: Bad input; an alias bomb and deep nesting cost little and are refused.
#[test]
fn a_bomb_is_refused() {
    let mut bomb = format!("{HEAD}a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..20 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        bomb.push_str(&format!("a{level}: &a{level} [{below}]\n"));
    }
    insta::assert_snapshot!(faults_of(bomb), @r"
    7:45: the manifest is too large or too deep for one
      hint: write fewer values, aliases and levels
    ");
    insta::assert_snapshot!(faults(&format!("x: {}", "[".repeat(5000))), @r"
    3:259: not valid YAML: recursion limit exceeded
      hint: look for an unclosed quote or bracket, or a wrong indentation
    ");
    let deep: String = (0..5000)
        .map(|level| format!("{}a:\n", " ".repeat(level)))
        .collect();
    insta::assert_snapshot!(faults(&deep), @r"
    67:65: the manifest is too large or too deep for one
      hint: write fewer values, aliases and levels
    ");
    insta::assert_snapshot!(faults(&"- ".repeat(5000)), @r"
    3:3: not valid YAML: while parsing a block mapping, did not find expected key
      hint: look for an unclosed quote or bracket, or a wrong indentation
    ");
    insta::assert_snapshot!(faults(&format!("x: [{}]", "1,".repeat(200_000))), @r"
    3:199991: the manifest is too large or too deep for one
      hint: write fewer values, aliases and levels
    ");
    insta::assert_snapshot!(faults("x: &x [*x]\n"), @r"
    3:8: not valid YAML: Recursive reference not allowed here
      hint: look for an unclosed quote or bracket, or a wrong indentation
    ");
}

/// decision: a manifest's faults are shown in its own text.
#[test]
fn faults_are_shown_in_the_text() {
    let error =
        with_head("capabilities:\n  plan: {submit: \"y\x1b[2J\"}\ntools: [{}]\n").unwrap_err();
    insta::assert_snapshot!(error.listing(80, false), @r#"
    error: not valid YAML: unexpected character: `\u{1b}'
     --> murmur.yaml:4:20
      |
    4 |   plan: {submit: "y␛[2J"}
      |                    ^
      |
      = hint: look for an unclosed quote or bracket, or a wrong indentation
    "#);
    insta::assert_snapshot!(error, @r"murmur.yaml:4:20: not valid YAML: unexpected character: `\u{1b}'; look for an unclosed quote or bracket, or a wrong indentation");
    assert!(!error.listing(80, true).contains("\x1b[2J"));
}

/// spec: Bad input; a manifest is a regular file of a sensible size, and nothing else is waited for.
#[test]
fn only_a_regular_file_of_sensible_size_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let error = |path: &Path| {
        let error = read(path).unwrap_err();
        let text = error
            .to_string()
            .replace(folder.path().to_str().unwrap(), "…");
        format!("{text}\n  hint: {}", error.hint().unwrap())
    };
    insta::assert_snapshot!(error(&at("none.yaml")), @r"
    cannot read the manifest `…/none.yaml`: No such file or directory (os error 2)
      hint: name another file with `--manifest FILE`
    ");
    insta::assert_snapshot!(error(folder.path()), @r"
    the manifest `…` is a folder, not a file
      hint: name a file, such as `murmur.yaml`
    ");
    insta::assert_snapshot!(error(Path::new("/dev/null")), @r"
    the manifest `/dev/null` is a device, not a file
      hint: name a file, such as `murmur.yaml`
    ");
    nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    insta::assert_snapshot!(error(&at("pipe")), @r"
    the manifest `…/pipe` is a pipe, not a file
      hint: name a file, such as `murmur.yaml`
    ");
    let large = fs::File::create(at("large")).unwrap();
    large.set_len(100 << 20).unwrap();
    insta::assert_snapshot!(error(&at("large")), @r"
    the manifest `…/large` is larger than 4194304 bytes
      hint: a manifest is a few hundred lines at most
    ");

    fs::write(at("murmur.yaml"), HEAD).unwrap();
    let manifest = read(&at("murmur.yaml")).unwrap();
    assert_eq!(manifest.folder(), folder.path());
}

/// spec: The command; the manifest defaults to `murmur.yaml` beside the plan, else in the current directory.
#[test]
fn the_manifest_is_the_named_one_else_the_one_beside_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    let plan = folder.path().join("plan.json");
    assert_eq!(find_manifest(Some(&plan), None), None);
    assert_eq!(find_manifest(None, None), None);
    assert_eq!(find_manifest(Some(&plan.join("below")), None), None);
    let named = Path::new("other.yaml");
    assert_eq!(
        find_manifest(Some(&plan), Some(named)),
        Some(named.to_owned())
    );
    // A link that leads nowhere is found, so that reading it says so.
    let beside = folder.path().join("murmur.yaml");
    std::os::unix::fs::symlink("nowhere", &beside).unwrap();
    assert_eq!(find_manifest(Some(&plan), None), Some(beside));
}

/// spec: The manifest; a manifest in the current directory is in the folder `.`, which is never an empty path.
#[test]
fn a_bare_manifest_is_in_the_current_folder() {
    let manifest = with_head("").unwrap();
    assert_eq!(manifest.folder(), Path::new("."));
}
