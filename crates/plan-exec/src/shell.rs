//! A shell step: a command line's words, started as they are. There is no shell around them (ruling 34).

use std::{ffi::OsString, sync::Arc};

use crate::{
    call::ShellCall,
    executor::{BoxFuture, ShellExecutor},
    outcome::{Outcome, Verdict},
    output::{Capture, Tail, Watched, forget},
    process::{self, Program},
    session::CommandSession,
};

/// Runs shell steps as child processes.
#[derive(Debug, Clone)]
pub struct ShellCommands {
    session: Arc<CommandSession>,
}

impl ShellCommands {
    /// Runs them in `session`.
    pub const fn new(session: Arc<CommandSession>) -> Self {
        Self { session }
    }

    async fn run_once(&self, call: ShellCall) -> Outcome {
        let ShellCall {
            attempt,
            line: _,
            words,
            cancel,
            last_line,
        } = call;
        let place = self
            .session
            .output_place(attempt.plan_number, attempt.step_number);
        if attempt.attempt > 1 {
            forget(place);
        }
        let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
        let Some((word, arguments)) = words.split_first() else {
            return Outcome::failed("the command line is empty");
        };
        let bounds = match self.session.bound_step(&attempt) {
            Ok(bounds) => bounds,
            Err(error) => return Outcome::failed(error),
        };
        let program = Program {
            word,
            arguments,
            input: None,
            wall: self.session.bounds().wall,
            launch: bounds.launch(),
        };
        let mut stdout = Watched::new(Capture::new(place), last_line.clone());
        let mut stderr = Watched::new(Tail::default(), last_line);
        let plan = attempt.plan_number;
        match process::run(
            &self.session,
            plan,
            program,
            &cancel,
            &mut stdout,
            &mut stderr,
        )
        .await
        {
            Ok(ending) => Outcome {
                verdict: ending
                    .failure(&stderr.sink.finish(), bounds.reached(ending))
                    .map_or(Verdict::Passed, Verdict::Failed),
                output: Some(stdout.sink.finish()),
                state_effect: None,
                resource_id: None,
            },
            Err(error) => Outcome::failed(error),
        }
    }
}

impl ShellExecutor for ShellCommands {
    fn run(&self, call: ShellCall) -> BoxFuture<'_, Outcome> {
        Box::pin(self.run_once(call))
    }
}
