//! What children may do, and what becomes of their step.

use std::{
    fs,
    os::unix::fs::symlink,
    time::{Duration, Instant},
};

use plan_exec::{Cancel, CapsuleExecutor, ChildProgram};

use crate::{
    roost_listener::Say,
    roost_world::{STAYS, World, call, completed, told, work_folder},
};

/// spec: Capsule steps: a child that does not report itself is ended, and its step quotes its exit and last lines.
#[tokio::test]
async fn a_child_that_does_not_report_itself_fails_the_launch() {
    let scripts = [
        "echo starting >&2; echo no such capsule >&2; exit 3",
        "kill -9 $$",
        "echo hello; read x <&$MURMUR_SPAWNER_LIFELINE",
        "echo '{\"session_id\":\"ses_1\"}'; read x <&$MURMUR_SPAWNER_LIFELINE",
        "exec >&-; read x <&$MURMUR_SPAWNER_LIFELINE",
        "head -c 70000 /dev/zero | tr '\\0' x; read x <&$MURMUR_SPAWNER_LIFELINE",
        "exit 0",
    ];
    let mut all = String::new();
    for script in scripts {
        let world = World::new(script);
        all.push_str(&world.shown().await);
        all.push('\n');
        assert_eq!(world.door.heard(), []);
    }
    insta::assert_snapshot!(all, @r#"
    failed "capsule `local/worker` ended before it reported itself (exit code 3); its last lines:\nstarting\nno such capsule", no output
    failed null null local/worker 0.1.0 Some("capsule `local/worker` ended before it reported itself (exit code 3); its last lines:\nstarting\nno such capsule")
    failed "capsule `local/worker` ended before it reported itself (killed by signal 9 (SIGKILL))", no output
    failed null null local/worker 0.1.0 Some("capsule `local/worker` ended before it reported itself (killed by signal 9 (SIGKILL))")
    failed "capsule `local/worker` did not report itself: its first line is not a JSON object (killed by signal 15 (SIGTERM))", no output
    failed null null local/worker 0.1.0 Some("capsule `local/worker` did not report itself: its first line is not a JSON object (killed by signal 15 (SIGTERM))")
    failed "capsule `local/worker` did not report itself: its first line has no `records_dir` that is an absolute path (killed by signal 15 (SIGTERM))", no output
    failed null null local/worker 0.1.0 Some("capsule `local/worker` did not report itself: its first line has no `records_dir` that is an absolute path (killed by signal 15 (SIGTERM))")
    failed "capsule `local/worker` closed its standard output before it reported itself (killed by signal 15 (SIGTERM))", no output
    failed null null local/worker 0.1.0 Some("capsule `local/worker` closed its standard output before it reported itself (killed by signal 15 (SIGTERM))")
    failed "capsule `local/worker` did not report itself: its first line has no end (killed by signal 15 (SIGTERM))", no output
    failed null null local/worker 0.1.0 Some("capsule `local/worker` did not report itself: its first line has no end (killed by signal 15 (SIGTERM))")
    failed "capsule `local/worker` ended before it reported itself (exit code 0)", no output
    failed null null local/worker 0.1.0 Some("capsule `local/worker` ended before it reported itself (exit code 0)")
    "#);
}

/// spec: Capsule steps: a child that never reports itself is ended when its time is over.
#[tokio::test]
async fn a_child_that_never_reports_itself_is_ended() {
    let mut world = World::new(
        "trap 'echo bye >&2; exit 7' TERM; echo waiting >&2; while :; do read x <&$MURMUR_SPAWNER_LIFELINE; done",
    );
    world.bounds.readiness = Duration::from_millis(300);
    insta::assert_snapshot!(world.shown().await, @r#"
    failed "capsule `local/worker` did not report itself within 300 ms (exit code 7); its last lines:\nwaiting\nbye", no output
    failed null null local/worker 0.1.0 Some("capsule `local/worker` did not report itself within 300 ms (exit code 7); its last lines:\nwaiting\nbye")
    "#);
}

/// spec: Capsule steps: a program that cannot be started fails the launch.
#[tokio::test]
async fn a_program_that_is_not_there_fails_the_launch() {
    let world = World::new(STAYS);
    let mut spec = world.spec();
    spec.program = ChildProgram {
        word: "no-such-mur".into(),
        path: "/usr/bin:/bin".into(),
    };
    let (call, mut reported) = call(Cancel::never());
    let outcome = plan_exec::RoostCapsules::new(spec).run(call).await;
    insta::assert_snapshot!(crate::space::shown(&outcome), @r#"failed "capsule `local/worker` was not launched: cannot start `no-such-mur`: not found on PATH", no output"#);
    assert!(reported.recv().await.is_some());
    assert_eq!(reported.recv().await, None);
}

/// spec: Capsule steps: a child that serves no A2A fails its step after it has been seen to come up.
#[tokio::test]
async fn a_child_without_an_address_fails_after_it_came_up() {
    let world = World::new(
        "echo '{\"session_id\":\"ses_1\",\"records_dir\":\"/r\",\"url\":\"\"}'; read x <&$MURMUR_SPAWNER_LIFELINE",
    );
    insta::assert_snapshot!(world.shown().await, @r#"
    failed "capsule `local/worker` bound no address, so it cannot be handed a task", no output
    started [dlg] local/worker 0.1.0 ses_1 [root]/records/children/worker-[hex] /r
    failed [dlg] ses_1 local/worker 0.1.0 Some("capsule `local/worker` bound no address, so it cannot be handed a task")
    "#);
}

/// spec: Capsule steps: a child that ends before, or during, its task fails the step, whatever its status before the
/// task.
#[tokio::test]
async fn a_child_that_ends_early_fails_its_step() {
    // Its door is not open, so it is tried again until the child is gone.
    let gone = World::new(
        "printf '%s\\n' '{\"session_id\":\"ses_1\",\"records_dir\":\"/r\",\"url\":\"127.0.0.1:1\"}'; echo sorry >&2; exit 0",
    );
    let before = gone.shown().await;
    let world = World::with_door(
        "READY; read go < [root]/go; echo sorry >&2; exit 4",
        |_, _| Say::Nothing,
    );
    let during = world_ended_by(&world, "go").await;
    insta::assert_snapshot!(format!("{before}\n{during}"), @r#"
    failed "capsule `local/worker` ended before it took the task (exit code 0); its last lines:\nsorry", no output
    started [dlg] local/worker 0.1.0 ses_1 [root]/records/children/worker-[hex] /r
    failed [dlg] ses_1 local/worker 0.1.0 Some("capsule `local/worker` ended before it took the task (exit code 0); its last lines:\nsorry")
    failed "capsule `local/worker` ended before it answered (exit code 4); its last lines:\nsorry", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` ended before it answered (exit code 4); its last lines:\nsorry")
    "#);
}

/// Runs a step whose child waits for a word through the pipe `name` once it has the task.
async fn world_ended_by(world: &World, name: &str) -> String {
    let fifo = world.root().join(name);
    nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
    let told = async {
        while world.door.heard().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        tokio::task::spawn_blocking(move || fs::write(fifo, "go\n"))
            .await
            .unwrap()
            .unwrap();
    };
    let (shown, ()) = tokio::join!(world.shown(), told);
    shown
}

/// spec: Capsule steps: a door that closed first is no failure when the child has exited with status 0 and left a
/// result.
#[tokio::test]
async fn a_result_file_decides_when_the_door_closed_first() {
    let left = |name: &str, status: u8| {
        format!(
            "READY; read go < [root]/go; mkdir -p [root]/child/out; echo done > [root]/child/out/{name}; exit {status}"
        )
    };
    let mut all = String::new();
    for (name, status) in [
        ("result.txt", 0),
        ("result_tsk_9.txt", 0),
        ("other.txt", 0),
        ("result.txt", 1),
    ] {
        let world = World::with_door(&left(name, status), |_, _| Say::Nothing);
        all.push_str(&world_ended_by(&world, "go").await);
        all.push('\n');
    }
    // The door closes with the request open, and the child stays.
    let world = World::with_door(STAYS, |_, _| Say::Raw(Vec::new()));
    all.push_str(&world.shown().await);
    insta::assert_snapshot!(all, @r#"
    passed, output "done\n"
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    completed [dlg] ses_child local/worker 0.1.0 None
    passed, output "done\n"
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    completed [dlg] ses_child local/worker 0.1.0 None
    failed "capsule `local/worker` exited before it answered, and left no result file", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` exited before it answered, and left no result file")
    failed "capsule `local/worker` ended before it answered (exit code 1)", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` ended before it answered (exit code 1)")
    failed "capsule `local/worker` closed the connection before its answer was whole", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` closed the connection before its answer was whole")
    "#);
}

/// spec: Capsule steps: an answer that is only in a file is found, in the order of the files; a link is refused.
#[tokio::test]
async fn an_answer_that_is_only_in_a_file_is_found() {
    let mut all = Vec::new();
    for name in [
        "child/out/result_tsk_1.txt",
        "child/out/result.txt",
        "out/result.txt",
        "nowhere",
    ] {
        let script = format!(
            "mkdir -p out [root]/child/out; echo from {name} > {}; READY; read x <&$MURMUR_SPAWNER_LIFELINE",
            name.replace("child/", "[root]/child/")
        );
        let world = World::with_door(&script, |_, _| Say::Json(200, told("COMPLETED", "")));
        all.push(world.shown().await.lines().next().unwrap().to_owned());
    }
    let world = World::with_door(STAYS, |_, _| Say::Json(200, told("COMPLETED", "")));
    fs::create_dir_all(world.root().join("child/out")).unwrap();
    fs::write(world.root().join("secret"), "secret").unwrap();
    symlink("../../secret", world.root().join("child/out/result.txt")).unwrap();
    all.push(world.shown().await);
    insta::assert_snapshot!(all.join("\n"), @r#"
    passed, output "from child/out/result_tsk_1.txt\n"
    passed, output "from child/out/result.txt\n"
    passed, output "from out/result.txt\n"
    passed, output ""
    failed "capsule `local/worker` answered, and its result file `[root]/child/out/result.txt` was not read: it is a link", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` answered, and its result file `[root]/child/out/result.txt` was not read: it is a link")
    "#);
}

/// spec: Capsule steps: a task that failed fails the step in the child's words; any other end says so.
#[tokio::test]
async fn a_task_that_did_not_complete_fails_the_step() {
    let because = r#","x":0,"status":{"state":"TASK_STATE_FAILED","message":{"parts":[{"text":"the model is gone, token oper-55de"}]}}"#;
    let failed = format!(r#"{{"result":{{"task":{{"id":"tsk_1"{because}}}}}}}"#);
    let answers = [
        failed,
        told("REJECTED", ""),
        told("CANCELED", ""),
        told("AUTH_REQUIRED", ""),
        r#"{"jsonrpc":"2.0","id":"x","error":{"code":-32600,"message":"invalid"}}"#.into(),
        r#"{"result":{}}"#.into(),
        "<html>".into(),
    ];
    let mut all = String::new();
    for answer in answers {
        let world = World::with_door(STAYS, move |_, _| Say::Json(200, answer.clone()));
        all.push_str(&world.shown().await);
        all.push('\n');
        assert_eq!(world.door.heard().len(), 1);
    }
    insta::assert_snapshot!(all, @r#"
    failed "the model is gone, token [a secret]", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("the model is gone, token [a secret]")
    failed "capsule `local/worker` failed its task without saying why", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` failed its task without saying why")
    failed "capsule `local/worker` cancelled its task, which this plan did not ask for", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` cancelled its task, which this plan did not ask for")
    failed "capsule `local/worker` told of its task in the unknown state `TASK_STATE_AUTH_REQUIRED`", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` told of its task in the unknown state `TASK_STATE_AUTH_REQUIRED`")
    failed "capsule `local/worker` refused the task with code -32600: invalid", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` refused the task with code -32600: invalid")
    failed "capsule `local/worker` answered the task without saying what became of it", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` answered the task without saying what became of it")
    failed "capsule `local/worker` answered the task with something that is no JSON object", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` answered the task with something that is no JSON object")
    "#);
}

/// spec: Capsule steps: what did not reach the child is sent again; what did is not.
#[tokio::test]
async fn a_task_that_was_not_taken_is_sent_again() {
    let world = World::with_door(STAYS, |_, number| match number {
        0 => Say::Json(503, "{}".into()),
        1 => Say::Json(404, completed("no")),
        _ => Say::Json(200, completed("third")),
    });
    assert!(
        world
            .shown()
            .await
            .starts_with("passed, output \"third\"\n")
    );
    let mut world = World::with_door(STAYS, |_, _| Say::Json(401, "{}".into()));
    world.bounds.door = Duration::from_millis(350);
    insta::assert_snapshot!(world.shown().await, @r#"
    failed "capsule `local/worker` could not be handed the task within 350 ms: it answered the task with 401 Unauthorized", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    failed [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` could not be handed the task within 350 ms: it answered the task with 401 Unauthorized")
    "#);
    // After 100 ms and 200 ms more; the next try would have come too late.
    assert_eq!(world.door.heard().len(), 3);
}

/// spec: Capsule steps: a child that does not answer in time is ended, and the delegation timed out.
#[tokio::test]
async fn a_child_that_does_not_answer_in_time_is_ended() {
    let mut world = World::with_door(
        "trap '' TERM; READY; while :; do read x <&$MURMUR_SPAWNER_LIFELINE; done",
        |_, _| Say::Nothing,
    );
    world.bounds.answer = Duration::from_millis(200);
    world.bounds.grace = Duration::from_millis(200);
    let begun = Instant::now();
    insta::assert_snapshot!(world.shown().await, @r#"
    failed "capsule `local/worker` did not answer within 200 ms", no output
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    timed_out [dlg] ses_child local/worker 0.1.0 Some("capsule `local/worker` did not answer within 200 ms")
    "#);
    assert!(begun.elapsed() >= Duration::from_millis(400));
}

/// ruling 26: answers of 64 KiB exactly, of one byte more, with a character across the cut, and of 200 KiB.
#[tokio::test]
async fn a_long_answer_is_cut_and_kept_whole() {
    let answers = [
        "x".repeat(65_536),
        "x".repeat(65_537),
        format!("{}€uro", "x".repeat(65_535)),
        "y".repeat(200 * 1024),
    ];
    let mut all = String::new();
    for answer in answers {
        let told = completed(&answer);
        let world = World::with_door(STAYS, move |_, _| Say::Json(200, told.clone()));
        let output = world.run().await.outcome.output.unwrap();
        let kept = fs::read_dir(world.root().join("runtime/delegations"));
        let kept: Vec<_> = kept
            .into_iter()
            .flatten()
            .map(|entry| entry.unwrap().path())
            .collect();
        let (text, note) = output.split_once(" […]\n").unwrap_or((&output, "whole"));
        assert!(answer.starts_with(text));
        all.push_str(&format!(
            "{} {} {}\n",
            text.len(),
            kept.len(),
            world.masked(note)
        ));
        for path in kept {
            assert_eq!(fs::read_to_string(path).unwrap(), answer);
        }
    }
    insta::assert_snapshot!(all, @"
    65536 0 whole
    65536 1 [cut at 65536 of 65537 bytes; the whole answer is delegations/[dlg].txt in the runtime directory]
    65535 1 [cut at 65535 of 65541 bytes; the whole answer is delegations/[dlg].txt in the runtime directory]
    65536 1 [cut at 65536 of 204800 bytes; the whole answer is delegations/[dlg].txt in the runtime directory]
    ");
}

/// spec: Capsule steps: a child that floods its standard error is read, echoed, and answers.
#[tokio::test]
async fn a_child_may_flood_its_standard_error() {
    let world = World::when_there(
        "READY; i=0; while [ $i -lt 2000 ]; do echo $i; i=$((i+1)); done >&2; head -c 3000000 /dev/zero | tr '\\0' x >&2; echo > [root]/there; read x <&$MURMUR_SPAWNER_LIFELINE",
        completed("ANSWER"),
    );
    assert!(world.shown().await.starts_with("passed"));
    let world = World::new(
        "i=0; while [ $i -lt 2000 ]; do echo $i; i=$((i+1)); done >&2; head -c 3000000 /dev/zero | tr '\\0' x >&2; echo '' >&2; echo last >&2; echo bad",
    );
    let shown = world.shown().await;
    assert!(shown.len() < 140_000, "{}", shown.len());
    assert!(
        shown.contains("\\nlast\""),
        "{}",
        &shown[shown.len() - 200..]
    );
    let lines = world.said.lines();
    assert_eq!(lines[..2], ["0", "1"]);
    assert_eq!(
        lines.iter().map(String::len).sum::<usize>(),
        6890 + 3_000_000 + 4
    );
}

/// spec: Capsule steps: a child that writes without end and is deaf to SIGTERM is ended all the same.
#[tokio::test]
async fn a_child_that_never_stops_writing_is_ended() {
    let mut world = World::new("trap '' TERM; READY; while :; do echo x >&2; done");
    world.bounds.grace = Duration::from_millis(200);
    let shown = tokio::time::timeout(Duration::from_secs(20), world.shown()).await;
    assert!(shown.unwrap().starts_with("passed, output \"ANSWER\""));
}

/// spec: Capsule steps: what a child leaves in its group is gone with it.
#[tokio::test]
async fn nothing_a_child_left_in_its_group_runs_on() {
    let world = World::new("sleep 300 & echo $! > pid; READY; read x <&$MURMUR_SPAWNER_LIFELINE");
    assert!(world.shown().await.starts_with("passed"));
    let pid = fs::read_to_string(work_folder(&world).join("pid")).unwrap();
    crate::space::wait_for(|| (!crate::space::is_alive(pid.trim())).then_some(()));
}

/// spec: Capsule steps: many children at once, each with descriptors of its own and nothing of another's.
#[tokio::test]
async fn many_children_at_once_share_nothing() {
    let world = World::new(
        "ls /proc/$$/fd > descriptors; echo $MURMUR_SPAWNER_LIFELINE > lifeline; READY; read x <&$MURMUR_SPAWNER_LIFELINE",
    );
    let capsules = world.capsules();
    let mut all = tokio::task::JoinSet::new();
    for _ in 0..24 {
        let capsules = capsules.clone();
        all.spawn(async move {
            let (call, mut reported) = call(Cancel::never());
            let outcome = capsules.run(call).await;
            assert_eq!(crate::space::shown(&outcome), "passed, output \"ANSWER\"");
            reported.recv().await.unwrap()
        });
    }
    let started = all.join_all().await;
    let ids: std::collections::HashSet<_> = started.iter().map(|one| format!("{one:?}")).collect();
    assert_eq!(ids.len(), 24);
    let folders = fs::read_dir(world.root().join("records/children")).unwrap();
    let mut count = 0;
    for folder in folders {
        let folder = folder.unwrap().path();
        let descriptors = fs::read_to_string(folder.join("descriptors")).unwrap();
        let lifeline = fs::read_to_string(folder.join("lifeline")).unwrap();
        let own: Vec<_> = descriptors.lines().filter(|fd| fd.len() == 1).collect();
        assert_eq!(own, ["0", "1", "2", lifeline.trim()], "{descriptors}");
        count += 1;
    }
    assert_eq!(count, 24);
}
