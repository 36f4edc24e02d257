//! The controllers of a cgroup that a scope has a use for.

use std::fmt;

/// One controller.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Controller {
    /// Bounds memory and counts what the kernel killed for want of it.
    Memory,
    /// Bounds processes and counts the forks it refused.
    Pids,
    /// Bounds time of processor.
    Cpu,
    /// Bounds reading and writing of a disk.
    Io,
}

impl Controller {
    /// Those without which there is no full scope (spec: What a plan may reach).
    pub(super) const NEEDED: [Self; 3] = [Self::Memory, Self::Pids, Self::Cpu];

    /// Returns the kernel's word for it.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Memory => "memory",
            Self::Pids => "pids",
            Self::Cpu => "cpu",
            Self::Io => "io",
        }
    }
}

/// A set of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Controllers {
    pub(crate) memory: bool,
    pub(crate) pids: bool,
    pub(crate) cpu: bool,
    pub(crate) io: bool,
}

impl Controllers {
    /// Reads `cgroup.controllers` or `cgroup.subtree_control`: names between blanks, unknown ones skipped.
    pub(super) fn read(text: &str) -> Self {
        let mut read = Self::default();
        for word in text.split_whitespace() {
            match word {
                "memory" => read.memory = true,
                "pids" => read.pids = true,
                "cpu" => read.cpu = true,
                "io" => read.io = true,
                _ => {}
            }
        }
        read
    }

    pub(crate) const fn has(self, controller: Controller) -> bool {
        match controller {
            Controller::Memory => self.memory,
            Controller::Pids => self.pids,
            Controller::Cpu => self.cpu,
            Controller::Io => self.io,
        }
    }

    /// Returns those of the needed ones that are in the set.
    pub(super) fn needed(self) -> Vec<Controller> {
        let needed = Controller::NEEDED.into_iter();
        needed.filter(|&controller| self.has(controller)).collect()
    }

    /// Returns those of the needed ones that are not.
    pub(super) fn missing(self) -> Vec<Controller> {
        let needed = Controller::NEEDED.into_iter();
        needed.filter(|&controller| !self.has(controller)).collect()
    }
}

/// Returns what is written to `cgroup.subtree_control` to enable `controllers`, all or none of them.
pub(super) fn enabling(controllers: &[Controller]) -> String {
    each("+", controllers)
}

/// Returns what is written there to disable them.
pub(super) fn disabling(controllers: &[Controller]) -> String {
    each("-", controllers)
}

fn each(sign: &str, controllers: &[Controller]) -> String {
    let words: Vec<_> = controllers
        .iter()
        .map(|controller| format!("{sign}{}", controller.name()))
        .collect();
    words.join(" ")
}

/// Writes names as a sentence has them: "`memory`, `pids` and `cpu`".
pub(super) struct Named<'a>(pub(super) &'a [Controller]);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, controller) in self.0.iter().enumerate() {
            f.write_str(match index {
                0 => "",
                _ if index + 1 == self.0.len() => " and ",
                _ => ", ",
            })?;
            write!(f, "`{}`", controller.name())?;
        }
        Ok(())
    }
}
