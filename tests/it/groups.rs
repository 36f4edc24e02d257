//! What commands leave running: it holds up nothing, serves later steps, and is gone when the plan ends.

use nix::sys::signal::Signal;

use crate::space::Space;

/// spec: Shell steps; ruling 34: a process left behind holds the pipes, and the step settles all the same; it serves
/// later steps and is killed at the end.
#[test]
fn what_a_command_leaves_serves_later_steps_and_ends_with_the_plan() {
    let space = Space::new();
    let mut held = space.held("held");
    let serve = space.fifo("serve");
    let asked = space.fifo("asked");
    let running = space
        .steps(
            r#"{"id": "start", "shell": "sh -c '(exec 9>held; echo up >&9; read x < serve; echo served > asked; sleep 600) & echo started'"},
               {"id": "use", "shell": "sh -c 'echo go > serve; read x < asked; echo $x'", "depends_on": ["start"]}"#,
        )
        .start();
    assert_eq!(held.wait(), "up");
    let ended = running.wait();
    drop((serve, asked));
    assert_eq!(ended.output("start"), "started\n");
    assert_eq!(ended.output("use"), "served\n");
    assert_eq!(ended.status, Some(0));
    held.wait_closed();
}

/// ruling 34: what a tool leaves is killed as well, deaf to SIGTERM or not, and after a failed plan too.
#[test]
fn leftovers_of_tools_and_of_failed_plans_are_killed() {
    let space = Space::new().tool(
        "leave",
        "(trap '' TERM HUP; exec 9>held; echo up >&9; sleep 600) & exit 1",
    );
    let mut held = space.held("held");
    let ended = space.steps(r#"{"id": "a", "tool": "leave"}"#).start();
    assert_eq!(held.wait(), "up");
    let ended = ended.wait();
    assert_eq!(ended.status, Some(1));
    held.wait_closed();
}

/// ruling 27: a killed plan leaves nothing either, neither the step's command nor what it started.
#[test]
fn a_killed_plan_leaves_nothing() {
    let space = Space::new();
    let mut held = space.held("held");
    let mut running = space
        .steps(r#"{"id": "a", "shell": "sh -c 'trap \"\" TERM INT; exec 9>held; (trap \"\" TERM; echo up >&9; sleep 600) & sleep 600'"}"#)
        .start();
    assert_eq!(held.wait(), "up");
    running.signal(Signal::SIGTERM);
    running.wait_for("canceled:");
    assert!(held.is_held());
    running.signal(Signal::SIGTERM);
    let ended = running.wait();
    assert_eq!(ended.status, Some(130));
    held.wait_closed();
}
