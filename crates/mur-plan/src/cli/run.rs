//! `mur-plan run`: one plan in a session of its own, shown as it goes, reported at its end.

use std::{
    io,
    time::{Duration, Instant},
};

use plan_exec::{Cancel, CancelHandle};
use plan_model::Report;
use tokio::{
    runtime::{Builder, Runtime},
    signal::unix::{Signal, SignalKind, signal},
    sync::mpsc::{self, UnboundedReceiver},
    time::{MissedTickBehavior, interval},
};

use super::{
    args, diagnose,
    home::SessionFolders,
    input::PlanInput,
    manifest::{self, Manifest},
    print,
    refusal::Refusal,
    session::CommandRun,
    snippet::Sheet,
    table::{self, Kept, Look, RunFacts},
};
use crate::{
    bounding::Bounding,
    exit::Exit,
    progress::Progress,
    result::{PlanResult, Warning},
    sink::TraceFailed,
};

/// Runs a plan and shows its report.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn run(args: &args::Run) -> io::Result<Exit> {
    let asked = match Asked::read(args) {
        Ok(asked) => asked,
        Err(refusal) => return refuse(&refusal, args.json),
    };
    // One thread: starting a process is a short blocking call, and a second thread would only contend for it.
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let (progress, events) = mpsc::unbounded_channel();
    let run = match CommandRun::open(args, &asked.manifest, asked.input.text.len(), progress) {
        Ok(run) => run,
        Err(refusal) => return refuse(&refusal, args.json),
    };
    if let Some(shortfall) = Bounding::from(args.bounding).shortfall() {
        print::warning(shortfall, None);
    }
    let started = Instant::now();
    let (result, closed) = carry_out(
        &runtime,
        run.tool,
        run.frame,
        asked.input.text.clone(),
        events,
    )?;
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

/// Runs the plan, its signals and its view until it is over, and closes the frame of the trace.
fn carry_out(
    runtime: &Runtime,
    tool: crate::PlanTool,
    frame: super::frame::Frame,
    text: Vec<u8>,
    events: UnboundedReceiver<Progress>,
) -> io::Result<(PlanResult, Result<(), TraceFailed>)> {
    runtime.block_on(async {
        let (handle, cancel) = CancelHandle::new();
        let signals = Signals::listen()?;
        let signals = tokio::spawn(signals.relay_to(handle));
        let view = tokio::spawn(show(events));
        let result = run_plan(tool, &frame, text, cancel).await;
        signals.abort();
        // The tool is gone, and with it the sender: the view shows what is left and ends.
        view.await.map_err(io::Error::other)?;
        let closed = frame.close(&result);
        Ok((result, closed))
    })
}

async fn run_plan(
    tool: crate::PlanTool,
    frame: &super::frame::Frame,
    text: Vec<u8>,
    cancel: Cancel,
) -> PlanResult {
    tool.run(text, frame.nodes(), cancel).await
}

/// The signals that cancel a plan: the first one cancels, the next one kills what still runs (ruling 27).
struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
}

impl Signals {
    fn listen() -> io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
        })
    }

    async fn relay_to(mut self, cancel: CancelHandle) {
        self.next().await;
        cancel.cancel();
        self.next().await;
        cancel.kill();
        // Held, so that further signals do not take the command down before its report.
        std::future::pending::<()>().await;
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            _ = self.hang_up.recv() => {}
        }
    }
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

/// Writes the faults and warnings of a run to standard error.
fn show_talk(input: &PlanInput, result: &PlanResult) {
    let name = input.name();
    let sheet = Sheet {
        name: &name,
        text: &input.text,
        width: print::talk_columns().unwrap_or(PLAIN_WIDTH),
        colour: print::talk_has_colour(),
    };
    let mut in_text = result.faults.clone();
    for warning in &result.warnings {
        match warning {
            Warning::Plan(diagnostic) => in_text.push(diagnostic.clone()),
            Warning::Call { message, hint } => print::warning(message, Some(hint)),
        }
    }
    print::talk(&diagnose::listing(&sheet, &in_text));
    if result.refused && result.faults.is_empty() {
        let error = result
            .report
            .steps
            .first()
            .and_then(|step| step.error.as_deref());
        print::error(error.unwrap_or(&result.summary), None);
    }
}

/// Puts the session's folders away; says what could not be.
fn put_away(folders: SessionFolders) -> Vec<std::path::PathBuf> {
    match folders.put_away() {
        Ok(kept) => kept,
        Err(error) => {
            print::warning(
                &error.to_string(),
                Some("what was kept whole is still in the runtime directory"),
            );
            Vec::new()
        }
    }
}

struct Shown<'r> {
    result: &'r PlanResult,
    duration: Duration,
    kept: &'r [std::path::PathBuf],
}

impl Shown<'_> {
    fn print(&self, as_json: bool) -> io::Result<()> {
        if as_json {
            for path in self.kept {
                print::talk(&format!("kept whole: {}\n", path.display()));
            }
            return print::data(&json(&self.result.report));
        }
        if self.result.refused {
            // The faults are on standard error already; a table of the same words would only repeat them.
            return print::data(&format!("{}\n", self.result.summary));
        }
        let facts = RunFacts {
            steps: self.result.facts.clone(),
            duration_ms: u64::try_from(self.duration.as_millis()).unwrap_or(u64::MAX),
            kept: self.kept.iter().map(|path| self.kept_of(path)).collect(),
        };
        let look = Look {
            width: print::data_columns(),
            colour: print::data_has_colour(),
        };
        print::data_with(|out| table::write(out, &self.result.report, &facts, look))
    }
}

impl Shown<'_> {
    /// Finds the step whose output was cut and says so by the file's name.
    fn kept_of(&self, path: &std::path::Path) -> Kept {
        let from_end: Vec<_> = path.iter().rev().take(PARTS_NAMED).collect();
        let named: std::path::PathBuf = from_end.into_iter().rev().collect();
        let named = named.to_string_lossy();
        let mut steps = self.result.report.steps.iter();
        let step = steps.find(|step| {
            let output = step.output.as_deref().unwrap_or_default();
            output
                .lines()
                .next_back()
                .is_some_and(|note| note.contains(&*named))
        });
        Kept {
            step_id: step.map_or_else(String::new, |step| step.step_id.clone()),
            path: path.to_owned(),
        }
    }
}

fn json(report: &Report) -> String {
    let mut text =
        serde_json::to_string(report).expect("a report is plain data and has string keys");
    text.push('\n');
    text
}

/// How a cut output names its file: `outputs/plan-<n>/<k>.txt`.
const PARTS_NAMED: usize = 3;
/// Between two looks at what moves in the view.
const BETWEEN_TICKS: Duration = Duration::from_millis(100);
/// How wide excerpts are drawn where there is no terminal to ask.
const PLAIN_WIDTH: usize = 120;
