//! A session in a temporary directory, and words for what came of a step.

use std::{
    cell::RefCell,
    fs::{self, File},
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    rc::{Rc, Weak},
    sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard},
    task::{Context, Poll, Waker},
    time::{Duration, Instant},
};

use plan_exec::{
    Attempt, Bounds, Cancel, CommandSession, ContainmentSpec, EnvironmentSpec, Outcome,
    SessionSpec, ShellCall, ShellCommands, ShellExecutor, ThisHost, ToolCall, ToolExecutor,
    ToolProgram, ToolPrograms, Verdict,
};

/// Held for reading by every test that starts processes, and for writing by those that count what this process
/// has.
static COUNTED: RwLock<()> = RwLock::new(());

/// Returns what a test holds that starts processes without a [`Space`]. A thread holds it once, however often it
/// asks: a second time it would wait for ever behind whoever waits for the first.
pub(crate) fn counted() -> Rc<RwLockReadGuard<'static, ()>> {
    thread_local! {
        static HELD: RefCell<Weak<RwLockReadGuard<'static, ()>>> = const { RefCell::new(Weak::new()) };
    }
    HELD.with_borrow_mut(|held| {
        held.upgrade().unwrap_or_else(|| {
            let guard = Rc::new(COUNTED.read().unwrap_or_else(PoisonError::into_inner));
            *held = Rc::downgrade(&guard);
            guard
        })
    })
}

enum Held {
    Shared {
        _guard: RwLockReadGuard<'static, ()>,
    },
    Alone {
        _guard: RwLockWriteGuard<'static, ()>,
    },
}

/// `workdir/` and `runtime/` in a directory of their own, and a session over them.
pub(crate) struct Space {
    pub(crate) session: Option<Arc<CommandSession>>,
    directory: tempfile::TempDir,
    _held: Held,
}

impl Space {
    pub(crate) fn new() -> Self {
        Self::with_bounds(Bounds {
            // A step that hangs fails its test by name, long before the hour.
            wall: Duration::from_secs(60),
            ..Bounds::default()
        })
    }

    pub(crate) fn with_bounds(bounds: Bounds) -> Self {
        let guard = COUNTED.read().unwrap_or_else(PoisonError::into_inner);
        Self::make(bounds, Held::Shared { _guard: guard })
    }

    /// Returns one that no other test runs beside.
    pub(crate) fn alone() -> Self {
        let guard = COUNTED.write().unwrap_or_else(PoisonError::into_inner);
        Self::make(Bounds::default(), Held::Alone { _guard: guard })
    }

    fn make(bounds: Bounds, held: Held) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        for folder in ["workdir", "runtime"] {
            fs::create_dir(root.join(folder)).unwrap();
        }
        let environment = EnvironmentSpec {
            home: root.join("home"),
            tmp: root.join("tmp"),
            runtime_dir: root.join("runtime"),
            records_dir: root.join("records"),
            ..EnvironmentSpec::default()
        };
        let session = CommandSession::open(SessionSpec {
            workdir: root.join("workdir"),
            environment: environment.build(&ThisHost),
            runtime_dir: Some(OwnedFd::from(File::open(root.join("runtime")).unwrap())),
            bounds,
            containment: ContainmentSpec::off(),
        });
        let session = at_once(session);
        Self {
            session: Some(Arc::new(session.unwrap())),
            directory,
            _held: held,
        }
    }

    pub(crate) fn workdir(&self) -> PathBuf {
        self.directory.path().join("workdir")
    }

    pub(crate) fn runtime(&self) -> PathBuf {
        self.directory.path().join("runtime")
    }

    pub(crate) fn session(&self) -> Arc<CommandSession> {
        Arc::clone(self.session.as_ref().expect("the session was not dropped"))
    }

    pub(crate) fn shell(&self) -> ShellCommands {
        ShellCommands::new(self.session())
    }

    /// Runs a script with `sh` as step 1 of plan 1.
    pub(crate) async fn sh(&self, script: &str) -> Outcome {
        self.run(&["sh", "-c", script]).await
    }

    pub(crate) async fn run(&self, words: &[&str]) -> Outcome {
        self.shell()
            .run(shell_call(words, 1, Cancel::never()))
            .await
    }

    pub(crate) async fn attempt(&self, script: &str, attempt: u32) -> Outcome {
        self.shell()
            .run(shell_call(&["sh", "-c", script], attempt, Cancel::never()))
            .await
    }

    /// Runs a tool whose program is `sh` with this script.
    pub(crate) async fn tool(&self, script: &str, input: &str) -> Outcome {
        self.tool_program("sh", &["-c", script], input).await
    }

    pub(crate) async fn tool_program(
        &self,
        program: &str,
        arguments: &[&str],
        input: &str,
    ) -> Outcome {
        let tool = ToolProgram {
            program: program.into(),
            arguments: arguments.iter().map(|&word| word.into()).collect(),
        };
        let manifest_dir = self.directory.path().to_owned();
        ToolPrograms::new(self.session(), manifest_dir, [("t".into(), tool)].into())
            .unwrap()
            .run(tool_call("t", input, Cancel::never()))
            .await
    }

    pub(crate) fn write(&self, path: &str, text: &str) -> PathBuf {
        let path = self.workdir().join(path);
        fs::write(&path, text).unwrap();
        path
    }

    /// Waits until a file of the workdir holds a whole line, and returns it.
    pub(crate) fn line_of(&self, path: &str) -> String {
        let path = self.workdir().join(path);
        wait_for(|| {
            let text = fs::read_to_string(&path).ok()?;
            text.strip_suffix('\n').map(str::to_owned)
        })
    }
}

pub(crate) fn attempt(attempt: u32) -> Attempt {
    Attempt {
        plan_number: 1,
        step_number: 1,
        step_id: "step".into(),
        attempt,
    }
}

pub(crate) fn shell_call(words: &[&str], number: u32, cancel: Cancel) -> ShellCall {
    ShellCall {
        attempt: attempt(number),
        line: words.join(" ").into(),
        words: words.iter().map(|&word| word.into()).collect(),
        cancel,
        last_line: None,
    }
}

pub(crate) fn tool_call(name: &str, input: &str, cancel: Cancel) -> ToolCall {
    ToolCall {
        attempt: attempt(1),
        name: name.into(),
        input: input.into(),
        cancel,
        last_line: None,
    }
}

/// Shows an outcome on one line.
pub(crate) fn shown(outcome: &Outcome) -> String {
    let mut text = match &outcome.verdict {
        Verdict::Passed => "passed".to_owned(),
        Verdict::Failed(error) => format!("failed {error:?}"),
        Verdict::Ended => "ended".to_owned(),
    };
    match &outcome.output {
        Some(output) => text.push_str(&format!(", output {output:?}")),
        None => text.push_str(", no output"),
    }
    if let Some(effect) = &outcome.state_effect {
        text.push_str(&format!(", state_effect {effect:?}"));
    }
    if let Some(resource) = &outcome.resource_id {
        text.push_str(&format!(", resource_id {resource:?}"));
    }
    text
}

pub(crate) fn error(outcome: &Outcome) -> &str {
    match &outcome.verdict {
        Verdict::Failed(error) => error,
        Verdict::Passed | Verdict::Ended => panic!("did not fail: {outcome:?}"),
    }
}

pub(crate) fn output(outcome: &Outcome) -> &str {
    outcome.output.as_deref().expect("it has output")
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

/// Returns whether a process lives: one that is gone or only waits to be reaped does not.
pub(crate) fn is_alive(pid: &str) -> bool {
    state(pid).is_some_and(|state| state != 'Z' && state != 'X')
}

fn state(pid: &str) -> Option<char> {
    let stat = fs::read_to_string(Path::new("/proc").join(pid).join("stat")).ok()?;
    stat.rsplit_once(") ")?.1.chars().next()
}

/// Returns what a future gives that has nothing to wait for.
pub(crate) fn at_once<T>(future: impl Future<Output = T>) -> T {
    let mut future = std::pin::pin!(future);
    match future
        .as_mut()
        .poll(&mut Context::from_waker(Waker::noop()))
    {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits for something"),
    }
}
