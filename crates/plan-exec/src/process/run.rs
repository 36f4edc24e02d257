//! One run of a program, from start to settled.
//!
//! Settled is exit plus drain: the leader has exited, and both outputs have ended or been quiet for a moment.
//! End-of-file alone decides nothing, since what the program left in the background may hold the pipes for ever.

use std::{
    ffi::{OsStr, OsString},
    pin::pin,
};

use rustix::process::Signal;
use tokio::time::{Duration, Instant, sleep_until};

use super::{
    exit::{Ending, Exit, KILLED},
    guard::Guard,
    ladder::{Ladder, Move},
    launch::Launch,
    start::{Begun, begin},
    streams::Streams,
    watch::Watch,
};
use crate::{
    cancel::{Cancel, CancelLevel},
    output::Sink,
    session::CommandSession,
};

/// What to run.
#[derive(Debug)]
pub(crate) struct Program<'a> {
    /// A bare word, looked up on `PATH`, or a path, relative to the workdir.
    pub(crate) word: &'a OsStr,
    /// What follows it.
    pub(crate) arguments: &'a [OsString],
    /// What to write to its standard input; `None` for an empty one.
    pub(crate) input: Option<Vec<u8>>,
    /// Wall-clock time; past it its group is ended (ruling 33).
    pub(crate) wall: Duration,
    /// What is put around it before its first instruction.
    pub(crate) launch: Launch<'a>,
}

/// Runs `program` to its end, by itself, by the session's bound or by a repeated cancel.
///
/// Fails with the step's error when it is not started. When the future is dropped, the group is killed.
pub(crate) async fn run(
    session: &CommandSession,
    plan: u32,
    program: Program<'_>,
    cancel: &Cancel,
    out: &mut dyn Sink,
    err: &mut dyn Sink,
) -> Result<Ending, String> {
    if cancel.level() == CancelLevel::Killed {
        return Err(KILLED.into());
    }
    let wall = program.wall;
    let Begun {
        guard,
        watch,
        streams,
    } = begin(session, plan, program, cancel).await?;
    let mut run = Run {
        guard,
        watch,
        streams,
        ladder: Ladder::new(Instant::now(), wall, session.bounds().grace),
        ended: None,
    };
    let mut killed = pin!(cancel.reached(CancelLevel::Killed));
    let mut kill_seen = false;
    let mut timer = pin!(sleep_until(run.next_look()));
    let exit = loop {
        tokio::select! {
            biased;
            exit = run.watch.exited() => break exit,
            () = &mut killed, if !kill_seen => {
                kill_seen = true;
                let next = run.ladder.kill(Instant::now());
                run.take(next, Ending::Killed);
                timer.as_mut().reset(run.next_look());
            }
            () = &mut timer => {
                let next = run.ladder.climb(Instant::now());
                if next == Move::GiveUp {
                    break Exit::Stuck;
                }
                run.take(next, Ending::Bound(wall));
                timer.as_mut().reset(run.next_look());
            }
            () = run.streams.serve(out, err) => {
                // It has failed already; letting it write on would only cost until its bound.
                if out.is_over() && run.ended.is_none() {
                    let next = run.ladder.ask(Instant::now());
                    run.take(next, Ending::Flood);
                    timer.as_mut().reset(run.next_look());
                }
            }
        }
    };
    run.streams.close_input();
    run.guard.exited(exit);
    if matches!(run.ended, Some(Ending::Bound(_) | Ending::Flood)) {
        run.end_group(out, err).await;
    }
    run.drain(out, err).await;
    Ok(run.settle(exit))
}

struct Run<'a> {
    guard: Guard<'a>,
    watch: Watch,
    streams: Streams,
    ladder: Ladder,
    /// Who ended it, if not the program itself.
    ended: Option<Ending>,
}

impl Run<'_> {
    /// Returns when the ladder is to be looked at next.
    fn next_look(&self) -> Instant {
        self.ladder
            .deadline()
            .unwrap_or_else(|| Instant::now() + FAR_OFF)
    }

    /// Does what the ladder says. The first cause wins.
    fn take(&mut self, next: Move, cause: Ending) {
        let signal = match next {
            Move::Wait | Move::GiveUp => return,
            Move::Terminate => Signal::TERM,
            Move::Kill => Signal::KILL,
        };
        self.ended.get_or_insert(cause);
        self.guard.signal(signal);
    }

    /// Gives the rest of a group whose leader went at SIGTERM the rest of the grace, then kills it (ruling 33).
    async fn end_group(&mut self, out: &mut dyn Sink, err: &mut dyn Sink) {
        while self.guard.inhabited() {
            let now = Instant::now();
            match self.ladder.climb(now) {
                Move::Wait if self.ladder.deadline().is_some() => {}
                Move::Kill => return self.guard.signal(Signal::KILL),
                Move::Wait | Move::Terminate | Move::GiveUp => return,
            }
            let mut pause = pin!(sleep_until(now + GROUP_PAUSE));
            loop {
                tokio::select! {
                    () = &mut pause => break,
                    () = self.streams.serve(out, err) => {}
                }
            }
        }
    }

    /// Reads what the program wrote before it exited and a little of what others still write: until both
    /// outputs have ended, nothing came for a moment, or a second is over.
    async fn drain(&mut self, out: &mut dyn Sink, err: &mut dyn Sink) {
        self.streams.serve_now(out, err);
        if self.streams.ended() {
            return;
        }
        let end = Instant::now() + DRAIN_AT_MOST;
        let mut last_read = Instant::now();
        let mut timer = pin!(sleep_until(last_read + DRAIN_QUIET));
        while !self.streams.ended() {
            tokio::select! {
                biased;
                () = &mut timer => {
                    let quiet_until = (last_read + DRAIN_QUIET).min(end);
                    if Instant::now() >= quiet_until {
                        return;
                    }
                    timer.as_mut().reset(quiet_until);
                }
                () = self.streams.serve(out, err) => last_read = Instant::now(),
            }
        }
    }

    /// Hands over what is still open, and says how it ended.
    fn settle(self, exit: Exit) -> Ending {
        let Self {
            guard,
            streams,
            ended,
            ..
        } = self;
        for pipe in [streams.stdout, streams.stderr].into_iter().flatten() {
            guard.processes.adopt(guard.plan, pipe);
        }
        ended.unwrap_or(Ending::Own(exit))
    }
}

/// How long nothing may come from a pipe that is still open after the exit.
const DRAIN_QUIET: Duration = Duration::from_millis(200);

/// How long pipes that are still open are read after the exit, at most (spec: Shell steps).
const DRAIN_AT_MOST: Duration = Duration::from_secs(1);

/// How often it is looked whether a group that was sent SIGTERM has emptied.
const GROUP_PAUSE: Duration = Duration::from_millis(20);

/// Stands for never: a timer has to have a time.
const FAR_OFF: Duration = Duration::from_secs(365 * 24 * 3600);
