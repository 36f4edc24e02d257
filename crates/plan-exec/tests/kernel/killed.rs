//! A runtime that is killed in the middle of a plan.

use std::{
    fs,
    path::Path,
    process::{Command, Stdio},
};

use libtest_mimic::Trial;

use crate::{
    ability::trial,
    place::{Place, alone, call, wait_for},
    role,
};

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        trial(
            "nothing_of_a_supervised_step_outlives_a_killed_runtime",
            &[],
            nothing_outlives_a_killed_runtime,
        ),
        trial(
            "a_stopped_supervisor_goes_on_when_its_runtime_is_killed",
            &[],
            a_stopped_supervisor_goes_on,
        ),
    ]
}

/// ruling 34: SIGKILL of the runtime ends a supervised step, what left its group, and the supervisor.
fn nothing_outlives_a_killed_runtime() {
    kill_in_the_middle(false);
}

/// ruling 34: a step that has stopped its supervisor gains nothing by it.
fn a_stopped_supervisor_goes_on() {
    kill_in_the_middle(true);
}

fn kill_in_the_middle(stopped: bool) {
    let place = Place::new();
    if stopped {
        fs::write(place.workdir().join("stop"), "").unwrap();
    }
    let mut runtime = Command::new(std::env::current_exe().unwrap())
        .args(role::arguments("runtime", &place.root()))
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let pids = ["leader", "daemon", "orphan", "supervisor"].map(|name| {
        let file = place.workdir().join(name);
        wait_for(|| {
            let text = fs::read_to_string(&file).ok()?;
            Some(text.strip_suffix('\n')?.to_owned())
        })
    });
    assert!(pids.iter().all(|pid| is_alive(pid)));
    runtime.kill().unwrap();
    runtime.wait().unwrap();
    for pid in pids {
        wait_for(|| (!is_alive(&pid)).then_some(()));
    }
}

/// In the role of the runtime: runs a step that does not end.
pub(crate) fn run_until_killed(place: &Place) -> String {
    let mut confinement = place.confinement(false, false);
    confinement.supervised = true;
    let shell = plan_exec::ShellCommands::new(place.session(confinement).into());
    let script = "trap '' HUP TERM; echo $PPID > supervisor; \
                  setsid sh -c 'echo $$ > daemon; exec sleep 1000' & \
                  (setsid sh -c 'trap \"\" HUP TERM; echo $$ > orphan; while :; do sleep 1000; done' &); \
                  [ ! -e stop ] || kill -STOP $PPID; echo $$ > leader; while :; do sleep 1000; done";
    let outcome = alone(plan_exec::ShellExecutor::run(&shell, call(script)));
    format!("ended by itself: {outcome:?}")
}

fn is_alive(pid: &str) -> bool {
    let Ok(stat) = fs::read_to_string(Path::new("/proc").join(pid).join("stat")) else {
        return false;
    };
    let state = stat
        .rsplit_once(") ")
        .and_then(|(_, rest)| rest.chars().next());
    !matches!(state, Some('Z' | 'X') | None)
}
