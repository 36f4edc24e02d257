//! The systemd user manager, asked to put this process into a scope that is delegated to it.

#[cfg(feature = "systemd")]
pub(crate) use super::systemd::Declined;

/// Has this process, with all its threads, moved into a scope of its own. What it started before stays where it is.
///
/// Takes 4 s at the most, whatever answers on the session bus or does not.
#[cfg(feature = "systemd")]
pub(super) async fn ask() -> Result<(), Declined> {
    use super::{mount, systemd};

    let unit = systemd::unit_name();
    let joined = || mount::own_path().is_some_and(|path| path.ends_with(&format!("/{unit}")));
    systemd::ask(zbus::connection::Builder::session(), &unit, joined).await
}

/// Asks nobody: this build cannot.
#[cfg(not(feature = "systemd"))]
pub(super) async fn ask() -> Result<(), Declined> {
    Err(Declined::NotBuilt)
}

/// Why there is no scope of the user manager's.
#[cfg(not(feature = "systemd"))]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Declined {
    /// This build leaves D-Bus out.
    #[error("this build cannot, its feature `systemd` is off")]
    NotBuilt,
}
