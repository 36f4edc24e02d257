//! The capsules that plans delegate to, and the parent's own entry: their manifests, and the store they are put into.

use std::{
    fs,
    io::Write as _,
    net::SocketAddr,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use super::{model, real::Real, zip::zip};

/// The version of everything in the store; a capsule step asks for no other.
const VERSION: &str = "0.1.0";

/// What a worker's program is handed by name, and may be: the process driver wants the first two to be declared.
const ENVIRONMENT: &str = "HOME, FIXTURE_HARNESS_PROFILE, PATH";
/// The variable with the word that the model is asked with. Parent and worker name it, so the parent has to hand it on.
pub(super) const MODEL_WORD: &str = "INTEROP_WORD";

/// Workers that a step may ask for. The daemon knows the list from the parent's entry in the store.
const SPAWN_ALLOW: &[&str] = &[
    "answering",
    "exiting",
    "modelled",
    "guarded",
    "doorless",
    "driverless",
    "shelled",
    "greedy",
    "thirsty",
];

/// The manifest of the parent, for the daemon and for `mur-plan` alike; `more` is added at its end.
pub(super) fn parent(more: &str) -> String {
    let spawn: Vec<String> = SPAWN_ALLOW
        .iter()
        .map(|name| format!("local/{name}"))
        .collect();
    let spawn = spawn.join(", ");
    format!(
        "name: parent\nversion: {VERSION}\nartifacts: []\ncapabilities:\n  plan: {{submit: true}}\n  \
         network: {{allow: [127.0.0.1]}}\n  env: {{allow: [{MODEL_WORD}, {ENVIRONMENT}]}}\n  \
         shell: {{allow: [sh]}}\n  spawn: {{allow: [{spawn}]}}\n{more}"
    )
}

/// Puts everything into the store of `home`.
pub(super) fn store(
    home: &Path,
    real: &Real,
    model_address: SocketAddr,
    harness: &Path,
) -> Result<(), String> {
    let script = real.component("run/components/capsule-env-echo.wasm")?;
    let script: File<'_> = ("capsule.wasm", &script);
    let process_driver = real.component("process-driver/tool/process-driver.wasm")?;
    let http_driver = real.component("drivers/anthropic/driver/murmur-driver-anthropic.wasm")?;
    let store = Store { home };
    let models = format!(
        "upstream_auth: {{header: {}, value: \"{{key}}\"}}\n\
         models: {{test-model: {{max_output_tokens: 8192, context_window: 1000000}}}}\n",
        model::WORD_HEADER
    );

    let manifest = |name: &str, rest: &str| format!("name: {name}\nversion: {VERSION}\n{rest}");
    let driver = |name: &str, rest: &str| manifest(name, &format!("runtime: driver\n{rest}"));
    store.put(
        "process",
        &driver("process", ""),
        &[("tool.wasm", &process_driver)],
    )?;
    store.put(
        "http",
        &driver("http", &models),
        &[("tool.wasm", &http_driver)],
    )?;

    // The parent never runs from here: the daemon reads what it may.
    store.put("parent", &parent(""), &[script])?;

    let harness = format!(
        "artifacts: [{{name: local/process, version: {VERSION}, runtime: driver}}]\n\
         capabilities: {{env: {{allow: [{ENVIRONMENT}]}}}}\n\
         inference: {{transport: process, command: {}, driver: {{artifact: local/process}}}}\n",
        harness.display()
    );
    store.put(
        "answering",
        &manifest("answering", &format!("{harness}{STAYS}")),
        &[],
    )?;
    store.put(
        "exiting",
        &manifest("exiting", &format!("{harness}{EXITS}")),
        &[],
    )?;
    let missing = harness.replace("local/process", "local/not-in-the-store");
    store.put(
        "driverless",
        &manifest("driverless", &format!("{missing}{STAYS}")),
        &[],
    )?;

    let modelled = |more: &str, rest: &str| {
        format!(
            "artifacts:\n  - {{name: local/http, version: {VERSION}, runtime: driver, \
             gateway: {{endpoint: \"http://{model_address}\", api_key: \"${{{MODEL_WORD}}}\"}}}}\n\
             capabilities:\n  env: {{allow: [{MODEL_WORD}]}}\n{more}\
             inference: {{transport: http, model: test-model, driver: {{artifact: local/http}}}}\n{STAYS}{rest}"
        )
    };
    let guarded = "network: {authentication: {scheme: bearer}}\n";
    store.put("modelled", &manifest("modelled", &modelled("", "")), &[])?;
    store.put("guarded", &manifest("guarded", &modelled("", guarded)), &[])?;
    let shelled = modelled("  shell: {allow: [sh]}\n", "");
    store.put("shelled", &manifest("shelled", &shelled), &[])?;

    let alone =
        |name: &str, capabilities: &str| manifest(name, &format!("artifacts: []\n{capabilities}"));
    store.put("doorless", &alone("doorless", ""), &[script])?;
    let greedy = "capabilities: {shell: {allow: [git]}}\n";
    store.put("greedy", &alone("greedy", greedy), &[script])?;
    let thirsty = "capabilities: {env: {allow: [NOT_THE_PARENTS]}}\n";
    store.put("thirsty", &alone("thirsty", thirsty), &[script])
}

/// Writes the program that workers run for their task.
pub(super) fn write_harness(folder: &Path) -> Result<PathBuf, String> {
    let path = folder.join("harness.sh");
    let written = fs::write(&path, include_str!("harness.sh"))
        .and_then(|()| fs::set_permissions(&path, fs::Permissions::from_mode(0o755)));
    written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
    Ok(path)
}

type File<'a> = (&'static str, &'a [u8]);

/// A worker that waits for more after its task.
const STAYS: &str = "lifecycle: {task_acceptance: queue, after_task: sleep}\n";
/// A worker that is gone after its task.
const EXITS: &str = "lifecycle: {task_acceptance: single, after_task: exit}\n";

/// `<home>/.murmur/artifacts/<scope>/<name>/<version>/`, a zip file each with its checksum beside it.
struct Store<'a> {
    home: &'a Path,
}

impl Store<'_> {
    fn put(&self, name: &str, manifest: &str, files: &[File<'_>]) -> Result<(), String> {
        let mut entries = vec![("murmur.yaml", manifest.as_bytes())];
        entries.extend(files);
        let bytes = zip(&entries)?;
        let folder = self
            .home
            .join(".murmur/artifacts/local")
            .join(name)
            .join(VERSION);
        let write = |name: String, bytes: &[u8]| {
            let path = folder.join(name);
            fs::write(&path, bytes)
                .map_err(|error| format!("cannot write {}: {error}", path.display()))
        };
        fs::create_dir_all(&folder)
            .map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        write(format!("{name}-{VERSION}.mur.zip"), &bytes)?;
        write(
            format!("{name}-{VERSION}.sha256"),
            sha256(&bytes)?.as_bytes(),
        )
    }
}

/// Returns the checksum in hexadecimal, by the program of that name.
fn sha256(bytes: &[u8]) -> Result<String, String> {
    let failed =
        |error: std::io::Error| format!("cannot run here: cannot run `sha256sum` ({error})");
    let mut child = Command::new("sha256sum")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .map_err(failed)?;
    // Dropped at once, so that the program sees the end.
    let written = child.stdin.take().map(|mut input| input.write_all(bytes));
    written.unwrap_or(Ok(())).map_err(failed)?;
    let told = child.wait_with_output().map_err(failed)?;
    let told = String::from_utf8_lossy(&told.stdout);
    let sum = told.split_whitespace().next().unwrap_or_default();
    if sum.len() == 64 {
        Ok(sum.to_owned())
    } else {
        Err(format!("`sha256sum` answered `{told}`"))
    }
}
