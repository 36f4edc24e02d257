//! What the kernel keeps from being written, also by a program that no gate can read.

use std::fs;

use crate::{
    ended::Ended,
    host::Host,
    scene::Scene,
    trial::{Trial, trial},
};

pub(crate) const TRIALS: &[Trial] = &[
    trial!(what_is_protected_cannot_be_written_by_any_program, Mounts),
    trial!(what_judges_the_steps_cannot_be_written, Mounts),
    trial!(the_plan_that_runs_cannot_be_changed, Mounts),
    trial!(nothing_outside_the_workdir_can_be_written, Landlock),
    trial!(the_workdir_and_the_standard_places_can_be_written, Landlock),
    trial!(a_home_inside_the_workdir_is_protected, Mounts),
];

const READ_ONLY: &str = "filesystem: {read_only: [tests]}";

/// The step failed because the kernel said no.
fn is_refused_by_the_kernel(ended: &Ended, id: &str) {
    assert_eq!(ended.step(id)["status"], "failed", "{}", ended.shown());
    let error = ended.error(id);
    let refusals = [READ_ONLY_FILE_SYSTEM, "Permission denied (os error 13)"];
    assert!(
        refusals.iter().any(|refusal| error.contains(refusal)),
        "{id}: {error}"
    );
}
const READ_ONLY_FILE_SYSTEM: &str = "Read-only file system (os error 30)";

/// spec: What a plan may reach: a protected subtree holds even against an interpreter's own `open`: changing a file,
/// adding one and removing one are refused by the kernel, by its name and by a link to it.
fn what_is_protected_cannot_be_written_by_any_program(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[READ_ONLY]);
        let file = scene.file("tests/a", "as it was");
        std::os::unix::fs::symlink("tests/a", scene.work("link")).unwrap();
        let absolute = file.display();
        let ended = scene.run(&format!(
            r#"{{"id": "change", "shell": "write-file tests/a", "on_error": "continue"}},
               {{"id": "absolute", "shell": "write-file {absolute}", "on_error": "continue"}},
               {{"id": "link", "shell": "write-file link", "on_error": "continue"}},
               {{"id": "add", "shell": "write-file tests/b", "on_error": "continue"}},
               {{"id": "remove", "shell": "remove-file tests/a", "on_error": "continue"}},
               {{"id": "read", "shell": "cat tests/a"}},
               {{"id": "beside", "shell": "write-file tests2"}}"#
        ));
        for id in ["change", "absolute", "link", "add", "remove"] {
            is_refused_by_the_kernel(&ended, id);
        }
        assert_eq!(ended.output("read"), "as it was");
        assert_eq!(ended.output("beside"), "written\n");
        assert_eq!(fs::read_to_string(&file).unwrap(), "as it was");
        assert!(!scene.work("tests/b").exists());
        // The mount is the step's alone: whoever comes after may write.
        fs::write(&file, "by the user").unwrap();
        scene.wait_gone();
    }
}

/// spec: What a plan may reach; spec: Policy hooks: the manifest and what a policy hook is started from hold against a
/// step's own `open`, where they lie in the workdir.
fn what_judges_the_steps_cannot_be_written(host: &'static Host) {
    const HOOK: &str = "env: {allow: []}\nhooks:\n  - {name: guard, on: on-shell, commit_policy: deny, \
                        command: [./dir/guard, --rules=rules, dir/more]}";
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[HOOK]);
        scene.keep_manifest_in_workdir();
        let guard = scene.script("guard", "echo '{}'");
        scene.file("rules", "as they were");
        scene.file("more/rules", "as they were");
        let was = [&guard, &scene.work("murmur.yaml")].map(|file| fs::read(file).unwrap());
        let ended = scene.run(
            r#"{"id": "manifest", "shell": "write-file murmur.yaml", "on_error": "continue"},
               {"id": "program", "shell": "write-file guard", "on_error": "continue"},
               {"id": "rules", "shell": "write-file rules", "on_error": "continue"},
               {"id": "more", "shell": "write-file more/rules", "on_error": "continue"},
               {"id": "read", "shell": "cat rules"},
               {"id": "beside", "shell": "write-file guard2"}"#,
        );
        for id in ["manifest", "program", "rules", "more"] {
            is_refused_by_the_kernel(&ended, id);
        }
        assert_eq!(ended.output("read"), "as they were");
        assert_eq!(ended.output("beside"), "written\n");
        let is = [&guard, &scene.work("murmur.yaml")].map(|file| fs::read(file).unwrap());
        assert_eq!(is, was);
        scene.wait_gone();
    }
}

/// spec: What a plan may reach: commands can read the plan that runs and cannot change it.
fn the_plan_that_runs_cannot_be_changed(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let ended = scene.run(
            r#"{"id": "before", "shell": "read-plan"},
               {"id": "write", "shell": "write-plan", "depends_on": ["before"], "on_error": "continue"},
               {"id": "after", "shell": "read-plan", "depends_on": ["write"]}"#,
        );
        is_refused_by_the_kernel(&ended, "write");
        assert!(ended.output("before").contains("write-plan"));
        assert_eq!(ended.output("before"), ended.output("after"));
        scene.wait_gone();
    }
}

/// spec: What a plan may reach: a command writes its workdir, its home and its folder for temporary files, and
/// nowhere else.
fn nothing_outside_the_workdir_can_be_written(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let outside = scene.outside("outside");
        let temporary = std::env::temp_dir().join(format!("plan-test-{}", std::process::id()));
        let ended = scene.run(&format!(
            r#"{{"id": "absolute", "shell": "write-file {}", "on_error": "continue"}},
               {{"id": "relative", "shell": "write-file ../outside", "on_error": "continue"}},
               {{"id": "manifest", "shell": "write-file ../murmur.yaml", "on_error": "continue"}},
               {{"id": "temporary", "shell": "write-file {}", "on_error": "continue"}}"#,
            outside.display(),
            temporary.display(),
        ));
        let was_written = fs::remove_file(&temporary).is_ok();
        assert!(!was_written, "{} was written", temporary.display());
        for id in ["absolute", "relative", "manifest", "temporary"] {
            is_refused_by_the_kernel(&ended, id);
        }
        assert!(!outside.exists());
        scene.wait_gone();
    }
}

/// spec: What a plan may reach: what a command needs to write stays writable.
fn the_workdir_and_the_standard_places_can_be_written(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        let script = "for at in . $HOME $TMPDIR; do echo text > $at/file && cat $at/file && mkdir $at/folder && \
                      mv $at/file $at/folder/moved || exit 1; done; echo lost > /dev/null && echo done";
        let ended = scene.run(&format!(
            r#"{{"id": "a", "shell": "sh -c '{script}'"}}, {{"id": "b", "shell": "write-file made"}}"#
        ));
        assert_eq!(ended.status, Some(0), "{}", ended.shown());
        assert_eq!(ended.output("a"), "text\ntext\ntext\ndone\n");
        assert_eq!(
            fs::read_to_string(scene.work("made")).unwrap(),
            "written by a step"
        );
        scene.wait_gone();
    }
}

/// spec: What a plan may reach: where `<home>` lies inside the workdir, the sessions and the records in it are
/// protected all the same, save the command's own `home/` and `tmp/`.
fn a_home_inside_the_workdir_is_protected(host: &'static Host) {
    for bounding in host.boundings() {
        let scene = Scene::new(host, bounding, &[]);
        scene.keep_home_in_workdir();
        let ended = scene.run(
            r#"{"id": "before", "shell": "read-plan"},
               {"id": "plan", "shell": "write-plan", "depends_on": ["before"], "on_error": "continue"},
               {"id": "trace", "shell": "sh -c 'exec write-file $MURMUR_RECORDS_DIR/trace.jsonl'", "on_error": "continue"},
               {"id": "sessions", "shell": "write-file .murmur/sessions/x", "on_error": "continue"},
               {"id": "home", "shell": "sh -c 'exec write-file $HOME/x'"},
               {"id": "after", "shell": "read-plan", "depends_on": ["plan"]}"#,
        );
        for id in ["plan", "trace", "sessions"] {
            is_refused_by_the_kernel(&ended, id);
        }
        assert_eq!(ended.output("before"), ended.output("after"));
        assert_eq!(ended.output("home"), "written\n");
        scene.wait_gone();
    }
}
