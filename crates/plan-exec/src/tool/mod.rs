//! A tool step whose tool is a program: JSON in on standard input, JSON out on standard output.

mod data_path;
mod protocol;
mod reply;

use std::{
    collections::BTreeMap,
    ffi::{OsStr, OsString},
    path::PathBuf,
    sync::Arc,
};

use crate::{
    call::ToolCall,
    executor::{BoxFuture, ToolExecutor},
    outcome::Outcome,
    output::{Bounded, Tail, Watched},
    process::{self, Ending, Program},
    session::CommandSession,
};

/// The program behind a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToolProgram {
    /// A bare word, looked up on the session's `PATH`, or a path, relative to the manifest's folder.
    pub program: String,
    /// What follows it.
    pub arguments: Vec<String>,
}

/// Runs tool steps as child processes.
#[derive(Debug, Clone)]
pub struct ToolPrograms {
    session: Arc<CommandSession>,
    tools: Arc<BTreeMap<String, Command>>,
}

/// What is started for a tool.
#[derive(Debug)]
struct Command {
    word: OsString,
    arguments: Vec<OsString>,
}

impl ToolPrograms {
    /// Runs the programs of `tools`, by the tools' names, in `session`. A program with a `/` is relative to
    /// `manifest_dir`, itself relative to this process's working directory.
    ///
    /// # Errors
    /// When `manifest_dir` is empty or this process's working directory is gone.
    pub fn new(
        session: Arc<CommandSession>,
        manifest_dir: PathBuf,
        tools: BTreeMap<String, ToolProgram>,
    ) -> std::io::Result<Self> {
        let manifest_dir = std::path::absolute(manifest_dir)?;
        let started = |tool: ToolProgram| Command {
            word: if tool.program.contains('/') {
                manifest_dir.join(tool.program).into()
            } else {
                tool.program.into()
            },
            arguments: tool.arguments.into_iter().map(OsString::from).collect(),
        };
        Ok(Self {
            session,
            tools: Arc::new(
                tools
                    .into_iter()
                    .map(|(name, tool)| (name, started(tool)))
                    .collect(),
            ),
        })
    }

    async fn run_once(&self, call: ToolCall) -> Outcome {
        let Some(command) = self.tools.get(&*call.name) else {
            return Outcome::failed(format!("no program is declared for tool `{}`", call.name));
        };
        let bounds = match self.session.bound_step(&call.attempt) {
            Ok(bounds) => bounds,
            Err(error) => return Outcome::failed(error),
        };
        let word = OsStr::new(&command.word);
        let program = Program {
            word,
            arguments: &command.arguments,
            input: Some(protocol::request(&call.input)),
            wall: self.session.bounds().wall,
            launch: bounds.launch(),
        };
        let mut stdout = Bounded::new(OUTPUT_BYTES);
        // Its standard output is one answer, which is nothing to watch.
        let mut stderr = Watched::new(Tail::default(), call.last_line);
        let plan = call.attempt.plan_number;
        let ran = process::run(
            &self.session,
            plan,
            program,
            &call.cancel,
            &mut stdout,
            &mut stderr,
        );
        let ending = match ran.await {
            Ok(ending) => ending,
            Err(error) => return Outcome::failed(error),
        };
        let stderr = stderr.sink.finish();
        match (ending.exit(), stdout.finish()) {
            (Some(exit), Some(stdout)) => {
                let outcome = reply::outcome(stdout, &stderr, exit, self.session.workdir_fd());
                match bounds.reached(ending) {
                    Some(limit) => outcome.failed_on(limit),
                    None => outcome,
                }
            }
            (None, _) if ending != Ending::Flood => {
                Outcome::failed(ending.failure(&stderr, None).unwrap_or_default())
            }
            (None, _) | (Some(_), None) => Outcome::failed(format!(
                "the tool wrote more than {OUTPUT_BYTES} bytes (10 MiB) to standard output; \
                 let it write a file and name that in `data_path`, or answer with less"
            )),
        }
    }
}

impl ToolExecutor for ToolPrograms {
    fn run(&self, call: ToolCall) -> BoxFuture<'_, Outcome> {
        Box::pin(self.run_once(call))
    }
}

/// The most a tool may answer, in bytes (spec: Tool steps), and the most a file it names may hold (ruling 24).
const OUTPUT_BYTES: usize = 10 * 1024 * 1024;
