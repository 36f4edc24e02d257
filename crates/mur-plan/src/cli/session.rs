//! What `run` hands to the facade: folders, executors and the framed trace of one session of its own.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
};

use plan_exec::{
    Bounds, CommandSession, EnvironmentSpec, SessionSpec, ShellCommands, ThisHost, ToolProgram,
    ToolPrograms, UndelegatedCapsules,
};
use plan_sched::Limits;
use plan_trace::{Appender, SessionId};

use super::{
    args,
    check::grants,
    frame::{Frame, new_session},
    home::SessionFolders,
    manifest::Manifest,
    refusal::Refusal,
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
}

impl CommandRun {
    /// Makes the session's folders, opens its trace and builds its executors. Nothing has run after an error.
    pub(crate) fn open(
        args: &args::Run,
        manifest: &Manifest,
        task_bytes: usize,
        progress: ProgressSender,
    ) -> Result<Self, Refusal> {
        let workdir = workdir(args.workdir.as_deref(), manifest)?;
        let home = home(args.home.as_deref())?;
        let id = new_session();
        let folders = SessionFolders::make(&home, &workdir, id).map_err(|error| {
            Refusal::new(error, "name a folder you may write to with `--home DIR`")
        })?;
        match framed_tool(args, manifest, &workdir, &folders, id, task_bytes, progress) {
            Ok((tool, frame)) => Ok(Self {
                tool,
                frame,
                folders,
            }),
            Err(refusal) => {
                // Nothing has run and nothing is kept; that it cannot be removed would hide why.
                folders.put_away().ok();
                Err(refusal)
            }
        }
    }
}

/// Opens the trace and builds the executors behind it. A trace begun is ended when that fails.
fn framed_tool(
    args: &args::Run,
    manifest: &Manifest,
    workdir: &Path,
    folders: &SessionFolders,
    id: SessionId,
    task_bytes: usize,
    progress: ProgressSender,
) -> Result<(PlanTool, Frame), Refusal> {
    let trace_hint =
        "the run is not started without its trace: make room, or name another `--home DIR`";
    let appender =
        Appender::open(folders.trace(), id).map_err(|error| Refusal::new(error, trace_hint))?;
    let frame = Frame::open(appender, manifest, args.bounding, task_bytes)
        .map_err(|error| Refusal::new(error, trace_hint))?;
    match plan_tool(args, manifest, workdir, folders, &frame, progress) {
        Ok(tool) => Ok((tool, frame)),
        Err(refusal) => {
            // The refusal is what the person needs to hear of the two.
            frame.close_unrun().ok();
            Err(refusal)
        }
    }
}

fn plan_tool(
    args: &args::Run,
    manifest: &Manifest,
    workdir: &Path,
    folders: &SessionFolders,
    frame: &Frame,
    progress: ProgressSender,
) -> Result<PlanTool, Refusal> {
    let runtime_hint = "name another folder with `--home DIR`";
    let runtime_dir = || {
        folders
            .open_runtime()
            .map_err(|error| Refusal::new(error, runtime_hint))
    };
    let environment = EnvironmentSpec {
        baseline_env: manifest.shell.baseline_env.clone(),
        strip_env: manifest.shell.strip_env.clone(),
        home: folders.command_home(),
        tmp: folders.command_tmp(),
        runtime_dir: folders.runtime.clone(),
        records_dir: folders.records.clone(),
    };
    let commands = CommandSession::open(SessionSpec {
        workdir: workdir.to_owned(),
        environment: environment.build(&ThisHost),
        runtime_dir: Some(runtime_dir()?),
        bounds: Bounds::default(),
    });
    let commands = commands.map_err(|error| Refusal::new(error, WORKDIR_HINT))?;
    let commands = Arc::new(commands);
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
            capsule: Arc::new(UndelegatedCapsules::new(
                std::env::var("MURMUR_ROOST_URL").ok(),
            )),
            gate: None,
            bounds: commands,
        },
        limits: Limits {
            shell: args.jobs,
            capsule: args.capsules,
        },
        trace: frame.trace(),
        progress: Some(progress),
    };
    PlanTool::new(session, &runtime_dir()?).map_err(|error| Refusal::new(error, runtime_hint))
}

/// Returns the workdir as an absolute path without links, under which its records are filed.
fn workdir(named: Option<&Path>, manifest: &Manifest) -> Result<PathBuf, Refusal> {
    let path = named.unwrap_or_else(|| manifest.folder());
    let found = fs::canonicalize(path).and_then(|found| {
        if fs::metadata(&found)?.is_dir() {
            Ok(found)
        } else {
            Err(io::ErrorKind::NotADirectory.into())
        }
    });
    found.map_err(|error| {
        let message = format!("cannot work in `{}`: {error}", path.display());
        Refusal::new(message, WORKDIR_HINT)
    })
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

const WORKDIR_HINT: &str = "name an existing folder with `--workdir DIR`";
