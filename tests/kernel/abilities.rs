//! What only the kernel can say of itself; elsewhere than on Linux it says no.

#[cfg(target_os = "linux")]
pub(crate) use linux::{has_landlock, holds_signals, try_mounts};

#[cfg(target_os = "linux")]
mod linux {
    use std::{env, io};

    use landlock::{
        ABI, Access as _, AccessFs, CompatLevel, Compatible as _, Ruleset, RulesetAttr as _, Scope,
    };
    use nix::{
        mount::{MsFlags, mount},
        sched::{CloneFlags, unshare},
        unistd::geteuid,
    };

    /// Returns whether Landlock is built in and switched on.
    pub(crate) fn has_landlock() -> bool {
        Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .handle_access(AccessFs::from_all(ABI::V1))
            .and_then(Ruleset::create)
            .is_ok()
    }

    /// Returns whether Landlock can keep signals in.
    pub(crate) fn holds_signals() -> bool {
        Ruleset::default()
            .set_compatibility(CompatLevel::HardRequirement)
            .scope(Scope::Signal)
            .and_then(Ruleset::create)
            .is_ok()
    }

    /// Mounts something in a namespace of its own, as confining does. The namespace is this process's from then on.
    pub(crate) fn try_mounts() -> io::Result<String> {
        let mut flags = CloneFlags::CLONE_NEWNS;
        if !geteuid().is_root() {
            flags |= CloneFlags::CLONE_NEWUSER;
        }
        unshare(flags)?;
        let none = None::<&str>;
        mount(none, "/", none, MsFlags::MS_REC | MsFlags::MS_PRIVATE, none)?;
        let folder = env::temp_dir();
        mount(Some(&folder), &folder, none, MsFlags::MS_BIND, none)?;
        Ok("mounted".to_owned())
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn has_landlock() -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn holds_signals() -> bool {
    false
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn try_mounts() -> std::io::Result<String> {
    Err(std::io::ErrorKind::Unsupported.into())
}
