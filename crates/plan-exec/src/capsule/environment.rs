//! A child's environment, built from nothing (docs/roost.md, "Launching the approved child").

use std::ffi::OsString;

use serde::Serialize;

use super::spec::{RoostSpec, SpawnerFacts};

/// Returns the environment, its lifeline's number left to the launcher. `child_allow` is the child's own
/// `capabilities.env.allow`.
pub(super) fn environment(
    spec: &RoostSpec,
    child_allow: &[String],
    delegation_id: &str,
) -> Vec<(OsString, OsString)> {
    let mut variables: Vec<(OsString, OsString)> = Vec::new();
    let both = child_allow
        .iter()
        .filter(|name| spec.env_allow.contains(name) && may_be_handed_on(name));
    for name in both.map(String::as_str).chain(FROM_PARENT) {
        let is_new = variables.iter().all(|(known, _)| known != name);
        if is_new && let Some(value) = spec.host.var(name) {
            variables.push((name.into(), value));
        }
    }
    let mut set = |name: &str, value: &str| variables.push((name.into(), value.into()));
    set("MURMUR_ROOST_URL", &spec.url.to_string());
    // What the host lacks was told for this session already.
    set("MURMUR_HOST_WARNINGS_REPORTED", "1");
    if let Some(spawner) = &spec.spawner {
        set("MURMUR_SPAWNER", &spawner_text(spawner, delegation_id));
    }
    if let Some(formation) = &spec.formation_id {
        set("MURMUR_FORMATION_ID", formation);
    }
    variables.retain(|(_, value)| !value.as_encoded_bytes().contains(&0));
    variables
}

/// Returns whether manifests may hand on a variable: one that is no identity of the user or the runtime's own, and
/// that an environment can hold.
fn may_be_handed_on(name: &str) -> bool {
    !name.is_empty()
        && !name.contains(['=', '\0'])
        && !FROM_PARENT.contains(&name)
        && !name.starts_with("MURMUR_")
}

/// No `url` in it: a child that finds one posts its outcome there, and a step waits instead.
fn spawner_text(spawner: &SpawnerFacts, delegation_id: &str) -> String {
    let told = Told {
        session_id: &spawner.session_id,
        context_id: &spawner.context_id,
        delegation_id,
    };
    serde_json::to_string(&told).expect("three texts are JSON")
}

#[derive(Serialize)]
struct Told<'a> {
    session_id: &'a str,
    context_id: &'a str,
    delegation_id: &'a str,
}

/// What a child has of the parent's own.
const FROM_PARENT: [&str; 4] = ["PATH", "HOME", "LOGNAME", "USER"];

/// The variable that holds the number of the lifeline's descriptor.
pub(super) const LIFELINE: &str = "MURMUR_SPAWNER_LIFELINE";
