//! The files and the packages of the workspace, read once and handed to every check.

use super::code::{self, Parts};
use cargo_metadata::{DependencyKind, MetadataCommand};
use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
    process::Command,
};

/// What the checks look at.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// Every text file that is tracked, or would be by `git add`.
    pub(super) files: Vec<File>,
    /// The members of the workspace.
    pub(super) packages: Vec<Package>,
}

/// One text file.
#[derive(Debug, Clone)]
pub(super) struct File {
    /// The path from the workspace's folder, with `/`.
    pub(super) path: String,
    /// What it holds.
    pub(super) text: String,
    /// For a Rust file: its code alone, and its comments alone.
    pub(super) parts: Parts,
}

/// One member of the workspace.
#[derive(Debug, Clone, Default)]
pub(super) struct Package {
    /// Its name.
    pub(super) name: String,
    /// Its folder, from the workspace's folder.
    pub(super) folder: String,
    /// The root files of its targets, from the workspace's folder.
    pub(super) roots: BTreeSet<String>,
    /// What it depends on, other than for tests.
    pub(super) dependencies: BTreeSet<String>,
    /// What it depends on for tests, benchmarks and examples only.
    pub(super) dev_dependencies: BTreeSet<String>,
}

impl Tree {
    /// Reads the workspace at `root`, which must be a git checkout.
    pub(super) fn read(root: &Path) -> Result<Self, String> {
        let mut files = Vec::new();
        for path in tracked(root)? {
            let full = root.join(&path);
            // A file that was removed and not yet committed is tracked still.
            let bytes = match std::fs::read(&full) {
                Ok(bytes) => bytes,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => continue,
                Err(error) if error.kind() == std::io::ErrorKind::IsADirectory => continue,
                Err(error) => return Err(format!("cannot read {}: {error}", full.display())),
            };
            // What is not text (a fuzz corpus, a picture) is no business of these checks.
            if let Ok(text) = String::from_utf8(bytes) {
                files.push(File::new(path, text));
            }
        }
        Ok(Self {
            files,
            packages: packages(root)?,
        })
    }

    /// Returns the file at `path`.
    pub(super) fn file(&self, path: &str) -> Option<&File> {
        self.files.iter().find(|file| file.path == path)
    }

    /// Returns the Rust files of the workspace's own packages, each with its package.
    pub(super) fn sources(&self) -> impl Iterator<Item = (&Package, &File)> {
        self.files
            .iter()
            .filter(|file| file.is_rust())
            .filter_map(|file| {
                let package = self.packages.iter().find(|package| {
                    file.path
                        .strip_prefix(&package.folder)
                        .is_some_and(|rest| rest.starts_with('/'))
                })?;
                // The fuzz targets are a workspace of their own below the package of the tests.
                (!file.path.starts_with("tests/fuzz/")).then_some((package, file))
            })
    }
}

impl File {
    pub(super) fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        let (path, text) = (path.into(), text.into());
        let parts = if path.ends_with(".rs") {
            code::split(&text)
        } else {
            Parts::default()
        };
        Self { path, text, parts }
    }

    pub(super) fn is_rust(&self) -> bool {
        self.path.ends_with(".rs")
    }

    /// Returns the lines, from 1.
    pub(super) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        numbered(&self.text)
    }

    /// Returns the lines of a Rust file's code, from 1.
    pub(super) fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        numbered(&self.parts.code)
    }

    /// Returns the comments of a Rust file, each line's without the space around it, from 1.
    pub(super) fn comments(&self) -> impl Iterator<Item = (usize, &str)> {
        numbered(&self.parts.comments)
            .map(|(line, comment)| (line, comment.trim()))
            .filter(|(_, comment)| !comment.is_empty())
    }

    /// Returns the file's name without folders and ending.
    pub(super) fn stem(&self) -> &str {
        let name = self.path.rsplit('/').next().unwrap_or(&self.path);
        name.split('.').next().unwrap_or(name)
    }

    /// Returns the line from which on the file is test code.
    pub(super) fn tests_from(&self) -> usize {
        if self.is_test() {
            return 1;
        }
        let first = self
            .code_lines()
            .find(|(_, code)| code.contains("#[cfg(test)]"));
        first.map_or(usize::MAX, |(line, _)| line)
    }

    /// Returns whether the whole file is test code.
    pub(super) fn is_test(&self) -> bool {
        self.path.contains("/tests/") || self.path.starts_with("tests/")
    }
}

fn numbered(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().map(|(at, line)| (at + 1, line))
}

/// Returns what git tracks or would track, from `root`.
fn tracked(root: &Path) -> Result<Vec<String>, String> {
    let listing = Command::new("git")
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .current_dir(root)
        .output()
        .map_err(|error| format!("cannot start `git ls-files`: {error}"))?;
    if !listing.status.success() {
        return Err(format!(
            "`git ls-files` failed, and tidy checks a git checkout: {}",
            String::from_utf8_lossy(&listing.stderr).trim()
        ));
    }
    Ok(listing
        .stdout
        .split(|byte| *byte == 0)
        .filter(|path| !path.is_empty())
        .map(|path| String::from_utf8_lossy(path).into_owned())
        .collect())
}

fn packages(root: &Path) -> Result<Vec<Package>, String> {
    let metadata = MetadataCommand::new()
        .manifest_path(root.join("Cargo.toml"))
        .no_deps()
        .exec()
        .map_err(|error| format!("`cargo metadata` failed: {error}"))?;
    let base = metadata.workspace_root.as_std_path();
    let relative = |path: &Path| -> String {
        let path: PathBuf = path.strip_prefix(base).unwrap_or(path).to_owned();
        path.to_string_lossy().replace('\\', "/")
    };
    Ok(metadata
        .packages
        .iter()
        .map(|package| {
            let mut read = Package {
                name: package.name.to_string(),
                folder: package
                    .manifest_path
                    .parent()
                    .map(|folder| relative(folder.as_std_path()))
                    .unwrap_or_default(),
                ..Package::default()
            };
            for target in &package.targets {
                read.roots.insert(relative(target.src_path.as_std_path()));
            }
            for dependency in &package.dependencies {
                if dependency.kind == DependencyKind::Development {
                    read.dev_dependencies.insert(dependency.name.clone());
                } else {
                    read.dependencies.insert(dependency.name.clone());
                }
            }
            // Asking a library for more features in tests makes it no other dependency.
            read.dev_dependencies = &read.dev_dependencies - &read.dependencies;
            read
        })
        .collect())
}
