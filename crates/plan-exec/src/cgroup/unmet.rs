//! Unmet: which condition of a full scope this host fails, and how to meet it.

use std::{fmt, path::PathBuf};

use rustix::{io::Errno, process::Pid};

use super::{
    controllers::{Controller, Named, enabling},
    file::FileError,
    manager::Declined,
    mount::NoHierarchy,
};

/// Why there is no base to make scopes in.
///
/// Its text goes on the sentence that begins `E-RUN-012: `, and [`Unmet::fix`] is the hint beside it.
#[derive(Debug)]
pub(crate) struct Unmet {
    /// What the cgroup that this process is in fails.
    pub(crate) condition: Condition,
    /// Why the systemd user manager gave no scope; `None` when it was not asked or gave one.
    pub(crate) declined: Option<Declined>,
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.condition)?;
        if let Some(declined) = &self.declined {
            write!(
                f,
                " (the systemd user manager was asked for a scope first: {declined})"
            )?;
        }
        Ok(())
    }
}

impl std::error::Error for Unmet {}

impl Unmet {
    /// Says how to meet the condition.
    pub(crate) fn fix(&self) -> String {
        self.condition.fix()
    }
}

/// A condition that is not met, in the order in which they are looked at.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Condition {
    /// This process has no place in a hierarchy of version 2.
    #[error(transparent)]
    NoHierarchy(NoHierarchy),
    /// Controllers that are needed are not there to be enabled.
    #[error(
        "the cgroup `{}` does not offer the {} {}",
        dir.display(),
        if missing.len() == 1 { "controller" } else { "controllers" },
        Named(missing)
    )]
    MissingControllers {
        /// The cgroup that was looked at.
        dir: PathBuf,
        /// Which.
        missing: Vec<Controller>,
        /// Whether hierarchies of version 1 hold any of them.
        held_by_v1: bool,
    },
    /// What controllers there are cannot be read, so that it is no cgroup this process may look into.
    #[error("{0}")]
    Unreadable(FileError),
    /// No child can be made, or nothing be moved into it.
    #[error("the cgroup of this process is not delegated to it: {0}")]
    NotDelegated(FileError),
    /// It is threaded, by whoever made it or is in it too, and its children take no process.
    #[error("the cgroup `{}` is threaded, so that no process can be moved into a child of it", .0.display())]
    Threaded(PathBuf),
    /// The kernel refuses to enable the controllers.
    #[error("the controllers cannot be enabled: {0}")]
    CannotEnable(FileError),
    /// This process would have to leave the cgroup for a leaf, and cannot.
    #[error("this process cannot step aside for the controllers to be enabled: {0}")]
    CannotStepAside(FileError),
    /// Other processes are in the cgroup.
    #[error(
        "the controllers of `{}` cannot be enabled while it holds other processes ({})",
        dir.display(),
        listed(pids)
    )]
    Occupied {
        /// The cgroup that was to be the base.
        dir: PathBuf,
        /// Those seen there at last.
        pids: Vec<Pid>,
    },
}

impl Condition {
    fn fix(&self) -> String {
        match self {
            Self::NoHierarchy(NoHierarchy::Unreadable(_)) => {
                "mount `/proc` where this process can read it".into()
            }
            Self::NoHierarchy(NoHierarchy::NotMounted) => {
                "boot with `systemd.unified_cgroup_hierarchy=1`, or mount it: \
                 `mount -t cgroup2 none /sys/fs/cgroup`"
                    .into()
            }
            Self::NoHierarchy(NoHierarchy::NotShown { .. }) => {
                "in a container, start it with a cgroup namespace of its own (`--cgroupns=private`); elsewhere, \
                 mount the whole hierarchy: `mount -t cgroup2 none /sys/fs/cgroup`"
                    .into()
            }
            Self::MissingControllers {
                held_by_v1: true, ..
            } => "the host runs cgroup v1 beside v2, and v1 holds the controllers: boot with \
                  `systemd.unified_cgroup_hierarchy=1` or `cgroup_no_v1=all`"
                .into(),
            Self::MissingControllers { missing, .. } => format!(
                "write `{}` to `cgroup.subtree_control` of each cgroup above it; under systemd, write \
                 `Delegate=cpu io memory pids` below `[Service]` in a drop-in of `user@.service`",
                enabling(missing)
            ),
            Self::NotDelegated(error) if error.errno() == Some(Errno::ROFS) => {
                "in a container, have `/sys/fs/cgroup` mounted writable and give the container a cgroup \
                 namespace of its own (`--cgroupns=private`)"
                    .into()
            }
            Self::Unreadable(_)
            | Self::NotDelegated(_)
            | Self::Threaded(_)
            | Self::CannotEnable(_)
            | Self::CannotStepAside(_) => {
                format!("start this program in a scope delegated to it: {OWN_SCOPE}")
            },
            Self::Occupied { .. } => {
                format!("start this program in a scope that holds nothing else: {OWN_SCOPE}")
            }
        }
    }
}

/// The command that gives a process a scope of its own.
const OWN_SCOPE: &str =
    "`systemd-run --user --scope -p Delegate=yes <command>`, as root without `--user`";

/// Names processes, the first few of many.
fn listed(pids: &[Pid]) -> String {
    if pids.is_empty() {
        return "of another PID namespace".into();
    }
    let shown = pids.iter().take(SHOWN);
    let shown: Vec<_> = shown.map(|pid| pid.as_raw_nonzero().to_string()).collect();
    let more = pids.len().saturating_sub(SHOWN);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    let noun = if pids.len() == 1 { "pid" } else { "pids" };
    format!("{noun} {}{more}", shown.join(", "))
}

/// How many processes in the way are named: enough to see what they are.
const SHOWN: usize = 8;
