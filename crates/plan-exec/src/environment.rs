//! The environment of a command or tool, built from nothing (ruling 32).
//!
//! Pure: the host is asked through [`Host`], and the result is handed to a session as data.

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::{Path, PathBuf},
};

/// What the session declares and where its own directories are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EnvironmentSpec {
    /// `shell.baseline_env`: names taken from the host as well.
    pub baseline_env: Vec<String>,
    /// `shell.strip_env`: names taken away, a `*` at the start or the end standing for anything.
    pub strip_env: Vec<String>,
    /// The session's `home/`.
    pub home: PathBuf,
    /// The session's `tmp/`.
    pub tmp: PathBuf,
    /// The session's runtime directory.
    pub runtime_dir: PathBuf,
    /// The session's records directory.
    pub records_dir: PathBuf,
}

/// What the host is asked for.
pub trait Host {
    /// Returns a variable of the host's environment.
    fn var(&self, name: &str) -> Option<OsString>;
    /// Returns whether a directory exists.
    fn is_dir(&self, path: &Path) -> bool;
}

/// The host this process runs on.
#[derive(Debug, Clone, Copy)]
pub struct ThisHost;

impl Host for ThisHost {
    fn var(&self, name: &str) -> Option<OsString> {
        std::env::var_os(name)
    }
    fn is_dir(&self, path: &Path) -> bool {
        path.is_dir()
    }
}

impl EnvironmentSpec {
    /// Builds the whole environment, sorted by name.
    ///
    /// Later wins: the host's own names, `baseline_env`, then everything credential-shaped or in `strip_env` is
    /// taken away, then the runtime's own names are set. A name no environment can hold (empty, or with a `=` or
    /// a NUL) is passed over.
    pub fn build(&self, host: &dyn Host) -> Vec<(OsString, OsString)> {
        let mut variables = BTreeMap::new();
        let baseline = self.baseline_env.iter().map(String::as_str);
        for name in FROM_HOST.iter().copied().chain(baseline) {
            if name.is_empty() || name.contains(['=', '\0']) {
                continue;
            }
            if let Some(value) = host.var(name).or_else(|| toolchain_default(name, host)) {
                variables.insert(name.to_owned(), value);
            }
        }
        variables.retain(|name, _| {
            let strip = self.strip_env.iter().map(String::as_str);
            !CREDENTIALS
                .iter()
                .copied()
                .chain(strip)
                .any(|pattern| matches(pattern, name))
        });
        for (name, path) in [
            ("HOME", &self.home),
            ("TMPDIR", &self.tmp),
            ("TMP", &self.tmp),
            ("TEMP", &self.tmp),
            ("MURMUR_RUNTIME_DIR", &self.runtime_dir),
            ("MURMUR_RECORDS_DIR", &self.records_dir),
        ] {
            variables.insert(name.to_owned(), path.into());
        }
        variables
            .into_iter()
            .filter(|(_, value)| !has_nul(value))
            .map(|(name, value)| (name.into(), value))
            .collect()
    }
}

/// Returns the `PATH` of an environment, on which bare program names are looked up; the system's usual one where it
/// sets none.
pub fn path_in(environment: &[(OsString, OsString)]) -> OsString {
    let set = environment.iter().rev().find(|(name, _)| name == "PATH");
    set.map_or_else(|| DEFAULT_PATH.into(), |(_, value)| value.clone())
}

/// `CARGO_HOME` and `RUSTUP_HOME` are found through `HOME` by default, and `HOME` is replaced, so what they
/// default to on the host is said outright where it exists.
fn toolchain_default(name: &str, host: &dyn Host) -> Option<OsString> {
    let folder = match name {
        "CARGO_HOME" => ".cargo",
        "RUSTUP_HOME" => ".rustup",
        _ => return None,
    };
    let home = PathBuf::from(host.var("HOME")?);
    let default = home.join(folder);
    (home.is_absolute() && host.is_dir(&default)).then(|| default.into())
}

/// Returns whether `name` fits `pattern`, in which only a leading and a trailing `*` stand for anything.
fn matches(pattern: &str, name: &str) -> bool {
    let (open_start, rest) = match pattern.strip_prefix('*') {
        Some(rest) => (true, rest),
        None => (false, pattern),
    };
    let (open_end, core) = match rest.strip_suffix('*') {
        Some(core) => (true, core),
        None => (false, rest),
    };
    match (open_start, open_end) {
        (false, false) => name == core,
        (true, false) => name.ends_with(core),
        (false, true) => name.starts_with(core),
        (true, true) => name.contains(core),
    }
}

fn has_nul(value: &OsStr) -> bool {
    value.as_encoded_bytes().contains(&0)
}

/// Where a bare word is looked for when the environment sets no `PATH`.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// The names taken from the host where it sets them (ruling 32).
const FROM_HOST: [&str; 9] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "LANG",
    "LC_ALL",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "TERM",
];

/// The names that look like credentials, never handed on (ruling 32).
const CREDENTIALS: [&str; 13] = [
    "ANTHROPIC_API_KEY",
    "OPENAI_API_KEY",
    "GOOGLE_API_KEY",
    "HUGGING_FACE_HUB_TOKEN",
    "AWS_*",
    "GITHUB_TOKEN",
    "GH_TOKEN",
    "DOCKER_*",
    "KUBECONFIG",
    "NPM_TOKEN",
    "PYPI_TOKEN",
    "CARGO_REGISTRY_TOKEN",
    "*_API_KEY",
];
