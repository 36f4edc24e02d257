//! `murmur.yaml`: what is read, and every way it is refused.

use std::fs;
use std::path::{Path, PathBuf};

use mur_plan::cli::manifest::{
    Manifest, ManifestError, Program, Resources, Tool, find_manifest, parse, read,
};

const HEAD: &str = "name: demo\nversion: 0.1.0\n";

fn with_head(rest: &str) -> Result<Manifest, ManifestError> {
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

fn faults(rest: &str) -> String {
    faults_of(format!("{HEAD}{rest}"))
}

/// issue: the manifest; Murmur's own names, and this command's own `tools`.
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
    };
    assert_eq!(
        manifest.tools,
        [
            tool("notes", "./tools/notes", &["", "--to=x"]),
            tool("files", "git", &[])
        ]
    );
}

/// issue: the manifest; what is not said is not granted.
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

/// issue: the manifest; unknown keys of a real Murmur manifest are accepted silently, at any level.
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

/// issue: the manifest; JSON is YAML, with or without a byte-order mark.
#[test]
fn json_is_a_manifest() {
    let text = "\u{feff}{\"name\":\"demo\",\"version\":\"0.1.0\",\"capabilities\":{\"plan\":{\"submit\":true},\
                \"shell\":{\"allow\":[\"\\u0062ash\",\"\\ud83d\\ude00\"]}},\"tools\":[]}";
    let manifest = parse(Path::new("m"), text.as_bytes()).unwrap();
    assert!(manifest.plan_submit);
    assert_eq!(manifest.shell.allow, ["bash", "😀"]);
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

/// issue: bad input; each problem is named with its key, its value and what is allowed.
#[test]
fn every_wrong_type_is_reported_at_once() {
    insta::assert_snapshot!(faults("
capabilities:
  plan: {submit: 'yes'}
  shell: {allow: bash, strip_env: [7, ~, [x]], baseline_env: {A: 1}}
  spawn: [worker]
  env: {allow: [' ', \"A\\0B\", 1.5]}
"), @"");
}

/// decision: no YAML surprise; only `true` and `false` are flags, and a number is not a version.
#[test]
fn near_misses_of_yaml_are_refused() {
    insta::assert_snapshot!(faults("capabilities: {plan: {submit: yes}}"), @"");
    insta::assert_snapshot!(faults("capabilities: {plan: {submit: 1}}"), @"");
    insta::assert_snapshot!(faults("capabilities: {plan: {submit: }}"), @"");
    insta::assert_snapshot!(faults_of("name: 0x1F\nversion: 1.10\n"), @"");
}

/// issue: the manifest; `name` and `version` are needed.
#[test]
fn a_manifest_without_a_name_or_version_is_refused() {
    insta::assert_snapshot!(faults_of(""), @"");
    insta::assert_snapshot!(faults_of("capabilities: {}\n"), @"");
    insta::assert_snapshot!(faults_of("name: ''\nversion: ~\n"), @"");
    insta::assert_snapshot!(faults_of("- name\n"), @"");
    insta::assert_snapshot!(faults_of("just text\n"), @"");
}

/// spec: the scope; a declared 0 is refused when the manifest is read, and so is what is no whole number.
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
"), @"");
}

/// issue: a manifest that asks for what is not enforced yet is refused, naming the key.
#[test]
fn what_is_not_enforced_yet_is_refused() {
    insta::assert_snapshot!(faults("capabilities: {filesystem: {read_only: [tests]}}\nhooks: [{name: h}]"), @"");
}

/// issue: the manifest; a tool has a name of its own and a program.
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
"), @"");
}

/// decision: what cannot be read as one YAML document is one fault, with its place.
#[test]
fn what_is_not_one_yaml_document_is_one_fault() {
    insta::assert_snapshot!(faults("name: again\n"), @"");
    insta::assert_snapshot!(faults("capabilities: {plan: {submit: true, submit: false}}\n"), @"");
    insta::assert_snapshot!(faults("---\nname: b\n"), @"");
    insta::assert_snapshot!(faults("tools:\n\t- x\n"), @"");
    insta::assert_snapshot!(faults("tools: [a\n"), @"");
    insta::assert_snapshot!(faults("tools: *nowhere\n"), @"");
    insta::assert_snapshot!(faults("tools: \"\x1b[2J\n"), @"");
    insta::assert_snapshot!(faults_of(b"name: d\xc3\xa9mo\nversion: \xff\n"), @"");
    insta::assert_snapshot!(faults_of(b"name: a\0b\n"), @"");
}

/// issue: bad input; an alias bomb and deep nesting cost little and are refused.
#[test]
fn a_bomb_is_refused() {
    let mut bomb = format!("{HEAD}a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..20 {
        let below = format!("*a{}, ", level - 1).repeat(10);
        bomb.push_str(&format!("a{level}: &a{level} [{below}]\n"));
    }
    insta::assert_snapshot!(faults_of(bomb), @"");
    insta::assert_snapshot!(faults(&format!("x: {}", "[".repeat(5000))), @"");
    let deep: String = (0..5000)
        .map(|level| format!("{}a:\n", " ".repeat(level)))
        .collect();
    insta::assert_snapshot!(faults(&deep), @"");
    insta::assert_snapshot!(faults(&"- ".repeat(5000)), @"");
    insta::assert_snapshot!(faults(&format!("x: [{}]", "1,".repeat(200_000))), @"");
    insta::assert_snapshot!(faults("x: &x [*x]\n"), @"");
}

/// decision: a manifest's faults are shown in its own text.
#[test]
fn faults_are_shown_in_the_text() {
    let error =
        with_head("capabilities:\n  plan: {submit: \"y\x1b[2J\"}\ntools: [{}]\n").unwrap_err();
    insta::assert_snapshot!(error.listing(80, false), @"");
    insta::assert_snapshot!(error, @"");
    assert!(!error.listing(80, true).contains("\x1b[2J"));
}

/// issue: bad input; a manifest is a regular file of a sensible size, and nothing else is waited for.
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
    insta::assert_snapshot!(error(&at("none.yaml")), @"");
    insta::assert_snapshot!(error(folder.path()), @"");
    insta::assert_snapshot!(error(Path::new("/dev/null")), @"");
    nix::unistd::mkfifo(&at("pipe"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    insta::assert_snapshot!(error(&at("pipe")), @"");
    let large = fs::File::create(at("large")).unwrap();
    large.set_len(100 << 20).unwrap();
    insta::assert_snapshot!(error(&at("large")), @"");

    fs::write(at("murmur.yaml"), HEAD).unwrap();
    let manifest = read(&at("murmur.yaml")).unwrap();
    assert_eq!(manifest.folder(), folder.path());
}

/// issue: the command; the manifest defaults to `murmur.yaml` beside the plan, else in the current directory.
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

/// issue: the manifest; relative tool paths are relative to the manifest, other names are looked up on `PATH`.
#[test]
fn a_program_with_a_slash_is_relative_to_the_manifest() {
    let path = |name: &str| {
        let name = name.to_owned();
        Program {
            name,
            arguments: Vec::new(),
        }
        .path(Path::new("/m"))
    };
    assert_eq!(path("./tools/x"), PathBuf::from("/m/./tools/x"));
    assert_eq!(path("/bin/x"), PathBuf::from("/bin/x"));
    assert_eq!(path("x"), PathBuf::from("x"));
    let manifest = with_head("").unwrap();
    assert_eq!(manifest.folder(), Path::new("."));
}
