//! What the commands and tools of one session share: where they run, with what, and what becomes of them.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    call::Attempt,
    contain::{Containment, ContainmentSpec, Holds, StepBounds},
    environment::path_in,
    executor::BoxFuture,
    launcher::{Confinement, LauncherError},
    output::OutputPlace,
    plan_bounds::{LeftBehind, PlanBounds, PlanStart, Unbounded},
    process::Processes,
};

/// How a session's commands and tools are to run.
#[derive(Debug)]
pub struct SessionSpec {
    /// The working directory. A relative one is relative to this process's.
    pub workdir: PathBuf,
    /// The whole environment ([`crate::EnvironmentSpec::build`]).
    pub environment: Vec<(OsString, OsString)>,
    /// The open runtime directory; without one nothing that is cut can be kept whole.
    pub runtime_dir: Option<OwnedFd>,
    /// What a step may use.
    pub bounds: Bounds,
    /// What is put around everything a plan starts.
    pub containment: ContainmentSpec,
}

/// What one attempt of a step may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bounds {
    /// Wall-clock time; past it the step's process group is ended (ruling 33). One hour by default.
    pub wall: Duration,
    /// How long after SIGTERM it is sent SIGKILL (ruling 33). Five seconds by default.
    pub grace: Duration,
    /// The most the file that keeps an output whole holds, in bytes (ruling 26). 4 GiB by default.
    pub whole_output: u64,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            wall: Duration::from_secs(3600),
            grace: Duration::from_secs(5),
            whole_output: 4 << 30,
        }
    }
}

/// A session's commands and tools. Shared by [`crate::ShellCommands`] and [`crate::ToolPrograms`].
///
/// Dropping it kills what its plans left running.
#[derive(Debug)]
pub struct CommandSession {
    workdir: Workdir,
    environment: Vec<(OsString, OsString)>,
    path: OsString,
    runtime_dir: Option<OwnedFd>,
    bounds: Bounds,
    /// Put around steps in place of the containment.
    confinement: Option<Confinement>,
    // Before the scopes: what they end is reaped first.
    processes: Processes,
    containment: Containment,
}

/// An open working directory.
#[derive(Debug)]
struct Workdir {
    /// Absolute.
    path: PathBuf,
    fd: OwnedFd,
}

impl Workdir {
    fn open(path: &Path) -> Result<Self, SessionError> {
        let open = || {
            let path = std::path::absolute(path)?;
            let fd = fs::File::open(&path)?;
            if !fd.metadata()?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            Ok(Self {
                path,
                fd: fd.into(),
            })
        };
        open().map_err(|source| SessionError::Workdir {
            path: path.to_owned(),
            source,
        })
    }
}

/// Why there is no session.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The workdir cannot be opened.
    #[error("cannot open the workdir `{}`: {source}", path.display())]
    Workdir {
        /// The workdir.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Nothing could be started in it.
    #[error(transparent)]
    Launcher(#[from] LauncherError),
}

impl CommandSession {
    /// Opens the workdir, and finds out what of the containment the host gives: that takes some milliseconds, and
    /// seconds where the systemd user manager is asked for a scope. A host that cannot give what is required
    /// refuses the plans, not the session.
    ///
    /// # Errors
    /// When the workdir is not there, is not a directory or may not be read, and when there is no launcher.
    pub async fn open(spec: SessionSpec) -> Result<Self, SessionError> {
        let workdir = Workdir::open(&spec.workdir)?;
        let containment = Containment::open(spec.containment, &workdir.path).await?;
        Ok(Self {
            path: path_in(&spec.environment),
            workdir,
            environment: spec.environment,
            runtime_dir: spec.runtime_dir,
            bounds: spec.bounds,
            confinement: None,
            processes: Processes::new(),
            containment,
        })
    }

    /// Opens one beside `steps` for the operator's own programs: the same workdir and environment, nothing around.
    pub(crate) fn beside(steps: &Self, bounds: Bounds) -> Result<Self, SessionError> {
        Ok(Self {
            path: steps.path.clone(),
            workdir: Workdir::open(&steps.workdir.path)?,
            environment: steps.environment.clone(),
            runtime_dir: None,
            bounds,
            confinement: None,
            processes: Processes::new(),
            containment: Containment::none(),
        })
    }

    /// Has a launcher start whatever this session starts from now on, in place of what
    /// [`SessionSpec::containment`] says: for an embedder that has bounds of its own around its plans.
    ///
    /// # Errors
    /// When there is no launcher ([`crate::LauncherProgram::ready`]).
    pub fn confined(mut self, confinement: Confinement) -> Result<Self, LauncherError> {
        confinement.program.ready()?;
        self.confinement = Some(confinement);
        Ok(self)
    }

    /// Returns what holds around what its plans start.
    pub const fn holds(&self) -> &Holds {
        self.containment.holds()
    }

    /// Kills what the steps of a plan left running, reaps it and takes the plan's scope away (ruling 34).
    /// `plan_number` is that of [`Attempt`]. To be called once the plan's steps have settled; a second call does
    /// nothing.
    ///
    /// # Errors
    /// What may still be there, and why.
    pub async fn end_plan(&self, plan_number: u32) -> Result<(), LeftBehind> {
        // What is in its group is killed and reaped; the scope then ends what has left it.
        self.end_processes(plan_number).await;
        self.containment.end_plan(plan_number).await
    }

    /// Kills what a plan's programs left in their groups, and reaps it.
    pub(crate) async fn end_processes(&self, plan_number: u32) {
        self.processes.end_plan(plan_number).await;
    }

    /// Makes the bounds of an attempt, or says why it is not to be started.
    pub(crate) fn bound_step(&self, attempt: &Attempt) -> Result<StepBounds<'_>, String> {
        match &self.confinement {
            Some(confinement) => Ok(StepBounds::fixed(confinement)),
            None => self.containment.bound_step(attempt),
        }
    }

    /// Returns the working directory as an absolute path.
    pub fn workdir(&self) -> &Path {
        &self.workdir.path
    }

    pub(crate) fn workdir_fd(&self) -> BorrowedFd<'_> {
        self.workdir.fd.as_fd()
    }

    pub(crate) fn environment(&self) -> &[(OsString, OsString)] {
        &self.environment
    }

    /// Returns the `PATH` bare program names are looked up on.
    pub fn path(&self) -> &OsStr {
        &self.path
    }

    pub(crate) const fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    pub(crate) const fn processes(&self) -> &Processes {
        &self.processes
    }

    /// Returns where the whole output of a step goes when it is cut.
    pub(crate) fn output_place(&self, plan_number: u32, step_number: usize) -> OutputPlace<'_> {
        OutputPlace {
            runtime_dir: self.runtime_dir.as_ref().map(AsFd::as_fd),
            plan_number,
            step_number,
            bound: self.bounds.whole_output,
        }
    }
}

impl PlanBounds for CommandSession {
    fn plan_starting<'a>(
        &'a self,
        plan: PlanStart<'a>,
    ) -> BoxFuture<'a, Result<Vec<String>, Unbounded>> {
        Box::pin(async move { self.containment.start_plan(plan, &self.workdir.path) })
    }

    fn plan_ended(&self, plan_number: u32) -> BoxFuture<'_, Result<(), LeftBehind>> {
        Box::pin(self.end_plan(plan_number))
    }
}
