//! What a step leaves running, and what is left of it all when the plan has ended.

use std::{
    fs,
    time::{Duration, Instant},
};

use plan_exec::{Cancel, ShellExecutor};

use crate::space::{Space, is_alive, output, shell_call, shown, wait_for};

/// spec: Shell steps: what a command leaves holding its pipes does not block the step.
#[tokio::test]
async fn a_background_child_that_holds_the_pipe_does_not_block_the_step() {
    let space = Space::new();
    let quiet = Instant::now();
    let outcome = space.sh("printf out; sleep 1000 & echo $! > pid").await;
    assert_eq!(shown(&outcome), r#"passed, output "out""#);
    assert!(quiet.elapsed() < Duration::from_secs(10));
    assert!(is_alive(&space.line_of("pid")), "it may serve later steps");

    let busy = Instant::now();
    let outcome = space
        .sh("(while :; do echo x; sleep 0.01; done) & echo first")
        .await;
    assert!(output(&outcome).contains("first\n"));
    let took = busy.elapsed();
    assert!(
        took >= Duration::from_secs(1) && took < Duration::from_secs(10),
        "{took:?}"
    );
    space.session().end_plan(1).await.unwrap();
}

/// ruling 34: what is left running is neither blocked by a pipe nobody reads nor killed by a closed one.
#[tokio::test]
async fn what_is_left_running_can_write_on() {
    let space = Space::new();
    let script = "(while [ ! -e go ]; do sleep 0.01; done; \
                   head -c 1000000 /dev/zero && echo $? > done) & :";
    assert_eq!(shown(&space.sh(script).await), r#"passed, output """#);
    space.write("go", "");
    let done = async {
        while !space.workdir().join("done").exists() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), done)
        .await
        .unwrap();
    assert_eq!(space.line_of("done"), "0");
}

/// ruling 34: what is left running lives until its plan ends, and no other plan's end touches it.
#[tokio::test]
async fn a_group_is_killed_when_its_plan_ends() {
    let space = Space::new();
    space
        .sh("sleep 1000 > /dev/null 2>&1 & echo $! > pid1")
        .await;
    let mut second = shell_call(
        &[
            "sh",
            "-c",
            "(trap '' TERM HUP; exec sleep 1000) & echo $! > pid2",
        ],
        1,
        Cancel::never(),
    );
    second.attempt.plan_number = 2;
    space.shell().run(second).await;
    let (first, second) = (space.line_of("pid1"), space.line_of("pid2"));
    space.session().end_plan(1).await.unwrap();
    assert!(!is_alive(&first) && is_alive(&second));
    space.session().end_plan(2).await.unwrap();
    assert!(!is_alive(&second));
    space.session().end_plan(2).await.unwrap();
}

/// ruling 34: a session that is dropped kills what its plans left.
#[tokio::test]
async fn a_dropped_session_kills_what_is_left() {
    let mut space = Space::new();
    space.sh("sleep 1000 & echo $! > pid").await;
    let pid = space.line_of("pid");
    assert!(is_alive(&pid));
    drop(space.session.take());
    wait_for(|| (!is_alive(&pid)).then_some(()));
}

/// ruling 34: a step nobody waits for any more is killed at once.
#[tokio::test]
async fn a_dropped_run_kills_its_group() {
    let space = Space::new();
    let shell = space.shell();
    let script = "echo $$ > pid; sleep 1000 & wait";
    let run = shell.run(shell_call(&["sh", "-c", script], 1, Cancel::never()));
    let runs = async {
        let told =
            || fs::read_to_string(space.workdir().join("pid")).is_ok_and(|pid| pid.ends_with('\n'));
        while !told() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    };
    tokio::select! {
        outcome = run => panic!("ended by itself: {outcome:?}"),
        () = runs => {}
    }
    let pid = space.line_of("pid");
    wait_for(|| (!is_alive(&pid)).then_some(()));
    space.session().end_plan(1).await.unwrap();
}

/// decision: what leaves its group is out of reach until a cgroup holds it; the step does not wait for it either.
#[tokio::test]
async fn a_daemon_that_left_its_group_outlives_the_plan() {
    let space = Space::new();
    let script = "setsid sh -c 'echo $$ > pid; exec sleep 1000' & \
                  while [ ! -s pid ]; do sleep 0.01; done";
    assert_eq!(shown(&space.sh(script).await), r#"passed, output """#);
    space.session().end_plan(1).await.unwrap();
    let pid = space.line_of("pid");
    let lives = is_alive(&pid);
    std::process::Command::new("kill")
        .arg(&pid)
        .status()
        .unwrap();
    assert!(lives);
}

/// ruling 34: leaders are kept only while their groups may be in use, descriptors not at all.
#[tokio::test]
async fn nothing_piles_up_over_many_runs() {
    let space = Space::alone();
    space.sh("true").await;
    let before = descriptors();
    space
        .sh("sleep 1000 > /dev/null 2>&1 & echo $! > pid")
        .await;
    for _ in 0..300 {
        assert_eq!(shown(&space.sh("printf x").await), r#"passed, output "x""#);
        assert!(zombies() <= 140);
    }
    // Other tests of this process come and go with a few; 300 runs that leak would show.
    assert!(descriptors() < before + 100);
    let kept = zombies();
    assert!(kept > 0, "the last leaders wait for the end of the plan");
    assert!(
        is_alive(&space.line_of("pid")),
        "an inhabited group is left alone"
    );
    space.session().end_plan(1).await.unwrap();
    assert_eq!(zombies(), 0);
    assert!(!is_alive(&space.line_of("pid")));
}

fn descriptors() -> usize {
    fs::read_dir("/proc/self/fd").unwrap().count()
}

/// Counts the children of this process that have exited and were not reaped.
fn zombies() -> usize {
    let own = std::process::id().to_string();
    let is_ours = |stat: String| {
        let mut fields = stat.rsplit_once(") ")?.1.split(' ');
        Some(fields.next()? == "Z" && fields.next()? == own)
    };
    fs::read_dir("/proc")
        .unwrap()
        .filter_map(|entry| fs::read_to_string(entry.ok()?.path().join("stat")).ok())
        .filter_map(is_ours)
        .filter(|&ours| ours)
        .count()
}
