//! A hook that is a program of the operator's own, started anew for each question.
//!
//! It is not confined: it judges steps and is no part of one. What it leaves running in its group is killed once
//! it has answered.

use std::{
    ffi::OsString,
    io,
    path::PathBuf,
    sync::{
        Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use super::{
    policy::{HookAnswer, HookCall, HookEvent, PolicyHook},
    protocol,
};
use crate::{
    cancel::Cancel,
    executor::BoxFuture,
    output::{Bounded, Tail},
    process::{self, Ending, Launch, Program, find_program},
    session::{Bounds, CommandSession, SessionError},
};

/// A hook's program.
#[derive(Debug, Clone)]
pub struct HookProgramSpec {
    /// The hook's name.
    pub name: String,
    /// The calls it is asked about.
    pub event: HookEvent,
    /// A bare word, looked up on the session's `PATH` when the hook is opened, or a path, relative to `manifest_dir`.
    pub program: String,
    /// What follows it.
    pub arguments: Vec<String>,
    /// The manifest's folder. A relative one is relative to this process's working directory.
    pub manifest_dir: PathBuf,
}

/// A hook's program that cannot be started from anywhere.
#[derive(Debug, thiserror::Error)]
pub enum HookProgramError {
    /// Its workdir cannot be opened.
    #[error(transparent)]
    Workdir(#[from] SessionError),
    /// The manifest's folder cannot be made out.
    #[error("cannot find the folder `{}`: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// A policy hook that is a program (spec: Policy hooks).
///
/// It bounds no time: [`super::PolicyHooks`] does. Dropping a question kills the program's group; dropping the
/// hook kills and reaps what is left of every question.
#[derive(Debug)]
pub struct HookProgram {
    name: String,
    event: HookEvent,
    word: OsString,
    arguments: Vec<OsString>,
    /// Its own: nothing is put around its programs, and ending what a question left touches no step. Each question
    /// is a plan of it.
    session: CommandSession,
    questions: AtomicU32,
    /// Questions that were dropped: killed, and to be reaped with the next one.
    dropped: Mutex<Vec<u32>>,
}

impl HookProgram {
    /// Makes the hook. Its program runs in the workdir of `steps` and with its environment, whenever it is asked.
    ///
    /// # Errors
    /// When the workdir cannot be opened, or the manifest's folder is empty or cannot be made out.
    pub fn open(spec: HookProgramSpec, steps: &CommandSession) -> Result<Self, HookProgramError> {
        let word = if spec.program.contains('/') {
            let folder = std::path::absolute(&spec.manifest_dir).map_err(|source| {
                HookProgramError::Folder {
                    path: spec.manifest_dir,
                    source,
                }
            })?;
            folder.join(spec.program).into()
        } else {
            // Found once: no step may put another one before it on the way.
            let word = OsString::from(spec.program);
            find_program(&word, steps.path(), steps.workdir()).map_or(word, PathBuf::into_os_string)
        };
        let session = CommandSession::beside(
            steps,
            Bounds {
                // One that writes too much is worth no waiting.
                grace: Duration::ZERO,
                ..Bounds::default()
            },
        )?;
        Ok(Self {
            name: spec.name,
            event: spec.event,
            word,
            arguments: spec.arguments.into_iter().map(OsString::from).collect(),
            session,
            questions: AtomicU32::new(0),
            dropped: Mutex::new(Vec::new()),
        })
    }

    async fn put(&self, call: HookCall<'_>) -> HookAnswer {
        let input = match protocol::question(&call) {
            Ok(input) => input,
            Err(what) => return HookAnswer::Failed { what },
        };
        self.reap_dropped().await;
        let question = Question::begin(self);
        let program = Program {
            word: &self.word,
            arguments: &self.arguments,
            input: Some(input),
            wall: Duration::MAX,
            launch: Launch::Plain,
        };
        let mut stdout = Bounded::new(ANSWER_BYTES);
        let mut stderr = Tail::default();
        // A question that nobody waits for is dropped, and the program with it.
        let cancel = Cancel::never();
        let ran = process::run(
            &self.session,
            question.number,
            program,
            &cancel,
            &mut stdout,
            &mut stderr,
        )
        .await;
        question.end().await;
        match (ran, stdout.finish()) {
            (Err(what), _) => HookAnswer::Failed { what },
            (Ok(Ending::Own(exit)), Some(answer)) => {
                protocol::answer(&answer, exit, &stderr.finish())
            }
            (Ok(Ending::Own(_) | Ending::Flood), _) => HookAnswer::Failed {
                what: format!(
                    "it wrote more than {ANSWER_BYTES} bytes (64 KiB) to standard output"
                ),
            },
            (Ok(ending @ (Ending::Bound(_) | Ending::Killed)), _) => HookAnswer::Failed {
                what: ending.failure(&stderr.finish(), None).unwrap_or_default(),
            },
        }
    }

    /// Reaps what questions nobody waited for left behind. They were killed when they were dropped.
    async fn reap_dropped(&self) {
        loop {
            let number = self.lock().pop();
            let Some(number) = number else { return };
            self.session.end_processes(number).await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Vec<u32>> {
        self.dropped.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl PolicyHook for HookProgram {
    fn name(&self) -> &str {
        &self.name
    }

    fn event(&self) -> HookEvent {
        self.event
    }

    fn ask<'a>(&'a self, call: HookCall<'a>) -> BoxFuture<'a, HookAnswer> {
        Box::pin(self.put(call))
    }
}

/// A question that is open, or was dropped before it was ended.
struct Question<'h> {
    hook: &'h HookProgram,
    number: u32,
    ended: bool,
}

impl<'h> Question<'h> {
    fn begin(hook: &'h HookProgram) -> Self {
        Self {
            hook,
            number: hook.questions.fetch_add(1, Ordering::Relaxed),
            ended: false,
        }
    }

    /// Kills what the program left running and reaps it.
    async fn end(mut self) {
        self.hook.session.end_processes(self.number).await;
        self.ended = true;
    }
}

impl Drop for Question<'_> {
    fn drop(&mut self) {
        if !self.ended {
            self.hook.lock().push(self.number);
        }
    }
}

/// The most a hook may answer, in bytes: what an error may hold (ruling 26) is enough for any reason.
const ANSWER_BYTES: usize = 64 * 1024;
