//! A space whose command runs in a cgroup of its own, with the hostile programs on its `PATH`.

use std::{
    env, fs,
    os::unix::fs::{DirBuilderExt as _, symlink},
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::{Duration, Instant},
};

use crate::{
    base::Base, ended::Ended, fifo::Held, host::Host, hostile, running::Running, space::Space,
};

/// A space and the cgroup for the runs in it.
#[derive(Debug)]
pub(crate) struct Scene {
    space: Space,
    base: Option<Base>,
    bounding: &'static str,
}

impl Scene {
    /// Makes one whose manifest has these lines under `capabilities`, besides the hostile programs.
    pub(crate) fn new(host: &Host, bounding: &'static str, capabilities: &[&str]) -> Self {
        let names = hostile::NAMES.join(", ");
        let mut grants = format!("shell: {{allow: [sh, cat, {names}]}}");
        for line in capabilities {
            grants.push_str("\n  ");
            grants.push_str(line);
        }
        let space = Space::new().grants(&grants);
        let itself = env::current_exe().expect("this program has a path");
        for name in hostile::NAMES {
            symlink(&itself, space.path("bin").join(name)).expect("a link");
        }
        let base = host.ground.as_ref().map(|ground| {
            let base = ground.base();
            base.expect("the probing made one as well")
        });
        Self {
            space,
            base,
            bounding,
        }
    }

    /// Runs a plan with these steps to its end.
    pub(crate) fn run(&self, steps: &str) -> Ended {
        self.start(steps).wait()
    }

    /// Starts a plan with these steps.
    pub(crate) fn start(&self, steps: &str) -> Running {
        let plan = format!(r#"{{"id": "p", "steps": [{steps}]}}"#);
        let call = self.space.plain(plan);
        let command = call
            .args(&["--json", "--bounding", self.bounding])
            .prepare();
        let command = match &self.base {
            Some(base) => inside(base, &command),
            None => command,
        };
        Running::start(command, None, &self.space.path(""), true)
    }

    /// Returns a path of the workdir.
    pub(crate) fn work(&self, name: &str) -> PathBuf {
        self.space.path("dir").join(name)
    }

    /// Has the sessions and the records in the workdir, as where somebody works in the folder they live in.
    pub(crate) fn keep_home_in_workdir(&self) {
        let mut folder = fs::DirBuilder::new();
        folder
            .mode(0o700)
            .create(self.work(".murmur"))
            .expect("a folder");
        self.space.link("home", "dir/.murmur");
    }

    /// Has the manifest in the workdir, as where somebody works in the folder it describes.
    pub(crate) fn keep_manifest_in_workdir(&self) {
        let manifest = self.space.path("murmur.yaml");
        fs::rename(&manifest, self.work("murmur.yaml")).expect("it was written");
        self.space.link("murmur.yaml", "dir/murmur.yaml");
    }

    /// Makes an executable script of the workdir.
    pub(crate) fn script(&self, name: &str, script: &str) -> PathBuf {
        let draft = self.file(&format!("{name}.draft"), &format!("#!/bin/sh\n{script}\n"));
        let made = self.work(name);
        // By a process of its own: what other trials start meanwhile must not hold it open for writing.
        let status = Command::new("/bin/sh")
            .args(["-c", "cp \"$0\" \"$1\" && chmod +x \"$1\""])
            .args([&draft, &made])
            .status();
        assert!(status.expect("a shell").success());
        made
    }

    /// Returns a path outside the workdir.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.space.path(name)
    }

    /// Writes a file of the workdir.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        self.space.file(&format!("dir/{name}"), text)
    }

    /// Makes a pipe in the workdir that looks closed when no process of a step holds it any more.
    pub(crate) fn held(&self, name: &str) -> Held {
        self.space.held(name)
    }

    /// Waits until what the step `a` leaves has come up. A command that ends instead fails the trial at once.
    pub(crate) fn wait_up(&self, running: &mut Running, held: &mut Held) {
        running.wait_for("start   a");
        assert_eq!(held.wait(), "up");
    }

    /// Waits until no process holds the pipe any more.
    pub(crate) fn wait_closed(&self, held: &Held) {
        let deadline = Instant::now() + PATIENCE;
        while held.is_held() {
            assert!(
                Instant::now() < deadline,
                "after {PATIENCE:?} a process still holds the pipe"
            );
            thread::sleep(Duration::from_millis(1));
        }
    }

    /// Waits until nothing of its runs is there any more: no process, the watcher included, and no scope.
    pub(crate) fn wait_gone(mut self) {
        if let Some(base) = self.base.take() {
            base.wait_empty();
        }
        // Without a cgroup, and against one that something got out of: everything that was started here has the
        // space's path in its environment.
        let root = self.space.path("").to_string_lossy().into_owned();
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = mentioning(root.trim_end_matches('/'));
            if left.is_empty() {
                return;
            }
            assert!(
                Instant::now() < deadline,
                "still there: {}",
                left.join(", ")
            );
            thread::sleep(Duration::from_millis(5));
        }
    }
}

/// Returns `command` as one that joins the cgroup first.
fn inside(base: &Base, command: &Command) -> Command {
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", "echo $$ > \"$0\" && exec \"$@\""])
        .arg(base.procs())
        .arg(command.get_program())
        .args(command.get_args())
        .env_clear()
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    for (name, value) in command.get_envs() {
        if let Some(value) = value {
            shell.env(name, value);
        }
    }
    if let Some(folder) = command.get_current_dir() {
        shell.current_dir(folder);
    }
    shell
}

/// Returns the processes whose environment or command line holds `text`.
fn mentioning(text: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").expect("this is Linux").flatten();
    let holds = |path: &Path, file: &str| {
        let bytes = fs::read(path.join(file)).unwrap_or_default();
        String::from_utf8_lossy(&bytes).contains(text)
    };
    entries
        .filter(|entry| {
            let name = entry.file_name();
            name.to_string_lossy()
                .bytes()
                .all(|byte| byte.is_ascii_digit())
        })
        .map(|entry| entry.path())
        .filter(|path| holds(path, "environ") || holds(path, "cmdline"))
        .map(|path| {
            let called = fs::read_to_string(path.join("cmdline")).unwrap_or_default();
            format!("{} ({})", path.display(), called.replace('\0', " "))
        })
        .collect()
}

/// How long what a plan left may take to be gone.
const PATIENCE: Duration = Duration::from_secs(10);
