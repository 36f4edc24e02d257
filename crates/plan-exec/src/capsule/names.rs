//! The names of capsules: `scope/name`, of which a step gives the last part.

/// The version of every capsule a plan names (spec: Step).
pub(super) const VERSION: &str = "0.1.0";

/// Returns the entry of `allow` that `step` names by its last part; without one `step` itself, which the daemon
/// then refuses.
pub(super) fn full_name<'n>(allow: &'n [String], step: &'n str) -> &'n str {
    let named = allow.iter().find(|entry| bare(entry) == step);
    named.map_or(step, String::as_str)
}

/// Returns what follows the last `/`.
pub(super) fn bare(full: &str) -> &str {
    full.rsplit('/').next().unwrap_or(full)
}

#[cfg(test)]
mod tests {
    use super::full_name;

    /// spec: Capsule steps: the full name is the entry of `spawn.allow` whose last part the step names.
    #[test]
    fn a_step_names_the_last_part_of_an_entry() {
        let allow = ["local/worker", "acme/deep/tester", "plain"].map(str::to_owned);
        let full = |step| full_name(&allow, step);
        assert_eq!(full("worker"), "local/worker");
        assert_eq!(full("tester"), "acme/deep/tester");
        assert_eq!(full("plain"), "plain");
        assert_eq!(full("stranger"), "stranger");
        assert_eq!(full("local/worker"), "local/worker");
    }
}
