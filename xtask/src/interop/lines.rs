//! The lines of a trace, ours or a child's, as JSON.

use std::{fs, path::Path};

use serde_json::Value;

/// What stands in a trace.
#[derive(Debug, Default)]
pub(super) struct Lines(Vec<Value>);

impl Lines {
    /// Reads whole lines; one that is being written is none yet, and a file that is not there has none.
    pub(super) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        let whole = text
            .split_inclusive('\n')
            .filter(|line| line.ends_with('\n'));
        Self(
            whole
                .filter_map(|line| serde_json::from_str(line).ok())
                .collect(),
        )
    }

    /// Returns the lines of a kind.
    pub(super) fn of(&self, kind: &str) -> impl Iterator<Item = &Value> {
        self.0.iter().filter(move |line| line["event_type"] == kind)
    }

    /// Returns the one line of a kind.
    pub(super) fn one(&self, kind: &str) -> Result<&Value, String> {
        let found: Vec<&Value> = self.of(kind).collect();
        match found.as_slice() {
            [line] => Ok(line),
            _ => Err(format!(
                "{} lines `{kind}` where one is expected",
                found.len()
            )),
        }
    }

    /// Returns the kinds of lines in their order, of those that are asked for.
    pub(super) fn order(&self, kinds: &[&str]) -> String {
        let all = self.0.iter().filter_map(|line| line["event_type"].as_str());
        let asked: Vec<&str> = all.filter(|kind| kinds.contains(kind)).collect();
        asked.join(" ")
    }

    /// Returns how many delegations ran at once at most.
    pub(super) fn most_at_once(&self) -> usize {
        let mut running = Vec::new();
        let mut most = 0;
        for line in &self.0 {
            let id = &line["delegation_id"];
            let kind = line["event_type"].as_str();
            if kind == Some("delegation_start") {
                running.push(id);
                most = most.max(running.len());
            } else if kind == Some("delegation") {
                running.retain(|other| *other != id);
            }
        }
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Decision: what runs at once is told by the order of lines, not by times.
    #[test]
    fn delegations_that_overlap_are_counted() {
        let line = |kind: &str, id: Option<&str>| serde_json::json!({"event_type": kind, "delegation_id": id});
        let lines = Lines(vec![
            line("delegation_start", Some("a")),
            line("delegation_start", Some("b")),
            line("delegation", None),
            line("delegation", Some("a")),
            line("delegation_start", Some("c")),
            line("delegation", Some("b")),
            line("delegation", Some("c")),
        ]);
        assert_eq!(lines.most_at_once(), 2);
        assert_eq!(lines.of("delegation").count(), 4);
        assert!(lines.one("delegation").is_err());
        assert!(lines.one("plan_end").is_err());
    }
}
