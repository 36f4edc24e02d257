//! The program, words and environment of a child (docs/roost.md, "Launching the approved child").

use std::ffi::OsString;

use super::{
    environment::{LIFELINE, environment},
    roost::Approved,
    spec::RoostSpec,
    work_folder::WorkFolder,
};
use crate::process::{ChildProcess, ChildStart};

/// Launches the approved child. `child_allow` is its own `capabilities.env.allow`.
pub(super) async fn launch(
    spec: &RoostSpec,
    approved: &Approved,
    child_allow: &[String],
    folder: &WorkFolder,
    delegation_id: &str,
) -> Result<ChildProcess, String> {
    ChildProcess::start(ChildStart {
        launcher: &spec.launcher,
        word: &spec.program.word,
        search_path: &spec.program.path,
        arguments: &arguments(spec, approved, folder),
        environment: &environment(spec, child_allow, delegation_id),
        lifeline: LIFELINE,
        workdir: &folder.path,
        input: &format!("{}\n", approved.approval.expose()),
    })
    .await
}

fn arguments(spec: &RoostSpec, approved: &Approved, folder: &WorkFolder) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = vec![
        "run".into(),
        "--capsule".into(),
        (&approved.name).into(),
        "--capsule-version".into(),
        (&approved.version).into(),
        "--workdir".into(),
        (&folder.path).into(),
        "--workdir-identity".into(),
        (&folder.identity).into(),
        "--json".into(),
        "--readiness-tokens".into(),
        "--no-env-file".into(),
        "--spawn-grant-stdin".into(),
    ];
    if let Some(deadline) = spec.deadline_ms {
        arguments.extend(["--inherited-deadline".into(), deadline.to_string().into()]);
    }
    arguments
}
