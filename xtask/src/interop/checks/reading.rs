//! The traces: ours read by the real viewer, and those of real children by ours.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use serde_json::json;

use super::{
    super::{lines::Lines, scene::Scene},
    ensure, same,
};

pub(super) fn the_real_viewer_reads_the_traces(scene: &Scene) -> Result<String, String> {
    write_refusals(scene)?;
    let traces = scene.traces.borrow();
    let (mut rows, mut children) = (0, 0);
    for trace in traces.iter() {
        let shown = view(&mut scene.program(&scene.real.mur()), "show", trace)?;
        let steps = view(&mut scene.program(&scene.real.mur()), "steps", trace)?;
        let lines = Lines::read(trace);
        for line in lines.of("plan_step") {
            let row =
                ["step_id", "kind", "status"].map(|key| line[key].as_str().unwrap_or_default());
            let is_shown =
                has_row(&shown, &row) && has_row(&steps, &[&["plan_step"][..], &row].concat());
            ensure(is_shown, || {
                format!(
                    "`{}` of {} is not shown\n{shown}{steps}",
                    row.join(" "),
                    trace.display()
                )
            })?;
            rows += 1;
        }
        for line in lines.of("delegation_start") {
            let id = line["delegation_id"].as_str().unwrap_or_default();
            ensure(has_row(&shown, &[id]), || {
                format!(
                    "delegation {id} of {} is not shown\n{shown}",
                    trace.display()
                )
            })?;
            children += 1;
        }
    }
    is_told_a_broken_one(scene, &traces[0])?;
    Ok(format!(
        "{} traces with {rows} settled steps and {children} children by `mur trace show` and `mur trace steps`",
        traces.len()
    ))
}

pub(super) fn mur_plan_reads_the_traces_of_children(scene: &Scene) -> Result<String, String> {
    // With a filter nobody may have had one written.
    let steps = json!([{"id": "a", "capsule": "answering", "input": "read me"}]);
    scene.plan("read", steps).run()?.exits(0)?;
    let traces = scene.traces.borrow();
    let mut count = 0;
    for ours in traces.iter() {
        for start in Lines::read(ours).of("delegation_start") {
            let records = start["child_records_dir"].as_str().unwrap_or_default();
            let trace = Path::new(records).join("trace.jsonl");
            // A script that is run as a whole, without tasks, leaves none.
            if start["capsule"] == "local/doorless" {
                continue;
            }
            view(&mut scene.program(&scene.command), "show", &trace)?;
            view(&mut scene.program(&scene.command), "steps", &trace)?;
            count += 1;
        }
    }
    ensure(count > 0, || "there are no children".into())?;
    Ok(format!(
        "{count} traces by `mur-plan trace show` and `mur-plan trace steps`"
    ))
}

/// Has a trace written with what a plan may be refused, and a plan that is refused as a whole.
fn write_refusals(scene: &Scene) -> Result<(), String> {
    let refusing = "  filesystem: {read_only: [kept]}\n\
                    hooks:\n  - {name: no-secrets, on: on-shell, commit_policy: deny, command: [sh, -c, \
                    'read -r call; case $call in *secret*) echo ''{\"deny\": \"no secrets\"}'';; *) echo ''{}'';; esac']}\n";
    let steps = json!([
        {"id": "denied", "shell": "sh -c 'echo secret'", "on_error": "continue"},
        {"id": "protected", "shell": "sh -c 'echo x > kept/file'", "on_error": "skip"},
        {"id": "fine", "shell": "sh -c 'echo fine'", "depends_on": ["denied", "protected"]},
        {"id": "not-run", "shell": "sh -c 'exit 1'", "if": "$fine.status == 'failed'", "depends_on": ["fine"]},
    ]);
    let ended = scene.plan("denied", steps).manifest(refusing).run()?;
    ended.exits(0)?;
    same("calls denied", ended.trace.of("call_denied").count(), 1)?;
    let protected = ended.trace.of("protected_path_denied").count();
    same("writes denied", protected, 1)?;
    let steps = json!([{"id": "a", "shell": "rm x"}]);
    let ended = scene.plan("faulty", steps).run()?;
    ended.exits(2)
}

/// That a trace is accepted says something only where another is not.
fn is_told_a_broken_one(scene: &Scene, whole: &Path) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("cannot break a trace: {error}");
    let text = fs::read_to_string(whole).map_err(failed)?;
    let broken = scene.folder.join("broken.jsonl");
    fs::write(&broken, text.replace("\"status\":", "\"state\":")).map_err(failed)?;
    let told = view(&mut scene.program(&scene.real.mur()), "steps", &broken);
    ensure(told.is_err(), || "the real viewer accepts anything".into())
}

/// Returns whether a line begins with these words.
fn has_row(text: &str, words: &[&str]) -> bool {
    let mut lines = text.lines();
    lines.any(|line| {
        line.split_whitespace()
            .take(words.len())
            .eq(words.iter().copied())
    })
}

/// Returns what a viewer shows of a trace.
fn view(program: &mut Command, what: &str, trace: &Path) -> Result<String, String> {
    let told = program
        .args(["trace", what])
        .arg(trace)
        .output()
        .map_err(|error| format!("cannot start a viewer: {error}"))?;
    let name = PathBuf::from(program.get_program());
    if told.status.success() {
        return Ok(String::from_utf8_lossy(&told.stdout).into_owned());
    }
    Err(format!(
        "`{} trace {what} {}` failed ({}):\n{}",
        name.display(),
        trace.display(),
        told.status,
        String::from_utf8_lossy(&told.stderr)
    ))
}
