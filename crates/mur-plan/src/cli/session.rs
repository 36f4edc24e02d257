//! What `run` hands to the facade: folders, executors and the framed trace of one session of its own.

use std::{
    ffi::OsString,
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    sync::Arc,
};

use plan_exec::{
    Bounding, Bounds, CapsuleExecutor, CommandSession, ContainmentSpec, EnvironmentSpec,
    LauncherProgram, ProtectedPaths, SessionError, SessionSpec, ShellCommands, ThisHost,
    ToolProgram, ToolPrograms, path_in,
};
use plan_sched::Limits;
use plan_trace::{Appender, SessionId};

use super::{
    args,
    check::grants,
    frame::{Frame, new_session},
    gate,
    home::SessionFolders,
    manifest::Manifest,
    own_files, print,
    refusal::Refusal,
    roost::{ChildEcho, Delegating, Delegator},
    workdir::{WORKDIR_HINT, ensure_outside, workdir},
};
use crate::{
    executors::Executors,
    progress::ProgressSender,
    submit::{PlanTool, Session},
};

/// An open session of the command.
pub(crate) struct CommandRun {
    pub(crate) tool: PlanTool,
    pub(crate) frame: Frame,
    pub(crate) folders: SessionFolders,
    pub(crate) delegating: Delegating,
}

impl CommandRun {
    /// Makes the session's folders, opens its trace and builds its executors. Nothing has run after an error.
    pub(crate) async fn open(
        args: &args::Run,
        manifest: &Manifest,
        task_bytes: usize,
        progress: ProgressSender,
        said: ChildEcho,
    ) -> Result<Self, Refusal> {
        let workdir = workdir(args.workdir.as_deref(), manifest)?;
        let home = home(args.home.as_deref())?;
        let id = new_session();
        ensure_outside(&workdir, &own_folders(&home))?;
        let folders = SessionFolders::make(&home, &workdir, id).map_err(|error| {
            let hint = error.hint();
            Refusal::new(error, hint)
        })?;
        let place = Place {
            manifest,
            home: &home,
            workdir: &workdir,
            folders: &folders,
        };
        match place
            .framed_tool(args, id, task_bytes, progress, said)
            .await
        {
            Ok((tool, frame, delegating)) => Ok(Self {
                tool,
                frame,
                folders,
                delegating,
            }),
            Err(refusal) => {
                // Nothing has run and nothing is kept; that it cannot be removed would hide why.
                folders.put_away().ok();
                Err(refusal)
            }
        }
    }
}

/// What a session is built from, and where.
struct Place<'a> {
    manifest: &'a Manifest,
    home: &'a Path,
    workdir: &'a Path,
    folders: &'a SessionFolders,
}

impl Place<'_> {
    /// Opens the trace and builds the executors. A trace begun is ended when something after it fails.
    async fn framed_tool(
        &self,
        args: &args::Run,
        id: SessionId,
        task_bytes: usize,
        progress: ProgressSender,
        said: ChildEcho,
    ) -> Result<(PlanTool, Frame, Delegating), Refusal> {
        let environment = self.environment();
        let protected = gate::protected_paths(
            self.manifest,
            self.workdir,
            path_in(&environment),
            &self.folders.command_home(),
        )?;
        let commands = self
            .commands(args.bounding, environment, &protected)
            .await?;
        // Before the trace is begun, which would have to be ended again.
        let answers = self.runtime_dir()?;
        let trace_hint =
            "the run is not started without its trace: make room, or name another `--home DIR`";
        let appender = Appender::open(self.folders.trace(), id)
            .map_err(|error| Refusal::new(error, trace_hint))?;
        let frame = Frame::open(
            appender,
            self.manifest,
            args.bounding,
            commands.holds(),
            task_bytes,
        )
        .map_err(|error| Refusal::new(error, trace_hint))?;
        for shortfall in commands.holds().shortfalls() {
            print::warning(&shortfall, None);
        }
        let delegator = Delegator {
            manifest: self.manifest,
            session_id: id.to_string(),
            context_id: frame.context_id().to_owned(),
            records_dir: self.folders.records.clone(),
        };
        let delegating = Delegating::open(&delegator, answers, said);
        let capsule = delegating.executor();
        match self.plan_tool(
            args,
            Arc::new(commands),
            capsule,
            protected,
            &frame,
            progress,
        ) {
            Ok(tool) => Ok((tool, frame, delegating)),
            Err(refusal) => {
                // The refusal is what the person needs to hear of the two.
                frame.close_unrun().ok();
                Err(refusal)
            }
        }
    }

    /// Returns the environment of commands and tools.
    fn environment(&self) -> Vec<(OsString, OsString)> {
        let environment = EnvironmentSpec {
            baseline_env: self.manifest.shell.baseline_env.clone(),
            strip_env: self.manifest.shell.strip_env.clone(),
            home: self.folders.command_home(),
            tmp: self.folders.command_tmp(),
            runtime_dir: self.folders.runtime.clone(),
            records_dir: self.folders.records.clone(),
        };
        environment.build(&ThisHost)
    }

    /// Opens the session of commands and tools, with what is to be put around them.
    async fn commands(
        &self,
        bounding: Bounding,
        environment: Vec<(OsString, OsString)>,
        protected: &ProtectedPaths,
    ) -> Result<CommandSession, Refusal> {
        let own = own_folders(self.home);
        let mut read_only: Vec<PathBuf> = protected.subtrees().map(Path::to_owned).collect();
        read_only.extend(own_files::manifest_file(self.manifest, self.workdir));
        read_only.extend(own.iter().cloned());
        read_only.sort();
        read_only.dedup();
        let opened = CommandSession::open(SessionSpec {
            workdir: self.workdir.to_owned(),
            environment,
            runtime_dir: Some(self.runtime_dir()?),
            bounds: Bounds::default(),
            containment: ContainmentSpec {
                bounding: if starts_processes(self.manifest) {
                    bounding
                } else {
                    Bounding::Off
                },
                launcher: LauncherProgram::ThisProgram,
                limits: self.manifest.resources.limits(),
                writable: vec![self.folders.command_home(), self.folders.command_tmp()],
                read_only,
                uncounted: own.to_vec(),
            },
        });
        opened.await.map_err(|error| match error {
            SessionError::Workdir { .. } => Refusal::new(error, WORKDIR_HINT),
            SessionError::Launcher(_) => Refusal::new(
                error,
                "write `--bounding off` to start commands without a launcher",
            ),
        })
    }

    fn runtime_dir(&self) -> Result<OwnedFd, Refusal> {
        let opened = self.folders.open_runtime();
        opened.map_err(|error| Refusal::new(error, RUNTIME_HINT))
    }

    fn plan_tool(
        &self,
        args: &args::Run,
        commands: Arc<CommandSession>,
        capsule: Arc<dyn CapsuleExecutor>,
        protected: ProtectedPaths,
        frame: &Frame,
        progress: ProgressSender,
    ) -> Result<PlanTool, Refusal> {
        let manifest = self.manifest;
        let gate = gate::gate(manifest, protected, &commands)?;
        let programs = manifest.tools.iter().map(|tool| {
            let program = ToolProgram {
                program: tool.command.name.clone(),
                arguments: tool.command.arguments.clone(),
            };
            (tool.name.clone(), program)
        });
        let programs = programs.collect();
        let tools = ToolPrograms::new(
            Arc::clone(&commands),
            manifest.folder().to_owned(),
            programs,
        );
        let tools = tools.map_err(|error| {
            let message = format!(
                "cannot find the folder of `{}`: {error}",
                manifest.path.display()
            );
            Refusal::new(message, "name the manifest by an absolute path")
        })?;
        let session = Session {
            plan_submit: manifest.plan_submit,
            grants: grants(manifest),
            executors: Executors {
                tool: Arc::new(tools),
                shell: Arc::new(ShellCommands::new(Arc::clone(&commands))),
                capsule,
                gate,
                bounds: commands,
            },
            limits: Limits {
                shell: args.jobs,
                capsule: args.capsules,
            },
            trace: frame.trace(),
            progress: Some(progress),
        };
        PlanTool::new(session, &self.runtime_dir()?)
            .map_err(|error| Refusal::new(error, RUNTIME_HINT))
    }
}

/// Returns whether the grants let a plan start a process: a command, a sub-capsule, or a tool that is a program.
fn starts_processes(manifest: &Manifest) -> bool {
    !(manifest.shell.allow.is_empty()
        && manifest.spawn_allow.is_empty()
        && manifest.tools.is_empty())
}

/// Returns what the runtime keeps for itself.
fn own_folders(home: &Path) -> [PathBuf; 2] {
    ["sessions", "records"].map(|name| home.join(name))
}

/// Returns the folder of sessions and records, as an absolute path.
pub(super) fn home(named: Option<&Path>) -> Result<PathBuf, Refusal> {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let home = match (named, set("MURMUR_HOME"), set("HOME")) {
        (Some(named), _, _) => named.to_owned(),
        (None, Some(home), _) => PathBuf::from(home),
        (None, None, Some(user)) => Path::new(&user).join(".murmur"),
        (None, None, None) => {
            return Err(Refusal::new(
                "there is no folder for sessions: neither `MURMUR_HOME` nor `HOME` is set",
                "name one with `--home DIR`",
            ));
        }
    };
    std::path::absolute(&home).map_err(|error| {
        let message = format!("cannot find `{}`: {error}", home.display());
        Refusal::new(message, "name a folder with `--home DIR`")
    })
}

const RUNTIME_HINT: &str = "name another folder with `--home DIR`";
