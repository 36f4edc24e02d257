//! `mur-plan run`: one plan in a session of its own, shown as it goes, reported at its end.

use std::{
    io,
    sync::Arc,
    time::{Duration, Instant},
};

use plan_exec::{Cancel, CancelHandle};
use tokio::{
    runtime::{Handle, RuntimeFlavor},
    sync::{
        mpsc::{self, Receiver, UnboundedReceiver},
        oneshot,
    },
    task::JoinHandle,
    time::{MissedTickBehavior, interval},
};

use super::{
    args,
    frame::Frame,
    input::PlanInput,
    live::Stops,
    manifest::{self, Manifest},
    print,
    refusal::Refusal,
    roost::ChildEcho,
    session::CommandRun,
    shown::{Shown, in_text, json},
    signals::Signals,
    threads,
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
    let cannot_start = |error| io::Error::other(format!("cannot start: {error}"));
    Signals::unblock().map_err(cannot_start)?;
    let runtime = threads::runtime().map_err(cannot_start)?;
    // Before anything is made that a signal could leave half done.
    let signals = runtime
        .block_on(async { Signals::listen() })
        .map_err(cannot_start)?;
    let (progress, events) = mpsc::unbounded_channel();
    let (said, says) = ChildEcho::new();
    let opened = CommandRun::open(
        args,
        &asked.manifest,
        asked.input.text.len(),
        progress,
        said,
    );
    let run = match runtime.block_on(opened) {
        Ok(run) => run,
        Err(refusal) => return refuse(&refusal, args.json),
    };
    let started = Instant::now();
    let text = asked.input.text.clone();
    let (handle, cancel) = CancelHandle::new();
    let (over, is_over) = oneshot::channel();
    let (result, closed, view) = runtime.block_on(async {
        tokio::spawn(signals.relay_to(handle, is_over));
        let view = watch(events, says, Arc::clone(&asked.input), args.verbose);
        run.delegating.register();
        let result = run_plan(run.tool, &run.frame, text, cancel).await;
        let closed = run.frame.close(&result);
        run.delegating.deregister(result.report.completed).await;
        (result, closed, view)
    });
    let duration = started.elapsed();
    let kept = run.folders.put_away();
    let exit = match &closed {
        Ok(()) => Exit::of(&result),
        Err(_) => Exit::of(&result).or_not_completed(),
    };
    // Everything is done but for the showing, and nobody is left to listen when the command is over already.
    over.send(exit.status()).ok();
    // The tool is gone, and with it the sender: the view shows what is left and ends.
    runtime.block_on(view).map_err(io::Error::other)?;
    let shown = Shown {
        input: &asked.input,
        result: &result,
        closed: closed.err(),
        duration,
        kept,
    };
    shown.print(args.json)?;
    Ok(exit)
}

/// What the command was asked to run.
struct Asked {
    input: Arc<PlanInput>,
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
        Ok(Self {
            input: Arc::new(input),
            manifest,
        })
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

/// Shows what happens, on a thread of its own where there is one: writing may block on whoever does not read.
fn watch(
    events: UnboundedReceiver<Progress>,
    says: Receiver<String>,
    input: Arc<PlanInput>,
    output: bool,
) -> JoinHandle<()> {
    let runtime = Handle::current();
    let shown = show(events, says, input, output);
    match runtime.runtime_flavor() {
        RuntimeFlavor::CurrentThread => tokio::spawn(shown),
        _ => tokio::task::spawn_blocking(move || runtime.block_on(shown)),
    }
}

async fn show(
    mut events: UnboundedReceiver<Progress>,
    mut says: Receiver<String>,
    input: Arc<PlanInput>,
    output: bool,
) {
    let mut view = print::view();
    view.show_output(output);
    let mut stops = Stops::listen(view.is_live());
    let mut ticks = interval(BETWEEN_TICKS);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            event = events.recv() => match event {
                Some(Progress::Warned { warnings }) => {
                    view.note(&in_text(&input, &warnings), Instant::now());
                }
                Some(Progress::Unbounded { shortfall }) => {
                    view.note(&print::warned(&shortfall), Instant::now());
                }
                Some(event) => view.on(event, Instant::now()),
                None => break,
            },
            Some(line) = says.recv() => view.note(&print::echoed(&line), Instant::now()),
            _ = ticks.tick() => view.tick(Instant::now()),
            () = stops.next() => {
                view.step_aside();
                // One that may not be stopped goes on.
                Stops::stop().ok();
            }
        }
    }
    while let Ok(line) = says.try_recv() {
        view.note(&print::echoed(&line), Instant::now());
    }
    view.close();
}

/// Between two looks at what moves in the view.
const BETWEEN_TICKS: Duration = Duration::from_millis(100);
