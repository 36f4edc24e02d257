//! What a manifest grants, as plain data.

use std::path::{Path, PathBuf};

use super::fault::Fault;
use super::fields::{Fields, Section};
use super::hooks::{Hook, hooks};
use super::node::Tree;
use super::protect::read_only;
use super::resources::Resources;
use super::tools::{Tool, tools};

/// A session's manifest, as far as this command reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    /// The file it was read from.
    pub path: PathBuf,
    /// The capsule's name.
    pub name: String,
    /// The capsule's version.
    pub version: String,
    /// `capabilities.plan.submit`: whether plans may be submitted at all.
    pub plan_submit: bool,
    /// `capabilities.shell`.
    pub shell: Shell,
    /// `capabilities.spawn.allow`: the capsules a plan may delegate to.
    pub spawn_allow: Vec<String>,
    /// `capabilities.filesystem.read_only`: subtrees of the workdir, relative to it, links not looked at.
    pub read_only: Vec<String>,
    /// `capabilities.env.allow`.
    pub env_allow: Vec<String>,
    /// `capabilities.resources`.
    pub resources: Resources,
    /// This command's own tools, in file order; their names differ.
    pub tools: Vec<Tool>,
    /// The policy hooks, in the order in which they are asked; their names differ.
    pub hooks: Vec<Hook>,
}

/// `capabilities.shell`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shell {
    /// The programs a shell step may start, byte for byte (ruling 31).
    pub allow: Vec<String>,
    /// Names of variables kept from commands; a `*` at either end stands for anything (ruling 32).
    pub strip_env: Vec<String>,
    /// Names of variables handed to commands (ruling 32).
    pub baseline_env: Vec<String>,
}

impl Manifest {
    /// Returns the folder the manifest is in, `.` for one in the current directory.
    pub fn folder(&self) -> &Path {
        match self.path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        }
    }
}

/// Reads the manifest that `tree` is, or every fault in it.
pub(super) fn manifest(path: &Path, tree: &Tree<'_>) -> Result<Manifest, Vec<Fault>> {
    let mut fields = Fields {
        tree,
        faults: Vec::new(),
    };
    let root = fields.root();
    let name = fields.required_text(&root, "name", "my-capsule");
    let version = fields.required_text(&root, "version", "\"0.1.0\"");
    let capabilities = fields.section(&root, "capabilities");
    let plan = fields.section(&capabilities, "plan");
    let plan_submit = fields.flag(&plan, "submit");
    let shell = fields.section(&capabilities, "shell");
    let shell = Shell {
        allow: fields.texts(&shell, "allow"),
        strip_env: fields.patterns(&shell, "strip_env"),
        baseline_env: fields.exact_names(&shell, "baseline_env"),
    };
    let spawn = fields.section(&capabilities, "spawn");
    let spawn_allow = fields.texts(&spawn, "allow");
    let filesystem = fields.section(&capabilities, "filesystem");
    let read_only = read_only(&mut fields, &filesystem);
    let env = fields.section(&capabilities, "env");
    let env_allow = fields.texts(&env, "allow");
    let resources = fields.section(&capabilities, "resources");
    let resources = limits(&mut fields, &resources);
    let tools = tools(&mut fields, &root);
    let hooks = hooks(&mut fields, &root);
    if !fields.faults.is_empty() {
        return Err(fields.faults);
    }
    Ok(Manifest {
        path: path.to_owned(),
        name,
        version,
        plan_submit,
        shell,
        spawn_allow,
        read_only,
        env_allow,
        resources,
        tools,
        hooks,
    })
}

fn limits<'t>(fields: &mut Fields<'t>, section: &Section<'t>) -> Resources {
    let mut limit = |key| fields.positive(section, key);
    Resources {
        cgroup_memory_bytes: limit("cgroup_memory_bytes"),
        cgroup_pids_max: limit("cgroup_pids_max"),
        cgroup_cpu_percent: limit("cgroup_cpu_percent"),
        cgroup_io_bytes_per_sec: limit("cgroup_io_bytes_per_sec"),
        max_open_files: limit("max_open_files"),
        max_file_size_bytes: limit("max_file_size_bytes"),
        cpu_seconds: limit("cpu_seconds"),
        memory_bytes: limit("memory_bytes"),
        max_processes: limit("max_processes"),
        workdir_max_bytes: limit("workdir_max_bytes"),
    }
}
