//! The gate of the command's session, from its manifest: protected paths, then policy hooks.

use std::{ffi::OsString, path::Path, sync::Arc};

use plan_exec::{
    CommandSession, Gate, Gates, HookProgram, HookProgramSpec, PolicyHook, PolicyHooks,
    ProtectedPaths, ReadOnlySpec,
};

use super::{manifest::Manifest, own_files, refusal::Refusal};

/// Returns what is asked before each attempt of a step of `commands`; `None` when the manifest declares nothing
/// that could object.
pub(super) fn gate(
    manifest: &Manifest,
    protected: ProtectedPaths,
    commands: &CommandSession,
) -> Result<Option<Arc<dyn Gate>>, Refusal> {
    let mut gates = Gates::default();
    if !protected.is_empty() {
        gates.push(Arc::new(protected));
    }
    if !manifest.hooks.is_empty() {
        gates.push(Arc::new(policy_hooks(manifest, commands)?));
    }
    if gates.is_empty() {
        return Ok(None);
    }
    Ok(Some(Arc::new(gates)))
}

/// Resolves the protected paths of commands that run in `workdir` with this `PATH` and `HOME`: what the manifest
/// declares, and what its policy hooks are started from.
pub(super) fn protected_paths(
    manifest: &Manifest,
    workdir: &Path,
    path: OsString,
    home: &Path,
) -> Result<ProtectedPaths, Refusal> {
    let spec = ReadOnlySpec {
        workdir: workdir.to_owned(),
        entries: manifest.read_only.clone(),
        path,
        home: home.to_owned(),
    };
    let hook_files = own_files::hook_files(manifest, workdir, &spec.path);
    let mut paths = ProtectedPaths::new(spec).map_err(|error| {
        let message = format!("the manifest `{}`: {error}", manifest.path.display());
        Refusal::new(
            message,
            "the workdir is the manifest's folder, or what `--workdir DIR` names",
        )
    })?;
    for (hook, file) in hook_files {
        paths.protect_part(&file, format!("the policy hook `{hook}`"));
    }
    for tool in &manifest.tools {
        if let Some(schema) = &tool.input_schema {
            paths.declare_tool(&tool.name, schema);
        }
    }
    Ok(paths)
}

fn policy_hooks(manifest: &Manifest, commands: &CommandSession) -> Result<PolicyHooks, Refusal> {
    let mut hooks: Vec<Arc<dyn PolicyHook>> = Vec::new();
    for hook in &manifest.hooks {
        let spec = HookProgramSpec {
            name: hook.name.clone(),
            event: hook.on,
            program: hook.command.name.clone(),
            arguments: hook.command.arguments.clone(),
            manifest_dir: manifest.folder().to_owned(),
        };
        let program = HookProgram::open(spec, commands).map_err(|error| {
            let message = format!("cannot ask the policy hook `{}`: {error}", hook.name);
            Refusal::new(
                message,
                "name the manifest and the workdir by absolute paths",
            )
        })?;
        hooks.push(Arc::new(program));
    }
    Ok(PolicyHooks::new(hooks, commands))
}
