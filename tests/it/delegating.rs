//! Capsule steps through the built command, a scripted daemon and scripted children.

use std::{
    collections::HashSet,
    fs,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use nix::sys::signal::Signal;

use crate::{
    command::executable,
    ended::{Ended, text},
    fake_child::{FakeChild, OPERATOR, STAYS, completed, store},
    fake_roost::{APPROVAL, CREDENTIAL, FakeRoost, approve},
    space::{Call, Space},
};

/// Returns a space that may delegate to `local/worker`.
fn space() -> Space {
    Space::new()
        .grants("shell: {allow: [sh]}\n  spawn: {allow: [local/worker]}\n  env: {allow: [SHARED]}")
}

/// Returns a run of these steps with a daemon.
fn delegating<'s>(space: &'s Space, roost: &FakeRoost, steps: &str) -> Call<'s> {
    space
        .steps(steps)
        .env("MURMUR_ROOST_URL", roost.url())
        .env("MURMUR_MUR_BINARY", space.path("child"))
}

const STEP: &str = r#"{"id": "a", "capsule": "worker", "input": {"objective": "do it"}}"#;

/// Returns the lines of delegations and of the task, what varies masked.
fn delegations(ended: &Ended) -> String {
    let kinds = [
        "delegation_start",
        "delegation",
        "plan_step",
        "plan_end",
        "task_canceled",
        "task_end",
    ];
    let mut shown = String::new();
    for line in &ended.trace().lines {
        let kind = text(&line["event_type"]);
        if !kinds.contains(&kind) {
            continue;
        }
        shown.push_str(kind);
        for key in [
            "step_id",
            "capsule",
            "delegation_id",
            "child_session_id",
            "child_workdir",
            "child_records_dir",
            "delegation_ids",
            "outcome",
            "status",
            "reason",
            "exit_status",
        ] {
            if let Some(value) = line.get(key) {
                shown.push_str(&format!(" {key}={value}"));
            }
        }
        shown.push('\n');
    }
    masked(&ended.masked(&shown))
}

/// Masks ids of delegations, and the random part of a work folder's name.
fn masked(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(at) = text.find("dlg_0") {
        text.replace_range(at..at + 36, "dlg_[..]");
    }
    let mut parts = text.split("worker-");
    let mut shown = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let hex = part.chars().take_while(char::is_ascii_hexdigit).count();
        let hex = if hex == 16 { 16 } else { 0 };
        shown.push_str(if hex == 16 { "worker-[hex]" } else { "worker-" });
        shown.push_str(&part[hex..]);
    }
    shown
}

/// spec: Capsule steps; spec: In the trace: a task is delegated, and its answer is the step's output.
#[test]
fn a_task_is_delegated() {
    let space = space();
    let roost = FakeRoost::approving();
    let script = format!("env | sort > [space]/environment; echo hello >&2; {STAYS}");
    let child = FakeChild::install(&space, &script, |_, _| completed("done"));
    let ended = delegating(&space, &roost, STEP)
        .env("SHARED", "yes")
        .env("NOT_THE_PARENTS", "no")
        .run();
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 0 completed failed_step null
      a success, output "done"
    plan_start 1 steps
    plan_step_start a capsule
    plan_step a success, attempts 1
    plan_end completed, 1 = 1 + 0 + 0
    "#);
    insta::assert_snapshot!(delegations(&ended), @r#"
    delegation_start capsule="local/worker" delegation_id="dlg_[..]" child_session_id="ses_worker-[hex]" child_workdir="[space]/home/records[space]/dir/ses_[..]/children/worker-[hex]" child_records_dir="[space]/home/records[space]/dir/ses_[..]/children/worker-[hex]/records"
    delegation capsule="local/worker" delegation_id="dlg_[..]" child_session_id="ses_worker-[hex]" outcome="completed" reason=null
    plan_step step_id="a" status="success"
    plan_end outcome="completed"
    task_end exit_status="ok"
    "#);
    let session = text(&ended.trace().lines[0]["session_id"]).to_owned();
    let context = text(&ended.trace().of("task_start").next().unwrap()["context_id"]).to_owned();
    let id = text(&ended.trace().of("delegation").next().unwrap()["delegation_id"]).to_owned();
    let heard = format!("{:#?}", roost.heard()).replace(&session, "[session]");
    insta::assert_snapshot!(heard, @r#"
    [
        /register - {"session_id":"[session]","name":"local/space","version":"0.1.0"},
        /spawn cred-4be1c9 {"name":"local/worker","version":"0.1.0"},
        /deregister cred-4be1c9 {"outcome":"complete"},
    ]
    "#);
    assert_eq!(
        child.door.heard()[0].token.as_deref(),
        Some("Bearer oper-77f00d")
    );
    assert!(child.door.heard()[0].body.contains(r#""text":"do it""#));
    let environment = fs::read_to_string(space.path("environment")).unwrap();
    let environment: Vec<_> = environment
        .replace(&session, "[session]")
        .replace(&context, "[context]")
        .replace(&id, "[delegation]")
        .replace(&roost.url(), "[roost]")
        .lines()
        .filter(|line| !line.starts_with("PATH=") && !line.starts_with("MURMUR_SPAWNER_LIFELINE="))
        .map(|line| masked(&ended.masked(line)))
        .collect();
    insta::assert_snapshot!(environment.join("\n"), @r#"
    HOME=[space]/user
    MURMUR_HOST_WARNINGS_REPORTED=1
    MURMUR_ROOST_URL=[roost]
    MURMUR_SPAWNER={"session_id":"[session]","context_id":"[context]","delegation_id":"[delegation]"}
    PWD=[space]/home/records[space]/dir/[session]/children/worker-[hex]
    SHARED=yes
    "#);
    insta::assert_snapshot!(ended.said(), @"
    start   a (capsule)
    hello
    success a (capsule) in [..] s
    ");
}

/// spec: Capsule steps: registering runs beside the first steps, and one that fails fails the capsule steps alone.
#[test]
fn registering_holds_up_no_other_step() {
    let space = space();
    let mut ran = space.fifo("ran");
    let (told, tell) = std::sync::mpsc::channel::<()>();
    let tell = std::sync::Mutex::new(tell);
    let roost = FakeRoost::start(move |asked, _| {
        assert_eq!(asked.path, "/register");
        tell.lock().unwrap().recv().unwrap();
        (
            403,
            r#"{"error":"the session is not known here"}"#.to_owned(),
        )
    });
    let steps = format!(r#"{STEP}, {{"id": "b", "shell": "sh -c 'echo > ran'"}}"#).replacen(
        '}',
        r#"}, "on_error": "continue""#,
        1,
    );
    let mut running = delegating(&space, &roost, &steps).start();
    ran.wait();
    running.wait_for("success b");
    told.send(()).unwrap();
    let ended = running.wait();
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 0 completed failed_step null
      b success, output ""
      a failed, error "the session is not known here"
    plan_start 2 steps
    plan_step_start a capsule
    plan_step_start b shell
    plan_step b success, attempts 1
    plan_step a failed, attempts 1, error "the session is not known here"
    plan_end completed, 2 = 1 + 1 + 0
    "#);
    assert_eq!(ended.trace().of("delegation").count(), 0);
    assert_eq!(roost.heard().len(), 1);
}

/// spec: Capsule steps: a refusal is tried `1 + retries` times, each with a line of its own.
#[test]
fn a_refusal_is_tried_again() {
    let space = space();
    let roost = FakeRoost::start(|asked, number| match number {
        0 => approve(asked),
        _ => (403, r#"{"error":"4 live children already"}"#.to_owned()),
    });
    let ended = delegating(
        &space,
        &roost,
        &STEP.replace("\"a\",", r#""a", "retries": 2,"#),
    )
    .run();
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 1 not completed failed_step "a"
      a failed, error "4 live children already"
    plan_start 1 steps
    plan_step_start a capsule
    plan_step a failed, attempts 3, error "4 live children already"
    plan_end failed, 1 = 0 + 1 + 0, failed_step "a"
    "#);
    insta::assert_snapshot!(delegations(&ended), @r#"
    delegation capsule="local/worker" delegation_id=null child_session_id=null outcome="refused" reason="4 live children already"
    delegation capsule="local/worker" delegation_id=null child_session_id=null outcome="refused" reason="4 live children already"
    delegation capsule="local/worker" delegation_id=null child_session_id=null outcome="refused" reason="4 live children already"
    plan_step step_id="a" status="failed"
    plan_end outcome="failed"
    task_end exit_status="failed"
    "#);
    assert_eq!(ended.status, Some(1));
}

/// spec: When the task is cancelled: the child is ended, and the task writes its line after `task_canceled`.
#[test]
fn a_cancel_ends_the_child() {
    let space = space();
    let roost = FakeRoost::approving();
    let child = FakeChild::install(&space, STAYS, |_, _| (0, String::new()));
    let steps =
        format!(r#"{STEP}, {{"id": "b", "capsule": "worker", "input": "x", "depends_on": ["a"]}}"#);
    let running = delegating(&space, &roost, &steps).start();
    child.door.wait_for(1);
    let at = Instant::now();
    running.signal(Signal::SIGTERM);
    let ended = running.wait();
    assert!(at.elapsed() < Duration::from_secs(4), "{:?}", at.elapsed());
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 130 canceled failed_step null
      b skipped, error "the task running this plan was cancelled before this step ran"
      a failed, error "the task running this plan was cancelled; this step's sub-capsule was ended with it"
    plan_start 2 steps
    plan_step_start a capsule
    plan_step b skipped, attempts 0, error "the task running this plan was cancelled before this step ran"
    plan_step a failed, attempts 1, error "the task running this plan was cancelled; this step's sub-capsule was ended with it"
    plan_end canceled, 2 = 0 + 1 + 1, reason "the task running this plan was cancelled"
    task_canceled
    "#);
    insta::assert_snapshot!(delegations(&ended), @r#"
    delegation_start capsule="local/worker" delegation_id="dlg_[..]" child_session_id="ses_worker-[hex]" child_workdir="[space]/home/records[space]/dir/ses_[..]/children/worker-[hex]" child_records_dir="[space]/home/records[space]/dir/ses_[..]/children/worker-[hex]/records"
    plan_step step_id="b" status="skipped"
    plan_step step_id="a" status="failed"
    plan_end outcome="canceled" reason="the task running this plan was cancelled"
    task_canceled delegation_ids=["dlg_[..]"]
    delegation capsule="local/worker" delegation_id="dlg_[..]" child_session_id="ses_worker-[hex]" outcome="terminated" reason="the delegating task was cancelled"
    task_end exit_status="canceled"
    "#);
    let start = ended.trace().of("delegation_start").next().unwrap().clone();
    let completion =
        fs::read_to_string(Path::new(text(&start["child_records_dir"])).join("completion.json"));
    let completion: serde_json::Value = serde_json::from_str(&completion.unwrap()).unwrap();
    assert_eq!(completion["delegation_id"], start["delegation_id"]);
    assert_eq!(completion["status"], "terminated");
    let last = roost.heard().pop().unwrap();
    assert_eq!(
        (last.path.as_str(), last.body.as_str()),
        ("/deregister", r#"{"outcome":"failed"}"#)
    );
}

/// ruling 27: ten children that are deaf to SIGTERM take one grace together.
#[test]
fn ten_children_take_one_grace() {
    let space = space();
    let roost = FakeRoost::approving();
    let deaf = "trap '' TERM; READY; while :; do read x <&$MURMUR_SPAWNER_LIFELINE; done";
    let child = FakeChild::install(&space, deaf, |_, _| (0, String::new()));
    let steps: Vec<_> = (0..10)
        .map(|n| STEP.replace("\"a\"", &format!("\"s{n}\"")))
        .collect();
    let running = delegating(&space, &roost, &steps.join(","))
        .args(&["--capsules", "10"])
        .start();
    child.door.wait_for(10);
    let at = Instant::now();
    running.signal(Signal::SIGINT);
    let ended = running.wait();
    let took = at.elapsed();
    assert!(
        took > Duration::from_secs(5) && took < Duration::from_secs(9),
        "{took:?}"
    );
    assert_eq!(ended.status, Some(130));
    let canceled = ended.trace().of("task_canceled").next().unwrap();
    assert_eq!(canceled["delegation_ids"].as_array().unwrap().len(), 10);
}

/// spec: When the task is cancelled: a parent that is killed ends nothing, and its child learns by its lifeline,
/// whatever else the parent has started.
#[test]
fn a_child_learns_that_its_parent_was_killed() {
    let space = space();
    let roost = FakeRoost::approving();
    let mut ended = space.fifo("ended");
    let mut started = space.fifo("started");
    let script = "READY; while read x <&$MURMUR_SPAWNER_LIFELINE; do :; done; echo spawner_ended > [space]/dir/ended";
    let child = FakeChild::install(&space, script, |_, _| (0, String::new()));
    let never = space.fifo("never");
    let commands: Vec<_> = (0..16)
        .map(|n| format!(r#"{{"id": "s{n}", "shell": "sh -c 'echo > started; read x < never'"}}"#))
        .collect();
    let children: Vec<_> = (0..4)
        .map(|n| STEP.replace("\"a\"", &format!("\"c{n}\"")))
        .collect();
    let mut steps = commands;
    // In between each other, so that each is started while others are being started.
    for (n, child) in children.into_iter().enumerate() {
        steps.insert(n * 5, child);
    }
    let running = delegating(&space, &roost, &steps.join(",")).start();
    for _ in 0..16 {
        started.wait();
    }
    child.door.wait_for(4);
    running.signal(Signal::SIGKILL);
    // The commands live on, and none of them holds a lifeline.
    for _ in 0..4 {
        assert_eq!(ended.wait(), "spawner_ended");
    }
    drop(running);
    let mut never = never;
    for _ in 0..16 {
        never.tell();
    }
    let completions = space.path("home");
    assert!(!finds(&completions, "completion.json"));
}

/// ruling 19: four capsule steps at once, each with a child, an id and a folder of its own.
#[test]
fn four_children_run_at_once() {
    let space = space();
    let roost = FakeRoost::approving();
    let (now, most) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
    let most_seen = Arc::clone(&most);
    let all_there = Arc::new(std::sync::Barrier::new(4));
    let child = FakeChild::install(&space, STAYS, move |_, number| {
        let at_once = now.fetch_add(1, Ordering::SeqCst) + 1;
        most_seen.fetch_max(at_once, Ordering::SeqCst);
        if number < 4 {
            all_there.wait();
        }
        now.fetch_sub(1, Ordering::SeqCst);
        completed("done")
    });
    let steps: Vec<_> = (0..6)
        .map(|n| STEP.replace("\"a\"", &format!("\"s{n}\"")))
        .collect();
    let ended = delegating(&space, &roost, &steps.join(",")).run();
    assert_eq!(ended.status, Some(0), "{}", ended.stderr);
    assert_eq!(most.load(Ordering::SeqCst), 4);
    assert_eq!(child.door.heard().len(), 6);
    for key in ["delegation_id", "child_workdir", "child_session_id"] {
        let all: HashSet<_> = ended
            .trace()
            .of("delegation_start")
            .map(|line| text(&line[key]))
            .collect();
        assert_eq!(all.len(), 6, "{key}");
    }
}

/// ruling 26: a long answer is cut, and the whole is among what the session keeps.
#[test]
fn a_long_answer_is_kept_whole() {
    let space = space();
    let roost = FakeRoost::approving();
    let answer = format!("{}é{}", "x".repeat(65_535), "y".repeat(135_000));
    let told = answer.clone();
    FakeChild::install(&space, STAYS, move |_, _| completed(&told));
    let ended = delegating(&space, &roost, STEP).run();
    let output = ended.output("a");
    let (text, note) = output.split_once(" […]\n").unwrap();
    assert_eq!(text, "x".repeat(65_535));
    let id = note.split("delegations/").nth(1).unwrap();
    let name = id.split(' ').next().unwrap();
    assert_eq!(
        note,
        format!(
            "[cut at 65535 of 200537 bytes; the whole answer is delegations/{name} in the runtime directory]"
        )
    );
    let kept = ended.trace().path.with_file_name("delegations").join(name);
    assert_eq!(fs::read_to_string(kept).unwrap(), answer);
}

/// spec: Bad input: what the environment says wrongly is told in the step, and the rest of the plan goes on.
#[test]
fn a_wrong_environment_is_told_in_the_step() {
    let space = space();
    let steps = format!(r#"{STEP}, {{"id": "b", "shell": "sh -c true"}}"#).replacen(
        '}',
        r#"}, "on_error": "continue""#,
        1,
    );
    let mut all = String::new();
    for (name, value) in [
        ("MURMUR_ROOST_URL", "https://127.0.0.1:1"),
        ("MURMUR_ROOST_URL", "http://example.com"),
        ("MURMUR_ROOST_URL", " "),
        ("MURMUR_DELEGATION_TIMEOUT_SECS", "0"),
        ("MURMUR_DELEGATION_TIMEOUT_SECS", "soon"),
    ] {
        let ended = space
            .steps(&steps)
            .env("MURMUR_ROOST_URL", "http://127.0.0.1:1")
            .env(name, value)
            .run();
        assert_eq!(ended.status, Some(0));
        assert_eq!(ended.trace().of("delegation").count(), 0);
        all.push_str(&format!("{}\n", ended.error("a")));
    }
    insta::assert_snapshot!(all, @"
    capsule `worker` was not started: `MURMUR_ROOST_URL` is `https://127.0.0.1:1`, which is not an `http` URL; write one like `http://127.0.0.1:7700`
    capsule `worker` was not started: `MURMUR_ROOST_URL` names the host `example.com`, and only a daemon on loopback is asked; write one like `http://127.0.0.1:7700`
    capsule `worker` was not started: `MURMUR_ROOST_URL` is unset, so there is no daemon to ask
    capsule `worker` was not started: `MURMUR_DELEGATION_TIMEOUT_SECS` is `0`, which is no positive whole number of seconds
    capsule `worker` was not started: `MURMUR_DELEGATION_TIMEOUT_SECS` is `soon`, which is no positive whole number of seconds
    ");
}

/// spec: Capsule steps: the time for an answer is the environment's to say.
#[test]
fn a_child_that_does_not_answer_in_time_is_ended() {
    let space = space();
    let roost = FakeRoost::approving();
    FakeChild::install(&space, STAYS, |_, _| (0, String::new()));
    let ended = delegating(&space, &roost, STEP)
        .env("MURMUR_DELEGATION_TIMEOUT_SECS", "1")
        .run();
    insta::assert_snapshot!(delegations(&ended), @r#"
    delegation_start capsule="local/worker" delegation_id="dlg_[..]" child_session_id="ses_worker-[hex]" child_workdir="[space]/home/records[space]/dir/ses_[..]/children/worker-[hex]" child_records_dir="[space]/home/records[space]/dir/ses_[..]/children/worker-[hex]/records"
    delegation capsule="local/worker" delegation_id="dlg_[..]" child_session_id="ses_worker-[hex]" outcome="timed_out" reason="capsule `local/worker` did not answer within 1 s"
    plan_step step_id="a" status="failed"
    plan_end outcome="failed"
    task_end exit_status="failed"
    "#);
}

/// spec: Capsule steps: a child whose artifact cannot be read is not launched.
#[test]
fn a_child_without_an_artifact_is_not_launched() {
    let space = space();
    let roost = FakeRoost::approving();
    let first = delegating(&space, &roost, STEP).run();
    store(&space, "capabilities: [");
    let second = delegating(&space, &roost, STEP).run();
    insta::assert_snapshot!(format!("{}\n{}", first.error("a"), second.error("a")), @"
    capsule `local/worker` was not launched: cannot read `murmur.yaml` in its artifact `[space]/user/.murmur/artifacts/local/worker/0.1.0/worker-0.1.0.mur.zip`: No such file or directory (os error 2)
    capsule `local/worker` was not launched: cannot read `murmur.yaml` in its artifact `[space]/user/.murmur/artifacts/local/worker/0.1.0/worker-0.1.0.mur.zip`: it is not YAML of a manifest: line 1 column 15: expected mapping start
    ");
}

/// spec: Capsule steps: no token is in a file, an argument, an environment or an output of a run, nor in what its
/// child was started with.
#[test]
fn tokens_are_nowhere_to_be_seen() {
    let space = space();
    let roost = FakeRoost::approving();
    let script = format!(
        "echo $PPID > [space]/parent; tr '\\0' '\\n' < /proc/$$/environ > environment; tr '\\0' '\\n' < /proc/$$/cmdline > words; {}",
        STAYS.replace("READY", "echo \"given $approval\" >&2; READY")
    );
    let child = FakeChild::install(&space, &script, |_, _| (0, String::new()));
    // What is written on purpose by the test is no leak.
    fs::remove_file(space.path("child.txt")).unwrap();
    let running = delegating(&space, &roost, STEP).start();
    child.door.wait_for(1);
    // What any process of the same user can see of the command.
    let parent = fs::read_to_string(space.path("parent")).unwrap();
    let process = Path::new("/proc").join(parent.trim());
    let seen_outside = ["cmdline", "environ"].map(|name| fs::read(process.join(name)).unwrap());
    assert!(seen_outside[0].starts_with(executable().as_os_str().as_encoded_bytes()));
    running.signal(Signal::SIGTERM);
    let ended = running.wait();
    assert!(
        ended.stderr.contains("given [a secret]"),
        "{}",
        ended.stderr
    );
    let mut texts = vec![
        ("its process".to_owned(), seen_outside.concat()),
        (
            "its outputs".to_owned(),
            format!("{}{}", ended.stdout, ended.stderr).into_bytes(),
        ),
    ];
    collect(&space.path("home"), &mut texts);
    collect(&space.path("dir"), &mut texts);
    assert!(texts.len() >= 6, "{texts:?}");
    for (name, text) in texts {
        for token in [CREDENTIAL, APPROVAL, OPERATOR] {
            let found = text
                .windows(token.len())
                .any(|part| part == token.as_bytes());
            assert!(!found, "{token} in {name}");
        }
    }
}

/// spec: Capsule steps: a daemon that is slow to say goodbye to holds the command up for no longer than two seconds.
#[test]
fn a_silent_goodbye_is_not_waited_for() {
    let space = space();
    let roost = FakeRoost::start(|asked, _| match asked.path.as_str() {
        "/deregister" => (0, String::new()),
        _ => approve(asked),
    });
    FakeChild::install(&space, STAYS, |_, _| completed("done"));
    let ended = delegating(&space, &roost, STEP).run();
    assert_eq!(ended.status, Some(0));
    assert_eq!(roost.heard().last().unwrap().path, "/deregister");
}

fn finds(folder: &Path, name: &str) -> bool {
    let mut texts = Vec::new();
    collect(folder, &mut texts);
    texts.iter().any(|(path, _)| path.ends_with(name))
}

fn collect(folder: &Path, texts: &mut Vec<(String, Vec<u8>)>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let kind = fs::symlink_metadata(&path).unwrap().file_type();
        if kind.is_dir() {
            collect(&path, texts);
        } else if kind.is_file() {
            texts.push((path.display().to_string(), fs::read(&path).unwrap()));
        }
    }
}
