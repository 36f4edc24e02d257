//! The cancel of a task, wherever a capsule step can be.

use std::{
    fs,
    time::{Duration, Instant},
};

use plan_exec::{Cancel, CancelHandle, CapsuleExecutor, Verdict};

use crate::{
    roost_listener::Say,
    roost_world::{STAYS, World, approve, call, to_register},
};

/// Cancels once `is_there` says so, and returns what the step came to and how long that took from the cancel.
async fn canceled(world: &World, mut is_there: impl FnMut() -> bool) -> (String, Duration) {
    let (handle, cancel) = CancelHandle::new();
    let cancelling = async {
        while !is_there() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        handle.cancel();
        Instant::now()
    };
    let (ran, at) = tokio::join!(world.run_until(cancel), cancelling);
    (world.show(&ran), at.elapsed())
}

const A_SECOND: Duration = Duration::from_secs(1);

/// ruling 27: while the daemon is asked there is nothing to end: the step settles at once and leaves no line.
#[tokio::test]
async fn a_cancel_while_the_daemon_is_asked_settles_at_once() {
    let mut world = World::with_roost(|asked, number| match asked.path.as_str() {
        "/register" => Say::Nothing,
        _ => approve(asked, number),
    });
    world.standing = to_register;
    let (shown, took) = canceled(&world, || world.roost.heard().len() == 1).await;
    assert_eq!(shown, "ended, no output");
    assert!(took < A_SECOND, "{took:?}");
    let world = World::with_roost(|_, _| Say::Nothing);
    let (shown, took) = canceled(&world, || world.roost.heard().len() == 1).await;
    assert_eq!(shown, "ended, no output");
    assert!(took < A_SECOND, "{took:?}");
    assert!(!world.root().join("records/children").exists());
}

/// ruling 27: a step that is cancelled before it begins asks nobody.
#[tokio::test]
async fn a_cancelled_step_asks_nobody() {
    let world = World::new(STAYS);
    let (handle, cancel) = CancelHandle::new();
    handle.cancel();
    let ran = world.run_until(cancel).await;
    assert_eq!(world.show(&ran), "ended, no output");
    assert_eq!(world.roost.heard(), []);
}

/// ruling 27: a child that is starting may come up within the grace, and is then ended as one that was up.
#[tokio::test]
async fn a_starting_child_comes_up_and_is_ended() {
    let world = World::new(
        "echo > [root]/started; read go < [root]/go; READY; trap 'exit 0' TERM; while :; do read x <&$MURMUR_SPAWNER_LIFELINE; done",
    );
    let fifo = world.root().join("go");
    nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let (handle, cancel) = CancelHandle::new();
    let cancelling = async {
        while !world.root().join("started").exists() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        handle.cancel();
        tokio::task::spawn_blocking(move || fs::write(fifo, "go\n"))
            .await
            .unwrap()
            .unwrap();
    };
    let (ran, ()) = tokio::join!(world.run_until(cancel), cancelling);
    insta::assert_snapshot!(world.show(&ran), @r#"
    ended, no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    terminated [dlg] ses_child local/worker 0.1.0 Some("the delegating task was cancelled")
    "#);
    assert_eq!(world.door.heard(), []);
    assert!(world.root().join("child/completion.json").exists());
}

/// ruling 27: a child that does not come up within the grace, or ends in it, leaves nothing.
#[tokio::test]
async fn a_starting_child_that_does_not_come_up_leaves_nothing() {
    for script in [
        "echo > [root]/started; read x <&$MURMUR_SPAWNER_LIFELINE",
        "echo > [root]/started; sleep 0.2; echo garbage; read x <&$MURMUR_SPAWNER_LIFELINE",
        "echo > [root]/started; sleep 0.2; exit 3",
    ] {
        let mut world = World::new(script);
        world.bounds.starting = Duration::from_millis(400);
        let started = world.root().join("started");
        let (shown, took) = canceled(&world, || started.exists()).await;
        assert_eq!(shown, "ended, no output");
        assert!(took < A_SECOND, "{took:?}");
        assert!(!world.root().join("child/completion.json").exists());
    }
}

/// ruling 27: a child that works is asked to end within a second, and its records get their `completion.json`.
#[tokio::test]
async fn a_working_child_is_ended() {
    let world = World::with_door(
        "trap 'echo > [root]/asked; exit 0' TERM; READY; while :; do read x <&$MURMUR_SPAWNER_LIFELINE; done",
        |_, _| Say::Nothing,
    );
    let (shown, took) = canceled(&world, || world.door.heard().len() == 1).await;
    insta::assert_snapshot!(shown, @r#"
    ended, no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    terminated [dlg] ses_child local/worker 0.1.0 Some("the delegating task was cancelled")
    "#);
    assert!(took < A_SECOND, "{took:?}");
    assert!(world.root().join("asked").exists());
    let text = world.file("child/completion.json");
    let at = text.find("\"duration_ms\": ").unwrap() + 15;
    let end = at + text[at..].find(',').unwrap();
    assert!(text[at..end].parse::<u64>().is_ok());
    insta::assert_snapshot!(format!("{}[ms]{}", &text[..at], &text[end..]), @r#"
    {
      "delegation_id": "[dlg]",
      "capsule_name": "local/worker",
      "capsule_version": "0.1.0",
      "session_id": "ses_child",
      "status": "terminated",
      "workdir": "[root]/records/children/worker-[hex]",
      "duration_ms": [ms],
      "detail": "the parent ended this delegation",
      "reported_by": "launcher",
      "delivered": false
    }
    "#);
    let left: Vec<_> = fs::read_dir(world.root().join("child")).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}

/// ruling 27: a task that is being handed over, and one that is asked about again, are noticed as soon.
#[tokio::test]
async fn a_cancel_is_noticed_while_delivering_and_while_polling() {
    let world = World::with_door(STAYS, |_, _| Say::Json(503, "{}".into()));
    let (shown, took) = canceled(&world, || world.door.heard().len() == 2).await;
    assert!(shown.starts_with("ended"), "{shown}");
    assert!(took < A_SECOND, "{took:?}");
    let working = crate::roost_world::told("WORKING", "");
    let world = World::with_door(STAYS, move |_, _| Say::Json(200, working.clone()));
    let (shown, took) = canceled(&world, || world.door.heard().len() == 3).await;
    assert!(shown.starts_with("ended"), "{shown}");
    assert!(took < A_SECOND, "{took:?}");
}

/// ruling 27: children that ignore SIGTERM are killed after the grace, ten of them in the time of one.
#[tokio::test]
async fn ten_children_take_one_grace() {
    let mut world = World::with_door(
        "trap '' TERM; READY; while :; do read x <&$MURMUR_SPAWNER_LIFELINE; done",
        |_, _| Say::Nothing,
    );
    world.bounds.grace = Duration::from_millis(700);
    let (handle, _) = CancelHandle::new();
    let capsules = world.capsules();
    let mut all = tokio::task::JoinSet::new();
    for _ in 0..10 {
        let (capsules, cancel) = (capsules.clone(), handle.reader());
        all.spawn(async move {
            let (call, _reported) = call(cancel);
            capsules.run(call).await
        });
    }
    while world.door.heard().len() < 10 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    handle.cancel();
    let at = Instant::now();
    for outcome in all.join_all().await {
        assert_eq!(outcome.verdict, Verdict::Ended);
    }
    let took = at.elapsed();
    assert!(
        took >= Duration::from_millis(700) && took < 2 * Duration::from_millis(700),
        "{took:?}"
    );
}

/// ruling 27: a second signal kills a child at once.
#[tokio::test]
async fn a_repeated_cancel_kills_at_once() {
    let world = World::with_door(
        "trap '' TERM; READY; while :; do read x <&$MURMUR_SPAWNER_LIFELINE; done",
        |_, _| Say::Nothing,
    );
    let (handle, cancel) = CancelHandle::new();
    let cancelling = async {
        while world.door.heard().is_empty() {
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        handle.kill();
        Instant::now()
    };
    let (ran, at) = tokio::join!(world.run_until(cancel), cancelling);
    assert!(at.elapsed() < A_SECOND);
    assert_eq!(ran.outcome.verdict, Verdict::Ended);
}

/// ruling 27: an answer that was there before the cancel counts, though its child is still being ended.
#[tokio::test]
async fn an_answer_that_was_there_counts() {
    let mut world = World::new(
        "trap 'echo > [root]/asked' TERM; READY; while :; do read x <&$MURMUR_SPAWNER_LIFELINE; done",
    );
    world.bounds.grace = Duration::from_millis(400);
    let asked = world.root().join("asked");
    let (shown, _) = canceled(&world, || asked.exists()).await;
    assert!(shown.starts_with("passed, output \"ANSWER\"\n"), "{shown}");
    assert!(
        shown.ends_with(" ses_child local/worker 0.1.0 None"),
        "{shown}"
    );
}

/// decision: a step whose future is dropped leaves no child behind.
#[tokio::test]
async fn a_dropped_step_leaves_no_child() {
    let world = World::with_door(
        "echo $$ > [root]/pid; trap '' TERM; READY; while :; do read x <&$MURMUR_SPAWNER_LIFELINE; done",
        |_, _| Say::Nothing,
    );
    let (call, _reported) = call(Cancel::never());
    let capsules = world.capsules();
    let step = tokio::spawn(async move { capsules.run(call).await });
    while world.door.heard().is_empty() {
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    step.abort();
    assert!(step.await.unwrap_err().is_cancelled());
    let pid = fs::read_to_string(world.root().join("pid")).unwrap();
    assert!(!crate::space::is_alive(pid.trim()));
}
