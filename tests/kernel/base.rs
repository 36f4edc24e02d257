//! Cgroups of version 2: where they can be made here, and one for the command of each scene.

use std::{
    fs, io,
    path::PathBuf,
    process,
    sync::atomic::{AtomicU32, Ordering},
    thread,
    time::{Duration, Instant},
};

/// Our own cgroup, in which others can be made.
#[derive(Debug)]
pub(crate) struct Ground {
    folder: PathBuf,
    /// Whether those below have the controllers a bounded plan needs.
    pub(crate) has_controllers: bool,
}

/// A cgroup for one command, as a service manager would delegate it: nothing else is in it.
#[derive(Debug)]
pub(crate) struct Base {
    folder: PathBuf,
}

/// What a bounded plan needs (spec: What a plan may reach).
const CONTROLLERS: [&str; 3] = ["memory", "pids", "cpu"];

impl Ground {
    /// Finds it, and has the controllers in what is made below where that is possible.
    pub(crate) fn find() -> Option<Self> {
        let own = fs::read_to_string("/proc/self/cgroup").ok()?;
        let own = own.lines().find_map(|line| line.strip_prefix("0::/"))?;
        let mounts = fs::read_to_string("/proc/self/mounts").ok()?;
        let mount = mounts.lines().find_map(|line| {
            let fields: Vec<&str> = line.split(' ').collect();
            (fields.get(2) == Some(&"cgroup2")).then(|| PathBuf::from(fields[1]))
        })?;
        let mut ground = Self {
            folder: mount.join(own),
            has_controllers: false,
        };
        let offered = fs::read_to_string(ground.folder.join("cgroup.controllers")).ok()?;
        if CONTROLLERS
            .iter()
            .all(|name| offered.split_whitespace().any(|offer| offer == *name))
        {
            ground.has_controllers = ground.enable().is_ok();
        }
        // Whether a process can be put into one is asked by doing so.
        let base = ground.base().ok()?;
        let is_usable = base.folder.join("cgroup.kill").exists() && base.can_be_entered();
        base.remove();
        is_usable.then_some(ground)
    }

    /// Makes the cgroup for one command.
    pub(crate) fn base(&self) -> io::Result<Base> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("plan-test-{}-{count}", process::id());
        let folder = self.folder.join(name);
        fs::create_dir(&folder)?;
        Ok(Base { folder })
    }

    /// Gives back what was taken: nothing but the leaf that this process stepped into.
    pub(crate) fn leave(&self) {
        if self.has_controllers {
            for name in CONTROLLERS {
                drop(fs::write(self.control(), format!("-{name}")));
            }
            drop(fs::write(self.folder.join("cgroup.procs"), "0"));
            drop(fs::remove_dir(self.leaf()));
        }
    }

    /// A cgroup that hands controllers on holds no process itself, so this one steps aside.
    fn enable(&self) -> io::Result<()> {
        fs::create_dir(self.leaf())?;
        fs::write(self.leaf().join("cgroup.procs"), "0")?;
        CONTROLLERS
            .iter()
            .try_for_each(|name| fs::write(self.control(), format!("+{name}")))
            .inspect_err(|_| self.leave())
    }

    fn control(&self) -> PathBuf {
        self.folder.join("cgroup.subtree_control")
    }

    fn leaf(&self) -> PathBuf {
        self.folder.join(format!("plan-tests-{}", process::id()))
    }
}

impl Base {
    /// Returns the file a process joins by.
    pub(crate) fn procs(&self) -> PathBuf {
        self.folder.join("cgroup.procs")
    }

    /// Waits until no process is in it or below it, and no scope of a plan either; then removes it.
    pub(crate) fn wait_empty(self) {
        let deadline = Instant::now() + PATIENCE;
        loop {
            let left = self.left();
            if left.is_empty() {
                break;
            }
            assert!(
                Instant::now() < deadline,
                "after {PATIENCE:?} there is left in the cgroup: {}",
                left.join(", ")
            );
            thread::sleep(Duration::from_millis(5));
        }
        self.remove();
        assert!(!self.folder.exists(), "the cgroup cannot be removed");
    }

    /// Returns the processes and the scopes there are.
    fn left(&self) -> Vec<String> {
        let mut left = Vec::new();
        for folder in self.folders() {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            // The leaf for the runtime itself is no scope. It stays with the cgroup that was delegated to it.
            if name.starts_with("murmur-") && name != "murmur-supervisor" {
                left.push(format!("scope {name}"));
            }
            let inside = fs::read_to_string(folder.join("cgroup.procs")).unwrap_or_default();
            for id in inside.lines() {
                let called = fs::read_to_string(format!("/proc/{id}/cmdline")).unwrap_or_default();
                left.push(format!("process {id} ({})", called.replace('\0', " ")));
            }
        }
        left
    }

    /// Returns itself and everything below, what is below first.
    fn folders(&self) -> Vec<PathBuf> {
        let mut found = vec![self.folder.clone()];
        let mut at = 0;
        while at < found.len() {
            // What is gone by now has nothing below it.
            let entries = fs::read_dir(&found[at]).into_iter().flatten().flatten();
            found.extend(
                entries
                    .map(|entry| entry.path())
                    .filter(|path| path.is_dir()),
            );
            at += 1;
        }
        found.reverse();
        found
    }

    fn can_be_entered(&self) -> bool {
        let joined = process::Command::new("/bin/sh")
            .args(["-c", "echo $$ > \"$0\""])
            .arg(self.procs())
            .stderr(process::Stdio::null())
            .status();
        joined.is_ok_and(|status| status.success())
    }

    fn remove(&self) {
        for folder in self.folders() {
            // A process that is exiting keeps its cgroup busy for a moment.
            let deadline = Instant::now() + PATIENCE;
            while is_busy(fs::remove_dir(&folder)) && Instant::now() < deadline {
                thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

impl Drop for Base {
    fn drop(&mut self) {
        // A trial that failed leaves nothing running; a host without the file was not used.
        if self.folder.exists() {
            drop(fs::write(self.folder.join("cgroup.kill"), "1"));
            self.remove();
        }
    }
}

fn is_busy(removed: io::Result<()>) -> bool {
    removed.is_err_and(|error| error.kind() == io::ErrorKind::ResourceBusy)
}

/// How long what a plan left may take to be gone.
const PATIENCE: Duration = Duration::from_secs(10);
