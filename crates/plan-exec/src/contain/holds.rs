//! What holds around what a session's plans start, and the words for it.

/// What the host gave of what was asked for; the same for every plan of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holds {
    /// What bounds a plan as a whole.
    pub scope: HeldScope,
    /// The version of Landlock's interface that keeps writes to the workdir, or why none does.
    pub landlock: Result<u32, String>,
    /// Whether protected subtrees are mounted read-only for commands, or why not.
    pub mounts: Result<(), String>,
    /// What one process may map where no scope limits memory, in bytes; `None` where `memory_bytes` is declared.
    pub address_space: Option<u64>,
}

/// What bounds a plan as a whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HeldScope {
    /// A cgroup of its own, with a leaf per step.
    Cgroup {
        /// The limits that hold.
        limits: HeldLimits,
        /// Why not all of them do.
        unmet: Option<String>,
    },
    /// A supervisor per step, which ends what descends from it.
    Supervisors {
        /// Why there is no cgroup.
        unmet: String,
    },
    /// The process group of each step, since nothing more was asked for.
    ProcessGroups,
    /// Nothing: what was required cannot be had, so every plan is refused.
    Refused,
}

/// Which limits a scope holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct HeldLimits {
    /// `cgroup_memory_bytes`.
    pub memory: bool,
    /// `cgroup_pids_max`.
    pub pids: bool,
    /// `cgroup_cpu_percent`.
    pub cpu: bool,
    /// `cgroup_io_bytes_per_sec`.
    pub io: bool,
}

impl Holds {
    /// Returns what holds where nothing was asked for.
    pub(super) fn nothing() -> Self {
        Self {
            scope: HeldScope::ProcessGroups,
            landlock: Err(NOT_ASKED.into()),
            mounts: Err(NOT_ASKED.into()),
            address_space: None,
        }
    }

    /// Returns the bounding in short, for a trace: `cgroup (memory pids cpu)`, `supervisors`, `process-groups`.
    pub fn bounding(&self) -> String {
        match &self.scope {
            HeldScope::Cgroup { limits, unmet: _ } => {
                let held: Vec<&str> = limits.named().filter_map(|(short, _)| short).collect();
                if held.is_empty() {
                    "cgroup (no limits)".into()
                } else {
                    format!("cgroup ({})", held.join(" "))
                }
            }
            HeldScope::Supervisors { unmet: _ } => "supervisors".into(),
            HeldScope::ProcessGroups => "process-groups".into(),
            HeldScope::Refused => "none".into(),
        }
    }

    /// Returns the confinement in short, for a trace: `landlock 7, read-only mounts`, one of them, or `none`.
    pub fn containment(&self) -> String {
        let landlock = self.landlock.as_ref().ok();
        let landlock = landlock.map(|version| format!("landlock {version}"));
        let mounts = self.mounts.is_ok().then(|| "read-only mounts".to_owned());
        let held: Vec<String> = landlock.into_iter().chain(mounts).collect();
        if held.is_empty() {
            "none".into()
        } else {
            held.join(", ")
        }
    }

    /// Returns what was asked for and does not hold, a sentence each; nothing where nothing was asked for, or where
    /// every plan is refused.
    pub fn shortfalls(&self) -> Vec<String> {
        let mut sentences = Vec::new();
        match &self.scope {
            HeldScope::ProcessGroups | HeldScope::Refused => return sentences,
            HeldScope::Cgroup { unmet: None, .. } => {}
            HeldScope::Cgroup {
                limits,
                unmet: Some(unmet),
            } => sentences.push(format!(
                "{}{}: {unmet}",
                not_held(*limits),
                self.in_place_of_memory(*limits)
            )),
            HeldScope::Supervisors { unmet } => sentences.push(format!(
                "{}{}, and what a step leaves behind is found by its descent alone: {unmet}",
                not_held(HeldLimits::default()),
                self.in_place_of_memory(HeldLimits::default())
            )),
        }
        if let Err(why) = &self.landlock {
            sentences.push(format!(
                "no Landlock keeps what the plan starts from writing outside the workdir: {why}"
            ));
        }
        if let Err(why) = &self.mounts {
            sentences.push(format!(
                "no read-only mount keeps a program from writing a protected path it opens by itself: {why}"
            ));
        }
        sentences
    }

    /// Returns what holds where memory does not: enough breaks of it that a person should know.
    fn in_place_of_memory(&self, limits: HeldLimits) -> String {
        match self.address_space {
            Some(bytes) if !limits.memory => format!(
                " (each process may map {} GiB instead, which `capabilities.resources.memory_bytes` changes)",
                bytes >> 30
            ),
            Some(_) | None => String::new(),
        }
    }
}

impl HeldLimits {
    /// Returns for each limit the controller's name if it holds, else the key of the limit.
    fn named(self) -> impl Iterator<Item = (Option<&'static str>, &'static str)> {
        [
            (self.memory, "memory", "cgroup_memory_bytes"),
            (self.pids, "pids", "cgroup_pids_max"),
            (self.cpu, "cpu", "cgroup_cpu_percent"),
            (self.io, "io", "cgroup_io_bytes_per_sec"),
        ]
        .into_iter()
        .map(|(holds, short, key)| (holds.then_some(short), key))
    }
}

/// Returns that the limits that are not in `limits` do not hold, by their keys.
fn not_held(limits: HeldLimits) -> String {
    let keys: Vec<String> = limits
        .named()
        .filter(|(short, _)| short.is_none())
        .map(|(_, key)| format!("`{key}`"))
        .collect();
    match keys.split_last() {
        None => "every limit holds".into(),
        Some((last, [])) => format!("{last} does not hold"),
        Some((last, others)) => format!("{} and {last} do not hold", others.join(", ")),
    }
}

const NOT_ASKED: &str = "it was not asked for";

#[cfg(test)]
mod tests {
    use super::{HeldLimits, HeldScope, Holds};

    /// spec: What a plan may reach. What does not hold is said by the manifest's own keys, and never silently.
    #[test]
    fn what_does_not_hold_is_said_by_its_keys() {
        let full = Holds {
            scope: HeldScope::Cgroup {
                limits: HeldLimits {
                    memory: true,
                    pids: true,
                    cpu: true,
                    io: false,
                },
                unmet: None,
            },
            landlock: Ok(7),
            mounts: Ok(()),
            address_space: Some(2 << 30),
        };
        assert_eq!(full.bounding(), "cgroup (memory pids cpu)");
        assert_eq!(full.containment(), "landlock 7, read-only mounts");
        assert_eq!(full.shortfalls(), [""; 0]);

        let little = Holds {
            scope: HeldScope::Supervisors {
                unmet: "no cgroup v2 hierarchy is mounted".into(),
            },
            landlock: Err("the kernel has none".into()),
            mounts: Err("user namespaces are turned off".into()),
            address_space: Some(2 << 30),
        };
        assert_eq!(little.bounding(), "supervisors");
        assert_eq!(little.containment(), "none");
        insta::assert_snapshot!(little.shortfalls().join("\n"), @"
        `cgroup_memory_bytes`, `cgroup_pids_max`, `cgroup_cpu_percent` and `cgroup_io_bytes_per_sec` do not hold (each process may map 2 GiB instead, which `capabilities.resources.memory_bytes` changes), and what a step leaves behind is found by its descent alone: no cgroup v2 hierarchy is mounted
        no Landlock keeps what the plan starts from writing outside the workdir: the kernel has none
        no read-only mount keeps a program from writing a protected path it opens by itself: user namespaces are turned off
        ");
        let declared = Holds {
            address_space: None,
            ..little
        };
        let first = &declared.shortfalls()[0];
        assert!(!first.contains("GiB"), "{first}");
        assert_eq!(Holds::nothing().shortfalls(), [""; 0]);
        assert_eq!(Holds::nothing().bounding(), "process-groups");
    }
}
