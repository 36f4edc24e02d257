//! What is put around a plan, as far as every host shows it. What takes the kernel's help is in `tests/kernel/`.

use serde_json::Value;

use crate::{ended::Ended, space::Space};

const ONE: &str = r#"{"id": "p", "steps": [{"id": "a", "shell": "sh -c 'echo x > ran'"}]}"#;

/// spec: What a plan may reach: by default a plan is bounded or refused; never is it run and not bounded.
#[test]
fn a_plan_is_bounded_or_refused() {
    let space = Space::new();
    let ended = space.plain(ONE).args(&["--json"]).run();
    let bounding = first_line(&ended)["bounding_achieved"].clone();
    if ended.status == Some(2) {
        let error = ended.error("plan");
        assert!(error.starts_with("E-RUN-012: "), "{error}");
        assert!(error.contains("`best-effort`"), "{error}");
        let said = ended.said();
        assert!(said.contains(&error), "{said}");
        // What to do is said once.
        assert_eq!(said.matches("best-effort").count(), 1, "{said}");
        assert_eq!(space.work("ran"), None);
        assert_eq!(bounding, "none");
    } else {
        assert_eq!(ended.status, Some(0), "{}", ended.shown());
        let bounding = bounding.as_str().expect("a text");
        assert!(
            bounding.starts_with("cgroup (memory pids cpu"),
            "{bounding}"
        );
    }
}

/// spec: What a plan may reach: a session whose grants start nothing needs no scope.
#[test]
fn a_session_that_starts_nothing_needs_no_scope() {
    let space = Space::new().grants("shell: {allow: []}");
    let ended = space
        .plain(r#"{"id": "p", "steps": []}"#)
        .args(&["--json"])
        .run();
    assert_eq!(ended.status, Some(0), "{}", ended.shown());
    assert_eq!(ended.said(), "");
}

/// spec: What a plan may reach: best effort runs, and says once each what does not hold; the first line of the trace
/// says what does.
#[test]
fn best_effort_says_what_does_not_hold() {
    let space = Space::new();
    let ended = space
        .plain(ONE)
        .args(&["--json", "--bounding", "best-effort"])
        .run();
    assert_eq!(ended.status, Some(0), "{}", ended.shown());
    assert_eq!(space.work("ran").as_deref(), Some("x\n"));
    let line = first_line(&ended);
    assert_eq!(line["containment_declared"], "best-effort");
    let holds = |key: &str, what: &str| line[key].as_str().expect("a text").contains(what);
    let said = ended.said();
    for (told, held) in [
        (
            "`cgroup_memory_bytes`",
            holds("bounding_achieved", "memory"),
        ),
        ("`cgroup_pids_max`", holds("bounding_achieved", "pids")),
        ("`cgroup_cpu_percent`", holds("bounding_achieved", "cpu")),
        (
            "no Landlock keeps",
            holds("containment_achieved", "landlock"),
        ),
        (
            "no read-only mount keeps",
            holds("containment_achieved", "mounts"),
        ),
    ] {
        let count = said.matches(told).count();
        assert_eq!(count, usize::from(!held), "{told}: {said}");
    }
}

/// spec: What a plan may reach: where no scope limits memory each process is held to 2 GiB, which is said unless the
/// manifest says how much it is to be.
#[test]
fn best_effort_says_what_holds_in_place_of_memory() {
    for (resources, expected) in [
        ("env: {allow: []}", 1),
        ("resources: {memory_bytes: 4294967296}", 0),
    ] {
        let space = Space::new().grants(&format!("shell: {{allow: [sh]}}\n  {resources}"));
        let call = space.plain(ONE);
        let ended = call.args(&["--json", "--bounding", "best-effort"]).run();
        assert_eq!(ended.status, Some(0), "{}", ended.shown());
        let held = first_line(&ended)["bounding_achieved"].clone();
        let is_limited = held.as_str().expect("a text").contains("memory");
        let told = "each process may map 2 GiB instead, which `capabilities.resources.memory_bytes` changes";
        let said = ended.said();
        let expected = if is_limited { 0 } else { expected };
        assert_eq!(said.matches(told).count(), expected, "{said}");
    }
}

/// spec: What a plan may reach: `off` says nothing and puts nothing around a plan.
#[test]
fn off_puts_nothing_around_a_plan() {
    let space = Space::new();
    let ended = space
        .plain(ONE)
        .args(&["--json", "--bounding", "off"])
        .run();
    assert!(!ended.said().contains("warning"), "{}", ended.said());
    let line = first_line(&ended);
    assert_eq!(line["bounding_achieved"], "process-groups");
    assert_eq!(line["containment_achieved"], "none");
}

/// spec: Bounds: each process is held to the manifest's limits, or to those that hold where it says nothing.
#[test]
fn a_process_has_the_limits_of_the_manifest() {
    let grants = |resources: &str| format!("shell: {{allow: [sh]}}\n  {resources}");
    let ask = r#"{"id": "p", "steps": [
        {"id": "a", "shell": "sh -c 'ulimit -n; ulimit -t; ulimit -H -t; ulimit -f; ulimit -c'"}]}"#;
    for (resources, limits) in [
        ("env: {allow: []}", "1024\n3600\n3601\n8388608\n0\n"),
        (
            "resources: {max_open_files: 99, cpu_seconds: 7, max_file_size_bytes: 1024}",
            "99\n7\n8\n2\n0\n",
        ),
    ] {
        let space = Space::new().grants(&grants(resources));
        let call = space.plain(ask);
        let ended = call.args(&["--json", "--bounding", "best-effort"]).run();
        assert_eq!(ended.output("a"), limits, "{}", ended.shown());
    }
}

/// spec: Bounds: once the workdir holds more than it may, nothing more is started, tools neither.
#[test]
fn a_full_workdir_starts_nothing_more() {
    let space = Space::new()
        .grants("shell: {allow: [\"true\"]}\n  resources: {workdir_max_bytes: 1048576}")
        .tool("late", "echo");
    space.file("dir/big", vec![b'x'; 4 << 20]);
    // It is measured while the first ones run.
    let steps: Vec<String> = (0..400)
        .map(|at: usize| {
            let after = at.checked_sub(1).map(|before| format!(r#""s{before}""#));
            format!(
                r#"{{"id": "s{at}", "shell": "true", "on_error": "continue", "depends_on": [{}]}}"#,
                after.unwrap_or_default()
            )
        })
        .collect();
    let plan = format!(
        r#"{{"id": "p", "steps": [{}, {{"id": "late", "tool": "late", "depends_on": ["s399"]}}]}}"#,
        steps.join(", ")
    );
    let ended = space
        .plain(plan)
        .args(&["--json", "--bounding", "best-effort"])
        .run();
    let full = "`capabilities.resources.workdir_max_bytes` (1048576 bytes) is passed: the workdir with the session's \
                `home/` and `tmp/` holds more, so nothing more is started";
    assert_eq!(ended.error("s399"), full);
    assert_eq!(ended.error("late"), full);
    assert_eq!(ended.status, Some(1));
}

/// spec: Confinement: what the launcher is for is nothing a person asks for: it ends at once, saying nothing on
/// standard output.
#[test]
fn the_launcher_is_of_no_use_by_hand() {
    let space = Space::new();
    let ended = space.command(&["__plan-launcher"]).run();
    assert!(
        !matches!(ended.status, Some(0) | None),
        "{:?}",
        ended.status
    );
    assert_eq!(ended.stdout, "");
}

fn first_line(ended: &Ended) -> Value {
    let mut lines = ended.trace().of("session_start");
    lines
        .next()
        .expect("a trace begins with its session")
        .clone()
}
