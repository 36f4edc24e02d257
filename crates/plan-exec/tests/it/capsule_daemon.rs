//! What the daemon may say, and what becomes of a step when it says something else.

use std::time::Duration;

use plan_exec::{Cancel, CapsuleCall, CapsuleExecutor, Standing};

use crate::{
    roost_listener::Say,
    roost_world::{STAYS, World, call, to_register},
};

/// Makes an answer of the daemon.
type Answer = Box<dyn Fn() -> Say + Send + Sync>;

/// spec: Capsule steps: the daemon's sentence alone is the error, whatever it is about.
#[tokio::test]
async fn a_refusal_is_handed_on_word_for_word() {
    let sentence = "capsule 'local/worker': 4 live children, the most there may be — wait";
    let world =
        World::with_roost(move |_, _| Say::Json(403, format!(r#"{{"error":"{sentence}"}}"#)));
    insta::assert_snapshot!(world.shown().await, @r#"
    failed "capsule 'local/worker': 4 live children, the most there may be — wait", no output
    refused null null local/worker 0.1.0 Some("capsule 'local/worker': 4 live children, the most there may be — wait")
    "#);
}

/// spec: Bad input: a daemon that answers something else gets a sentence of ours, and nothing is launched.
#[tokio::test]
async fn an_answer_of_another_kind_is_told() {
    let html = "<html><body>It works!</body></html>";
    let whole = |head: &str, body: &str| {
        Say::Raw(
            format!(
                "HTTP/1.1 {head}\r\ncontent-length: {}\r\n\r\n{body}",
                body.len()
            )
            .into(),
        )
    };
    let cases: Vec<(&str, Answer)> = vec![
        ("html", Box::new(move || whole("200 OK", html))),
        (
            "html refusal",
            Box::new(move || whole("403 Forbidden", html)),
        ),
        (
            "redirect",
            Box::new(move || whole("302 Found\r\nlocation: http://127.0.0.1:1/", "")),
        ),
        (
            "error of another type",
            Box::new(|| Say::Json(403, r#"{"error":{"code":7}}"#.into())),
        ),
        (
            "empty error",
            Box::new(|| Say::Json(403, r#"{"error":" "}"#.into())),
        ),
        (
            "list",
            Box::new(|| Say::Json(200, r#"["appr-19bc","local/worker","0.1.0"]"#.into())),
        ),
        (
            "no approval",
            Box::new(|| Say::Json(200, r#"{"name":"local/worker"}"#.into())),
        ),
        (
            "two lines",
            Box::new(|| Say::Json(200, r#"{"approval":"a\nb"}"#.into())),
        ),
        (
            "half a head",
            Box::new(|| Say::Raw(b"HTTP/1.1 200 OK\r\ncontent-le".to_vec())),
        ),
        (
            "half a body",
            Box::new(|| Say::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{\"appr".to_vec())),
        ),
        ("nothing", Box::new(|| Say::Raw(Vec::new()))),
        (
            "not http",
            Box::new(|| Say::Raw(b"220 mail.example.com ESMTP\r\n\r\n".to_vec())),
        ),
        (
            "10 MB told",
            Box::new(|| Say::Raw(b"HTTP/1.1 200 OK\r\ncontent-length: 10000000\r\n\r\n{".to_vec())),
        ),
        (
            "10 MB",
            Box::new(|| {
                let mut all = b"HTTP/1.1 200 OK\r\n\r\n".to_vec();
                all.resize(10_000_000, b' ');
                Say::Raw(all)
            }),
        ),
        (
            "deep",
            Box::new(|| Say::Json(200, "{\"approval\":".repeat(50_000))),
        ),
    ];
    let mut all = String::new();
    for (name, case) in cases {
        let world = World::with_roost(move |_, _| case());
        let shown = world.shown().await;
        let (outcome, delegation) = shown.split_once('\n').unwrap();
        assert!(
            delegation.starts_with("failed null null local/worker 0.1.0 Some("),
            "{delegation}"
        );
        assert!(!delegation.contains('\n'), "{delegation}");
        assert!(!world.root().join("records/children").exists());
        all.push_str(&format!("{name}: {outcome}\n"));
    }
    insta::assert_snapshot!(all, @r#"
    html: failed "the daemon at `http://[roost]` answered `/spawn` with something else than such a daemon does", no output
    html refusal: failed "the daemon at `http://[roost]` answered `/spawn` with 403 Forbidden and without a reason", no output
    redirect: failed "the daemon at `http://[roost]` redirects `/spawn` (302 Found), and a redirect is not followed", no output
    error of another type: failed "the daemon at `http://[roost]` answered `/spawn` with 403 Forbidden and without a reason", no output
    empty error: failed "the daemon at `http://[roost]` answered `/spawn` with 403 Forbidden and without a reason", no output
    list: failed "the daemon at `http://[roost]` answered `/spawn` with something else than such a daemon does", no output
    no approval: failed "the daemon at `http://[roost]` answered `/spawn` with something else than such a daemon does", no output
    two lines: failed "the daemon at `http://[roost]` answered `/spawn` with something else than such a daemon does", no output
    half a head: failed "the daemon at `http://[roost]` closed the connection before its answer was whole", no output
    half a body: failed "the daemon at `http://[roost]` closed the connection before its answer was whole", no output
    nothing: failed "the daemon at `http://[roost]` closed the connection before its answer was whole", no output
    not http: failed "the daemon at `http://[roost]` answered something that is not HTTP", no output
    10 MB told: failed "the daemon at `http://[roost]` answered more than 1024 KiB", no output
    10 MB: failed "the daemon at `http://[roost]` answered more than 1024 KiB", no output
    deep: failed "the daemon at `http://[roost]` answered `/spawn` with something else than such a daemon does", no output
    "#);
}

/// spec: Bad input: a daemon that says nothing is waited for as long as is said, and one that is not there not at all.
#[tokio::test]
async fn a_silent_daemon_and_an_absent_one_are_told() {
    let mut world = World::with_roost(|_, _| Say::Nothing);
    world.bounds.request = Duration::from_millis(100);
    insta::assert_snapshot!(world.shown().await, @r#"
    failed "the daemon at `http://[roost]` did not answer within 100 ms", no output
    failed null null local/worker 0.1.0 Some("the daemon at `http://[roost]` did not answer within 100 ms")
    "#);
    let mut spec = world.spec();
    spec.url = "http://127.0.0.1:1".parse().unwrap();
    let (call, mut reported) = call(Cancel::never());
    let outcome = plan_exec::RoostCapsules::new(spec).run(call).await;
    insta::assert_snapshot!(crate::space::shown(&outcome), @r#"failed "the daemon at `http://127.0.0.1:1` cannot be connected to: Connection refused (os error 111)", no output"#);
    assert_eq!(reported.recv().await, None);
}

/// spec: Capsule steps: a session is registered once, and its steps wait for that.
#[tokio::test]
async fn a_session_is_registered_once() {
    let mut world = World::new(STAYS);
    world.standing = to_register;
    let capsules = world.capsules();
    capsules.register();
    let run = |capsules: plan_exec::RoostCapsules| async move {
        let (call, _reported) = call(Cancel::never());
        capsules.run(call).await
    };
    let all = tokio::join!(
        run(capsules.clone()),
        run(capsules.clone()),
        run(capsules.clone())
    );
    for outcome in [all.0, all.1, all.2] {
        assert_eq!(crate::space::shown(&outcome), "passed, output \"ANSWER\"");
    }
    capsules.deregister(true).await;
    capsules.deregister(false).await;
    let heard = world.roost.heard();
    let paths: Vec<_> = heard.iter().map(|asked| asked.path.as_str()).collect();
    assert_eq!(
        paths,
        [
            "/register",
            "/spawn",
            "/spawn",
            "/spawn",
            "/deregister",
            "/deregister"
        ]
    );
    assert!(heard.iter().all(|asked| asked.at_once));
    insta::assert_snapshot!(format!("{:?}\n{:?}", heard[0], heard[4]), @r#"
    /register content-type: application/json {"session_id":"ses_parent","name":"local/parent","version":"0.1.0"}
    /deregister content-type: application/json, x-murmur-spawn-credential: cred-7f3a {"outcome":"complete"}
    "#);
}

/// spec: Capsule steps: a registration that fails fails the capsule steps with its sentence and leaves no line.
#[tokio::test]
async fn a_failed_registration_fails_the_steps() {
    let mut world =
        World::with_roost(|_, _| Say::Json(409, r#"{"error":"no such capsule"}"#.into()));
    world.standing = to_register;
    insta::assert_snapshot!(world.shown().await, @r#"failed "no such capsule", no output"#);
    world.standing = || Standing::NotRegistered;
    insta::assert_snapshot!(world.shown().await, @r#"failed "this session is not registered with the daemon, so it holds no credential to ask with; `capabilities.spawn.allow` has to name the capsules it may delegate to", no output"#);
}

/// spec: Capsule steps: before any request a step fails that has nowhere to put its child.
#[tokio::test]
async fn a_session_without_records_asks_nobody() {
    let world = World::new(STAYS);
    let mut spec = world.spec();
    spec.records_dir = None;
    let (call, mut reported) = call(Cancel::never());
    let outcome = plan_exec::RoostCapsules::new(spec).run(call).await;
    insta::assert_snapshot!(crate::space::shown(&outcome), @r#"failed "capsule `local/worker` was not started: this session has no records directory for it to work in", no output"#);
    assert_eq!(reported.recv().await, None);
    assert_eq!(world.roost.heard(), []);
}

/// spec: Capsule steps: a name that no entry of the list ends in is put to the daemon as it is.
#[tokio::test]
async fn an_unlisted_name_is_put_to_the_daemon() {
    let world = World::with_roost(|asked, _| {
        assert_eq!(asked.body, r#"{"name":"stranger","version":"0.1.0"}"#);
        Say::Json(
            403,
            r#"{"error":"capsule 'stranger' is not in parent's spawn_allow"}"#.into(),
        )
    });
    let (call, _reported) = call(Cancel::never());
    let call = CapsuleCall {
        name: "stranger".into(),
        ..call
    };
    let outcome = world.capsules().run(call).await;
    insta::assert_snapshot!(crate::space::shown(&outcome), @r#"failed "capsule 'stranger' is not in parent's spawn_allow", no output"#);
}

/// spec: Capsule steps: a child whose manifest cannot be read is not launched.
#[tokio::test]
async fn a_child_without_a_manifest_is_not_launched() {
    let mut world = World::new(STAYS);
    world.child_env_allow = Err("its artifact is not there".into());
    insta::assert_snapshot!(world.shown().await, @r#"
    failed "capsule `local/worker` was not launched: its artifact is not there", no output
    failed null null local/worker 0.1.0 Some("capsule `local/worker` was not launched: its artifact is not there")
    "#);
    assert!(!world.root().join("records/children").exists());
}
