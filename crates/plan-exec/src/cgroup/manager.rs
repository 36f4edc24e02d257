//! The systemd user manager, asked to put this process into a scope that is delegated to it.

use std::time::Duration;

/// Has this process moved into a scope of its own. The rest of it runs in other cgroups: what it started before
/// stays where it is.
///
/// Takes 4 s at the most, whatever answers on the session bus or does not.
#[cfg(feature = "systemd")]
pub(super) async fn ask() -> Result<(), Declined> {
    use super::{mount, systemd};

    let unit = systemd::unit_name(std::process::id());
    let joined = || mount::own_path().is_some_and(|path| path.ends_with(&format!("/{unit}")));
    systemd::ask(zbus::connection::Builder::session(), &unit, joined).await
}

/// Asks nobody: this build cannot.
#[cfg(not(feature = "systemd"))]
pub(super) async fn ask() -> Result<(), Declined> {
    Err(Declined::NotBuilt)
}

/// Why there is no scope of the user manager's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Declined {
    /// This build leaves D-Bus out.
    #[cfg_attr(feature = "systemd", expect(dead_code, reason = "only a build without D-Bus says so"))]
    #[error("this build cannot: the feature `systemd` is off")]
    NotBuilt,
    /// There is no session bus.
    #[error("there is no session bus")]
    NoBus,
    /// The bus cannot be spoken to, or nobody there is the manager.
    #[error("{0}")]
    Bus(String),
    /// The manager says no.
    #[error("it answered `{name}`: {message}")]
    Refused {
        /// The error's name on the bus.
        name: String,
        /// Its own words.
        message: String,
    },
    /// No answer in time.
    #[error("nobody answered within {} s", .0.as_secs())]
    Silent(Duration),
    /// It agreed, and this process was still in its old cgroup some time later.
    #[error("it agreed, but had not moved this process after {} s", .0.as_secs())]
    NotMoved(Duration),
}
