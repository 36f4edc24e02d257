//! One test, with the abilities it needs; without one of them it is shown as ignored, never as passed.

use std::fmt;

use crate::host::Host;

/// A test.
#[derive(Debug)]
pub(crate) struct Trial {
    pub(crate) name: &'static str,
    pub(crate) needs: &'static [Need],
    pub(crate) run: fn(&'static Host),
}

/// Something a host may lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Need {
    /// The controllers memory, pids and cpu, in a cgroup below ours that we may divide.
    Controllers,
    /// A cgroup of version 2 below ours that can be killed as a whole.
    Cgroup,
    /// That bounding `required` cannot be had.
    NoDelegation,
    /// Landlock.
    Landlock,
    /// Landlock that keeps signals in.
    SignalScope,
    /// A mount namespace of one's own, with a user namespace where we are not root.
    Mounts,
}

impl Trial {
    /// Returns it as the harness runs it.
    pub(crate) fn prepare(&'static self, host: &'static Host) -> libtest_mimic::Trial {
        let missing = if host.is_asked {
            let mut needs = self.needs.iter().filter(|need| !host.has(**need));
            needs.next().map(ToString::to_string)
        } else {
            Some("PLAN_TEST_CGROUP=kernel, on Linux".to_owned())
        };
        let Some(missing) = missing else {
            return libtest_mimic::Trial::test(self.name, move || {
                (self.run)(host);
                Ok(())
            });
        };
        let kind = format!("needs: {missing}");
        let told = kind.clone();
        // Asked to run all the same, it fails.
        libtest_mimic::Trial::test(self.name, move || Err(told.into()))
            .with_kind(kind)
            .with_ignored_flag(true)
    }
}

impl fmt::Display for Need {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Controllers => "memory, pids and cpu controllers in a delegated cgroup v2",
            Self::Cgroup => "a cgroup v2 we may divide, with cgroup.kill",
            Self::NoDelegation => "a host without a delegated cgroup v2",
            Self::Landlock => "Landlock",
            Self::SignalScope => "Landlock with signal scopes (Linux 6.12)",
            Self::Mounts => "a mount namespace",
        })
    }
}

/// Returns the trial that is the function of that name: `trial!(a_name, Need, Need)`.
macro_rules! trial {
    ($name:ident $(, $need:ident)* $(,)?) => {
        $crate::trial::Trial {
            name: stringify!($name),
            needs: &[$($crate::trial::Need::$need),*],
            run: $name,
        }
    };
}
pub(crate) use trial;
