//! The built command: built once for all tests, from the sources beside them.

use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::OnceLock,
};

use serde_json::Value;

/// Returns the executable: what `MUR_PLAN_BIN` names, else it is built by the first test that asks.
pub(crate) fn executable() -> &'static Path {
    static EXECUTABLE: OnceLock<PathBuf> = OnceLock::new();
    EXECUTABLE.get_or_init(|| match std::env::var_os("MUR_PLAN_BIN") {
        Some(path) => path.into(),
        None => build(),
    })
}

/// Returns the workspace's folder.
pub(crate) fn workspace() -> &'static Path {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR"));
    tests
        .parent()
        .expect("the tests are a folder of the workspace")
}

fn build() -> PathBuf {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    // As `cargo run` builds it, so that it is often built already. Whoever built the tests has fetched everything.
    command
        .args(["build", "--package", "mur-plan", "--bin", "mur-plan"])
        .args(["--offline", "--message-format=json-render-diagnostics"])
        .current_dir(workspace())
        .stdin(Stdio::null())
        .stderr(Stdio::inherit());
    let output = command.output().expect("cargo can be started");
    assert!(output.status.success(), "the command does not build");
    let messages = String::from_utf8(output.stdout).expect("cargo speaks UTF-8");
    let built = messages
        .lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .find_map(|message| {
            let is_ours = message["target"]["name"] == "mur-plan";
            message["executable"]
                .as_str()
                .filter(|_| is_ours)
                .map(PathBuf::from)
        });
    built.expect("cargo names the executable it built")
}
