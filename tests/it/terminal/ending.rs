//! What is left of the view: after Ctrl-C, after Ctrl-Z, after a signal that kills, without the terminal.

use nix::sys::signal::Signal;

use super::{
    drawing::{held, masked, steps},
    session::Session,
};
use crate::{fifo::Fifo, space::Space, viewing::trace_of};

fn two(space: &Space) -> (Fifo, Fifo, String) {
    let pipes = (space.fifo("ready"), space.fifo("go"));
    let deaf =
        r#"{"id": "deaf", "shell": "sh -c 'trap \"\" INT TERM; echo > ready; read x < go'"}"#;
    let plan = format!(
        r#"{}, {deaf}, {{"id": "after", "shell": "true", "depends_on": ["a"]}}"#,
        held("a")
    );
    (pipes.0, pipes.1, plan)
}

/// spec: When the task is cancelled: the first Ctrl-C says what runs and that a second kills; the terminal is clean
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_says_what_runs_and_a_second_leaves_a_clean_terminal() {
    let space = Space::new();
    let (mut ready, _go, plan) = two(&space);
    let mut session = Session::start_with_keys(steps(&space, &plan), 80, 24);
    ready.wait();
    ready.wait();
    session.wait_for("2 running");
    session.press("\u{3}");
    session.wait_for("a second signal kills what still runs");
    session.wait_for("canceled: 1 of 3 settled, 2 running");
    insta::assert_snapshot!(masked(&session.window.shown()), @r"
    $ mur-plan
    canceled: 2 steps still run: `a`, `deaf`
    hint: a second signal kills what still runs
    - after  shell           the task running this plan was cancelled before this …
    ⠋ a      shell    [.] s
    ⠋ deaf   shell    [.] s
    canceled: 1 of 3 settled, 2 running, [.] s
    ");
    session.press("\u{3}");
    let (status, window) = session.end();
    assert_eq!(status, Some(130));
    let mut shown: Vec<String> = masked(&window.shown()).lines().map(str::to_owned).collect();
    // Both are killed at once, so which settles first is open.
    shown.sort();
    insta::assert_snapshot!(shown.join("\n"), @r"

    $ mur-plan
    Plan 'p' was cancelled: 3 steps, 0 succeeded, 2 failed, 1 skipped in [.] s
    a      failed   1      [.] s  was killed: a repeated cancel ends everything tha…
    after  skipped                the task running this plan was cancelled before t…
    canceled: 2 steps still run: `a`, `deaf`
    deaf   failed   1      [.] s  was killed: a repeated cancel ends everything tha…
    hint: a second signal kills what still runs
    step   status   tries  time   error or output
    ");
}

/// decision: SIGQUIT kills at once and still gives the report and the end of the trace.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_backslash_kills_at_once() {
    let space = Space::new();
    let (mut ready, _go, plan) = two(&space);
    let mut session = Session::start_with_keys(steps(&space, &plan), 80, 24);
    ready.wait();
    ready.wait();
    session.press("\u{1c}");
    let (status, window) = session.end();
    assert_eq!(status, Some(130));
    let shown = window.shown();
    assert!(
        shown.contains("Plan 'p' was cancelled: 3 steps, 0 succeeded, 2 failed, 1 skipped"),
        "{shown}"
    );
    let trace = trace_of(&space, &["show", "--json"]).run();
    let trace: serde_json::Value = serde_json::from_str(&trace.stdout).unwrap();
    assert_eq!(trace["plans"][0]["outcome"], "canceled", "{trace}");
}

/// decision: Ctrl-Z takes the view away before the command stops, and it is drawn again when it goes on.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_z_leaves_the_terminal_as_it_was_found() {
    let space = Space::new();
    let (mut ready, mut go, plan) = two(&space);
    let mut session = Session::start_with_keys(steps(&space, &plan), 80, 24);
    ready.wait();
    ready.wait();
    session.wait_for("2 running");
    session.press("\u{1a}");
    session.wait_stopped();
    assert_eq!(session.window.shown(), "$ mur-plan");
    assert!(session.window.is_left_clean());
    // As a shell does, whose prompt has taken the line.
    session.window.feed(b"[1]+ Stopped\r\n$ fg\r\n");
    session.signal(Signal::SIGCONT);
    session.wait_for("2 running");
    go.tell();
    go.tell();
    let (status, window) = session.end();
    assert_eq!(status, Some(0));
    assert!(
        window
            .shown()
            .starts_with("$ mur-plan\n[1]+ Stopped\n$ fg\nstep "),
        "{}",
        window.shown()
    );
}

/// decision: a terminal that goes away ends the view, not the plan.
#[test]
fn a_plan_runs_on_without_its_terminal() {
    let space = Space::new();
    let (mut ready, mut go, plan) = two(&space);
    let mut session = Session::start(steps(&space, &plan), 80, 24);
    ready.wait();
    ready.wait();
    session.wait_for("2 running");
    let without = session.hang_up();
    go.tell();
    go.tell();
    // The report could not be shown.
    assert_eq!(without.end(), Some(1));
    let trace = trace_of(&space, &["show", "--json"]).run();
    let trace: serde_json::Value = serde_json::from_str(&trace.stdout).unwrap();
    assert_eq!(trace["plans"][0]["outcome"], "completed", "{trace}");
}
