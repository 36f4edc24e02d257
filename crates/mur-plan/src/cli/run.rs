//! `mur-plan run`: one plan in a session of its own, shown as it goes, reported at its end.

use std::{
    io,
    time::{Duration, Instant},
};

use plan_exec::{Cancel, CancelHandle};
use tokio::{
    runtime::Builder,
    sync::mpsc::{self, UnboundedReceiver},
    time::{MissedTickBehavior, interval},
};

use super::{
    args,
    frame::Frame,
    input::PlanInput,
    manifest::{self, Manifest},
    print,
    refusal::Refusal,
    session::CommandRun,
    shown::{Shown, json, put_away, show_talk},
    signals::Signals,
};
use crate::{exit::Exit, progress::Progress, result::PlanResult, submit::PlanTool};

/// Runs a plan and shows its report.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn run(args: &args::Run) -> io::Result<Exit> {
    let asked = match Asked::read(args) {
        Ok(asked) => asked,
        Err(refusal) => return refuse(&refusal, args.json),
    };
    // Starting a process blocks its thread until the program is loaded, so a second one keeps the rest going.
    let runtime = Builder::new_multi_thread()
        .worker_threads(WORKERS)
        .enable_all()
        .build()?;
    // Before anything is made that a signal could leave half done.
    let signals = runtime.block_on(async { Signals::listen() })?;
    let (progress, events) = mpsc::unbounded_channel();
    let run = match CommandRun::open(args, &asked.manifest, asked.input.text.len(), progress) {
        Ok(run) => run,
        Err(refusal) => return refuse(&refusal, args.json),
    };
    if let Some(shortfall) = args.bounding.shortfall() {
        print::warning(shortfall, None);
    }
    let started = Instant::now();
    let text = asked.input.text.clone();
    let (result, closed) = runtime.block_on(async {
        let (handle, cancel) = CancelHandle::new();
        let signals = tokio::spawn(signals.relay_to(handle));
        let view = tokio::spawn(show(events));
        let result = run_plan(run.tool, &run.frame, text, cancel).await;
        signals.abort();
        // The tool is gone, and with it the sender: the view shows what is left and ends.
        view.await.map_err(io::Error::other)?;
        let closed = run.frame.close(&result);
        io::Result::Ok((result, closed))
    })?;
    let duration = started.elapsed();
    show_talk(&asked.input, &result);
    let kept = put_away(run.folders);
    let shown = Shown {
        result: &result,
        duration,
        kept: &kept,
    };
    shown.print(args.json)?;
    match closed {
        Ok(()) => Ok(Exit::of(&result)),
        Err(failed) => {
            print::error(
                &failed.to_string(),
                Some("the trace of this run has no end"),
            );
            Ok(Exit::of(&result).or_not_completed())
        }
    }
}

/// What the command was asked to run.
struct Asked {
    input: PlanInput,
    manifest: Manifest,
}

impl Asked {
    fn read(args: &args::Run) -> Result<Self, Refusal> {
        let input = PlanInput::read(&args.plan)?;
        let found = manifest::find_manifest(input.path.as_deref(), args.manifest.as_deref());
        let Some(path) = found else {
            return Err(Refusal::new(
                "there is no manifest: no `murmur.yaml` beside the plan or in this folder",
                "name one with `--manifest FILE`; it says which tools and commands the plan may use",
            ));
        };
        let manifest = manifest::read(&path)?;
        Ok(Self { input, manifest })
    }
}

fn refuse(refusal: &Refusal, as_json: bool) -> io::Result<Exit> {
    refusal.show();
    if as_json {
        print::data(&json(&refusal.report()))?;
    }
    Ok(Exit::Refused)
}

/// Runs the plan and lets go of the tool, and so of everything that watches it.
async fn run_plan(tool: PlanTool, frame: &Frame, text: Vec<u8>, cancel: Cancel) -> PlanResult {
    tool.run(text, frame.nodes(), cancel).await
}

async fn show(mut events: UnboundedReceiver<Progress>) {
    let mut view = print::view();
    let mut ticks = interval(BETWEEN_TICKS);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            event = events.recv() => match event {
                Some(event) => view.on(event, Instant::now()),
                None => break,
            },
            _ = ticks.tick() => view.tick(Instant::now()),
        }
    }
    view.close();
}

/// Threads that start processes and read what they print, beside the one that drives the plan.
const WORKERS: usize = 2;
/// Between two looks at what moves in the view.
const BETWEEN_TICKS: Duration = Duration::from_millis(100);
