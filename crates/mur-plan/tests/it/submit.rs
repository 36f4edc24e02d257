//! The tool `submit-plan`: its arguments, its plan files, its refusals.

use std::{fs, os::unix::fs::PermissionsExt};

use mur_plan::{PlanResult, TraceNodes, plan_exec::Cancel};

use crate::world::{Memory, Script, World, brief};

const PLAN: &str = r#"{"id": "p", "steps": [{"id": "a", "tool": "t", "input": "hi"}]}"#;

async fn submit(world: &World, arguments: &str) -> PlanResult {
    world
        .tool
        .submit(arguments, TraceNodes::default(), Cancel::never())
        .await
}

fn warnings(result: &PlanResult) -> String {
    let lines: Vec<_> = result.warnings.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// ruling 4. The plan is an object; a string of JSON is accepted with a warning.
#[tokio::test]
async fn a_plan_sent_as_a_string_is_run_with_a_warning() {
    let world = World::new(&Script::new([]));
    let result = submit(&world, &format!(r#"{{"plan": {PLAN}}}"#)).await;
    assert_eq!(brief(&result), brief(&world.run(PLAN).await));
    assert_eq!(warnings(&result), "");
    let as_text = serde_json::to_string(PLAN).unwrap();
    let result = submit(&world, &format!(r#"{{"plan": {as_text}, "mode": 1}}"#)).await;
    assert!(result.report.completed);
    insta::assert_snapshot!(warnings(&result), @r#"
        `submit-plan` does not know the argument `mode`, and it was left out; `plan` is its only argument
        `plan` was a string of JSON, and was read as the plan it holds; send the object itself: {"plan": {...}}
        "#);
}

/// ruling 4; ruling 28. Arguments without a plan are refused as the plan's own fault, saying what to send.
#[tokio::test]
async fn arguments_that_hold_no_plan_are_refused_saying_what_to_send() {
    let world = World::new(&Script::new([]));
    let mut shown = Vec::new();
    for arguments in [
        "",
        "[]",
        "{}",
        r#"{"plan": {}, "plan": {}}"#,
        r#"{"plan": "#,
        r#"{"plan": 7}"#,
    ] {
        let result = submit(&world, arguments).await;
        assert!(result.refused, "{arguments}");
        shown.push(format!(
            "{arguments}\n  {}",
            brief(&result).replace('\n', "\n  ")
        ));
    }
    insta::assert_snapshot!(shown.join("\n"), @r#"
          Failed: Plan '': 1 steps, 0 succeeded, 1 failed, 0 skipped
          plan failed x0 None Some("the arguments of `submit-plan` are not a JSON object with a `plan`: EOF while parsing a value at line 1 column 0; send {\"plan\": {\"id\": \"...\", \"steps\": [...]}}")
        []
          Failed: Plan '': 1 steps, 0 succeeded, 1 failed, 0 skipped
          plan failed x0 None Some("the arguments of `submit-plan` are not a JSON object with a `plan`: invalid type: sequence, expected an object with a `plan` at line 1 column 0; send {\"plan\": {\"id\": \"...\", \"steps\": [...]}}")
        {}
          Failed: Plan '': 1 steps, 0 succeeded, 1 failed, 0 skipped
          plan failed x0 None Some("the arguments of `submit-plan` have no `plan`; send {\"plan\": {\"id\": \"...\", \"steps\": [...]}}")
        {"plan": {}, "plan": {}}
          Failed: Plan '': 1 steps, 0 succeeded, 1 failed, 0 skipped
          plan failed x0 None Some("the arguments of `submit-plan` give `plan` twice; send one plan per call")
        {"plan": 
          Failed: Plan '': 1 steps, 0 succeeded, 1 failed, 0 skipped
          plan failed x0 None Some("the arguments of `submit-plan` are not a JSON object with a `plan`: EOF while parsing a value at line 1 column 9; send {\"plan\": {\"id\": \"...\", \"steps\": [...]}}")
        {"plan": 7}
          Failed: Plan '': 1 steps, 0 succeeded, 1 failed, 0 skipped
          plan failed x0 None Some("a plan is one JSON object, not a number (at line 1, column 1); send one object: `{\"id\": \"…\", \"steps\": […]}`")
        "#);
    insta::assert_snapshot!(world.trace.text(), @r#"
        plan_end failed_step="plan" outcome="failed" plan_id="" reason="the plan was refused: the arguments of `submit-plan` are not a JSON object with a `plan`: EOF while parsing a value at line 1 column 0; send {\"plan\": {\"id\": \"...\", \"steps\": [...]}}" steps_failed=0 steps_skipped=0 steps_succeeded=0 steps_total=0
        plan_end failed_step="plan" outcome="failed" plan_id="" reason="the plan was refused: the arguments of `submit-plan` are not a JSON object with a `plan`: invalid type: sequence, expected an object with a `plan` at line 1 column 0; send {\"plan\": {\"id\": \"...\", \"steps\": [...]}}" steps_failed=0 steps_skipped=0 steps_succeeded=0 steps_total=0
        plan_end failed_step="plan" outcome="failed" plan_id="" reason="the plan was refused: the arguments of `submit-plan` have no `plan`; send {\"plan\": {\"id\": \"...\", \"steps\": [...]}}" steps_failed=0 steps_skipped=0 steps_succeeded=0 steps_total=0
        plan_end failed_step="plan" outcome="failed" plan_id="" reason="the plan was refused: the arguments of `submit-plan` give `plan` twice; send one plan per call" steps_failed=0 steps_skipped=0 steps_succeeded=0 steps_total=0
        plan_end failed_step="plan" outcome="failed" plan_id="" reason="the plan was refused: the arguments of `submit-plan` are not a JSON object with a `plan`: EOF while parsing a value at line 1 column 9; send {\"plan\": {\"id\": \"...\", \"steps\": [...]}}" steps_failed=0 steps_skipped=0 steps_succeeded=0 steps_total=0
        plan_end failed_step="plan" outcome="failed" plan_id="" reason="the plan was refused: a plan is one JSON object, not a number" steps_failed=0 steps_skipped=0 steps_succeeded=0 steps_total=0
        "#);
}

/// spec: Shape; the tool exists only where `capabilities.plan.submit` is granted.
#[tokio::test]
async fn without_the_grant_every_plan_is_refused_naming_the_declaration() {
    let script = Script::new([]);
    let world = World::with(&script, Memory::new(usize::MAX), |session| {
        session.plan_submit = false
    });
    let result = world.run(PLAN).await;
    insta::assert_snapshot!(brief(&result), @r#"
        Failed: Plan 'p': 1 steps, 0 succeeded, 1 failed, 0 skipped
        plan failed x0 None Some("this capsule is not granted `capabilities.plan.submit`; declare `plan: {submit: true}` under `capabilities` in its manifest")
        "#);
    insta::assert_snapshot!(world.trace.text(), @r#"
        plan_start plan_id="p" step_count=1 steps=[{"depends_on":[],"has_condition":false,"kind":"tool","step_id":"a"}]
        plan_end failed_step="plan" outcome="failed" plan_id="p" reason="the plan was refused: this capsule is not granted `capabilities.plan.submit`; declare `plan: {submit: true}` under `capabilities` in its manifest" steps_failed=0 steps_skipped=0 steps_succeeded=0 steps_total=1
        "#);
    assert!(result.refused);
    assert_eq!(
        fs::read_dir(world.folder.path().join("plans"))
            .unwrap()
            .count(),
        0
    );
}

/// spec: What a plan may reach. A plan that cannot be bounded is refused before anything of it runs, and one that
/// is bounded by less than was asked for says so beside its result.
#[tokio::test]
async fn what_bounds_a_plan_may_refuse_it_or_fall_short() {
    let script = Script::new([]);
    let world = World::new(&script);
    let plan = |id: &str| PLAN.replacen("\"p\"", &format!("{id:?}"), 1);
    let result = world.run(&plan("unbounded")).await;
    let error = result.report.steps[0].error.clone().unwrap();
    assert_eq!(error, "E-RUN-012: there is no scope");
    assert_eq!(result.report.failed_step.as_deref(), Some("plan"));
    assert!(result.refused && script.calls().is_empty());
    let result = world.run(&plan("loose")).await;
    assert!(result.report.completed);
    let warnings: Vec<String> = result.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "memory is not limited",
            "what the plan started may not all be gone: somebody stayed"
        ]
    );
}

/// spec: Shape. Plans are numbered per session, whatever their ids, and readable by their owner alone.
#[tokio::test]
async fn plans_are_numbered_and_kept_as_they_came() {
    let world = World::new(&Script::new([]));
    world.run(PLAN).await;
    world.run("not a plan").await;
    world.run(r#"{"id": "../../escape", "steps": []}"#).await;
    let plans = world.folder.path().join("plans");
    let mut names: Vec<_> = fs::read_dir(&plans)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(names, ["plan-1.json", "plan-2.json", "plan-3.json"]);
    assert_eq!(fs::read_to_string(plans.join("plan-1.json")).unwrap(), PLAN);
    assert_eq!(
        fs::read_to_string(plans.join("plan-2.json")).unwrap(),
        "not a plan"
    );
    let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(plans.join("plan-1.json")), 0o600);
    assert_eq!(mode(plans), 0o700);
}

/// spec: Shape. No link under the runtime directory is followed: neither for the folder nor for a file.
#[tokio::test]
async fn links_planted_for_the_plan_file_are_not_followed() {
    let world = World::new(&Script::new([]));
    let victim = world.folder.path().join("victim");
    fs::write(&victim, "kept").unwrap();
    let plans = world.folder.path().join("plans");
    std::os::unix::fs::symlink(&victim, plans.join("plan-1.json")).unwrap();
    std::os::unix::fs::symlink(&victim, plans.join(".plan-1.json.new")).unwrap();
    assert!(world.run(PLAN).await.report.completed);
    assert_eq!(fs::read_to_string(&victim).unwrap(), "kept");
    assert_eq!(fs::read_to_string(plans.join("plan-1.json")).unwrap(), PLAN);
}

/// spec: Shape. A runtime directory that cannot be written refuses the plan and says so.
#[tokio::test]
async fn a_plan_that_cannot_be_written_is_refused() {
    let world = World::new(&Script::new([]));
    fs::remove_dir(world.folder.path().join("plans")).unwrap();
    let result = world.run(PLAN).await;
    insta::assert_snapshot!(brief(&result), @r#"
        Failed: Plan 'p': 1 steps, 0 succeeded, 1 failed, 0 skipped
        plan failed x0 None Some("cannot write `plans/plan-1.json` in the runtime directory: No such file or directory (os error 2)")
        "#);
    assert!(result.refused);
}

/// ruling 28; ruling 30. A refused plan reports its faulty steps, and its trace counts nothing.
#[tokio::test]
async fn a_refused_plan_writes_its_start_and_end_alone() {
    let script = Script::new([]);
    let world = World::new(&script);
    let result = world
        .run(r#"{"id": "p", "steps": [{"id": "a", "tool": "t"}, {"id": "b", "tool": "x", "depends_on": ["c"]}]}"#)
        .await;
    assert!(result.refused && script.calls().is_empty());
    assert_eq!(result.faults.len(), 2);
    assert_eq!(result.report.failed_step.as_deref(), Some("b"));
    insta::assert_snapshot!(world.trace.text(), @r#"
        plan_start plan_id="p" step_count=2 steps=[{"depends_on":[],"has_condition":false,"kind":"tool","step_id":"a"},{"depends_on":["c"],"has_condition":false,"kind":"tool","step_id":"b"}]
        plan_end failed_step="b" outcome="failed" plan_id="p" reason="the plan was refused with 2 faults, the first: tool `x` is not in the inventory" steps_failed=0 steps_skipped=0 steps_succeeded=0 steps_total=2
        "#);
}

/// ruling 1; trace.md. A text without a plan's shape writes `plan_end` alone.
#[tokio::test]
async fn a_text_that_is_no_plan_writes_its_end_alone() {
    let world = World::new(&Script::new([]));
    let result = world
        .run(r#"{"id": "p", "steps": [{"id": "a", "tool": "t", "retries": -1}]}"#)
        .await;
    assert!(result.refused);
    insta::assert_snapshot!(world.trace.text(), @r#"plan_end failed_step="a" outcome="failed" plan_id="p" reason="the plan was refused: retries must be a whole number from 0 to 4294967295, not `-1`" steps_failed=0 steps_skipped=0 steps_succeeded=0 steps_total=1"#);
    let result = world.run("{").await;
    assert_eq!(result.report.plan_id, "");
}
