//! What a run leaves behind: its trace, its folders.

use std::fs;

use crate::space::Space;

/// spec: In the trace; spec: The session: the frame, and what hangs off what.
#[test]
fn the_trace_frames_the_plan() {
    let space = Space::new().tool("show", "cat");
    let ended = space
        .steps(
            r#"{"id": "a", "shell": "true"},
               {"id": "off", "tool": "show", "if": "'a' == 'b'"},
               {"id": "b", "tool": "show", "depends_on": ["a", "off"]}"#,
        )
        .run();
    insta::assert_snapshot!(ended.trace().tree(), @r#"
    session_start
      task_start
      plan_start
        plan_step_start a
        plan_step off
        plan_step a
        plan_step_start b
        plan_step b
        plan_end
        task_end
      session_end
    "#);
    let trace = ended.trace();
    let of = |kind: &str| trace.of(kind).next().expect("the line").clone();
    let end = of("task_end");
    assert_eq!(end["tool_calls"], 1);
    assert_eq!(end["shell_calls"], 1);
    assert_eq!(end["exit_status"], "ok");
    assert_eq!(of("session_end")["total_shell_calls"], 1);
    let start = of("session_start");
    assert_eq!(start["capsule_name"], "space");
    assert_eq!(start["model"], "");
    assert_eq!(start["tools_declared"], serde_json::json!(["show"]));
    assert_eq!(of("plan_start")["steps"][1]["has_condition"], true);
    assert_eq!(
        of("plan_start")["steps"][2]["depends_on"],
        serde_json::json!(["a", "off"])
    );
}

/// spec: In the trace; ruling 30: a refused plan has no step lines, and one that is no plan has no start either.
#[test]
fn a_refused_plan_has_a_start_and_an_end_alone() {
    let space = Space::new();
    let ended = space
        .steps(r#"{"id": "a", "shell": "curl"}, {"id": "b"}"#)
        .run();
    insta::assert_snapshot!(ended.trace().tree(), @r#"
    session_start
      task_start
      plan_start
        plan_end
        task_end
      session_end
    "#);
    insta::assert_snapshot!(ended.trace().plan().join("\n"), @r#"
    plan_start 2 steps
    plan_end failed, 2 = 0 + 0 + 0, failed_step "a", reason "the plan was refused with 2 faults, the first: binary `curl` is not in `capabilities.shell.allow`"
    "#);
    let ended = space.plan(r#"{"id": "q", "steps": [{"id": 1}]}"#).run();
    insta::assert_snapshot!(ended.trace().tree(), @r#"
    session_start
      task_start
      plan_end
        task_end
      session_end
    "#);
    insta::assert_snapshot!(ended.trace().plan().join("\n"), @r#"plan_end failed, 1 = 0 + 0 + 0, failed_step "plan", reason "the plan was refused with 2 faults, the first: the step declares none of `tool`, `shell` and `capsule`""#);
    assert_eq!(
        ended.trace().of("plan_end").next().expect("an end")["plan_id"],
        "q"
    );
}

/// spec: The session: records stay by workdir and session, for their owner alone; the runtime folder is gone.
#[test]
fn records_stay_and_the_session_folder_goes() {
    let space = Space::new();
    let ended = space
        .steps(r#"{"id": "a", "shell": "sh -c 'echo x > $HOME/kept; echo y > $TMPDIR/kept; ls $MURMUR_RUNTIME_DIR/plans'"}"#)
        .run();
    assert_eq!(ended.output("a"), "plan-1.json\n");
    let records = ended.trace().path.parent().expect("in a folder").to_owned();
    let work = space.path("dir");
    let under = space
        .path("home/records")
        .join(work.strip_prefix("/").expect("absolute"));
    assert_eq!(records.parent(), Some(&*under));
    assert_eq!(
        fs::read_to_string(records.join("home/kept")).expect("kept"),
        "x\n"
    );
    assert_eq!(
        fs::read_to_string(records.join("tmp/kept")).expect("kept"),
        "y\n"
    );
    assert_eq!(
        fs::read_dir(space.path("home/sessions"))
            .expect("a folder")
            .count(),
        0
    );
    // A second session of the workdir stands beside the first.
    let again = space.steps("").run();
    assert_ne!(again.trace().path, ended.trace().path);
    assert_eq!(fs::read_dir(under).expect("a folder").count(), 2);
}

/// spec: Shape: what runs is what was written to the session's own file, and the plan's id names no file.
#[test]
fn the_plans_id_names_no_file() {
    let space = Space::new();
    let ended = space
        .plan(r#"{"id": "../../evil", "steps": [{"id": "a", "shell": "sh -c 'ls $MURMUR_RUNTIME_DIR/plans'"}]}"#)
        .run();
    assert_eq!(ended.status, Some(0));
    assert_eq!(ended.output("a"), "plan-1.json\n");
    assert_eq!(ended.report()["plan_id"], "../../evil");
}

/// spec: The session: `MURMUR_HOME` names the home where no option does, else it is `~/.murmur`.
#[test]
fn the_home_comes_from_the_environment() {
    let space = Space::new();
    space.file("plan.json", r#"{"id": "p", "steps": []}"#);
    let run = ["run", "plan.json", "--bounding", "off"];
    let ended = space.command(&run).run();
    assert_eq!(ended.status, Some(0));
    assert!(space.path("user/.murmur/records").is_dir());
    let ended = space
        .command(&run)
        .env("MURMUR_HOME", space.path("home"))
        .run();
    assert!(ended.trace.is_some());
}

/// spec: The session: what a step plants in the runtime folder is not followed, and not taken for a kept output.
#[test]
fn a_planted_link_is_not_followed_at_the_end() {
    let space = Space::new();
    space.file("dir/victim/secret", "x");
    let ended = space
        .steps(r#"{"id": "a", "shell": "sh -c 'ln -s $PWD/victim $MURMUR_RUNTIME_DIR/outputs'"}"#)
        .run();
    assert_eq!(ended.status, Some(0));
    assert!(!ended.stderr.contains("kept whole"), "{}", ended.stderr);
    assert_eq!(space.work("victim/secret").as_deref(), Some("x"));
}

/// spec: The session: what cannot be moved to the records is not removed, and it is said where it is.
#[test]
fn a_kept_output_is_not_lost_with_the_records_folder() {
    let space = Space::new();
    let plan = r#"{"id": "p", "steps": [{"id": "a", "shell": "sh -c 'rm -rf $MURMUR_RECORDS_DIR; yes | head -c 2000000'"}]}"#;
    space.file("plan.json", plan);
    let ended = space
        .command(&[
            "run",
            "plan.json",
            "--bounding",
            "off",
            "--json",
            "--home",
            "other",
        ])
        .run();
    // Nor may a run whose trace is gone be called complete.
    assert_eq!(ended.status, Some(1), "{}", ended.stderr);
    assert!(
        ended
            .stderr
            .contains("the trace was removed while the plan ran"),
        "{}",
        ended.stderr
    );
    assert!(
        ended.stderr.contains("still in the runtime directory"),
        "{}",
        ended.stderr
    );
    let sessions = fs::read_dir(space.path("other/sessions")).expect("a folder");
    let kept: Vec<_> = sessions
        .map(|session| {
            session
                .expect("readable")
                .path()
                .join("runtime/outputs/plan-1/1.txt")
        })
        .collect();
    assert_eq!(kept.len(), 1);
    assert_eq!(fs::metadata(&kept[0]).expect("it is kept").len(), 2_000_000);
}
