//! Children whose parent is cancelled, or killed.

use std::{
    fs,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::{Map, Value, json};

use super::{
    super::{lines::Lines, patience, scene::Scene},
    ensure, same,
};

pub(super) fn a_cancel_ends_the_child(scene: &Scene) -> Result<String, String> {
    let steps = json!([
        {"id": "a", "capsule": "answering", "input": "HANG"},
        {"id": "b", "capsule": "answering", "input": "never asked", "depends_on": ["a"]},
    ]);
    let mut running = scene.plan("cancel", steps).start()?;
    let records = running.until_child_works()?;
    running.signal("INT")?;
    let at = Instant::now();
    let ended = running.wait()?;
    let took = at.elapsed();
    ended.exits(130)?;
    same("`canceled`", &ended.report["canceled"], &json!(true))?;
    same("the child's step", ended.step("a", "error")?, ENDED)?;
    same("the step after it", ended.step("b", "status")?, "skipped")?;
    same(
        "the trace",
        ended.trace.order(CANCEL).as_str(),
        "delegation_start plan_step plan_step plan_end task_canceled delegation task_end",
    )?;
    let id = &ended.trace.one("delegation_start")?["delegation_id"];
    let canceled = ended.trace.one("task_canceled")?;
    same(
        "`delegation_ids`",
        &canceled["delegation_ids"],
        &json!([id]),
    )?;
    let end = ended.trace.one("delegation")?;
    same("the outcome", &end["outcome"], &json!("terminated"))?;

    let completion = records.join("completion.json");
    let text = fs::read_to_string(&completion)
        .map_err(|error| format!("cannot read {}: {error}", completion.display()))?;
    let completion: Map<String, Value> = serde_json::from_str(&text)
        .map_err(|error| format!("completion.json is no object: {error}\n{text}"))?;
    for (key, expected) in [
        ("delegation_id", id),
        ("status", &json!("terminated")),
        ("reported_by", &json!("launcher")),
        ("detail", &json!("the parent ended this delegation")),
    ] {
        let seen = completion.get(key).unwrap_or(&Value::Null);
        same(&format!("`{key}` of completion.json"), seen, expected)?;
    }
    let child = Lines::read(&records.join("trace.jsonl"));
    let end = child.one("session_end")?;
    same("the child's end", &end["exit_status"], &json!("canceled"))?;
    Ok(format!("over {} ms after the signal", took.as_millis()))
}

pub(super) fn a_child_learns_that_its_parent_was_killed(scene: &Scene) -> Result<String, String> {
    let steps = json!([{"id": "a", "capsule": "answering", "input": "HANG"}]);
    let mut running = scene.plan("killed", steps).start()?;
    let records = running.until_child_works()?;
    running.signal("KILL")?;
    let at = Instant::now();
    let ended = running.wait()?;
    same("the exit status", ended.status, None)?;
    let (line, took) = wait_for_word(&records, at)?;
    let start = ended.trace.one("delegation_start")?;
    same(
        "its delegation",
        &line["delegation_id"],
        &start["delegation_id"],
    )?;
    same("its spawner", &line["spawned_by"], &start["session_id"])?;
    scene.is_quiet()?;
    let left = records.join("completion.json").exists();
    ensure(!left, || "a killed parent left a completion.json".into())?;
    Ok(format!("`spawner_ended` within {} ms", took.as_millis()))
}

/// Waits until the child's trace says that its parent is gone.
fn wait_for_word(records: &Path, since: Instant) -> Result<(Value, Duration), String> {
    let trace = records.join("trace.jsonl");
    let seen = patience::until(BOUND, || {
        Lines::read(&trace).of("spawner_ended").next().cloned()
    });
    let line = seen.ok_or_else(|| {
        let last = fs::read_to_string(&trace).unwrap_or_default();
        let last = last.lines().next_back().unwrap_or_default();
        format!("the child does not notice; its last line is {last}")
    })?;
    Ok((line, since.elapsed()))
}

/// spec: When the task is cancelled.
const ENDED: &str =
    "the task running this plan was cancelled; this step's sub-capsule was ended with it";

const CANCEL: &[&str] = &[
    "delegation_start",
    "delegation",
    "plan_step",
    "plan_end",
    "task_canceled",
    "task_end",
];

/// Long beside the second or so that a child takes.
const BOUND: Duration = Duration::from_secs(30);
