//! More steps than may run at once: by the command's own limit, and by the daemon's.

use serde_json::{Value, json};

use super::{super::scene::Scene, ensure, same};

/// How many children the daemon lets a session have, and so how many the command starts unless told otherwise.
const AT_ONCE: usize = 4;

pub(super) fn four_of_six_run_at_once(scene: &Scene) -> Result<String, String> {
    scene.model.gather(AT_ONCE);
    let ended = scene.plan("six", steps(6, 0)).run();
    scene.model.release();
    let ended = ended?;
    ended.exits(0)?;
    same("the number of tasks at once", scene.model.most(), AT_ONCE)?;
    same("that of delegations", ended.trace.most_at_once(), AT_ONCE)?;
    for key in ["delegation_id", "child_session_id", "child_workdir"] {
        let mut seen: Vec<&str> = ended
            .trace
            .of("delegation_start")
            .filter_map(|line| line[key].as_str())
            .collect();
        seen.sort_unstable();
        seen.dedup();
        same(&format!("the number of different `{key}`"), seen.len(), 6)?;
    }
    Ok("four tasks were asked of the model at once and never five; six answers".into())
}

pub(super) fn a_fifth_is_refused(scene: &Scene) -> Result<String, String> {
    // All are held until the fifth has been refused as often as it is tried.
    scene.model.gather(usize::MAX);
    let seen = with_five(scene);
    scene.model.release();
    seen
}

fn with_five(scene: &Scene) -> Result<String, String> {
    let mut running = scene
        .plan("five", steps(5, 2))
        .args(&["--capsules", "5"])
        .start()?;
    running.until("three refusals", |lines| {
        let refused = lines
            .of("delegation")
            .filter(|line| line["outcome"] == "refused");
        refused.count() == 3
    })?;
    ensure(scene.model.wait_for(AT_ONCE), || {
        "the other four do not run".into()
    })?;
    scene.model.release();
    let ended = running.wait()?;
    ended.exits(0)?;
    let entries = ended.report["steps"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let (failed, fine): (Vec<&Value>, Vec<&Value>) =
        entries.iter().partition(|step| step["status"] == "failed");
    same("the number of answers", fine.len(), AT_ONCE)?;
    same("the number of refusals", failed.len(), 1)?;
    let tried = ended
        .trace
        .of("plan_step")
        .find(|line| line["status"] == "failed");
    let attempts = tried.map(|line| line["attempts"].clone());
    same("its attempts", attempts, Some(json!(3)))?;
    Ok(format!(
        "four answers, and after three attempts {}",
        failed[0]["error"]
    ))
}

fn steps(count: usize, retries: u32) -> Value {
    let step = |n: usize| {
        json!({
            "id": format!("s{n}"),
            "capsule": "modelled",
            "input": "a task",
            "retries": retries,
            "on_error": if retries == 0 { "fail" } else { "continue" },
        })
    };
    json!((1..=count).map(step).collect::<Vec<_>>())
}
