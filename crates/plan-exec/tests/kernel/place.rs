//! A session's directories, and steps run in them by a launcher.

use std::{
    fs,
    path::{Path, PathBuf},
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use plan_exec::{
    Attempt, Bounds, Cancel, CommandSession, Confinement, ContainmentSpec, LauncherProgram,
    ProcessLimits, SessionSpec, ShellCall, ShellCommands, ShellExecutor as _, Verdict, Walls,
};

/// `workdir/`, `runtime/` and `records/` with `home/` and `tmp/` in a directory of their own.
pub(crate) struct Place {
    root: PathBuf,
    owned: Option<tempfile::TempDir>,
}

impl Place {
    pub(crate) fn new() -> Self {
        let owned = tempfile::tempdir().unwrap();
        let place = Self {
            root: fs::canonicalize(owned.path()).unwrap(),
            owned: Some(owned),
        };
        for folder in [
            "workdir/tests/deep",
            "workdir/src",
            "runtime/plans",
            "records/home",
            "records/tmp",
        ] {
            fs::create_dir_all(place.root.join(folder)).unwrap();
        }
        for file in [
            "workdir/tests/a",
            "workdir/tests/deep/b",
            "workdir/locked",
            "workdir/src/c",
            "runtime/plans/plan-1.json",
            "records/trace.jsonl",
            "outside",
        ] {
            fs::write(place.root.join(file), "as it was\n").unwrap();
        }
        place
    }

    /// Returns one that another process has made.
    pub(crate) fn of(root: &Path) -> Self {
        Self {
            root: root.into(),
            owned: None,
        }
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.root.clone()
    }

    pub(crate) fn workdir(&self) -> PathBuf {
        self.root.join("workdir")
    }

    /// Returns what a session would be confined to here.
    pub(crate) fn confinement(&self, landlock: bool, mounts: bool) -> Confinement {
        let under = |names: &[&str]| names.iter().map(|name| self.root.join(name)).collect();
        Confinement {
            program: LauncherProgram::ThisProgram,
            limits: ProcessLimits::default(),
            walls: Walls {
                known: Vec::new(),
                landlock,
                mounts,
                writable: under(&["workdir", "records/home", "records/tmp", "nowhere"]),
                read_only: under(&[
                    "workdir/tests",
                    "workdir/locked",
                    "workdir/nowhere",
                    "runtime",
                    "records",
                ]),
                islands: under(&["records/home", "records/tmp", "records/nowhere"]),
            },
            supervised: false,
        }
    }

    pub(crate) fn session(&self, confinement: Confinement) -> CommandSession {
        let opened = CommandSession::open(SessionSpec {
            workdir: self.workdir(),
            environment: vec![("PATH".into(), "/usr/local/bin:/usr/bin:/bin:/sbin".into())],
            runtime_dir: None,
            bounds: Bounds {
                wall: Duration::from_secs(60),
                ..Bounds::default()
            },
            containment: ContainmentSpec::off(),
        });
        // Nothing is asked of the host, so there is nothing to wait for.
        let mut opened = std::pin::pin!(opened);
        let Poll::Ready(session) = opened
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        else {
            panic!("opening waits for something");
        };
        session.unwrap().confined(confinement).unwrap()
    }

    /// Runs scripts one after the other and returns each with what it came to, on a line.
    pub(crate) fn table(&self, confinement: &Confinement, scripts: &[&str]) -> String {
        let shell = ShellCommands::new(self.session(confinement.clone()).into());
        let mut lines = String::new();
        for script in scripts {
            let said = self.run(&shell, script);
            lines.push_str(&format!("{script:<44} {said}\n"));
        }
        lines
    }

    fn run(&self, shell: &ShellCommands, script: &str) -> String {
        let outcome = alone(shell.run(call(script)));
        let said = match &outcome.verdict {
            Verdict::Passed => outcome.output.unwrap_or_default(),
            Verdict::Failed(error) => error.clone(),
            Verdict::Ended => "ended".into(),
        };
        // Programs begin with their own name, in different ways.
        let said = said.lines().last().unwrap_or("ok");
        let said = said.rsplit_once(": ").map_or(said, |(_, why)| why);
        said.replace(&*self.root.to_string_lossy(), "<root>")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        if let Some(owned) = self.owned.take() {
            owned.close().unwrap();
        }
    }
}

/// Runs a future on a runtime of its own.
pub(crate) fn alone<T>(future: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap()
        .block_on(future)
}

pub(crate) fn call(script: &str) -> ShellCall {
    ShellCall {
        attempt: Attempt {
            plan_number: 1,
            step_number: 1,
            step_id: "step".into(),
            attempt: 1,
        },
        line: script.into(),
        words: ["sh", "-c", script].map(Into::into).into(),
        cancel: Cancel::never(),
        last_line: None,
    }
}

/// Looks until there is something, for 30 s at most.
pub(crate) fn wait_for<T>(mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "nothing came of it in 30 s");
        std::thread::sleep(Duration::from_millis(2));
    }
}
