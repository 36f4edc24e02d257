//! Capsule steps that go as they should, and those of a session that delegates to nobody.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::PathBuf,
    sync::{Arc, OnceLock},
};

use plan_exec::{Cancel, CapsuleExecutor, UndelegatedCapsules};

use crate::{
    roost_listener::Say,
    roost_world::{STAYS, World, call, completed, told, work_folder},
    space::shown,
};

/// spec: Capsule steps: without a daemon to ask, a step fails with what is missing and reports no delegation.
#[tokio::test]
async fn a_capsule_step_fails_with_what_is_missing() {
    let mut lines = String::new();
    for capsules in [
        UndelegatedCapsules::without_daemon(),
        UndelegatedCapsules::because("nobody is there"),
    ] {
        let (call, mut reported) = call(Cancel::never());
        lines.push_str(&shown(&capsules.run(call).await));
        lines.push('\n');
        assert_eq!(reported.recv().await, None);
    }
    insta::assert_snapshot!(lines, @r#"
    failed "capsule `worker` was not started: `MURMUR_ROOST_URL` is unset, so there is no daemon to ask", no output
    failed "capsule `worker` was not started: nobody is there", no output
    "#);
}

/// spec: Capsule steps: a child is approved, launched, handed its task, and ended when it has answered.
#[tokio::test]
async fn a_task_is_delegated_and_its_answer_is_the_output() {
    let world = World::new(STAYS);
    insta::assert_snapshot!(world.shown().await, @r#"
    passed, output "ANSWER"
    started [dlg] local/worker 0.1.0 ses_child [root]/records/children/worker-[hex] [root]/child
    completed [dlg] ses_child local/worker 0.1.0 None
    "#);
    insta::assert_snapshot!(world.masked(&format!("{:?}\n{:?}", world.roost.heard(), world.door.heard())), @r#"
    [/spawn content-type: application/json, x-murmur-spawn-credential: cred-7f3a {"name":"local/worker","version":"0.1.0"}]
    [/ a2a-version: 1.0, authorization: Bearer oper-55de, content-type: application/json {"jsonrpc":"2.0","id":"[dlg]","method":"SendMessage","params":{"message":{"messageId":"msg_[dlg]","role":"ROLE_USER","parts":[{"text":"do \"it\"","mediaType":"text/plain"}]}}}]
    "#);
    for folder in [work_folder(&world), world.root().join("records/children")] {
        let mode = fs::metadata(folder).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o700);
    }
    assert!(!world.root().join("child/completion.json").exists());
}

/// spec: Capsule steps: a child's words, environment, standard input and descriptors.
#[tokio::test]
async fn a_child_gets_what_it_must_and_nothing_else() {
    let mut world = World::new(
        "cat > [root]/input
         for word; do echo \"$word\"; done > [root]/words
         pwd > [root]/pwd
         env | sort > [root]/environment
         ls /proc/$$/fd > [root]/descriptors
         stat -c %d:%i . > [root]/identity
         READY",
    );
    let list = |names: &[&str]| {
        names
            .iter()
            .map(|&name| name.to_owned())
            .collect::<Vec<_>>()
    };
    world.env_allow = list(&["KEY", "OTHER", "HOME", "MURMUR_DOOR_TOKEN", "ABSENT"]);
    world.child_env_allow = Ok(list(&[
        "MURMUR_DOOR_TOKEN",
        "NOT_OURS",
        "KEY",
        "ABSENT",
        "KEY",
    ]));
    let mut spec = world.spec();
    spec.deadline_ms = Some(1_764_600_000_000);
    spec.formation_id = Some("frm_1".into());
    let (call, _reported) = call(Cancel::never());
    plan_exec::RoostCapsules::new(spec).run(call).await;
    insta::assert_snapshot!(world.file("input"), @"appr-19bc");
    let words = world
        .file("words")
        .replace(world.file("identity").trim(), "[identity]");
    insta::assert_snapshot!(words, @r"
    run
    --capsule
    local/worker
    --capsule-version
    0.1.0
    --workdir
    [root]/records/children/worker-[hex]
    --workdir-identity
    [identity]
    --json
    --readiness-tokens
    --no-env-file
    --spawn-grant-stdin
    --inherited-deadline
    1764600000000
    ");
    insta::assert_snapshot!(world.file("pwd"), @"[root]/records/children/worker-[hex]");
    let environment = world.file("environment");
    let lifeline = environment
        .lines()
        .find_map(|line| line.strip_prefix("MURMUR_SPAWNER_LIFELINE="))
        .unwrap()
        .to_owned();
    insta::assert_snapshot!(environment.replace(&format!("LIFELINE={lifeline}"), "LIFELINE=[lifeline]"), @r#"
    HOME=/home/parent
    KEY=key
    MURMUR_FORMATION_ID=frm_1
    MURMUR_HOST_WARNINGS_REPORTED=1
    MURMUR_ROOST_URL=http://[roost]
    MURMUR_SPAWNER={"session_id":"ses_parent","context_id":"ctx_parent","delegation_id":"[dlg]"}
    MURMUR_SPAWNER_LIFELINE=[lifeline]
    PATH=/usr/bin:/bin
    PWD=[root]/records/children/worker-[hex]
    USER=parent
    "#);
    assert!(lifeline.parse::<u32>().unwrap() >= 3);
    let descriptors: Vec<_> = world
        .file("descriptors")
        .lines()
        .map(str::to_owned)
        .collect();
    // The shell keeps its script open at a number of its own.
    let own: Vec<_> = descriptors.iter().filter(|fd| fd.len() == 1).collect();
    assert_eq!(own, ["0", "1", "2", &lifeline], "{descriptors:?}");
}

/// spec: Capsule steps: a child of another make, which tells of an unfinished task, is asked again until it is over.
#[tokio::test]
async fn an_unfinished_task_is_followed() {
    let world = World::with_door(STAYS, |_, number| match number {
        0 => Say::Json(200, told("SUBMITTED", "")),
        1 | 2 => Say::Json(200, told("WORKING", "")),
        _ => Say::Json(200, completed("late")),
    });
    assert!(world.shown().await.starts_with("passed, output \"late\"\n"));
    let heard = world.door.heard();
    assert_eq!(heard.len(), 4);
    let asked = world.masked(&format!("{:?}", heard[1]));
    insta::assert_snapshot!(asked, @r#"/ a2a-version: 1.0, authorization: Bearer oper-55de, content-type: application/json {"jsonrpc":"2.0","id":"[dlg]","method":"GetTask","params":{"id":"tsk_1"}}"#);
    assert!(heard[2] == heard[1] && heard[3] == heard[1]);
}

/// spec: Capsule steps: a child that exits while its answer is on its way has it counted, and one that has exited
/// with it in the file alone as well.
#[tokio::test]
async fn a_child_may_exit_right_after_its_task() {
    let go: Arc<OnceLock<PathBuf>> = Arc::default();
    let door_go = Arc::clone(&go);
    let world = World::with_door("read approval; READY; read go < [root]/go", move |_, _| {
        // Opening it waits for the child to open it, which then exits.
        fs::write(door_go.get().unwrap(), "go\n").unwrap();
        Say::Json(200, completed("ANSWER"))
    });
    let fifo = world.root().join("go");
    nix::unistd::mkfifo(&fifo, nix::sys::stat::Mode::S_IRWXU).unwrap();
    go.set(fifo).unwrap();
    let shown = world.shown().await;
    assert!(shown.starts_with("passed, output \"ANSWER\"\n"), "{shown}");
}
