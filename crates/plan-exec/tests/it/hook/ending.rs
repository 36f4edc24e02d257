//! What ends a program, and what it leaves behind.

use std::time::{Duration, Instant};

use super::{ask_shell, script, shown};
use crate::space::{Space, is_alive, wait_for};

/// spec: Policy hooks; a hook that does not end within its bound refuses, though it wrote an answer, and is killed.
#[tokio::test]
async fn a_hook_past_its_bound_refuses_and_is_killed() {
    let space = Space::new();
    for case in ["sleep 1000", "trap '' TERM; echo '{}'; sleep 1000"] {
        let gate = script(&space, case).with_bound(Duration::from_millis(300));
        let started = Instant::now();
        let answered = shown(ask_shell(&gate, "ls").await);
        assert_eq!(answered, "unclean: none came within 300ms");
        assert!(started.elapsed() < Duration::from_secs(20), "{case}");
    }
}

/// ruling 27; spec: Policy hooks. A question that nobody waits for any more takes its program with it, and the
/// next one is asked all the same.
#[tokio::test]
async fn a_dropped_question_kills_the_hook() {
    let space = Space::new();
    let gate = script(
        &space,
        "[ ! -e pids ] || { echo '{}'; exit; }; \
         trap '' TERM; (trap '' TERM; sleep 1000) & echo $$ $! > pids; sleep 1000",
    );
    let pids = async {
        while !std::fs::read_to_string(space.workdir().join("pids"))
            .is_ok_and(|s| s.ends_with('\n'))
        {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::select! {
        answer = ask_shell(&gate, "ls") => panic!("it answered: {answer:?}"),
        () = pids => {}
    }
    let pids = space.line_of("pids");
    for pid in pids.split(' ') {
        wait_for(|| (!is_alive(pid)).then_some(()));
    }
    assert_eq!(ask_shell(&gate, "ls").await, Ok(()));
    // Reaped with the next question, so that it is not even a zombie.
    let leader = pids.split(' ').next().unwrap();
    assert!(!std::path::Path::new("/proc").join(leader).exists());
}

/// spec: Policy hooks; what a hook leaves in its group neither delays its answer nor outlives it.
#[tokio::test]
async fn what_a_hook_leaves_running_is_killed_with_its_answer() {
    let space = Space::new();
    let gate = script(
        &space,
        "(trap '' TERM HUP; exec sleep 1000) & echo $! > pid; echo '{}'",
    );
    let started = Instant::now();
    assert_eq!(ask_shell(&gate, "ls").await, Ok(()));
    assert!(started.elapsed() < Duration::from_secs(20));
    assert!(!is_alive(&space.line_of("pid")));
}

/// spec: Policy hooks; what is left running and writes on belongs to the answer, which is then no clean one.
#[tokio::test]
async fn what_a_hook_leaves_running_may_spoil_its_answer() {
    let space = Space::new();
    for writes in ["while :; do echo x; sleep 0.01; done", "yes"] {
        let gate = script(&space, &format!("({writes}) & echo $! > pid; echo '{{}}'"));
        let answered = shown(ask_shell(&gate, "ls").await);
        assert!(answered.starts_with("unclean: "), "{writes}: {answered}");
        assert!(!is_alive(&space.line_of("pid")));
    }
}

/// spec: Policy hooks; ending a hook's leftovers touches no step's.
#[tokio::test]
async fn what_a_step_left_running_outlives_a_hook() {
    let space = Space::new();
    space
        .sh("sleep 1000 > /dev/null 2>&1 & echo $! > pid")
        .await;
    let gate = script(&space, "echo '{}'");
    for _ in 0..3 {
        assert_eq!(ask_shell(&gate, "ls").await, Ok(()));
    }
    assert!(is_alive(&space.line_of("pid")));
    space.session().end_plan(1).await.unwrap();
}
