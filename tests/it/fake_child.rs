//! A scripted sub-capsule: a shell script for its life, a listener for its door, and its artifact in the store.

use std::{fs, process::Command};

use zip::{ZipWriter, write::SimpleFileOptions};

use crate::{
    fake_roost::{Answer, Asked, FakeRoost},
    space::Space,
};

/// The operator token that the child reports.
pub(crate) const OPERATOR: &str = "oper-77f00d";

/// A child's door, and where its records are.
pub(crate) struct FakeChild {
    pub(crate) door: FakeRoost,
}

impl FakeChild {
    /// Puts the child `worker` into the space: `READY` in its script reports it. Its door answers by `door`.
    pub(crate) fn install(
        space: &Space,
        script: &str,
        door: impl Fn(&Asked, usize) -> Answer + Send + Sync + 'static,
    ) -> Self {
        let door = FakeRoost::start(door);
        let ready = format!(
            r#"mkdir -p "$PWD/records"; printf '{{"session_id":"ses_%s","records_dir":"%s","url":"{}","tokens":{{"operator":"{OPERATOR}"}},"auth":"bearer"}}\n' "$(basename "$PWD")" "$PWD/records""#,
            door.address
        );
        let script = script
            .replace("READY", &ready)
            .replace("[space]", &space.path("").to_string_lossy());
        let draft = space.file("child.txt", format!("#!/bin/sh\n{script}\n"));
        // Another process writes what is executed, so that no process started meanwhile holds it open for writing.
        let installed = Command::new("install")
            .args(["-m", "755"])
            .args([draft, space.path("child")])
            .status();
        assert!(installed.expect("install is there").success());
        store(
            space,
            "capabilities: {env: {allow: [SHARED, NOT_THE_PARENTS]}}\n",
        );
        Self { door }
    }
}

/// Puts the artifact of `local/worker` with this manifest into the store of the space's user.
pub(crate) fn store(space: &Space, manifest: &str) {
    let path = space.path("user/.murmur/artifacts/local/worker/0.1.0/worker-0.1.0.mur.zip");
    fs::create_dir_all(path.parent().expect("it is in a folder")).expect("a folder");
    let mut zip = ZipWriter::new(fs::File::create(path).expect("a file"));
    zip.start_file("murmur.yaml", SimpleFileOptions::default())
        .expect("an entry");
    std::io::Write::write_all(&mut zip, manifest.as_bytes()).expect("its text");
    zip.finish().expect("a zip file");
}

/// Says that the task has completed with this answer.
pub(crate) fn completed(answer: &str) -> Answer {
    let text = serde_json::to_string(answer).expect("text is JSON");
    let artifacts = format!(r#"[{{"artifactId":"response","parts":[{{"text":{text}}}]}}]"#);
    let task = format!(
        r#"{{"id":"tsk_1","status":{{"state":"TASK_STATE_COMPLETED"}},"artifacts":{artifacts}}}"#
    );
    (
        200,
        format!(r#"{{"jsonrpc":"2.0","id":"x","result":{{"task":{task}}}}}"#),
    )
}

/// A child that reports itself and then sleeps until it is asked to end.
pub(crate) const STAYS: &str =
    "read approval; READY; trap 'exit 0' TERM; while read x <&$MURMUR_SPAWNER_LIFELINE; do :; done";
