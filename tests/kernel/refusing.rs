//! A plan that must be bounded and cannot be is refused before anything runs.

use crate::{
    ended::text,
    host::Host,
    scene::Scene,
    trial::{Trial, trial},
};

pub(crate) const TRIALS: &[Trial] = &[
    trial!(an_unbounded_plan_is_refused, NoDelegation),
    trial!(a_bounded_plan_runs, Controllers),
];

/// spec: What a plan may reach; ruling 28: where no cgroup was delegated, `required` refuses with `E-RUN-012`, in the
/// report as a fault of no step, and nothing has run.
fn an_unbounded_plan_is_refused(host: &'static Host) {
    let scene = Scene::new(host, "required", &[]);
    let ended = scene.run(r#"{"id": "a", "shell": "write-file made"}"#);
    assert_eq!(ended.status, Some(2));
    let report = ended.report();
    assert_eq!(report["completed"], false);
    assert_eq!(report["failed_step"], "plan");
    let steps = report["steps"].as_array().unwrap();
    assert_eq!(steps.len(), 1, "{}", ended.shown());
    assert_eq!(steps[0]["step_id"], "plan");
    let error = text(&steps[0]["error"]);
    assert!(error.starts_with("E-RUN-012"), "{error}");
    // It says what to do about it.
    assert!(error.contains("best-effort"), "{error}");
    assert!(!scene.work("made").exists());
    scene.wait_gone();
}

/// spec: What a plan may reach: where one was, `required` is no hindrance.
fn a_bounded_plan_runs(host: &'static Host) {
    let scene = Scene::new(host, "required", &[]);
    let ended = scene.run(r#"{"id": "a", "shell": "write-file made"}"#);
    assert_eq!(ended.status, Some(0), "{}", ended.shown());
    assert!(scene.work("made").exists());
    scene.wait_gone();
}
