//! Signals to the command: the first cancels the plan, the second kills what runs.

use nix::sys::signal::Signal;

use crate::{fifo::Fifo, space::Space};

/// ruling 27; spec: When the task is cancelled: what runs settles with its own result, a failed step stays failed
/// whatever its `on_error`, nothing is tried again, and what was not dispatched is skipped in file order.
#[test]
fn the_first_signal_lets_what_runs_finish() {
    for signal in [Signal::SIGINT, Signal::SIGTERM] {
        let space = Space::new().tool("slow", "echo > ready; read x < go; echo told");
        let (mut ready, mut go) = (space.fifo("ready"), space.fifo("go"));
        let mut running = space
            .steps(
                r#"{"id": "z", "shell": "true", "depends_on": ["run"]},
                   {"id": "run", "shell": "sh -c 'echo > ready; read x < go; printf done'"},
                   {"id": "tool", "tool": "slow"},
                   {"id": "tool2", "tool": "slow"},
                   {"id": "y", "shell": "true", "depends_on": ["run"], "if": "'a' == 'b'"}"#,
            )
            .start();
        ready.wait();
        ready.wait();
        running.signal(signal);
        running.wait_for("canceled:");
        running.wait_for("a second signal kills what still runs");
        go.tell();
        go.tell();
        let ended = running.wait();
        assert_eq!(ended.status, Some(130));
        let said = ended.said();
        assert!(said.contains("2 steps still run: `run`, `tool`"), "{said}");
        let report = ended.report();
        assert_eq!(report["canceled"], true);
        let skipped = "z skipped, tool2 skipped, y skipped, ";
        let statuses = ended.statuses();
        assert!(statuses.starts_with(skipped), "{statuses}");
        assert_eq!(ended.output("run"), "done");
        assert_eq!(ended.output("tool"), "told\n");
        assert_eq!(
            ended.error("z"),
            "the task running this plan was cancelled before this step ran"
        );
    }
}

/// ruling 27: on a cancelled plan a failed step is failed, and is not tried again.
#[test]
fn a_cancelled_plan_retries_nothing() {
    let space = Space::new();
    let (mut ready, mut go) = (space.fifo("ready"), space.fifo("go"));
    let mut running = space
        .steps(
            r#"{"id": "bad", "shell": "sh -c 'echo > ready; read x < go; exit 4'", "on_error": "skip", "retries": 5}"#,
        )
        .start();
    ready.wait();
    running.signal(Signal::SIGTERM);
    running.wait_for("canceled:");
    go.tell();
    let ended = running.wait();
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 130 canceled failed_step null
      bad failed, output "", error "exit code 4"
    plan_start 1 steps
    plan_step_start bad shell
    plan_step bad failed, attempts 1, error "exit code 4"
    plan_end canceled, 1 = 0 + 1 + 0, reason "the task running this plan was cancelled"
    task_canceled
    "#);
    insta::assert_snapshot!(ended.trace().tree(), @r#"
    session_start
      task_start
      plan_start
        plan_step_start bad
        plan_step bad
        plan_end
        task_canceled
        task_end
      session_end
    "#);
    insta::assert_snapshot!(ended.said(), @r#"
    start   bad (shell)
    canceled: 1 step still runs: `bad`
    hint: a second signal kills what still runs
    failed  bad (shell) in [..] s: exit code 4
    "#);
}

/// ruling 27: the second signal ends everything at once; the report is printed and the trace has its end.
#[test]
fn the_second_signal_kills_what_runs() {
    let space = Space::new().tool("deaf", "trap '' TERM INT; echo > ready; read x < never");
    let mut ready = space.fifo("ready");
    let never = space.fifo("never");
    let mut running = space
        .steps(
            r#"{"id": "a", "shell": "sh -c 'trap \"\" TERM INT; echo > ready; read x < never'", "retries": 2},
               {"id": "b", "tool": "deaf", "on_error": "skip"},
               {"id": "c", "shell": "true", "depends_on": ["a"]}"#,
        )
        .start();
    ready.wait();
    ready.wait();
    running.signal(Signal::SIGINT);
    running.wait_for("canceled:");
    running.signal(Signal::SIGINT);
    let ended = running.wait();
    drop(never);
    assert_eq!(ended.status, Some(130));
    let mut lines: Vec<_> = ended.shown().lines().map(str::to_owned).collect();
    // Both are killed at once, so which settles first is open.
    lines.sort();
    insta::assert_snapshot!(lines.join("\n"), @r#"
      a failed, output "", error "was killed: a repeated cancel ends everything that still runs"
      b failed, error "was killed: a repeated cancel ends everything that still runs"
      c skipped, error "the task running this plan was cancelled before this step ran"
    exit 130 canceled failed_step null
    plan_end canceled, 3 = 0 + 2 + 1, reason "the task running this plan was cancelled"
    plan_start 3 steps
    plan_step a failed, attempts 1, error "was killed: a repeated cancel ends everything that still runs"
    plan_step b failed, attempts 1, error "was killed: a repeated cancel ends everything that still runs"
    plan_step c skipped, attempts 0, error "the task running this plan was cancelled before this step ran"
    plan_step_start a shell
    plan_step_start b tool
    task_canceled
    "#);
}

/// ruling 27: the first cause wins: a plan that a step has stopped stays stopped.
#[test]
fn a_stopped_plan_is_not_cancelled_any_more() {
    let space = Space::new();
    let (mut ready, mut go) = (space.fifo("ready"), space.fifo("go"));
    let mut stop = space.fifo("stop");
    let mut running = space
        .steps(
            r#"{"id": "run", "shell": "sh -c 'echo > ready; read x < go'"},
               {"id": "stop", "shell": "sh -c 'read x < stop; exit 1'"}"#,
        )
        .start();
    ready.wait();
    stop.tell();
    running.wait_for("failed  stop");
    running.signal(Signal::SIGINT);
    running.signal(Signal::SIGTERM);
    go.tell();
    let ended = running.wait();
    assert_eq!(ended.status, Some(1));
    assert_eq!(ended.report()["failed_step"], "stop");
    assert_eq!(ended.report()["canceled"], false);
    assert_eq!(ended.trace().of("task_canceled").count(), 0);
}

/// ruling 27; spec: Bad input: while there is no plan yet there is nothing to cancel: the signal ends the command, and
/// no session has been made.
#[test]
fn a_signal_while_the_plan_is_read_ends_the_command() {
    let space = Space::new();
    // The plan comes through a pipe, so the command waits for it.
    let plan = Fifo::make(&space.path("plan.json"));
    let running = space
        .command(&[
            "run",
            "plan.json",
            "--bounding",
            "off",
            "--json",
            "--home",
            "home",
        ])
        .start();
    running.signal(Signal::SIGTERM);
    let ended = running.wait();
    drop(plan);
    assert_eq!(ended.status, None);
    assert_eq!(ended.stdout, "");
    assert!(!space.path("home").exists());
}

/// ruling 27: with everything in flight, all settle with their own results, and no retry of a step that fails meanwhile
/// is dispatched.
#[test]
fn a_cancel_with_everything_running_waits_for_everything() {
    let space = Space::new();
    let mut ready = space.fifo("ready");
    let mut go = space.fifo("go");
    let steps: Vec<_> = (0..64)
        .map(|n| {
            format!(
                r#"{{"id": "s{n}", "shell": "sh -c 'echo > ready; read x < go; exit {}'"}}"#,
                n % 2
            )
        })
        .collect();
    let mut running = space.steps(&steps.join(",")).start();
    for _ in 0..64 {
        ready.wait();
    }
    running.signal(Signal::SIGHUP);
    running.wait_for("64 steps still run");
    for _ in 0..64 {
        go.tell();
    }
    let ended = running.wait();
    assert_eq!(ended.status, Some(130));
    let end = ended.trace().of("plan_end").next().expect("an end").clone();
    assert_eq!(end["steps_succeeded"], 32);
    assert_eq!(end["steps_failed"], 32);
}

/// ruling 27: a cancel ends the retrying wherever it lands, between two attempts as well.
#[test]
fn a_cancel_between_two_attempts_ends_the_retrying() {
    let space = Space::new();
    let mut running = space
        .steps(r#"{"id": "a", "shell": "false", "retries": 4294967295, "on_error": "skip"}"#)
        .start();
    running.wait_for("attempt 3");
    running.signal(Signal::SIGINT);
    let ended = running.wait();
    assert_eq!(ended.status, Some(130));
    assert_eq!(ended.statuses(), "a failed");
    assert_eq!(ended.error("a"), "exit code 1");
    let attempts = ended.trace().step("plan_step", "a")["attempts"].as_u64();
    assert!(attempts >= Some(3), "{attempts:?}");
}

/// spec: The session: however early the signal comes, no session folder is left, and a session that was made has a
/// trace with an end.
#[test]
fn an_early_signal_leaves_nothing_half_made() {
    let space = Space::new();
    for _ in 0..20 {
        let running = space.steps(r#"{"id": "a", "shell": "true"}"#).start();
        running.signal(Signal::SIGTERM);
        // Whether it is heard before the session is made, before the plan starts or after it, is a race; that all
        // is well is looked at for every run.
        let ended = running.wait();
        assert!(
            matches!(ended.status, None | Some(0 | 130)),
            "{:?}",
            ended.status
        );
    }
}

/// ruling 27: whatever the command was started with, it waits for its steps and hears the signals: SIGCHLD ignored,
/// signals blocked.
#[test]
fn what_was_ignored_or_blocked_before_the_command_changes_nothing() {
    // Where `env` cannot block signals the command is only started with SIGCHLD ignored.
    let script = r#"
        trap '' CHLD
        if env --block-signal=TERM true 2> /dev/null; then
            exec env --block-signal=TERM,INT,CHLD "$@"
        fi
        exec "$@""#;
    for bounding in ["off", "best-effort"] {
        let space = Space::new();
        let (mut ready, mut go) = (space.fifo("ready"), space.fifo("go"));
        let mut running = space
            .plain(
                r#"{"id": "p", "steps": [
                    {"id": "a", "shell": "true"},
                    {"id": "b", "shell": "sh -c 'echo > ready; read x < go; printf done'", "depends_on": ["a"]},
                    {"id": "c", "shell": "true", "depends_on": ["b"]}]}"#,
            )
            .args(&["--json", "--bounding", bounding])
            .through(script)
            .start();
        ready.wait();
        running.signal(Signal::SIGTERM);
        running.wait_for("canceled:");
        go.tell();
        let ended = running.wait();
        assert_eq!(ended.status, Some(130), "{}", ended.shown());
        assert_eq!(ended.statuses(), "a success, c skipped, b success");
        assert_eq!(ended.output("b"), "done");
    }
}
