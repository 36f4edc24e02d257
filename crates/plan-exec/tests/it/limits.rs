//! The bound of a step, and a repeated cancel.

use std::time::{Duration, Instant};

use plan_exec::{Bounds, CancelHandle, ShellExecutor};

use crate::space::{Space, error, is_alive, output, shell_call, shown, wait_for};

fn short(wall: u64, grace: u64) -> Space {
    Space::with_bounds(Bounds {
        wall: Duration::from_millis(wall),
        grace: Duration::from_millis(grace),
        ..Bounds::default()
    })
}

/// ruling 33: past its bound a step is asked to end, and fails naming the bound.
#[tokio::test]
async fn a_step_past_its_bound_is_asked_to_end() {
    let space = short(500, 60_000);
    let started = Instant::now();
    let outcome = space
        .sh("echo begun; trap 'echo asked; exit 0' TERM; while :; do sleep 0.02; done")
        .await;
    assert!(started.elapsed() < Duration::from_secs(20));
    // The shell itself says `Terminated` of the child it was waiting for.
    assert!(
        error(&outcome)
            .starts_with("ran past its bound of 500 ms of wall-clock time and was ended")
    );
    assert_eq!(output(&outcome), "begun\nasked\n");
}

/// ruling 33: one that ignores SIGTERM is killed after the grace.
#[tokio::test]
async fn a_step_that_ignores_sigterm_is_killed() {
    let space = short(2000, 300);
    let started = Instant::now();
    let outcome = space
        .sh("trap '' TERM; echo why >&2; echo $$ > pid; while :; do sleep 0.02; done")
        .await;
    assert_eq!(
        error(&outcome),
        "ran past its bound of 2 s of wall-clock time and was ended\nwhy"
    );
    assert!(started.elapsed() >= Duration::from_millis(2300));
    assert!(!is_alive(&space.line_of("pid")));
}

/// ruling 33: the group is ended, not only its leader.
#[tokio::test]
async fn a_group_whose_leader_goes_is_ended_as_well() {
    let space = short(1000, 300);
    let outcome = space
        .sh("(trap '' TERM; exec sleep 1000) & echo $! > pid; wait")
        .await;
    assert!(error(&outcome).starts_with("ran past its bound of 1 s"));
    let pid = space.line_of("pid");
    wait_for(|| (!is_alive(&pid)).then_some(()));
}

/// spec: When the task is cancelled: a running shell step runs to its own end.
#[tokio::test]
async fn a_cancel_leaves_a_running_step_alone() {
    let space = Space::new();
    let (handle, cancel) = CancelHandle::new();
    let script = "echo > begun; while [ ! -e go ]; do sleep 0.01; done; printf done";
    let shell = space.shell();
    let run = shell.run(shell_call(&["sh", "-c", script], 1, cancel));
    let canceled = async {
        while !space.workdir().join("begun").exists() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        handle.cancel();
        space.write("go", "");
    };
    let (outcome, ()) = tokio::join!(run, canceled);
    assert_eq!(shown(&outcome), r#"passed, output "done""#);
}

/// ruling 27: a repeated cancel kills at once, whatever the step ignores, and starts nothing more.
#[tokio::test]
async fn a_repeated_cancel_kills_at_once() {
    let space = Space::new();
    let (handle, cancel) = CancelHandle::new();
    let script = "trap '' TERM INT; sleep 1000 & echo part; echo $! > pid; wait";
    let shell = space.shell();
    let run = shell.run(shell_call(&["sh", "-c", script], 1, cancel.clone()));
    let killed = async {
        while !space.workdir().join("pid").exists() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        handle.cancel();
        handle.kill();
    };
    let (outcome, ()) = tokio::join!(run, killed);
    let said = "was killed: a repeated cancel ends everything that still runs";
    assert_eq!((error(&outcome), output(&outcome)), (said, "part\n"));
    let pid = space.line_of("pid");
    wait_for(|| (!is_alive(&pid)).then_some(()));

    let call = shell_call(&["touch", "started"], 1, cancel);
    assert_eq!(
        shown(&shell.run(call).await),
        format!("failed {said:?}, no output")
    );
    assert!(!space.workdir().join("started").exists());
}
