//! What a failure does: `on_error` by `retries` by kind, report and trace side by side.

use crate::space::Space;

fn fails(step: &str, on_error: &str, retries: u32) -> String {
    let space = Space::new().tool(
        "fail",
        r#"echo x >> tries; printf '{"status": "failed", "summary": "boom", "data": "part"}'"#,
    );
    let ended = space
        .steps(&format!(
            r#"{{"id": "a", {step}, "on_error": "{on_error}", "retries": {retries}}},
               {{"id": "b", "shell": "echo went on", "depends_on": ["a"]}}"#
        ))
        .run();
    let tries = space.work("tries").unwrap_or_default().lines().count();
    format!("tried {tries} times\n{}", ended.shown())
}

const TOOL: &str = r#""tool": "fail""#;
const SHELL: &str = r#""shell": "sh -c 'echo x >> tries; echo out; echo boom >&2; exit 3'""#;
const CAPSULE: &str = r#""capsule": "worker", "input": "do it""#;

/// spec: Failure: `fail` settles the step as failed and stops the plan.
#[test]
fn a_failed_step_stops_the_plan() {
    insta::assert_snapshot!(fails(TOOL, "fail", 0), @r#"
    tried 1 times
    exit 1 not completed failed_step "a"
      a failed, output "part", error "boom"
    plan_start 2 steps
    plan_step_start a tool
    plan_step a failed, attempts 1, error "boom"
    plan_end failed, 2 = 0 + 1 + 0, failed_step "a"
    "#);
    insta::assert_snapshot!(fails(SHELL, "fail", 0), @r#"
    tried 1 times
    exit 1 not completed failed_step "a"
      a failed, output "out\n", error "boom"
    plan_start 2 steps
    plan_step_start a shell
    plan_step a failed, attempts 1, error "boom"
    plan_end failed, 2 = 0 + 1 + 0, failed_step "a"
    "#);
}

/// spec: Failure: `skip` settles the step as skipped and goes on.
#[test]
fn a_failed_step_is_skipped_over() {
    insta::assert_snapshot!(fails(TOOL, "skip", 0), @r#"
    tried 1 times
    exit 0 completed failed_step null
      a skipped, output "part", error "boom"
      b success, output "went on\n"
    plan_start 2 steps
    plan_step_start a tool
    plan_step a skipped, attempts 1, error "boom"
    plan_step_start b shell
    plan_step b success, attempts 1
    plan_end completed, 2 = 1 + 0 + 1
    "#);
    insta::assert_snapshot!(fails(SHELL, "skip", 0), @r#"
    tried 1 times
    exit 0 completed failed_step null
      a skipped, output "out\n", error "boom"
      b success, output "went on\n"
    plan_start 2 steps
    plan_step_start a shell
    plan_step a skipped, attempts 1, error "boom"
    plan_step_start b shell
    plan_step b success, attempts 1
    plan_end completed, 2 = 1 + 0 + 1
    "#);
}

/// spec: Failure; ruling 22: retries come first, and the trace counts the dispatches.
#[test]
fn retries_come_before_on_error() {
    insta::assert_snapshot!(fails(TOOL, "continue", 2), @r#"
    tried 3 times
    exit 0 completed failed_step null
      a failed, output "part", error "boom"
      b success, output "went on\n"
    plan_start 2 steps
    plan_step_start a tool
    plan_step a failed, attempts 3, error "boom"
    plan_step_start b shell
    plan_step b success, attempts 1
    plan_end completed, 2 = 1 + 1 + 0
    "#);
    insta::assert_snapshot!(fails(SHELL, "skip", 1), @r#"
    tried 2 times
    exit 0 completed failed_step null
      a skipped, output "out\n", error "boom"
      b success, output "went on\n"
    plan_start 2 steps
    plan_step_start a shell
    plan_step a skipped, attempts 2, error "boom"
    plan_step_start b shell
    plan_step b success, attempts 1
    plan_end completed, 2 = 1 + 0 + 1
    "#);
    insta::assert_snapshot!(fails(SHELL, "fail", 1), @r#"
    tried 2 times
    exit 1 not completed failed_step "a"
      a failed, output "out\n", error "boom"
    plan_start 2 steps
    plan_step_start a shell
    plan_step a failed, attempts 2, error "boom"
    plan_end failed, 2 = 0 + 1 + 0, failed_step "a"
    "#);
}

/// spec: Capsule steps: until a daemon can be asked, a capsule step fails and says what is not set.
#[test]
fn a_capsule_step_fails_without_a_daemon() {
    insta::assert_snapshot!(fails(CAPSULE, "fail", 0), @r#"
    tried 0 times
    exit 1 not completed failed_step "a"
      a failed, error "capsule `worker` was not started: `MURMUR_ROOST_URL` is unset, so there is no daemon to ask"
    plan_start 2 steps
    plan_step_start a capsule
    plan_step a failed, attempts 1, error "capsule `worker` was not started: `MURMUR_ROOST_URL` is unset, so there is no daemon to ask"
    plan_end failed, 2 = 0 + 1 + 0, failed_step "a"
    "#);
    insta::assert_snapshot!(fails(CAPSULE, "continue", 1), @r#"
    tried 0 times
    exit 0 completed failed_step null
      a failed, error "capsule `worker` was not started: `MURMUR_ROOST_URL` is unset, so there is no daemon to ask"
      b success, output "went on\n"
    plan_start 2 steps
    plan_step_start a capsule
    plan_step a failed, attempts 2, error "capsule `worker` was not started: `MURMUR_ROOST_URL` is unset, so there is no daemon to ask"
    plan_step_start b shell
    plan_step b success, attempts 1
    plan_end completed, 2 = 1 + 1 + 0
    "#);
}

/// spec: Capsule steps: a session whose manifest names no capsule holds no credential, and asks no daemon.
#[test]
fn a_session_that_names_no_capsule_asks_no_daemon() {
    let ended = Space::new()
        .steps(&format!(r#"{{"id": "a", {CAPSULE}}}"#))
        .env("MURMUR_ROOST_URL", "http://127.0.0.1:9")
        .run();
    assert_eq!(ended.status, Some(1));
    insta::assert_snapshot!(ended.error("a"), @"this session is not registered with the daemon, so it holds no credential to ask with; `capabilities.spawn.allow` has to name the capsules it may delegate to");
}

/// ruling 22: an attempt that passes ends the retrying.
#[test]
fn the_first_attempt_that_passes_is_the_last() {
    let space = Space::new();
    let ended = space
        .steps(r#"{"id": "a", "shell": "sh -c 'echo x >> tries; wc -l < tries | grep -q 3'", "retries": 9}"#)
        .run();
    assert_eq!(ended.statuses(), "a success");
    assert_eq!(ended.trace().step("plan_step", "a")["attempts"], 3);
    assert_eq!(ended.trace().of("plan_step_start").count(), 1);
}

/// ruling 21: what is in flight when a step stops the plan settles with its own result, named by its own
/// `on_error`; its retries are gone, and `failed_step` stays the first.
#[test]
fn a_stop_lets_what_runs_finish() {
    let space = Space::new();
    let (mut ready, mut go) = (space.fifo("ready"), space.fifo("go"));
    let mut stop = space.fifo("stop");
    let mut running = space
        .steps(
            r#"{"id": "good", "shell": "sh -c 'echo > ready; read x < go; echo done'"},
               {"id": "bad", "shell": "sh -c 'echo > ready; read x < go; exit 4'", "on_error": "skip", "retries": 3},
               {"id": "worse", "shell": "sh -c 'echo > ready; read x < go; exit 5'"},
               {"id": "stop", "shell": "sh -c 'read x < stop; exit 1'"},
               {"id": "off", "shell": "true", "depends_on": ["good"]}"#,
        )
        .start();
    for _ in 0..3 {
        ready.wait();
    }
    stop.tell();
    running.wait_for("failed  stop");
    for _ in 0..3 {
        go.tell();
    }
    let ended = running.wait();
    assert_eq!(ended.status, Some(1));
    let report = ended.report();
    assert_eq!(report["failed_step"], "stop");
    let mut statuses: Vec<_> = ended.statuses().split(", ").map(str::to_owned).collect();
    assert_eq!(statuses.remove(0), "stop failed");
    statuses.sort();
    assert_eq!(statuses, ["bad skipped", "good success", "worse failed"]);
    assert_eq!(ended.trace().step("plan_step", "bad")["attempts"], 1);
}

/// ruling 16; ruling 22: a step whose condition or input cannot be resolved fails, is never dispatched, and is not
/// tried again; `on_error` applies.
#[test]
fn what_cannot_be_resolved_fails_without_a_dispatch() {
    let space = Space::new().tool("silent", "true").tool("show", "cat");
    let ended = space
        .steps(
            r#"{"id": "none", "tool": "silent"},
               {"id": "input", "tool": "show", "depends_on": ["none"], "input": "$none.output", "on_error": "continue",
                "retries": 2},
               {"id": "if", "shell": "true", "depends_on": ["none"], "if": "$none.output == ''", "on_error": "skip"},
               {"id": "late", "shell": "true", "if": "$last.status == 'success'", "on_error": "continue"},
               {"id": "last", "shell": "true", "depends_on": ["input", "if", "late"]}"#,
        )
        .run();
    insta::assert_snapshot!(ended.shown(), @r#"
    exit 0 completed failed_step null
      late failed, error "cannot resolve `$last.status`: step `last` has not settled; add `last` to the `depends_on` of this step"
      none success
      input failed, error "cannot resolve `$none.output`: step `none` settled as success and produced no output"
      if skipped, error "cannot resolve `$none.output`: step `none` settled as success and produced no output"
      last success, output ""
    plan_start 5 steps
    plan_step_start none tool
    plan_step late failed, attempts 0, error "cannot resolve `$last.status`: step `last` has not settled; add `last` to the `depends_on` of this step"
    plan_step none success, attempts 1
    plan_step input failed, attempts 0, error "cannot resolve `$none.output`: step `none` settled as success and produced no output"
    plan_step if skipped, attempts 0, error "cannot resolve `$none.output`: step `none` settled as success and produced no output"
    plan_step_start last shell
    plan_step last success, attempts 1
    plan_end completed, 5 = 2 + 2 + 1
    "#);
}

/// ruling 14: the side that is not needed is not resolved.
#[test]
fn a_decided_condition_resolves_nothing_more() {
    let space = Space::new().tool("silent", "true");
    let ended = space
        .steps(
            r#"{"id": "none", "tool": "silent"},
               {"id": "or", "shell": "true", "depends_on": ["none"],
                "if": "$none.status == 'success' || $none.output == ''"},
               {"id": "and", "shell": "true", "depends_on": ["none"],
                "if": "$none.status != 'success' && $none.output == ''"}"#,
        )
        .run();
    assert_eq!(ended.statuses(), "none success, and skipped, or success");
    assert_eq!(ended.status, Some(0));
}

/// ruling 22: a retry goes ahead of other waiting steps of its kind.
#[test]
fn a_retry_goes_first() {
    let space = Space::new();
    let ended = space
        .steps(
            r#"{"id": "a", "shell": "sh -c 'echo a >> order; test $(grep -c a order) -eq 3'", "retries": 5},
               {"id": "b", "shell": "sh -c 'echo b >> order'"}, {"id": "c", "shell": "sh -c 'echo c >> order'"}"#,
        )
        .args(&["--jobs", "1"])
        .run();
    assert_eq!(ended.status, Some(0));
    assert_eq!(space.work("order").as_deref(), Some("a\na\na\nb\nc\n"));
}

/// ruling 18: settled is enough, in whatever status; a dependency named twice counts once.
#[test]
fn a_step_runs_after_any_settled_dependency() {
    let ended = Space::new()
        .steps(
            r#"{"id": "off", "shell": "true", "if": "'a' == 'b'"},
               {"id": "bad", "shell": "false", "on_error": "continue"},
               {"id": "after", "shell": "true", "depends_on": ["off", "bad", "off"]}"#,
        )
        .run();
    assert_eq!(ended.statuses(), "off skipped, bad failed, after success");
    assert_eq!(ended.status, Some(0));
}
