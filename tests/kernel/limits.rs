//! Limits of the whole and of one process: what goes past one is stopped, and the step says which one it was.

use crate::{
    ended::Ended,
    host::Host,
    scene::Scene,
    trial::{Trial, trial},
};

pub(crate) const TRIALS: &[Trial] = &[
    trial!(a_fork_bomb_is_stopped_and_named, Controllers),
    trial!(a_memory_hog_is_stopped_and_named, Controllers),
    trial!(a_busy_step_gets_its_share_of_a_processor, Controllers),
    trial!(a_step_out_of_processor_time_is_named),
    trial!(a_step_past_the_largest_file_is_named),
    trial!(a_limit_that_is_not_met_is_not_named),
];

/// Steps of which one runs while `hostile` does: it is up before and goes on until that one has settled.
fn beside_an_innocent(hostile: &str) -> String {
    format!(
        r#"{{"id": "innocent", "shell": "sh -c 'echo up > up; exec wait-for go'"}},
           {{"id": "up", "shell": "wait-for up"}},
           {{"id": "hostile", "shell": "{hostile}", "depends_on": ["up"], "on_error": "continue"}},
           {{"id": "go", "shell": "write-file go", "depends_on": ["hostile"]}}"#
    )
}

/// The hostile step failed naming the limit, and nobody else did.
fn blames(ended: &Ended, field: &str) {
    assert_eq!(
        ended.step("hostile")["status"],
        "failed",
        "{}",
        ended.shown()
    );
    let error = ended.error("hostile");
    let name = format!("capabilities.resources.{field}");
    assert!(error.contains(&name), "the error is {error:?}");
    for id in ["innocent", "up", "go"] {
        assert_eq!(ended.step(id)["status"], "success", "{}", ended.shown());
    }
}

/// spec: What a plan may reach: `pids.max` stops a fork bomb; its step is told why, and the one beside it lives.
fn a_fork_bomb_is_stopped_and_named(host: &'static Host) {
    let scene = Scene::new(host, "required", &["resources: {cgroup_pids_max: 40}"]);
    let ended = scene.run(&beside_an_innocent("forkbomb 400"));
    blames(&ended, "cgroup_pids_max");
    let output = ended.output("hostile");
    assert!(output.starts_with("stopped after "), "{output}");
    scene.wait_gone();
}

/// spec: What a plan may reach: `memory.max` ends what takes too much, and not what is beside it.
fn a_memory_hog_is_stopped_and_named(host: &'static Host) {
    let limit = "resources: {cgroup_memory_bytes: 67108864}";
    let scene = Scene::new(host, "required", &[limit]);
    let ended = scene.run(&beside_an_innocent("hog 268435456"));
    blames(&ended, "cgroup_memory_bytes");
    scene.wait_gone();
}

/// spec: What a plan may reach: `cpu.max` is of one core: two busy steps share what one alone would get.
fn a_busy_step_gets_its_share_of_a_processor(host: &'static Host) {
    let scene = Scene::new(host, "required", &["resources: {cgroup_cpu_percent: 20}"]);
    let ended =
        scene.run(r#"{"id": "a", "shell": "spin 3000"}, {"id": "b", "shell": "spin 3000"}"#);
    let mut percent = 0.0;
    for id in ["a", "b"] {
        let said = ended.output(id);
        let times: Vec<f64> = said
            .split_whitespace()
            .map(|number| number.parse().unwrap())
            .collect();
        percent += times[0] / times[1] * 100.0;
    }
    // Wide: periods are a tenth of a second, and an emulated machine is not even.
    assert!((8.0..40.0).contains(&percent), "{percent} % of a core");
    scene.wait_gone();
}

/// spec: What a plan may reach: a process that has used its `cpu_seconds` gets SIGXCPU, and its step says so.
fn a_step_out_of_processor_time_is_named(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &["resources: {cpu_seconds: 1}"]);
        let ended = scene.run(&beside_an_innocent("spin 20000"));
        blames(&ended, "cpu_seconds");
        scene.wait_gone();
    }
}

/// spec: What a plan may reach: a process that writes past `max_file_size_bytes` gets SIGXFSZ, and its step says so.
fn a_step_past_the_largest_file_is_named(host: &'static Host) {
    for bounding in host.boundings() {
        let limit = "resources: {max_file_size_bytes: 4194304}";
        let scene = Scene::new(host, bounding, &[limit]);
        let ended = scene.run(&beside_an_innocent("fill 16777216"));
        blames(&ended, "max_file_size_bytes");
        let filled = std::fs::metadata(scene.work("filled")).unwrap().len();
        assert_eq!(filled, 4_194_304);
        scene.wait_gone();
    }
}

/// spec: What a plan may reach: a step that fails for a reason of its own, by a signal or not, blames no limit.
fn a_limit_that_is_not_met_is_not_named(host: &'static Host) {
    for bounding in host.boundings() {
        let limits = "resources: {cpu_seconds: 60, max_file_size_bytes: 8388608}";
        let scene = Scene::new(host, bounding, &[limits]);
        let ended = scene.run(
            r#"{"id": "killed", "shell": "sh -c 'kill -9 $$'", "on_error": "continue"},
               {"id": "exits", "shell": "sh -c 'exit 152'", "on_error": "continue"},
               {"id": "fills", "shell": "fill 8388608"}"#,
        );
        for id in ["killed", "exits"] {
            let error = ended.error(id);
            assert!(!error.contains("capabilities.resources"), "{id}: {error}");
        }
        assert_eq!(
            ended.step("fills")["status"],
            "success",
            "{}",
            ended.shown()
        );
        scene.wait_gone();
    }
}
