//! Where everything of a run of the chore happens: a folder made anew, with the user's home, the store, the daemon and
//! the model.

use std::{
    cell::RefCell,
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use super::{
    call::Call,
    daemon::Daemon,
    model::{self, Model},
    processes,
    real::Real,
    worker,
};

/// The scene.
#[derive(Debug)]
pub(super) struct Scene {
    pub(super) folder: PathBuf,
    pub(super) home: PathBuf,
    /// The built `mur-plan`.
    pub(super) command: PathBuf,
    pub(super) real: Real,
    pub(super) model: Model,
    pub(super) daemon: Daemon,
    /// The traces that `mur-plan` wrote, each with the check that had it written.
    pub(super) traces: RefCell<Vec<PathBuf>>,
}

impl Scene {
    /// Sets it up in `folder`.
    pub(super) fn open(folder: PathBuf, real: Real, command: PathBuf) -> Result<Self, String> {
        // What is left of the last time, when there was one.
        drop(fs::remove_dir_all(&folder));
        let home = folder.join("home");
        fs::create_dir_all(&home)
            .map_err(|error| format!("cannot make {}: {error}", home.display()))?;
        let model = Model::start()?;
        let harness = worker::write_harness(&folder)?;
        worker::store(&home, &real, model.address, &harness)?;
        let daemon = Daemon::start(&real, &home, &folder.join("daemon.log"))?;
        Ok(Self {
            folder,
            home,
            command,
            real,
            model,
            daemon,
            traces: RefCell::default(),
        })
    }

    /// Begins a run of `mur-plan` in a folder of this name.
    pub(super) fn plan(&self, name: &str, steps: serde_json::Value) -> Call<'_> {
        Call::new(self, name, steps)
    }

    /// Returns a command with the environment of the scene and nothing of ours but `PATH`.
    pub(super) fn program(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command
            .env_clear()
            .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
            .env("HOME", &self.home)
            .env("MURMUR_ROOST_URL", self.daemon.url())
            .env("MURMUR_MUR_BINARY", self.real.mur())
            .env("FIXTURE_HARNESS_PROFILE", "interop")
            .env(worker::MODEL_WORD, model::WORD);
        command
    }

    /// Fails when a child, or what it started, is left running.
    pub(super) fn is_quiet(&self) -> Result<(), String> {
        processes::none_but(self.daemon.id(), &self.folder)
    }
}
