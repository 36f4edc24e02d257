//! How the command delegates its capsule steps: what the environment and the manifest say, and the session's
//! registration with the daemon, begun and ended.

use std::{
    ffi::OsString,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use plan_exec::{
    CapsuleExecutor, ChildProgram, DelegationBounds, Echo, LauncherProgram, RoostCapsules,
    RoostSpec, SpawnerFacts, Standing, ThisHost, ToRegister, UndelegatedCapsules,
};
use tokio::sync::mpsc::{Receiver, Sender, channel};

use super::{
    artifact::{Artifacts, DEFAULT_SCOPE},
    manifest::Manifest,
};
use crate::clock::now_ms;

/// The session that delegates.
#[derive(Debug, Clone)]
pub(crate) struct Delegator<'a> {
    pub(crate) manifest: &'a Manifest,
    pub(crate) session_id: String,
    pub(crate) context_id: String,
    pub(crate) records_dir: PathBuf,
}

/// What runs the capsule steps, and what the session itself has to do for them.
pub(crate) struct Delegating {
    executor: Arc<dyn CapsuleExecutor>,
    /// `None` where there is no daemon.
    capsules: Option<RoostCapsules>,
}

impl Delegating {
    /// Builds it from the environment. `said` takes what children write.
    pub(crate) fn open(session: &Delegator<'_>, runtime_dir: OwnedFd, said: ChildEcho) -> Self {
        match roost_spec(session, runtime_dir, said) {
            Ok(spec) => {
                let capsules = RoostCapsules::new(spec);
                Self {
                    executor: Arc::new(capsules.clone()),
                    capsules: Some(capsules),
                }
            }
            Err(undelegated) => Self {
                executor: Arc::new(undelegated),
                capsules: None,
            },
        }
    }

    /// Returns what runs capsule steps.
    pub(crate) fn executor(&self) -> Arc<dyn CapsuleExecutor> {
        Arc::clone(&self.executor)
    }

    /// Begins to register the session, where there is a daemon and something to ask it for.
    pub(crate) fn register(&self) {
        if let Some(capsules) = &self.capsules {
            capsules.register();
        }
    }

    /// Ends what [`Delegating::register`] began, at best and within two seconds.
    pub(crate) async fn deregister(&self, completed: bool) {
        if let Some(capsules) = &self.capsules {
            capsules.deregister(completed).await;
        }
    }
}

fn roost_spec(
    session: &Delegator<'_>,
    runtime_dir: OwnedFd,
    said: ChildEcho,
) -> Result<RoostSpec, UndelegatedCapsules> {
    let url = set("MURMUR_ROOST_URL").ok_or_else(UndelegatedCapsules::without_daemon)?;
    let url = url.to_string_lossy();
    let url = url.parse().map_err(|error: plan_exec::RoostUrlError| {
        UndelegatedCapsules::because(error.to_string())
    })?;
    let mut bounds = DelegationBounds::default();
    if let Some(seconds) = set(TIMEOUT) {
        bounds.answer = timeout(&seconds).map_err(UndelegatedCapsules::because)?;
    }
    let manifest = session.manifest;
    let standing = if manifest.spawn_allow.is_empty() {
        Standing::NotRegistered
    } else {
        Standing::ToRegister(ToRegister {
            session_id: session.session_id.clone(),
            name: full_name(&manifest.name),
            version: manifest.version.clone(),
            approval: None,
        })
    };
    Ok(RoostSpec {
        url,
        standing,
        spawn_allow: manifest.spawn_allow.clone(),
        spawner: Some(SpawnerFacts {
            session_id: session.session_id.clone(),
            context_id: session.context_id.clone(),
        }),
        formation_id: set("MURMUR_FORMATION_ID").and_then(|formation| formation.into_string().ok()),
        deadline_ms: None,
        records_dir: Some(session.records_dir.clone()),
        runtime_dir: Some(runtime_dir),
        program: program(),
        launcher: LauncherProgram::ThisProgram,
        env_allow: manifest.env_allow.clone(),
        manifests: Arc::new(Artifacts::of(std::env::var_os("HOME"))),
        host: Arc::new(ThisHost),
        echo: Arc::new(said),
        fresh_id: || plan_trace::id("dlg_", now_ms()),
        bounds,
    })
}

/// Returns a variable that is set and not blank.
fn set(name: &str) -> Option<OsString> {
    let is_blank = |value: &OsString| value.as_encoded_bytes().trim_ascii().is_empty();
    std::env::var_os(name).filter(|value| !is_blank(value))
}

fn timeout(seconds: &OsString) -> Result<Duration, String> {
    let seconds = seconds.to_string_lossy();
    let positive = seconds
        .trim()
        .parse()
        .ok()
        .filter(|&seconds: &u64| seconds > 0);
    positive.map(Duration::from_secs).ok_or_else(|| {
        format!("`{TIMEOUT}` is `{seconds}`, which is no positive whole number of seconds")
    })
}

/// Returns the program of children: `MURMUR_MUR_BINARY`, else `mur` on `PATH`.
fn program() -> ChildProgram {
    let word = match set("MURMUR_MUR_BINARY") {
        // Children start elsewhere.
        Some(named) if named.as_encoded_bytes().contains(&b'/') => {
            std::path::absolute(Path::new(&named)).map_or(named, PathBuf::into_os_string)
        }
        Some(named) => named,
        None => "mur".into(),
    };
    let path = std::env::var_os("PATH").unwrap_or_else(|| DEFAULT_PATH.into());
    ChildProgram { word, path }
}

fn full_name(name: &str) -> String {
    match name.contains('/') {
        true => name.to_owned(),
        false => format!("{DEFAULT_SCOPE}/{name}"),
    }
}

/// Takes what children write, to be shown: a bounded number of lines, since a child may write faster than anybody
/// reads.
#[derive(Debug)]
pub(crate) struct ChildEcho {
    lines: Sender<String>,
    left_out: AtomicUsize,
}

impl ChildEcho {
    /// Makes one, and what gives its lines.
    pub(crate) fn new() -> (Self, Receiver<String>) {
        let (lines, shown) = channel(WAITING_LINES);
        let left_out = AtomicUsize::new(0);
        (Self { lines, left_out }, shown)
    }
}

impl Echo for ChildEcho {
    fn line(&self, line: &str) {
        let left_out = self.left_out.swap(0, Ordering::Relaxed);
        if left_out > 0 && self.lines.try_send(note(left_out)).is_err() {
            self.left_out.fetch_add(left_out + 1, Ordering::Relaxed);
            return;
        }
        if self.lines.try_send(line.to_owned()).is_err() {
            self.left_out.fetch_add(1, Ordering::Relaxed);
        }
    }
}

fn note(left_out: usize) -> String {
    format!("[{left_out} lines of sub-capsules were written faster than they could be shown]")
}

/// Bounds the wait for an answer, in seconds.
const TIMEOUT: &str = "MURMUR_DELEGATION_TIMEOUT_SECS";

/// Where `mur` is looked for when `PATH` is not set.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

/// How many lines of children may wait to be shown.
const WAITING_LINES: usize = 4096;
