//! A run of `mur-plan` with a plan of a check: begun, signalled, and what it left.

use std::{
    fs::{self, File},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    time::Duration,
};

use serde_json::{Value, json};

use super::{lines::Lines, patience, scene::Scene, worker};

/// A run to be begun.
#[derive(Debug)]
pub(super) struct Call<'s> {
    scene: &'s Scene,
    name: String,
    steps: Value,
    manifest: String,
    args: Vec<String>,
}

impl<'s> Call<'s> {
    pub(super) fn new(scene: &'s Scene, name: &str, steps: Value) -> Self {
        Self {
            scene,
            name: name.to_owned(),
            steps,
            manifest: String::new(),
            args: Vec::new(),
        }
    }

    /// Adds to the end of the parent's manifest.
    pub(super) fn manifest(mut self, more: &str) -> Self {
        more.clone_into(&mut self.manifest);
        self
    }

    pub(super) fn args(mut self, args: &[&str]) -> Self {
        self.args.extend(args.iter().map(|word| (*word).to_owned()));
        self
    }

    /// Runs it to its end.
    pub(super) fn run(self) -> Result<Ended, String> {
        self.start()?.wait()
    }

    /// Begins it.
    pub(super) fn start(self) -> Result<Running<'s>, String> {
        let folder = self.scene.folder.join("runs").join(&self.name);
        let workdir = folder.join("dir");
        let failed = |error: std::io::Error| format!("cannot run `{}`: {error}", self.name);
        fs::create_dir_all(&workdir).map_err(failed)?;
        let plan = json!({"id": self.name, "steps": self.steps});
        fs::write(folder.join("plan.json"), plan.to_string()).map_err(failed)?;
        let manifest = worker::parent(&self.manifest);
        fs::write(folder.join("murmur.yaml"), manifest).map_err(failed)?;
        let output = |name: &str| File::create(folder.join(name)).map_err(failed);
        let child = self
            .scene
            .program(&self.scene.command)
            .arg("run")
            .arg(folder.join("plan.json"))
            .arg("--home")
            .arg(folder.join("home"))
            .arg("--workdir")
            .arg(&workdir)
            // What commands of a plan are bounded by is not what is compared here.
            .args(["--json", "--bounding", "off"])
            .args(&self.args)
            .stdin(Stdio::null())
            .stdout(output("stdout")?)
            .stderr(output("stderr")?)
            .spawn()
            .map_err(failed)?;
        Ok(Running {
            scene: self.scene,
            child,
            folder,
        })
    }
}

/// A run that was begun. Dropping it kills it.
#[derive(Debug)]
pub(super) struct Running<'s> {
    scene: &'s Scene,
    child: Child,
    folder: PathBuf,
}

impl Running<'_> {
    /// Returns the trace as far as it is written.
    pub(super) fn trace(&self) -> Lines {
        trace(&self.folder).map_or_else(Lines::default, |path| Lines::read(&path))
    }

    /// Waits until the trace is as wanted.
    ///
    /// # Errors
    /// It has ended without, or takes too long.
    pub(super) fn until(
        &mut self,
        what: &str,
        is_so: impl Fn(&Lines) -> bool,
    ) -> Result<Lines, String> {
        let seen = patience::until(BOUND, || {
            let has_ended = !matches!(self.child.try_wait(), Ok(None));
            let lines = Some(self.trace()).filter(&is_so);
            (has_ended || lines.is_some()).then_some(lines)
        });
        seen.flatten()
            .ok_or_else(|| format!("waited in vain for {what}\n{}", tail(&self.folder)))
    }

    /// Waits until the child of the only capsule step works on its task, and returns the folder of its records.
    pub(super) fn until_child_works(&mut self) -> Result<PathBuf, String> {
        let lines = self.until("a child", |lines| lines.of("delegation_start").count() == 1)?;
        let records = lines.one("delegation_start")?["child_records_dir"].clone();
        let records = PathBuf::from(records.as_str().ok_or("a child without records")?);
        let trace = records.join("trace.jsonl");
        patience::until(BOUND, || {
            Lines::read(&trace).of("task_start").next().map(drop)
        })
        .ok_or("the child does not begin its task")?;
        Ok(records)
    }

    /// Sends a signal, by its name.
    pub(super) fn signal(&self, name: &str) -> Result<(), String> {
        let status = Command::new("kill")
            .args(["-s", name, &self.child.id().to_string()])
            .status()
            .map_err(|error| format!("cannot run here: cannot start `kill` ({error})"))?;
        let sent = status.success();
        sent.then_some(())
            .ok_or_else(|| format!("`kill -s {name}` failed"))
    }

    /// Waits for the end.
    pub(super) fn wait(mut self) -> Result<Ended, String> {
        let status = patience::until(BOUND, || self.child.try_wait().transpose());
        let status = status
            .ok_or_else(|| format!("mur-plan does not end\n{}", tail(&self.folder)))?
            .map_err(|error| format!("cannot wait for mur-plan: {error}"))?;
        let path = trace(&self.folder)
            .ok_or_else(|| format!("mur-plan wrote no trace\n{}", tail(&self.folder)))?;
        self.scene.traces.borrow_mut().push(path.clone());
        let stdout = fs::read_to_string(self.folder.join("stdout")).unwrap_or_default();
        Ok(Ended {
            status: status.code(),
            report: serde_json::from_str(&stdout).unwrap_or_default(),
            trace: Lines::read(&path),
            path,
            folder: self.folder.clone(),
        })
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        // One that has ended is past both.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

/// What a run left.
#[derive(Debug)]
pub(super) struct Ended {
    /// The exit status; `None` when a signal ended it.
    pub(super) status: Option<i32>,
    /// The report; null when there is none.
    pub(super) report: Value,
    pub(super) trace: Lines,
    /// Where the trace is.
    pub(super) path: PathBuf,
    folder: PathBuf,
}

impl Ended {
    /// Fails unless the exit status is this.
    pub(super) fn exits(&self, status: i32) -> Result<(), String> {
        if self.status == Some(status) {
            return Ok(());
        }
        let ended = self.status.map_or("by a signal".into(), |s| s.to_string());
        Err(format!(
            "mur-plan ended with {ended} where {status} is expected\nreport: {}\n{}",
            self.report,
            tail(&self.folder)
        ))
    }

    /// Returns a member of a step's entry in the report, as text.
    pub(super) fn step(&self, id: &str, member: &str) -> Result<&str, String> {
        let steps = self.report["steps"]
            .as_array()
            .map_or(&[][..], Vec::as_slice);
        let found = steps.iter().find(|step| step["step_id"] == id);
        found
            .and_then(|step| step[member].as_str())
            .ok_or_else(|| format!("step `{id}` has no `{member}`\nreport: {}", self.report))
    }
}

/// Finds the trace of the only session below a run's folder.
fn trace(folder: &Path) -> Option<PathBuf> {
    let mut folders = vec![folder.join("home/records")];
    while let Some(folder) = folders.pop() {
        let trace = folder.join("trace.jsonl");
        if trace.is_file() {
            return Some(trace);
        }
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        folders.extend(entries.map(|entry| entry.path()));
    }
    None
}

/// Returns the end of what a run said.
fn tail(folder: &Path) -> String {
    let said = fs::read_to_string(folder.join("stderr")).unwrap_or_default();
    let lines: Vec<&str> = said.lines().collect();
    let last = lines.len().saturating_sub(TOLD);
    format!("it said:\n  {}", lines[last..].join("\n  "))
}

/// How many lines of what a run said are told.
const TOLD: usize = 20;
/// Longer than anything here takes, also on a busy machine.
const BOUND: Duration = Duration::from_secs(240);
