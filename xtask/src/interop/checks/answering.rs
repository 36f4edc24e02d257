//! Workers that come to an end of their task, and what of it reaches the step.

use std::{fs, path::Path};

use serde_json::{Value, json};

use super::{
    super::{call::Ended, lines::Lines, model, scene::Scene},
    ensure, same,
};

pub(super) fn a_worker_answers(scene: &Scene) -> Result<String, String> {
    let task = "count to three";
    let steps = json!([{"id": "a", "capsule": "answering", "input": {"objective": task}}]);
    let ended = scene.plan("answers", steps).run()?;
    ended.exits(0)?;
    let output = ended.step("a", "output")?;
    ensure(output.contains(task), || {
        format!("the answer is `{output}`")
    })?;
    same(
        "the trace",
        ended.trace.order(DELEGATION).as_str(),
        "plan_step_start delegation_start delegation plan_step plan_end task_end",
    )?;
    let end = ended.trace.one("delegation")?;
    same("the outcome", &end["outcome"], &json!("completed"))?;
    same("its reason", &end["reason"], &Value::Null)?;

    // The child knows who asked, and the daemon that both are gone.
    let start = ended.trace.one("delegation_start")?;
    let session = &ended.trace.one("session_start")?["session_id"];
    let child = child(start);
    let child_start = child.one("session_start")?;
    same("the child's spawner", &child_start["spawned_by"], session)?;
    same(
        "the child's delegation",
        &child_start["delegation_id"],
        &start["delegation_id"],
    )?;
    same(
        "the child's session",
        &child_start["session_id"],
        &start["child_session_id"],
    )?;
    let known = scene.daemon.session(session.as_str().unwrap_or_default())?;
    same("what the daemon counts", &known["live_children"], &json!(0))?;
    same("what it was told", &known["status"], &json!("complete"))?;
    Ok(format!(
        "`{output}`; the daemon knows the session as {known}"
    ))
}

pub(super) fn workers_that_exit_are_heard(scene: &Scene) -> Result<String, String> {
    let step = |n: usize| {
        let after: Vec<String> = (1..n)
            .next_back()
            .map(|n| format!("s{n}"))
            .into_iter()
            .collect();
        json!({"id": format!("s{n}"), "capsule": "exiting", "input": format!("task {n}"), "depends_on": after})
    };
    let steps: Vec<Value> = (1..=ONE_AFTER_ANOTHER).map(step).collect();
    let ended = scene.plan("exits", json!(steps)).run()?;
    ended.exits(0)?;
    for n in 1..=ONE_AFTER_ANOTHER {
        let output = ended.step(&format!("s{n}"), "output")?;
        ensure(output.contains(&format!("task {n}")), || {
            format!("the answer to task {n} is `{output}`")
        })?;
    }
    Ok(format!(
        "{ONE_AFTER_ANOTHER} of {ONE_AFTER_ANOTHER} answers, {} ms from the end of the task to the line \
         `delegation` (median)",
        handed_over(&ended)?
    ))
}

pub(super) fn a_failing_worker_fails_its_step(scene: &Scene) -> Result<String, String> {
    let steps = json!([{"id": "a", "capsule": "answering", "input": "FAILNOW"}]);
    let ended = scene.plan("fails", steps).run()?;
    ended.exits(1)?;
    let error = ended.step("a", "error")?;
    ensure(error.contains("the worker was told to fail"), || {
        format!("the error is `{error}`")
    })?;
    let end = ended.trace.one("delegation")?;
    same("the outcome", &end["outcome"], &json!("failed"))?;
    Ok(format!("`{error}`"))
}

pub(super) fn a_long_answer_is_kept_whole(scene: &Scene) -> Result<String, String> {
    let task = format!("BIG={LONG}");
    let steps = json!([{"id": "a", "capsule": "modelled", "input": task}]);
    let ended = scene.plan("long", steps).run()?;
    ended.exits(0)?;
    let output = ended.step("a", "output")?;
    let start = ended.trace.one("delegation_start")?;
    let id = start["delegation_id"].as_str().unwrap_or_default();
    let whole = model::long(LONG);
    let kept = 64 * 1024;
    let expected = format!(
        "{} [\u{2026}]\n[cut at {kept} of {LONG} bytes; the whole answer is delegations/{id}.txt in the runtime directory]",
        &whole[..kept]
    );
    ensure(output == expected, || {
        let last = output.lines().next_back().unwrap_or_default();
        format!("the output has {} bytes and ends `{last}`", output.len())
    })?;
    let beside = ended.path.with_file_name("delegations");
    let file = beside.join(format!("{id}.txt"));
    let text = fs::read_to_string(&file)
        .map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    ensure(text == whole, || {
        format!("{} holds {} bytes", file.display(), text.len())
    })?;
    Ok(format!(
        "{kept} of {LONG} bytes in the report, all in delegations/"
    ))
}

pub(super) fn a_guarded_worker_answers(scene: &Scene) -> Result<String, String> {
    let steps = json!([{"id": "a", "capsule": "guarded", "input": "who are you"}]);
    let ended = scene.plan("guarded", steps).run()?;
    ended.exits(0)?;
    let output = ended.step("a", "output")?;
    same("the answer", output, model::ANSWER)?;
    Ok(format!("`{output}`"))
}

/// Returns the median of the milliseconds between a child's end of its task and the parent's line about it.
fn handed_over(ended: &Ended) -> Result<i64, String> {
    let mut times = Vec::new();
    for start in ended.trace.of("delegation_start") {
        let same = |line: &&Value| line["delegation_id"] == start["delegation_id"];
        let line = ended.trace.of("delegation").find(same);
        let told = line.and_then(|line| line["timestamp"].as_i64());
        let done = child(start).one("task_end")?["timestamp"].as_i64();
        if let (Some(told), Some(done)) = (told, done) {
            times.push(told - done);
        }
    }
    times.sort_unstable();
    let middle = times.get(times.len() / 2).copied();
    middle.ok_or_else(|| "no child left a trace with times".into())
}

/// Reads the trace of the child that a line `delegation_start` is about.
fn child(start: &Value) -> Lines {
    let records = start["child_records_dir"].as_str().unwrap_or_default();
    Lines::read(&Path::new(records).join("trace.jsonl"))
}

const DELEGATION: &[&str] = &[
    "plan_step_start",
    "delegation_start",
    "delegation",
    "plan_step",
    "plan_end",
    "task_canceled",
    "task_end",
];

/// Enough to see that none is lost, few enough for a slow machine.
const ONE_AFTER_ANOTHER: usize = 6;

/// 70 KiB, so that more than 64 KiB have to be cut.
const LONG: usize = 70 * 1024;
