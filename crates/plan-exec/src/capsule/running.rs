//! A launched child from its first line to its end: listened to, asked, and ended, one thing at a time.

use std::{
    pin::pin,
    sync::{Arc, OnceLock},
    time::Duration,
};

use tokio::{
    sync::watch,
    time::{Instant, sleep_until},
};

use super::{
    door::{NoTask, Talk},
    lines::{First, FirstLine, Lines},
    readiness::Readiness,
    secret::Secret,
    spec::{DelegationBounds, RoostSpec},
    task::Task,
};
use crate::{
    cancel::{Cancel, CancelLevel},
    process::{ChildProcess, Exit, Spelled},
};

/// A launched child and what it writes.
pub(super) struct Running {
    child: ChildProcess,
    out: FirstLine,
    err: Lines,
    bounds: DelegationBounds,
}

/// Why a child did not come up. Sentences read after the child's name.
#[derive(Debug)]
pub(super) enum Unready {
    /// The task was cancelled meanwhile.
    Cancelled,
    /// It did not report itself as it must.
    Failed(String),
}

/// Why a child told nothing of its task. Sentences read after the child's name.
#[derive(Debug)]
pub(super) enum Untold {
    /// The task was cancelled meanwhile.
    Cancelled,
    /// It took too long.
    Late(String),
    /// It had the task and has exited with status 0, so its result file decides.
    Exited {
        /// The task, where it was told of.
        id: Option<String>,
    },
    /// It did not answer and will not.
    Broken(String),
}

/// A child that has ended and was reaped.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) exit: Exit,
    /// The last lines of its standard error, each with a line end before it.
    pub(super) last_lines: String,
}

impl Running {
    pub(super) fn new(child: ChildProcess, spec: &RoostSpec, approval: &Arc<Secret>) -> Self {
        let lines = || Lines::new(Arc::clone(&spec.echo), vec![Arc::clone(approval)]);
        Self {
            child,
            out: FirstLine::new(lines()),
            err: lines(),
            bounds: spec.bounds,
        }
    }

    /// Waits until it has reported itself. After a cancel it is given some seconds for that.
    pub(super) async fn come_up(&mut self, cancel: &Cancel) -> Result<Readiness, Unready> {
        let mut canceled = pin!(cancel.reached(CancelLevel::Cancelled));
        let (mut is_canceled, mut is_silent) = (false, false);
        let mut timer = pin!(sleep_until(Instant::now() + self.bounds.readiness));
        let failed = |is_canceled: bool, why: String| match is_canceled {
            true => Err(Unready::Cancelled),
            false => Err(Unready::Failed(why)),
        };
        loop {
            if self.child.exit().is_some() {
                self.child.read_now(&mut self.out, &mut self.err);
            }
            match self.out.take_line() {
                Some(First::Line(line)) => {
                    return match Readiness::read(&line) {
                        Ok(ready) => {
                            self.hide(&ready);
                            Ok(ready)
                        }
                        Err(why) => failed(is_canceled, format!("did not report itself: {why}")),
                    };
                }
                Some(First::TooLong) => {
                    let why = "did not report itself: its first line has no end";
                    return failed(is_canceled, why.to_owned());
                }
                None if self.child.exit().is_some() => {
                    return failed(is_canceled, "ended before it reported itself".to_owned());
                }
                None if self.child.is_silent() && !is_silent => {
                    is_silent = true;
                    // It is probably just ending, and then its exit says more.
                    let until = Instant::now() + EXIT_PATIENCE;
                    let until = until.min(timer.deadline());
                    timer.as_mut().reset(until);
                }
                None => {}
            }
            tokio::select! {
                biased;
                () = cancel.reached(CancelLevel::Killed) => return Err(Unready::Cancelled),
                () = &mut canceled, if !is_canceled => {
                    is_canceled = true;
                    let until = Instant::now() + self.bounds.starting;
                    let until = until.min(timer.deadline());
                    timer.as_mut().reset(until);
                }
                () = &mut timer => return failed(is_canceled, match is_silent {
                    true => "closed its standard output before it reported itself".to_owned(),
                    false => {
                        let bound = Spelled(self.bounds.readiness);
                        format!("did not report itself within {bound}")
                    }
                }),
                () = self.child.stir(&mut self.out, &mut self.err) => {}
            }
        }
    }

    /// Hands it the task and waits for what becomes of that.
    pub(super) async fn ask(
        &mut self,
        ready: &Readiness,
        delegation_id: &str,
        text: &str,
        cancel: &Cancel,
    ) -> Result<Task, Untold> {
        let Some(door) = &ready.door else {
            let why = "bound no address, so it cannot be handed a task";
            return Err(Untold::Broken(why.to_owned()));
        };
        let talk = Talk {
            door: door.clone(),
            operator: ready.operator.clone(),
            delegation_id: delegation_id.to_owned(),
            bounds: self.bounds,
            sent: watch::Sender::new(false),
            task_id: OnceLock::new(),
        };
        let mut asking = pin!(talk.ask(text));
        let mut canceled = pin!(cancel.reached(CancelLevel::Cancelled));
        let mut late = pin!(sleep_until(Instant::now() + self.bounds.answer));
        let mut silent = pin!(sleep_until(Instant::now() + self.bounds.answer));
        let mut has_exited = false;
        let why = loop {
            if self.child.exit().is_some() && !has_exited {
                has_exited = true;
                if !*talk.sent.borrow() {
                    return Err(self.gone("ended before it took the task"));
                }
                // What it said last may still be on its way.
                silent.as_mut().reset(Instant::now() + EXIT_PATIENCE);
            }
            tokio::select! {
                biased;
                // An answer that is there counts, also where the cancel is there too.
                told = &mut asking => match told {
                    Ok(task) => return Ok(task),
                    Err(NoTask::Undelivered(why)) => {
                        let bound = Spelled(self.bounds.door);
                        let why = format!("could not be handed the task within {bound}: it {why}");
                        return Err(Untold::Broken(why));
                    }
                    Err(NoTask::Closed(why)) => break why,
                },
                () = &mut canceled => return Err(Untold::Cancelled),
                () = &mut late => {
                    let bound = Spelled(self.bounds.answer);
                    return Err(Untold::Late(format!("did not answer within {bound}")));
                }
                () = &mut silent, if has_exited => break "said nothing more".to_owned(),
                () = self.child.stir(&mut self.out, &mut self.err) => {}
            }
        };
        // It may simply have finished and exited, its door first.
        let mut timer = pin!(sleep_until(Instant::now() + EXIT_PATIENCE));
        while self.child.exit().is_none() {
            tokio::select! {
                biased;
                () = &mut canceled => return Err(Untold::Cancelled),
                () = &mut timer => return Err(Untold::Broken(why)),
                () = self.child.stir(&mut self.out, &mut self.err) => {}
            }
        }
        if self.child.exit().is_some_and(Exit::passed) {
            let id = talk.task_id.get().cloned();
            return Err(Untold::Exited { id });
        }
        Err(self.gone("ended before it answered"))
    }

    /// Ends it: SIGTERM if it still runs, SIGKILL after the grace, or at once when everything is to be killed.
    pub(super) async fn end(mut self, cancel: &Cancel) -> Ended {
        let mut timer = pin!(sleep_until(Instant::now() + self.bounds.grace));
        let mut is_killed = false;
        if self.child.exit().is_none() {
            self.child.ask_to_end();
        }
        let exit = loop {
            if let Some(exit) = self.child.exit() {
                break exit;
            }
            let has_stirred = tokio::select! {
                biased;
                () = cancel.reached(CancelLevel::Killed), if !is_killed => false,
                () = &mut timer => false,
                // Last: one that writes without end has something to read at every look.
                () = self.child.stir(&mut self.out, &mut self.err) => true,
            };
            if has_stirred {
                continue;
            }
            if is_killed {
                break Exit::Stuck;
            }
            is_killed = true;
            self.child.kill();
            timer.as_mut().reset(Instant::now() + KILL_PATIENCE);
        };
        self.child.read_now(&mut self.out, &mut self.err);
        self.child.put_to_rest();
        self.out.rest().finish();
        self.err.finish();
        Ended {
            exit,
            last_lines: self.err.last_lines(),
        }
    }

    /// Keeps the token it reported from being seen, should it repeat it.
    fn hide(&mut self, ready: &Readiness) {
        if let Some(operator) = &ready.operator {
            self.out.rest().hide(Arc::clone(operator));
            self.err.hide(Arc::clone(operator));
        }
    }

    fn gone(&self, what: &str) -> Untold {
        let exit = self.child.exit().unwrap_or(Exit::Unknown);
        Untold::Broken(format!("{what} ({exit})"))
    }
}

/// How long a child that has closed its door, or has exited, is waited for (docs/roost.md).
const EXIT_PATIENCE: Duration = Duration::from_secs(1);

/// How long a child sent SIGKILL is waited for. Only one the kernel holds takes longer than milliseconds.
const KILL_PATIENCE: Duration = Duration::from_secs(5);
