//! What a step costs to start: bare, plain, and bounded and confined, with a small heap and with one of 1 GiB.
//!
//! Run with `cargo run --release --package plan-exec --example launch_cost [STARTS]`. `docs/performance.md` has what it
//! printed.

#![expect(clippy::print_stdout, reason = "what it prints is what it is run for")]

use std::{
    error::Error,
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use plan_exec::{
    Attempt, Bounding, Bounds, Cancel, CommandSession, ContainmentSpec, LauncherProgram,
    PlanBounds, PlanStart, ResourceLimits, SessionSpec, ShellCall, ShellCommands, ShellExecutor,
    Verdict, serve_as_launcher,
};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A way to start `true` and wait for it.
#[derive(Clone, Copy)]
enum Way {
    /// `posix_spawn` by the standard library, nothing else.
    Bare,
    /// A shell step in a process group.
    Plain,
    /// A shell step with what best effort gives here.
    Bounded,
}

const WAYS: [(Way, &str); 3] = [
    (Way::Bare, "bare posix_spawn"),
    (Way::Plain, "a step, bounding off"),
    (Way::Bounded, "a step, bounded and confined"),
];

fn main() -> Result<()> {
    serve_as_launcher();
    let starts = std::env::args()
        .nth(1)
        .map_or(Ok(STARTS), |word| word.parse())?;
    let folder = tempfile::tempdir()?;
    for name in ["workdir/kept", "records/home", "records/tmp", "sessions"] {
        std::fs::create_dir_all(folder.path().join(name))?;
    }
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    for heap in [0, HEAP_BYTES] {
        let touched = vec![1_u8; heap];
        let mut rows: Vec<Vec<Duration>> = vec![Vec::new(); WAYS.len()];
        // In turns, so that whatever else the machine does falls on all alike.
        for _ in 0..ROUNDS {
            for (row, (way, _)) in rows.iter_mut().zip(WAYS) {
                runtime.block_on(measure(way, folder.path(), starts / ROUNDS, row))?;
            }
        }
        println!("heap of {} MiB, {starts} starts each, ms", heap >> 20);
        for (row, (_, name)) in rows.iter_mut().zip(WAYS) {
            row.sort_unstable();
            let at = |part: usize| row[(row.len() - 1) * part / 100].as_secs_f64() * 1e3;
            println!(
                "  {name:<30} min {:.2}  p10 {:.2}  median {:.2}  p90 {:.2}",
                at(0),
                at(10),
                at(50),
                at(90)
            );
        }
        drop(touched);
    }
    Ok(())
}

async fn measure(way: Way, folder: &Path, starts: usize, row: &mut Vec<Duration>) -> Result<()> {
    if matches!(way, Way::Bare) {
        for _ in 0..starts {
            let begin = Instant::now();
            let mut command = Command::new("/bin/true");
            let child = command.stdin(Stdio::null()).stdout(Stdio::piped());
            child.stderr(Stdio::piped()).output()?;
            row.push(begin.elapsed());
        }
        return Ok(());
    }
    let session = CommandSession::open(SessionSpec {
        workdir: folder.join("workdir"),
        environment: vec![("PATH".into(), "/usr/bin:/bin".into())],
        runtime_dir: None,
        bounds: Bounds::default(),
        containment: match way {
            Way::Bare | Way::Plain => ContainmentSpec::off(),
            Way::Bounded => bounded(folder),
        },
    });
    let session = std::sync::Arc::new(session.await?);
    let plan = PlanStart {
        number: 1,
        id: "cost",
    };
    session.plan_starting(plan).await?;
    let shell = ShellCommands::new(std::sync::Arc::clone(&session));
    for at in 0..starts {
        let begin = Instant::now();
        let outcome = shell.run(call(at + 1)).await;
        row.push(begin.elapsed());
        assert_eq!(outcome.verdict, Verdict::Passed);
    }
    session.end_plan(1).await?;
    Ok(())
}

fn bounded(folder: &Path) -> ContainmentSpec {
    let within = |name: &str| folder.join(name);
    ContainmentSpec {
        bounding: Bounding::BestEffort,
        launcher: LauncherProgram::ThisProgram,
        limits: ResourceLimits::default(),
        writable: vec![within("records/home"), within("records/tmp")],
        read_only: vec![
            within("workdir/kept"),
            within("records"),
            within("sessions"),
        ],
        uncounted: Vec::new(),
    }
}

fn call(step_number: usize) -> ShellCall {
    ShellCall {
        attempt: Attempt {
            plan_number: 1,
            step_number,
            step_id: "cost".into(),
            attempt: 1,
        },
        line: "true".into(),
        words: vec!["true".to_owned()],
        cancel: Cancel::never(),
        last_line: None,
    }
}

/// How many starts of each way, where nothing is said.
const STARTS: usize = 1000;

/// In how many turns.
const ROUNDS: usize = 10;

/// The large heap: 1 GiB, touched.
const HEAP_BYTES: usize = 1 << 30;
