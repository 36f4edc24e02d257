//! What the commands and tools of one session share: where they run, with what, and what becomes of them.

use std::{
    ffi::{OsStr, OsString},
    fs, io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
    time::Duration,
};

use crate::{
    launcher::{Confinement, LauncherError},
    output::OutputPlace,
    process::{Confined, Launch, Processes},
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
    workdir: PathBuf,
    workdir_fd: OwnedFd,
    environment: Vec<(OsString, OsString)>,
    path: OsString,
    runtime_dir: Option<OwnedFd>,
    bounds: Bounds,
    confinement: Option<Confinement>,
    processes: Processes,
}

/// A session whose workdir cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("cannot open the workdir `{}`: {source}", path.display())]
pub struct SessionError {
    /// The workdir.
    pub path: PathBuf,
    /// Why.
    pub source: io::Error,
}

impl CommandSession {
    /// Opens the workdir.
    ///
    /// # Errors
    /// When it is not there, is not a directory or may not be read.
    pub fn open(spec: SessionSpec) -> Result<Self, SessionError> {
        let open = || {
            let workdir = std::path::absolute(&spec.workdir)?;
            let fd = fs::File::open(&workdir)?;
            if !fd.metadata()?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            Ok((workdir, fd))
        };
        let (workdir, fd) = open().map_err(|source| SessionError {
            path: spec.workdir.clone(),
            source,
        })?;
        let path = spec
            .environment
            .iter()
            .rev()
            .find(|(name, _)| name == "PATH")
            .map_or_else(|| DEFAULT_PATH.into(), |(_, value)| value.clone());
        Ok(Self {
            workdir,
            workdir_fd: fd.into(),
            environment: spec.environment,
            path,
            runtime_dir: spec.runtime_dir,
            bounds: spec.bounds,
            confinement: None,
            processes: Processes::new(),
        })
    }

    /// Has a launcher start whatever this session starts from now on.
    ///
    /// # Errors
    /// When there is no launcher ([`crate::LauncherProgram::ready`]).
    pub fn confined(mut self, confinement: Confinement) -> Result<Self, LauncherError> {
        confinement.program.ready()?;
        self.confinement = Some(confinement);
        Ok(self)
    }

    /// Kills what the steps of a plan left running and reaps it (ruling 34). `plan_number` is that of
    /// [`crate::Attempt`]. To be called once the plan's steps have settled; a second call does nothing.
    pub async fn end_plan(&self, plan_number: u32) {
        self.processes.end_plan(plan_number).await;
    }

    pub(crate) fn workdir(&self) -> &Path {
        &self.workdir
    }

    pub(crate) fn workdir_fd(&self) -> BorrowedFd<'_> {
        self.workdir_fd.as_fd()
    }

    pub(crate) fn environment(&self) -> &[(OsString, OsString)] {
        &self.environment
    }

    /// Returns the `PATH` bare program names are looked up on.
    pub(crate) fn path(&self) -> &OsStr {
        &self.path
    }

    pub(crate) const fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Returns what is put around a step's program.
    pub(crate) const fn launch(&self) -> Launch<'_> {
        match &self.confinement {
            None => Launch::Plain,
            Some(confinement) => Launch::Confined(Confined {
                program: &confinement.program,
                #[cfg(target_os = "linux")]
                leaf: None,
                supervised: confinement.supervised,
                limits: &confinement.limits,
                walls: &confinement.walls,
            }),
        }
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

/// Where a bare word is looked for when the environment sets no `PATH`.
const DEFAULT_PATH: &str = "/usr/local/bin:/usr/bin:/bin";
