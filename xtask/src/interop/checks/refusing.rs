//! Workers that are refused by the daemon, that do not come up, and that the host does not let run.

use serde_json::{Value, json};

use super::{
    super::{call::Ended, scene::Scene, verdict::codes},
    ensure, same,
};

pub(super) fn refusals_are_told(scene: &Scene) -> Result<String, String> {
    let workers = ["greedy", "thirsty", "stranger"];
    let ended = run_each(scene, "refused", &workers)?;
    let lines: Vec<&Value> = ended.trace.of("delegation").collect();
    same("the number of delegations", lines.len(), workers.len())?;
    for line in lines {
        same("the outcome", &line["outcome"], &json!("refused"))?;
        same("its delegation", &line["delegation_id"], &Value::Null)?;
        same("its child", &line["child_session_id"], &Value::Null)?;
    }
    let started = ended.trace.of("delegation_start").count();
    same("the number of children", started, 0)?;
    told(&ended, &workers)
}

pub(super) fn failed_launches_are_told(scene: &Scene) -> Result<String, String> {
    let workers = ["driverless", "doorless"];
    let ended = run_each(scene, "unlaunched", &workers)?;
    for line in ended.trace.of("delegation") {
        same("the outcome", &line["outcome"], &json!("failed"))?;
        // One without a driver never comes up; one without a door does, and then cannot be asked.
        let came_up = line["capsule"] == "local/doorless";
        same(
            "that it came up",
            line["delegation_id"].is_string(),
            came_up,
        )?;
    }
    let started = ended.trace.of("delegation_start").count();
    same("the number of children", started, 1)?;
    told(&ended, &workers)
}

/// A worker with a shell of its own needs a scope of its own: where the host has none to give, the child says so with a
/// code and never comes up, which has to reach the step; where it has one, the worker answers.
pub(super) fn what_the_host_refuses_is_told(scene: &Scene) -> Result<String, String> {
    let ended = run_each(scene, "shelled", &["shelled"])?;
    let line = ended.trace.one("delegation")?;
    if line["outcome"] == "completed" {
        return Ok("this host lets it run".into());
    }
    same("the outcome", &line["outcome"], &json!("failed"))?;
    same("its delegation", &line["delegation_id"], &Value::Null)?;
    let error = ended.step("shelled", "error")?;
    ensure(codes(error).contains(&"E-RUN-012"), || {
        format!("it neither runs nor is refused with a code: {error}")
    })?;
    let line = error.lines().find(|line| line.contains("E-RUN-012"));
    let line: String = line.unwrap_or_default().chars().take(160).collect();
    Ok(format!("this host refuses it: {line}"))
}

/// Runs a step for each worker that fails without stopping the others.
fn run_each(scene: &Scene, name: &str, workers: &[&str]) -> Result<Ended, String> {
    let step = |worker: &&str| json!({"id": worker, "capsule": worker, "input": "anything", "on_error": "continue"});
    let steps: Vec<Value> = workers.iter().map(step).collect();
    let ended = scene.plan(name, json!(steps)).run()?;
    ended.exits(0)?;
    Ok(ended)
}

fn told(ended: &Ended, workers: &[&str]) -> Result<String, String> {
    let mut told = Vec::new();
    for worker in workers {
        same("the status", ended.step(worker, "status")?, "failed")?;
        told.push(format!("{worker}: {}", ended.step(worker, "error")?));
    }
    Ok(told.join("\n        "))
}
