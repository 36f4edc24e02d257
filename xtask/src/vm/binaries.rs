//! Builds what runs inside: the command, and every test target named `kernel`.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use cargo_metadata::{Message, MetadataCommand, TargetKind};

/// What was built.
#[derive(Debug)]
pub(super) struct Binaries {
    /// Where cargo builds into.
    pub(super) target: PathBuf,
    /// The command.
    pub(super) command: PathBuf,
    /// The tests, each with the package it is of.
    pub(super) tests: Vec<(String, PathBuf)>,
    /// Programs of the packages with tests, which their tests look for where cargo put them.
    pub(super) others: Vec<PathBuf>,
}

/// The name of the targets that are run in the machine.
const TESTS: &str = "kernel";
const COMMAND: &str = "mur-plan";

/// Builds everything as the tests on this machine would.
pub(super) fn build(root: &Path) -> Result<Binaries, String> {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .map_err(|error| format!("`cargo metadata` failed: {error}"))?;
    let mut binaries = Binaries {
        target: metadata.target_directory.as_std_path().to_owned(),
        command: PathBuf::new(),
        tests: Vec::new(),
        others: Vec::new(),
    };
    for (_, path) in cargo(root, &["build", "--package", COMMAND, "--bin", COMMAND])? {
        binaries.command = path;
    }
    for package in &metadata.packages {
        let has_tests = package
            .targets
            .iter()
            .any(|target| target.is_test() && target.name == TESTS);
        if !has_tests {
            continue;
        }
        let words = [
            "test",
            "--no-run",
            "--package",
            &package.name,
            "--test",
            TESTS,
        ];
        for (is_test, path) in cargo(root, &words)? {
            if is_test {
                binaries.tests.push((package.name.to_string(), path));
            } else {
                binaries.others.push(path);
            }
        }
    }
    if binaries.tests.is_empty() {
        return Err(format!("no package has a test target `{TESTS}`"));
    }
    Ok(binaries)
}

/// Returns the executables cargo made, each with whether it is a test.
fn cargo(root: &Path, words: &[&str]) -> Result<Vec<(bool, PathBuf)>, String> {
    let shown = format!("cargo {}", words.join(" "));
    println!("==> {shown}");
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let built = Command::new(program)
        .args(words)
        .arg("--message-format=json-render-diagnostics")
        .current_dir(root)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot start `{shown}`: {error}"))?;
    if !built.status.success() {
        return Err(format!("`{shown}` failed ({})", built.status));
    }
    let mut found = Vec::new();
    for message in Message::parse_stream(built.stdout.as_slice()) {
        let message =
            message.map_err(|error| format!("cannot read what `{shown}` says: {error}"))?;
        if let Message::CompilerArtifact(artifact) = message
            && let Some(path) = artifact.executable
        {
            let is_test = artifact.target.kind.contains(&TargetKind::Test);
            found.push((is_test, path.into_std_path_buf()));
        }
    }
    if found.is_empty() {
        return Err(format!("`{shown}` made nothing that can be run"));
    }
    Ok(found)
}
