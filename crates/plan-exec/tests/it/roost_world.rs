//! A session that delegates: a scripted daemon, a scripted door, and children that are shell scripts.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::Command,
    rc::Rc,
    sync::{
        Arc, Mutex, OnceLock, PoisonError, RwLockReadGuard,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use plan_exec::{
    Attempt, Cancel, CapsuleCall, CapsuleExecutor, ChildManifests, ChildProgram, Delegation,
    DelegationBounds, Echo, Host, LauncherProgram, Outcome, RoostCapsules, RoostSpec, Secret,
    SpawnerFacts, Standing, ToRegister,
};
use tokio::sync::mpsc::{self, UnboundedReceiver};

use crate::{
    roost_listener::{Asked, Listener, Say},
    space::{counted, shown},
};

/// `records/`, `runtime/` and `child.sh` in a directory of their own, a daemon and a door.
pub(crate) struct World {
    pub(crate) directory: tempfile::TempDir,
    pub(crate) roost: Listener,
    pub(crate) door: Listener,
    pub(crate) said: Arc<Said>,
    pub(crate) bounds: DelegationBounds,
    pub(crate) standing: fn() -> Standing,
    pub(crate) env_allow: Vec<String>,
    pub(crate) child_env_allow: Result<Vec<String>, String>,
    _held: Rc<RwLockReadGuard<'static, ()>>,
}

/// What a capsule step came to.
pub(crate) struct Ran {
    pub(crate) outcome: Outcome,
    pub(crate) delegations: Vec<Delegation>,
}

impl World {
    /// Makes one whose daemon approves, whose door completes with `ANSWER`, and whose child is `script`.
    pub(crate) fn new(script: &str) -> Self {
        Self::with(script, approve, |_, _| Say::Json(200, completed("ANSWER")))
    }

    /// Makes one whose door answers by `door`.
    pub(crate) fn with_door(
        script: &str,
        door: impl Fn(&Asked, usize) -> Say + Send + Sync + 'static,
    ) -> Self {
        Self::with(script, approve, door)
    }

    /// Makes one whose door makes a file `asked` in `[root]`, and answers once the child has made `there`.
    pub(crate) fn when_there(script: &str, answer: String) -> Self {
        let root: Arc<OnceLock<PathBuf>> = Arc::default();
        let there = Arc::clone(&root);
        let world = Self::with_door(script, move |_, _| {
            let root = there.get().unwrap();
            fs::write(root.join("asked"), "").unwrap();
            let answer = Say::Json(200, answer.clone());
            Say::WhenThere(root.join("there"), Box::new(answer))
        });
        root.set(world.root().to_owned()).unwrap();
        world
    }

    /// Makes one whose daemon answers by `roost`; no child is ever asked anything.
    pub(crate) fn with_roost(roost: impl Fn(&Asked, usize) -> Say + Send + Sync + 'static) -> Self {
        Self::with(STAYS, roost, |_, _| Say::Nothing)
    }

    fn with(
        script: &str,
        roost: impl Fn(&Asked, usize) -> Say + Send + Sync + 'static,
        door: impl Fn(&Asked, usize) -> Say + Send + Sync + 'static,
    ) -> Self {
        let directory = tempfile::Builder::new()
            .prefix("capsule-")
            .tempdir()
            .unwrap();
        let root = directory.path();
        for folder in ["records", "runtime", "child"] {
            fs::create_dir(root.join(folder)).unwrap();
        }
        let door = Listener::start(door);
        let script = script
            .replace("READY", &format!("printf '%s\\n' '{READINESS}'"))
            .replace("[root]", &root.to_string_lossy())
            .replace("[door]", &door.address.to_string());
        fs::write(root.join("child.txt"), format!("#!/bin/sh\n{script}\n")).unwrap();
        // Another process writes what is executed, so that no process started meanwhile holds it open for writing.
        let installed = Command::new("install")
            .args(["-m", "755"])
            .args([root.join("child.txt"), root.join("child.sh")])
            .status();
        assert!(installed.unwrap().success());
        Self {
            roost: Listener::start(roost),
            door,
            said: Arc::default(),
            bounds: DelegationBounds {
                // A step that hangs fails its test by name.
                request: Duration::from_secs(20),
                readiness: Duration::from_secs(20),
                answer: Duration::from_secs(20),
                ..DelegationBounds::default()
            },
            standing: || Standing::Registered(Secret::new(CREDENTIAL.into())),
            env_allow: Vec::new(),
            child_env_allow: Ok(Vec::new()),
            directory,
            _held: counted(),
        }
    }

    pub(crate) fn root(&self) -> &Path {
        self.directory.path()
    }

    /// Returns what is in a file, with what varies masked.
    pub(crate) fn file(&self, name: &str) -> String {
        let text = fs::read_to_string(self.root().join(name));
        self.masked(&text.unwrap_or_else(|error| panic!("{name}: {error}")))
    }

    /// Returns the executor of the session.
    pub(crate) fn capsules(&self) -> RoostCapsules {
        RoostCapsules::new(self.spec())
    }

    pub(crate) fn spec(&self) -> RoostSpec {
        RoostSpec {
            url: format!("http://{}/", self.roost.address).parse().unwrap(),
            standing: (self.standing)(),
            spawn_allow: vec!["local/worker".into()],
            spawner: Some(SpawnerFacts {
                session_id: "ses_parent".into(),
                context_id: "ctx_parent".into(),
            }),
            formation_id: None,
            deadline_ms: None,
            records_dir: Some(self.root().join("records")),
            runtime_dir: Some(File::open(self.root().join("runtime")).unwrap().into()),
            program: ChildProgram {
                word: self.root().join("child.sh").into(),
                path: "/usr/bin:/bin".into(),
            },
            launcher: LauncherProgram::At(env!("CARGO_BIN_EXE_plan-launcher").into()),
            env_allow: self.env_allow.clone(),
            manifests: Arc::new(Manifests(self.child_env_allow.clone())),
            host: Arc::new(TestHost),
            echo: Arc::clone(&self.said) as Arc<dyn Echo>,
            fresh_id,
            bounds: self.bounds,
        }
    }

    /// Runs one attempt of a capsule step that is never cancelled.
    pub(crate) async fn run(&self) -> Ran {
        self.run_until(Cancel::never()).await
    }

    pub(crate) async fn run_until(&self, cancel: Cancel) -> Ran {
        let (call, mut reported) = call(cancel);
        let outcome = self.capsules().run(call).await;
        let mut delegations = Vec::new();
        while let Some(delegation) = reported.recv().await {
            delegations.push(delegation);
        }
        Ran {
            outcome,
            delegations,
        }
    }

    /// Runs it and returns what it came to, one fact a line.
    pub(crate) async fn shown(&self) -> String {
        let ran = self.run().await;
        self.show(&ran)
    }

    pub(crate) fn show(&self, ran: &Ran) -> String {
        let mut lines = vec![shown(&ran.outcome)];
        lines.extend(ran.delegations.iter().map(|delegation| match delegation {
            Delegation::Started {
                delegation_id,
                capsule,
                version,
                child_session_id,
                child_workdir,
                child_records_dir,
            } => format!(
                "started {delegation_id} {capsule} {version} {child_session_id} {child_workdir} {child_records_dir}"
            ),
            Delegation::Ended {
                capsule,
                version,
                delegation_id,
                child_session_id,
                duration_ms: _,
                outcome,
                reason,
            } => {
                let ids = delegation_id.as_ref().zip(child_session_id.as_ref());
                let ids = ids.map_or("null null".into(), |(id, child)| format!("{id} {child}"));
                format!("{outcome} {ids} {capsule} {version} {reason:?}")
            }
        }));
        self.masked(&lines.join("\n"))
    }

    pub(crate) fn masked(&self, text: &str) -> String {
        let text = text
            .replace(&*self.root().to_string_lossy(), "[root]")
            .replace(&self.roost.address.to_string(), "[roost]")
            .replace(&self.door.address.to_string(), "[door]");
        let mut masked = String::new();
        let mut rest = text.as_str();
        // The random part of a work folder's name, and the number in an id.
        while let Some(at) = rest.find("worker-").map(|at| at + 7) {
            let end = rest[at..].find(|c: char| !c.is_ascii_hexdigit());
            let end = end.map_or(rest.len(), |end| at + end);
            masked.push_str(&rest[..at]);
            masked.push_str(if end - at == 16 {
                "[hex]"
            } else {
                &rest[at..end]
            });
            rest = &rest[end..];
        }
        masked.push_str(rest);
        let mut text = masked;
        while let Some(at) = text.find("dlg_0") {
            text.replace_range(at..at + 36, "[dlg]");
        }
        text
    }
}

/// Returns a call of the capsule step `worker`, and what it reports.
pub(crate) fn call(cancel: Cancel) -> (CapsuleCall, UnboundedReceiver<Delegation>) {
    let (delegations, reported) = mpsc::unbounded_channel();
    let call = CapsuleCall {
        attempt: Attempt {
            plan_number: 1,
            step_number: 1,
            step_id: "step".into(),
            attempt: 1,
        },
        name: "worker".into(),
        task: "do \"it\"".into(),
        cancel,
        delegations,
    };
    (call, reported)
}

/// What children wrote to their outputs.
#[derive(Debug, Default)]
pub(crate) struct Said(Mutex<Vec<String>>);

impl Said {
    pub(crate) fn lines(&self) -> Vec<String> {
        self.0
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

impl Echo for Said {
    fn line(&self, line: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        lines.push(line.to_owned());
    }
}

struct Manifests(Result<Vec<String>, String>);

impl ChildManifests for Manifests {
    fn env_allow(&self, _: &str, _: &str) -> Result<Vec<String>, String> {
        self.0.clone()
    }
}

struct TestHost;

impl Host for TestHost {
    fn var(&self, name: &str) -> Option<std::ffi::OsString> {
        let value = match name {
            "PATH" => "/usr/bin:/bin",
            "HOME" => "/home/parent",
            "USER" => "parent",
            "KEY" => "key",
            "OTHER" => "other",
            "MURMUR_DOOR_TOKEN" => "not to be seen",
            _ => return None,
        };
        Some(value.into())
    }

    fn is_dir(&self, _: &Path) -> bool {
        false
    }
}

fn fresh_id() -> String {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    format!("dlg_{:032x}", NEXT.fetch_add(1, Ordering::Relaxed))
}

/// A daemon that approves whatever it is asked for.
pub(crate) fn approve(asked: &Asked, _: usize) -> Say {
    let body = match asked.path.as_str() {
        "/register" => format!(r#"{{"credential":"{CREDENTIAL}"}}"#),
        "/spawn" => format!(
            r#"{{"approval":"{APPROVAL}","name":"local/worker","version":"0.1.0","sha256":"00","expires_at_ms":1}}"#
        ),
        _ => "{}".into(),
    };
    Say::Json(200, body)
}

/// Returns the answer of a door whose task has completed.
pub(crate) fn completed(text: &str) -> String {
    let text = serde_json::to_string(text).unwrap();
    told(
        "COMPLETED",
        &format!(r#","artifacts":[{{"artifactId":"response","parts":[{{"text":{text}}}]}}]"#),
    )
}

/// Returns the answer of a door about a task in a state.
pub(crate) fn told(state: &str, rest: &str) -> String {
    format!(
        r#"{{"jsonrpc":"2.0","id":"x","result":{{"task":{{"id":"tsk_1","status":{{"state":"TASK_STATE_{state}"}}{rest}}}}}}}"#
    )
}

/// Returns the one work folder that was made.
pub(crate) fn work_folder(world: &World) -> PathBuf {
    let folders = fs::read_dir(world.root().join("records/children")).unwrap();
    let folders: Vec<_> = folders.map(|entry| entry.unwrap().path()).collect();
    let [folder] = folders.as_slice() else {
        panic!("{folders:?}");
    };
    folder.clone()
}

pub(crate) fn to_register() -> Standing {
    Standing::ToRegister(ToRegister {
        session_id: "ses_parent".into(),
        name: "local/parent".into(),
        version: "0.1.0".into(),
        approval: None,
    })
}

pub(crate) const CREDENTIAL: &str = "cred-7f3a";
pub(crate) const APPROVAL: &str = "appr-19bc";
pub(crate) const OPERATOR: &str = "oper-55de";

/// The line with which a child reports itself; `READY` in a script writes it.
const READINESS: &str = r#"{"session_id":"ses_child","records_dir":"[root]/child","url":"[door]","tokens":{"operator":"oper-55de"},"auth":"bearer","pid":1}"#;

/// A child that reports itself and then sleeps, as one does whose lifecycle says so.
pub(crate) const STAYS: &str = "read approval; READY; read forever <&$MURMUR_SPAWNER_LIFELINE";
