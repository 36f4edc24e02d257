//! A session's surroundings in a temporary folder: plan, manifest, tools and files. Running is `running.rs`'s.

use std::{
    ffi::OsString,
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use tempfile::TempDir;

use crate::{
    command::executable,
    ended::Ended,
    fifo::{Fifo, Held},
    running::Running,
};

/// A folder with `plan.json`, `murmur.yaml`, `tools/`, `bin/`, the workdir `dir/` and the home `home/`.
#[derive(Debug)]
pub(crate) struct Space {
    /// The folder itself, by a path without links.
    root: PathBuf,
    tools: Vec<String>,
    grants: String,
    _folder: TempDir,
}

/// A run of the command that has not been started.
#[must_use = "start it"]
#[derive(Debug)]
pub(crate) struct Call<'s> {
    space: &'s Space,
    words: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    input: Option<Vec<u8>>,
    /// The script that becomes the command, `"$@"`.
    through: Option<String>,
    /// Whether its trace can be written to its end.
    is_whole: bool,
}

impl Space {
    /// Makes a folder whose manifest grants plans and the commands of [`COMMANDS`].
    pub(crate) fn new() -> Self {
        let folder = tempfile::Builder::new()
            .prefix("plan-e2e-")
            .tempdir()
            .expect("a temporary folder");
        let root = fs::canonicalize(folder.path()).expect("the folder is there");
        for name in ["dir", "tools", "bin"] {
            fs::create_dir(root.join(name)).expect("a folder");
        }
        let space = Self {
            root,
            tools: Vec::new(),
            grants: format!("shell: {{allow: [{}]}}", COMMANDS.join(", ")),
            _folder: folder,
        };
        space.write_manifest();
        space
    }

    /// Returns a path of the folder.
    pub(crate) fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.root.join(name)
    }

    /// Writes a file of the folder.
    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a folder");
        fs::write(&path, text).expect("a file");
        path
    }

    /// Makes a link of the folder.
    pub(crate) fn link(&self, name: &str, target: &str) {
        symlink(target, self.path(name)).expect("a link");
    }

    /// Declares a tool that is the shell script `script`.
    pub(crate) fn tool(self, name: &str, script: &str) -> Self {
        self.file(&format!("tools/{name}"), script);
        // Started by `sh`, so that nothing has to be made executable while other tests start processes.
        let command = format!("[sh, {}]", self.path("tools").join(name).display());
        self.tool_command(name, &command)
    }

    /// Declares a tool by its command, a YAML list.
    pub(crate) fn tool_command(mut self, name: &str, command: &str) -> Self {
        self.tools
            .push(format!("  - {{name: {name}, command: {command}}}\n"));
        self.write_manifest();
        self
    }

    /// Replaces the grants of the manifest, YAML of one line below `capabilities`.
    pub(crate) fn grants(mut self, grants: &str) -> Self {
        grants.clone_into(&mut self.grants);
        self.write_manifest();
        self
    }

    /// Makes a pipe in the workdir whose both ends are open here.
    pub(crate) fn fifo(&self, name: &str) -> Fifo {
        Fifo::make(&self.path("dir").join(name))
    }

    /// Makes a pipe in the workdir that processes of steps hold.
    pub(crate) fn held(&self, name: &str) -> Held {
        Held::make(&self.path("dir").join(name))
    }

    /// Returns what is in a file of the workdir, if it is there.
    pub(crate) fn work(&self, name: &str) -> Option<String> {
        fs::read_to_string(self.path("dir").join(name)).ok()
    }

    /// Returns the command with these arguments and nothing else.
    pub(crate) fn command(&self, words: &[&str]) -> Call<'_> {
        let path = std::env::var("PATH").unwrap_or_default();
        let call = Call {
            space: self,
            words: words.iter().map(OsString::from).collect(),
            environment: Vec::new(),
            input: None,
            through: None,
            is_whole: true,
        };
        call.env("PATH", format!("{}:{path}", self.path("bin").display()))
            .env("HOME", self.path("user"))
    }

    /// Returns `run --json --bounding off` of a plan's text.
    pub(crate) fn plan(&self, text: impl AsRef<[u8]>) -> Call<'_> {
        self.plain(text).args(&["--bounding", "off", "--json"])
    }

    /// Returns `run --json --bounding off` of the plan `p` with these steps.
    pub(crate) fn steps(&self, steps: &str) -> Call<'_> {
        self.plan(format!(r#"{{"id": "p", "steps": [{steps}]}}"#))
    }

    /// Returns `run` of a plan's text with nothing but where its workdir and home are.
    pub(crate) fn plain(&self, text: impl AsRef<[u8]>) -> Call<'_> {
        self.file("plan.json", text);
        self.command(&["run", "plan.json", "--workdir", "dir", "--home", "home"])
    }

    /// Returns `check` of a plan's text.
    pub(crate) fn check(&self, text: impl AsRef<[u8]>) -> Call<'_> {
        self.file("plan.json", text);
        self.command(&["check", "plan.json"])
    }

    fn write_manifest(&self) {
        let (grants, tools) = (&self.grants, self.tools.concat());
        let tools = if tools.is_empty() { " []\n" } else { &tools };
        let line_end = if self.tools.is_empty() { "" } else { "\n" };
        self.file(
            "murmur.yaml",
            format!(
                "name: space\nversion: 0.1.0\ncapabilities:\n  plan: {{submit: true}}\n  {grants}\n\
                 tools:{line_end}{tools}"
            ),
        );
    }
}

impl Call<'_> {
    /// Adds arguments.
    pub(crate) fn args(mut self, words: &[&str]) -> Self {
        self.words.extend(words.iter().map(OsString::from));
        self
    }

    /// Sets a variable of the environment, which is otherwise empty but for `PATH` and `HOME`.
    pub(crate) fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Gives it something to read on standard input, which is otherwise empty.
    pub(crate) fn input(mut self, bytes: impl Into<Vec<u8>>) -> Self {
        self.input = Some(bytes.into());
        self
    }

    /// Lets no file it writes grow over so many blocks of 512 bytes, as on a full disk.
    pub(crate) fn file_blocks(mut self, blocks: u32) -> Self {
        self.is_whole = false;
        // The signal that comes with it is the command's own to survive.
        self.through(&format!("ulimit -f {blocks}; exec \"$@\""))
    }

    /// Has a shell script start it, as `exec "$@"`, after something that it inherits.
    pub(crate) fn through(mut self, script: &str) -> Self {
        self.through = Some(script.to_owned());
        self
    }

    /// Runs it to its end.
    pub(crate) fn run(self) -> Ended {
        self.start().wait()
    }

    /// Starts it.
    pub(crate) fn start(mut self) -> Running {
        let input = self.input.take();
        Running::start(self.prepare(), input, &self.space.root, self.is_whole)
    }

    /// Returns it as a process that can be started, for a test that does so itself.
    pub(crate) fn prepare(&self) -> Command {
        let mut command = match &self.through {
            None => Command::new(executable()),
            Some(script) => {
                let mut shell = Command::new("/bin/sh");
                shell.args(["-c", script, "sh"]).arg(executable());
                shell
            }
        };
        command
            .args(&self.words)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .current_dir(&self.space.root)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }
}

/// What the manifest of a new space allows.
pub(crate) const COMMANDS: [&str; 10] = [
    "sh", "true", "false", "printf", "cat", "env", "sleep", "echo", "pwd", "ghost",
];
