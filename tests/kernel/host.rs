//! What this host can do, asked of the kernel once, before any trial.

use std::{
    env,
    path::Path,
    process::{Command, Stdio},
    sync::OnceLock,
};

use nix::unistd::geteuid;

use crate::{
    abilities::{has_landlock, holds_signals},
    base::Ground,
    hostile,
    trial::Need,
};

/// The abilities.
#[derive(Debug)]
pub(crate) struct Host {
    /// Whether somebody asked for these tests.
    pub(crate) is_asked: bool,
    /// Where cgroups can be made, if anywhere.
    pub(crate) ground: Option<Ground>,
    has_landlock: bool,
    has_mounts: bool,
    /// Whether a manager of the user's services may be there to delegate one.
    has_manager: bool,
}

impl Host {
    /// Asks for everything. Where nobody asked for these tests, nothing of the host is touched.
    pub(crate) fn probe() -> &'static Self {
        static HOST: OnceLock<Host> = OnceLock::new();
        HOST.get_or_init(|| {
            let is_asked = cfg!(target_os = "linux")
                && env::var_os("PLAN_TEST_CGROUP").is_some_and(|word| word == "kernel");
            Self {
                is_asked,
                ground: is_asked.then(Ground::find).flatten(),
                has_landlock: is_asked && has_landlock(),
                has_mounts: is_asked && has_mounts(),
                has_manager: Path::new(&format!("/run/user/{}/bus", geteuid())).exists(),
            }
        })
    }

    /// Returns whether it has the ability.
    pub(crate) fn has(&self, need: Need) -> bool {
        let has_controllers = self
            .ground
            .as_ref()
            .is_some_and(|ground| ground.has_controllers);
        match need {
            Need::Controllers => has_controllers,
            Need::Cgroup => self.ground.is_some(),
            Need::NoDelegation => !has_controllers && !self.has_manager,
            Need::Landlock => self.has_landlock,
            Need::SignalScope => self.has_landlock && holds_signals(),
            Need::Mounts => self.has_mounts,
        }
    }

    /// Returns the words after `--bounding` under which a plan can run here and is bounded or confined.
    pub(crate) fn boundings(&self) -> &'static [&'static str] {
        if self.has(Need::Controllers) {
            &["required", "best-effort"]
        } else {
            &["best-effort"]
        }
    }

    /// Gives back what the probing took.
    pub(crate) fn leave(&self) {
        if let Some(ground) = &self.ground {
            ground.leave();
        }
    }
}

/// Tries it in a process of its own: the namespace would be ours otherwise.
fn has_mounts() -> bool {
    let itself = env::current_exe().expect("this program has a path");
    let tried = Command::new(itself)
        .env(hostile::CALLED_AS, "try-mounts")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    tried.is_ok_and(|status| status.success())
}
