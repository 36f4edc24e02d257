//! Protected paths: what is seen to write them, and what is not.

mod commands;
mod entries;
mod hostile;
mod tools;

use std::{ffi::OsString, fs, os::unix::fs::symlink, path::PathBuf};

use plan_exec::{GateCall, ProtectedPaths, ReadOnlySpec, Refusal, RefusalRecord};
use tempfile::TempDir;

/// A workdir with something of everything in it, and the gate over it.
struct Place {
    workdir: PathBuf,
    gate: ProtectedPaths,
    _root: TempDir,
}

/// The entries of the gate of a [`Place`].
const ENTRIES: [&str; 5] = ["tests", "docs/spec.md", ".github", "données", "data"];

impl Place {
    fn new() -> Self {
        let root = TempDir::new().unwrap();
        let workdir = root.path().canonicalize().unwrap().join("place");
        for folder in [
            "tests/sub",
            "tests2",
            "src",
            "out",
            "docs",
            ".github",
            "données",
            "real-data",
            "deep",
            "dist/tests",
        ] {
            fs::create_dir_all(workdir.join(folder)).unwrap();
        }
        for file in [
            "tests/a",
            "tests/sub/b",
            "tests2/a",
            "src/a",
            "docs/spec.md",
            "docs/other.md",
            "dist/tests/a",
            "real-data/x",
        ] {
            fs::write(workdir.join(file), "x").unwrap();
        }
        for (target, link) in [
            ("tests", "link"),
            ("../tests/sub", "deep/nest"),
            ("link", "chain"),
            ("tests/new", "dangling"),
            ("../out", "tests/out"),
            ("real-data", "data"),
        ] {
            symlink(target, workdir.join(link)).unwrap();
        }
        fs::hard_link(workdir.join("tests/a"), workdir.join("hard")).unwrap();
        let home = root.path().join("home");
        fs::create_dir(&home).unwrap();
        let gate = ProtectedPaths::new(ReadOnlySpec {
            workdir: workdir.clone(),
            entries: ENTRIES.map(str::to_owned).to_vec(),
            path: OsString::from("/usr/bin:/bin"),
            home,
        })
        .unwrap();
        Self {
            workdir,
            gate,
            _root: root,
        }
    }

    /// Puts a command line to the gate.
    fn line(&self, line: &str) -> Result<(), Box<Refusal>> {
        let words = plan_model::argv::split(line).unwrap();
        self.judge(&GateCall::Shell {
            line,
            words: &words,
        })
    }

    /// Puts a script to the gate, started by `bash -c`.
    fn script(&self, script: &str) -> Result<(), Box<Refusal>> {
        let words = ["bash", "-c", script].map(str::to_owned);
        let line = format!("bash -c '{}'", script.replace('\'', r"'\''"));
        self.judge(&GateCall::Shell {
            line: &line,
            words: &words,
        })
    }

    /// Puts a tool's input to the gate.
    fn tool(&self, name: &str, input: &str) -> Result<(), Box<Refusal>> {
        self.judge(&GateCall::Tool { name, input })
    }

    fn judge(&self, call: &GateCall<'_>) -> Result<(), Box<Refusal>> {
        self.gate.judge(call).map_err(Box::new)
    }
}

/// Returns a verdict as the tables write it.
fn verdict<R: Into<Box<Refusal>>>(judged: Result<(), R>) -> String {
    let Err(refusal) = judged else {
        return "passes".to_owned();
    };
    match refusal.into().record {
        RefusalRecord::ProtectedPath { path, signal, .. } => format!("{path} ({signal})"),
        RefusalRecord::CallDenied { hook_name, .. } => format!("denied by {hook_name}"),
    }
}

/// Returns the rows of a table, each cut at its arrows, headings and comments left out.
fn rows(table: &str) -> impl Iterator<Item = (&str, &str, &str)> {
    table
        .lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let mut fields = line.split(" → ").map(str::trim);
            let mut field = || {
                fields
                    .next()
                    .unwrap_or_else(|| panic!("a row lacks a field: {line}"))
            };
            (field(), field(), field())
        })
}
