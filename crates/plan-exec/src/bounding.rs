//! How strongly what a plan starts must be bounded.

/// Whether a plan may run without a scope around what it starts (spec: What a plan may reach).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bounding {
    /// A delegated cgroup v2 scope must be there, else every plan is refused with `E-RUN-012`.
    #[default]
    Required,
    /// Takes what the host gives and says what does not hold.
    BestEffort,
    /// Process groups alone: nothing is bounded, confined or put through a launcher.
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
}
