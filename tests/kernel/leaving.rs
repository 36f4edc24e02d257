//! Nothing outlives the plan: not what left its group and its session, not after a cancel, not after a crash.

use nix::sys::signal::Signal;

use crate::{
    host::Host,
    scene::Scene,
    trial::{Trial, trial},
};

pub(crate) const TRIALS: &[Trial] = &[
    trial!(a_daemon_is_gone_after_the_plan),
    trial!(a_daemon_is_gone_after_a_failed_plan),
    trial!(a_daemon_is_gone_after_a_cancel),
    trial!(a_daemon_is_gone_after_a_second_signal),
    trial!(a_daemon_is_gone_after_the_runtime_was_killed, Cgroup),
    trial!(a_running_step_is_gone_after_the_runtime_was_killed),
    trial!(a_daemon_serves_later_steps_until_the_plan_ends),
];

/// spec: Shell steps; ruling 34: a daemon that made a session of its own and whose parent is gone is killed when the
/// plan ends; the scope and the watcher are gone as well.
fn a_daemon_is_gone_after_the_plan(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let mut held = scene.held("held");
        let mut running = scene.start(r#"{"id": "a", "shell": "daemon held"}"#);
        scene.wait_up(&mut running, &mut held);
        let ended = running.wait();
        assert_eq!(ended.output("a"), "left a daemon\n");
        assert_eq!(ended.status, Some(0));
        scene.wait_closed(&held);
        scene.wait_gone();
    }
}

/// ruling 34: after a plan that failed nothing is left either.
fn a_daemon_is_gone_after_a_failed_plan(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let mut held = scene.held("held");
        let mut running = scene.start(r#"{"id": "a", "shell": "sh -c 'daemon held; exit 3'"}"#);
        scene.wait_up(&mut running, &mut held);
        assert_eq!(running.wait().status, Some(1));
        scene.wait_closed(&held);
        scene.wait_gone();
    }
}

/// ruling 27; ruling 34: a cancel lets what runs finish, and then nothing is left.
fn a_daemon_is_gone_after_a_cancel(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let mut held = scene.held("held");
        let mut running = scene.start(
            r#"{"id": "a", "shell": "daemon held"},
               {"id": "runs", "shell": "sh -c 'echo runs > runs; exec wait-for go'"},
               {"id": "both", "shell": "wait-for runs", "depends_on": ["a"]},
               {"id": "later", "shell": "wait-for never", "depends_on": ["both", "runs"]}"#,
        );
        scene.wait_up(&mut running, &mut held);
        running.wait_for("success both");
        running.signal(Signal::SIGINT);
        running.wait_for("canceled:");
        assert!(held.is_held(), "it may serve what still runs");
        scene.file("go", "");
        let ended = running.wait();
        assert_eq!(ended.status, Some(130));
        assert_eq!(ended.output("runs"), "seen\n");
        scene.wait_closed(&held);
        scene.wait_gone();
    }
}

/// ruling 27: a second signal kills what still runs and what was left.
fn a_daemon_is_gone_after_a_second_signal(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let mut held = scene.held("held");
        let mut running = scene.start(r#"{"id": "a", "shell": "sh -c 'daemon held; exec hold'"}"#);
        scene.wait_up(&mut running, &mut held);
        running.signal(Signal::SIGTERM);
        running.wait_for("canceled:");
        running.signal(Signal::SIGTERM);
        assert_eq!(running.wait().status, Some(130));
        scene.wait_closed(&held);
        scene.wait_gone();
    }
}

/// spec: What a plan may reach: a runtime that is killed with SIGKILL leaves nothing behind, daemons included, and the
/// watcher that sees to it goes as well.
fn a_daemon_is_gone_after_the_runtime_was_killed(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let mut held = scene.held("held");
        let mut running = scene.start(r#"{"id": "a", "shell": "sh -c 'daemon held; exec hold'"}"#);
        scene.wait_up(&mut running, &mut held);
        // It is killed by being dropped.
        drop(running);
        scene.wait_closed(&held);
        scene.wait_gone();
    }
}

/// spec: What a plan may reach: a step that runs when the runtime is killed does not go on, with or without a cgroup.
fn a_running_step_is_gone_after_the_runtime_was_killed(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let mut held = scene.held("held");
        let mut running =
            scene.start(r#"{"id": "a", "shell": "sh -c 'exec 9>held; echo up >&9; hold; true'"}"#);
        scene.wait_up(&mut running, &mut held);
        drop(running);
        scene.wait_closed(&held);
        scene.wait_gone();
    }
}

/// ruling 34: what a step leaves may serve later steps; only the end of the plan is its end.
fn a_daemon_serves_later_steps_until_the_plan_ends(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let mut held = scene.held("held");
        let mut running = scene.start(
            r#"{"id": "a", "shell": "daemon held"},
               {"id": "later", "shell": "wait-for go", "depends_on": ["a"]}"#,
        );
        scene.wait_up(&mut running, &mut held);
        assert!(held.is_held());
        scene.file("go", "");
        assert_eq!(running.wait().status, Some(0));
        scene.wait_closed(&held);
        scene.wait_gone();
    }
}
