//! What a manifest grants, as plain data.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::fault::Fault;
use super::fields::{Fields, Section};
use super::node::{Node, Tree, brief};
use super::resources::Resources;
use crate::PlanTool;

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
    /// `capabilities.env.allow`.
    pub env_allow: Vec<String>,
    /// `capabilities.resources`.
    pub resources: Resources,
    /// This command's own tools, in file order; their names differ.
    pub tools: Vec<Tool>,
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

/// A tool that is a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The name a step calls it by.
    pub name: String,
    /// What is started.
    pub command: Program,
}

/// A program and its arguments.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// With a `/` relative to the manifest's folder, without one looked up on `PATH`.
    pub name: String,
    /// Its arguments, as they are handed over.
    pub arguments: Vec<String>,
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
        baseline_env: fields.texts(&shell, "baseline_env"),
    };
    let spawn = fields.section(&capabilities, "spawn");
    let spawn_allow = fields.texts(&spawn, "allow");
    let filesystem = fields.section(&capabilities, "filesystem");
    fields.not_enforced(&filesystem, "read_only");
    let env = fields.section(&capabilities, "env");
    let env_allow = fields.texts(&env, "allow");
    let resources = fields.section(&capabilities, "resources");
    let resources = limits(&mut fields, &resources);
    let tools = tools(&mut fields, &root);
    fields.not_enforced(&root, "hooks");
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
        env_allow,
        resources,
        tools,
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

fn tools<'t>(fields: &mut Fields<'t>, root: &Section<'t>) -> Vec<Tool> {
    let mut names = BTreeSet::new();
    let mut tools = Vec::new();
    for (at, item) in fields.list(root, "tools").iter().enumerate() {
        let path = format!("tools[{at}]");
        let Some(section) = fields.item_section(item, path, TOOL_HINT) else {
            continue;
        };
        let name = fields.required_text(&section, "name", "my-tool");
        let named = section.get("name").unwrap_or(item);
        if name == PlanTool::NAME {
            let message = format!(
                "`{}` is `submit-plan`, the runtime's own tool",
                section.path("name")
            );
            fields.fault(
                named,
                &section.path("name"),
                message,
                "give the tool another name",
            );
        } else if !name.is_empty() && !names.insert(name.clone()) {
            let message = format!("two tools are named `{}`", brief(&name));
            fields.fault(
                named,
                &section.path("name"),
                message,
                "give each tool a name of its own",
            );
        }
        if let Some(command) = command(fields, &section, item) {
            tools.push(Tool { name, command });
        }
    }
    tools
}

fn command<'t>(fields: &mut Fields<'t>, tool: &Section<'t>, item: &'t Node) -> Option<Program> {
    let path = tool.path("command");
    let place = tool.get("command").unwrap_or(item);
    let faults = fields.faults.len();
    let mut words = Vec::new();
    for (at, word) in fields.list(tool, "command").iter().enumerate() {
        words.push(
            fields
                .text(word, &format!("{path}[{at}]"))
                .unwrap_or_default(),
        );
    }
    if fields.faults.len() > faults {
        return None;
    }
    let mut words = words.into_iter();
    match words.next() {
        None => {
            let message = format!("`{path}` names no program");
            fields.fault(place, &path, message, COMMAND_HINT);
            None
        }
        Some(name) if name.trim().is_empty() => {
            let message = format!("`{path}[0]`, the program, is blank");
            fields.fault(place, &path, message, COMMAND_HINT);
            None
        }
        Some(name) => Some(Program {
            name,
            arguments: words.collect(),
        }),
    }
}

const TOOL_HINT: &str = "write `- name: my-tool` and under it `command: [program, argument]`";
const COMMAND_HINT: &str = "write `command: [program, argument]`";
