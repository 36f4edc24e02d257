//! What the session grants, as plain data handed in by the caller. Nothing here decides.

/// What the session grants, as plain data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Grants {
    /// The names of the tools in the inventory.
    pub tools: Vec<String>,
    /// `capabilities.shell.allow`.
    pub shell_allow: Vec<String>,
}
