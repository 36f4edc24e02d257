//! A kernel for tests: directories shaped like cgroups, with the rules of the real one that matter here.

use std::{
    collections::BTreeSet,
    ffi::OsString,
    fs, io,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    sync::{Arc, Mutex},
};

use rustix::{
    io::Errno,
    process::{Pid, getpid},
};
use tempfile::TempDir;

use super::super::{
    file::Files,
    kernel::{Kernel, ThisKernel},
    mount::Hierarchy,
};

/// A hierarchy with this process in its cgroup `base`.
#[derive(Debug, Clone)]
pub(super) struct Fake {
    root: Arc<TempDir>,
    rules: Arc<Mutex<Rules>>,
}

/// How this kernel differs from one that does everything that is asked.
#[derive(Debug, Default)]
pub(super) struct Rules {
    /// Files that a new cgroup lacks.
    pub(super) absent: BTreeSet<&'static str>,
    /// Controllers that cannot be enabled.
    pub(super) unable: BTreeSet<&'static str>,
    /// Whether a new cgroup lacks all files but `cgroup.procs`.
    pub(super) lean: bool,
    /// What is refused: the end of the path, and how.
    pub(super) refused: Vec<(&'static str, Errno)>,
    /// Processes that do not die.
    pub(super) stubborn: BTreeSet<i32>,
    /// What was written and signalled, oldest first.
    pub(super) log: Vec<String>,
}

impl Fake {
    /// Makes one whose cgroup `base` offers `controllers` and holds this process.
    pub(super) fn new(controllers: &str) -> Self {
        let fake = Self {
            root: Arc::new(tempfile::tempdir().unwrap()),
            rules: Arc::default(),
        };
        fs::write(fake.path("cgroup.subtree_control"), controllers).unwrap();
        fake.make(&fake.path("base")).unwrap();
        fake.put("base/cgroup.procs", &format!("{}\n", me()));
        fake
    }

    pub(super) fn files(&self) -> Files {
        Files::of(self.clone())
    }

    pub(super) fn hierarchy(&self) -> Hierarchy {
        self.hierarchy_at("base")
    }

    pub(super) fn hierarchy_at(&self, own: &str) -> Hierarchy {
        Hierarchy {
            mount: self.path(""),
            own: self.path(own),
            held_by_v1: Vec::new(),
        }
    }

    pub(super) fn path(&self, below: &str) -> PathBuf {
        self.root.path().join(below)
    }

    pub(super) fn rules(&self) -> std::sync::MutexGuard<'_, Rules> {
        self.rules.lock().unwrap()
    }

    /// Refuses whatever is done to a path that ends with `end`.
    pub(super) fn refuse(&self, end: &'static str, errno: Errno) {
        self.rules().refused.push((end, errno));
    }

    pub(super) fn put(&self, file: &str, text: &str) {
        fs::write(self.path(file), text).unwrap();
    }

    pub(super) fn text(&self, file: &str) -> String {
        fs::read_to_string(self.path(file)).unwrap()
    }

    /// Returns the names in `dir` that are cgroups, in order.
    pub(super) fn cgroups(&self, dir: &str) -> Vec<String> {
        let names = self.folders(&self.path(dir)).unwrap().into_iter();
        let mut names: Vec<_> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Replaces the place of the tests by `ROOT`, and this process by `ME`.
    pub(super) fn mask(&self, text: &str) -> String {
        text.replace(&self.path("").display().to_string(), "ROOT/")
            .replace(&me().to_string(), "ME")
    }

    fn refusal(&self, path: &Path) -> io::Result<()> {
        let rules = self.rules();
        let refused = rules.refused.iter().find(|(end, _)| path.ends_with(end));
        refused.map_or(Ok(()), |&(_, errno)| Err(errno.into()))
    }

    fn procs(&self, dir: &Path) -> BTreeSet<i32> {
        let text = fs::read_to_string(dir.join("cgroup.procs")).unwrap_or_default();
        text.lines().map(|line| line.parse().unwrap()).collect()
    }

    fn set_procs(&self, dir: &Path, procs: &BTreeSet<i32>) {
        let lines: String = procs.iter().map(|pid| format!("{pid}\n")).collect();
        fs::write(dir.join("cgroup.procs"), lines).unwrap();
    }

    /// Returns the cgroup `dir` and all below it.
    fn tree(&self, dir: &Path) -> Vec<PathBuf> {
        let all = walkdir::WalkDir::new(dir).into_iter().map(Result::unwrap);
        all.filter(|entry| entry.file_type().is_dir())
            .map(walkdir::DirEntry::into_path)
            .collect()
    }

    fn enable(&self, dir: &Path, value: &str) -> io::Result<()> {
        let offered = fs::read_to_string(dir.join("cgroup.controllers"))?;
        let file = dir.join("cgroup.subtree_control");
        let text = fs::read_to_string(&file)?;
        let mut enabled: Vec<_> = text.split_whitespace().collect();
        for word in value.split(' ') {
            let (sign, name) = word.split_at(1);
            enabled.retain(|&enabled| enabled != name);
            if sign == "-" {
                continue;
            }
            if !offered.split_whitespace().any(|offered| offered == name) {
                return Err(Errno::NOENT.into());
            }
            if !self.procs(dir).is_empty() && !["cpu", "pids"].contains(&name) {
                return Err(Errno::BUSY.into());
            }
            enabled.push(name);
        }
        if enabled
            .iter()
            .any(|name| self.rules().unable.contains(name))
        {
            return Err(Errno::INVAL.into());
        }
        fs::write(file, enabled.join(" "))
    }

    /// Returns whether the children of `dir` take no process: it has some itself, and children that limit.
    fn threaded(&self, dir: &Path) -> bool {
        let enabled = fs::read_to_string(dir.join("cgroup.subtree_control")).unwrap_or_default();
        !self.procs(dir).is_empty() && !enabled.is_empty()
    }

    fn take_in(&self, dir: &Path) {
        for other in self.tree(self.root.path()) {
            let mut procs = self.procs(&other);
            if procs.remove(&me()) {
                self.set_procs(&other, &procs);
            }
        }
        let mut procs = self.procs(dir);
        procs.insert(me());
        self.set_procs(dir, &procs);
    }
}

impl Kernel for Fake {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.refusal(path)?;
        if path.ends_with("cgroup.events") {
            let dir = path.parent().unwrap();
            fs::metadata(dir)?;
            let tree = self.tree(dir);
            let populated = tree.iter().any(|dir| !self.procs(dir).is_empty());
            return Ok(format!("populated {}\nfrozen 0\n", u8::from(populated)).into());
        }
        if path.ends_with("cgroup.type") {
            let above = path.parent().and_then(Path::parent).unwrap();
            let kind = if self.threaded(above) {
                "domain invalid\n"
            } else {
                "domain\n"
            };
            return Ok(kind.into());
        }
        ThisKernel.read(path)
    }

    fn write(&self, path: &Path, value: &str) -> io::Result<()> {
        self.refusal(path)?;
        fs::metadata(path)?;
        let (dir, file) = (path.parent().unwrap(), path.file_name().unwrap());
        let shown = path.strip_prefix(self.root.path()).unwrap().display();
        let line = self.mask(&format!("{shown} < {value}"));
        self.rules().log.push(line);
        match file.to_str().unwrap() {
            "cgroup.subtree_control" => self.enable(dir, value),
            "cgroup.procs" => {
                assert_eq!(value, "0");
                self.take_in(dir);
                Ok(())
            }
            "cgroup.kill" => {
                let stubborn = self.rules().stubborn.clone();
                for dir in self.tree(dir) {
                    let left = &self.procs(&dir) & &stubborn;
                    self.set_procs(&dir, &left);
                }
                Ok(())
            }
            _ => fs::write(path, value),
        }
    }

    fn open(&self, path: &Path) -> io::Result<OwnedFd> {
        self.refusal(path)?;
        ThisKernel.open(path)
    }

    fn make(&self, dir: &Path) -> io::Result<()> {
        self.refusal(dir)?;
        let controllers = fs::read_to_string(dir.parent().unwrap().join("cgroup.subtree_control"))?;
        fs::create_dir(dir)?;
        let every = CORE_FILES.iter();
        let of_controllers = CONTROLLER_FILES.iter().filter(|file| {
            let controller = file.split_once('.').unwrap().0;
            controllers
                .split_whitespace()
                .any(|name| name == controller)
        });
        let absent = self.rules().absent.clone();
        let lean = self.rules().lean;
        let present =
            |file: &&&str| !absent.contains(**file) && (!lean || **file == "cgroup.procs");
        for file in every.chain(of_controllers).filter(present) {
            let text = match *file {
                "cgroup.controllers" => controllers.as_str(),
                _ => "",
            };
            fs::write(dir.join(file), text)?;
        }
        Ok(())
    }

    fn remove(&self, dir: &Path) -> io::Result<()> {
        self.refusal(dir)?;
        if !self.folders(dir)?.is_empty() || !self.procs(dir).is_empty() {
            return Err(Errno::BUSY.into());
        }
        fs::remove_dir_all(dir)
    }

    fn folders(&self, dir: &Path) -> io::Result<Vec<OsString>> {
        ThisKernel.folders(dir)
    }

    fn kill(&self, pid: Pid) {
        let pid = pid.as_raw_nonzero().get();
        self.rules().log.push(format!("kill {pid}"));
        if self.rules().stubborn.contains(&pid) {
            return;
        }
        for dir in self.tree(self.root.path()) {
            let mut procs = self.procs(&dir);
            if procs.remove(&pid) {
                self.set_procs(&dir, &procs);
            }
        }
    }
}

fn me() -> i32 {
    getpid().as_raw_nonzero().get()
}

const CORE_FILES: [&str; 8] = [
    "cgroup.controllers",
    "cgroup.freeze",
    "cgroup.kill",
    "cgroup.max.depth",
    "cgroup.max.descendants",
    "cgroup.procs",
    "cgroup.subtree_control",
    "cgroup.events",
];

const CONTROLLER_FILES: [&str; 10] = [
    "cpu.max",
    "io.max",
    "memory.events",
    "memory.events.local",
    "memory.max",
    "memory.swap.max",
    "pids.events",
    "pids.events.local",
    "pids.max",
    "pids.peak",
];
