//! A trace that a run left, held to the format and shown with what varies masked.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use serde_json::Value;

use crate::ended::text;

/// A trace.
#[derive(Debug)]
pub(crate) struct Trace {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// Its lines as written.
    pub(crate) text: String,
    /// Its lines.
    pub(crate) lines: Vec<Value>,
}

impl Trace {
    /// Reads a trace; a line that is torn is in its text alone.
    pub(crate) fn read(path: &Path) -> Self {
        let text = fs::read_to_string(path).expect("a trace is text");
        let lines = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        Self {
            path: path.to_owned(),
            lines: lines.collect(),
            text,
        }
    }

    /// Returns the broken rules of the format.
    pub(crate) fn violations(&self) -> String {
        let violations = plan_trace::check::check(&self.text);
        let shown = violations.iter().map(ToString::to_string);
        shown.collect::<Vec<_>>().join("\n")
    }

    /// Returns the lines of a kind.
    pub(crate) fn of<'t>(&'t self, kind: &'t str) -> impl Iterator<Item = &'t Value> {
        self.lines
            .iter()
            .filter(move |line| line["event_type"] == kind)
    }

    /// Returns the one line of a kind that is about a step.
    pub(crate) fn step(&self, kind: &str, id: &str) -> &Value {
        let is_it = |line: &&Value| line["event_type"] == kind && line["step_id"] == id;
        let found: Vec<_> = self.lines.iter().filter(is_it).collect();
        let [line] = found[..] else {
            panic!("{} lines {kind} of {id}", found.len());
        };
        line
    }

    /// Returns the kinds of the lines as a tree, each below the line it hangs off.
    pub(crate) fn tree(&self) -> String {
        let mut depths: BTreeMap<&str, usize> = BTreeMap::new();
        let mut shown = String::new();
        for line in &self.lines {
            let parent = line["parent_id"].as_str();
            let depth = parent.map_or(0, |parent| depths[parent] + 1);
            depths.insert(text(&line["event_id"]), depth);
            let kind = text(&line["event_type"]);
            let step = line["step_id"].as_str().unwrap_or_default();
            let line = format!("{}{kind} {step}", "  ".repeat(depth));
            shown.push_str(line.trim_end());
            shown.push('\n');
        }
        shown
    }

    /// Returns the plan's lines, what varies left out.
    pub(crate) fn plan(&self) -> Vec<String> {
        let shown = |line: &Value| match text(&line["event_type"]) {
            "plan_start" => Some(format!("plan_start {} steps", line["step_count"])),
            "plan_step_start" => Some(format!(
                "plan_step_start {} {}",
                text(&line["step_id"]),
                text(&line["kind"])
            )),
            "plan_step" => Some(format!(
                "plan_step {} {}, attempts {}{}",
                text(&line["step_id"]),
                text(&line["status"]),
                line["attempts"],
                said(line, "error")
            )),
            "plan_end" => Some(format!(
                "plan_end {}, {} = {} + {} + {}{}{}",
                text(&line["outcome"]),
                line["steps_total"],
                line["steps_succeeded"],
                line["steps_failed"],
                line["steps_skipped"],
                said(line, "failed_step"),
                said(line, "reason"),
            )),
            "task_canceled" => Some("task_canceled".to_owned()),
            _ => None,
        };
        self.lines.iter().filter_map(shown).collect()
    }

    /// The report and the trace tell the same (ruling 30).
    pub(crate) fn agrees_with(&self, report: &Value) {
        let of_report: Vec<_> = report["steps"]
            .as_array()
            .expect("a report has steps")
            .iter()
            .map(|step| {
                (
                    text(&step["step_id"]),
                    text(&step["status"]),
                    step["error"].as_str(),
                )
            })
            .collect();
        let of_trace: Vec<_> = self
            .of("plan_step")
            .map(|line| {
                (
                    text(&line["step_id"]),
                    text(&line["status"]),
                    line["error"].as_str(),
                )
            })
            .collect();
        assert_eq!(of_report, of_trace, "report and trace settle alike");
        let end = self.of("plan_end").next().expect("a plan ends");
        for (key, status) in [
            ("steps_succeeded", "success"),
            ("steps_failed", "failed"),
            ("steps_skipped", "skipped"),
        ] {
            let count = of_report.iter().filter(|step| step.1 == status).count();
            assert_eq!(end[key], count, "{key}");
        }
        assert_eq!(end["failed_step"].as_str(), report["failed_step"].as_str());
        let outcome = text(&end["outcome"]);
        assert_eq!(report["completed"], outcome == "completed");
        assert_eq!(report["canceled"], outcome == "canceled");
        assert_eq!(end["plan_id"], report["plan_id"]);
    }
}

fn said(line: &Value, key: &str) -> String {
    line.get(key)
        .map(|value| format!(", {key} {value}"))
        .unwrap_or_default()
}
