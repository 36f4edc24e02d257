//! How strongly what a plan starts must be bounded, and the refusal where it cannot be.

/// Whether a plan may run without a scope around what it starts (spec: What a plan may reach).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bounding {
    /// A delegated cgroup v2 scope must be there, else every plan is refused with `E-RUN-012`.
    #[default]
    Required,
    /// Takes what the host gives and says what does not hold.
    BestEffort,
    /// Process groups alone.
    Off,
}

impl Bounding {
    /// Returns the word of the command line and the trace.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Required => "required",
            Self::BestEffort => "best-effort",
            Self::Off => "off",
        }
    }

    /// Says why nothing may run, if so. `starts_processes` tells whether the grants allow starting any.
    pub(crate) fn refusal(self, starts_processes: bool) -> Option<String> {
        match self {
            Self::Required if starts_processes => Some(
                "E-RUN-012: this build cannot put what a plan starts into a delegated cgroup v2 scope, which \
                 bounding `required` asks for; ask for bounding `best-effort` or `off` to go on with process \
                 groups alone"
                    .to_owned(),
            ),
            Self::Required | Self::BestEffort | Self::Off => None,
        }
    }

    /// Says what does not hold under a weaker bounding, for the operator and the trace; `None` when nothing
    /// was asked for.
    pub fn shortfall(self) -> Option<&'static str> {
        match self {
            Self::BestEffort => Some(
                "no scope bounds what the plan starts: memory, process and CPU limits do not hold, and a \
                 process that leaves its group (setsid) can outlive the plan",
            ),
            Self::Required | Self::Off => None,
        }
    }
}
