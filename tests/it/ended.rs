//! What a run of the command left: status, report, what it said, and its traces, with what varies masked.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::ExitStatus,
};

use serde_json::Value;

use crate::trace::Trace;

/// An ended run. Its traces have been held to the format, and to the report.
#[must_use = "say what is to be seen of it"]
#[derive(Debug)]
pub(crate) struct Ended {
    /// The exit status; `None` when a signal ended it.
    pub(crate) status: Option<i32>,
    /// Standard output.
    pub(crate) stdout: String,
    /// Standard error.
    pub(crate) stderr: String,
    /// The last session's trace, if one was begun.
    pub(crate) trace: Option<Trace>,
    root: PathBuf,
}

impl Ended {
    pub(crate) fn read(
        status: ExitStatus,
        stdout: Vec<u8>,
        stderr: &[u8],
        root: &Path,
        is_whole: bool,
    ) -> Self {
        let mut traces = Vec::new();
        find(&root.join("home/records"), &mut traces);
        // Session ids sort by time.
        traces.sort_by_key(|path| {
            path.parent()
                .and_then(Path::file_name)
                .map(ToOwned::to_owned)
        });
        let trace = traces.last().map(|path| Trace::read(path));
        let ended = Self {
            status: status.code(),
            stdout: String::from_utf8(stdout).expect("the command writes UTF-8"),
            stderr: String::from_utf8_lossy(stderr).into_owned(),
            trace,
            root: root.to_owned(),
        };
        assert!(
            !ended.stderr.contains("panicked"),
            "the command panicked: {}",
            ended.stderr
        );
        if is_whole {
            ended.holds_together();
        }
        ended
    }

    /// Returns the report on standard output.
    pub(crate) fn report(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| {
            panic!(
                "standard output is no report: {error}\n{}\n{}",
                self.stdout, self.stderr
            )
        })
    }

    /// Returns the trace of a run that had one.
    pub(crate) fn trace(&self) -> &Trace {
        self.trace.as_ref().expect("the run has a trace")
    }

    /// Returns the entry of a step in the report.
    pub(crate) fn step(&self, id: &str) -> Value {
        let report = self.report();
        let steps = report["steps"].as_array().expect("a report has steps");
        let found = steps.iter().find(|step| step["step_id"] == id);
        found
            .unwrap_or_else(|| panic!("no step `{id}` in {report}"))
            .clone()
    }

    /// Returns the output of a step that has one.
    pub(crate) fn output(&self, id: &str) -> String {
        let step = self.step(id);
        let output = step["output"].as_str();
        output
            .unwrap_or_else(|| panic!("no output in {step}"))
            .to_owned()
    }

    /// Returns the error of a step that has one.
    pub(crate) fn error(&self, id: &str) -> String {
        let step = self.step(id);
        let error = step["error"].as_str();
        self.masked(error.unwrap_or_else(|| panic!("no error in {step}")))
    }

    /// Returns the status of every step in the report as `id status`, in its order.
    pub(crate) fn statuses(&self) -> String {
        let report = self.report();
        let steps = report["steps"].as_array().expect("a report has steps");
        let shown = |step: &Value| format!("{} {}", text(&step["step_id"]), text(&step["status"]));
        steps.iter().map(shown).collect::<Vec<_>>().join(", ")
    }

    /// Returns status, report and the plan's part of the trace, one fact a line.
    pub(crate) fn shown(&self) -> String {
        let report = self.report();
        let mut lines = vec![format!(
            "exit {} {} failed_step {}",
            self.status.map_or("by signal".into(), |s| s.to_string()),
            match (&report["completed"], &report["canceled"]) {
                (Value::Bool(true), Value::Bool(false)) => "completed",
                (Value::Bool(false), Value::Bool(true)) => "canceled",
                (Value::Bool(false), Value::Bool(false)) => "not completed",
                _ => panic!("completed and canceled at once: {report}"),
            },
            report["failed_step"]
        )];
        for step in report["steps"].as_array().expect("a report has steps") {
            let (output, error) = (&step["output"], &step["error"]);
            let mut line = format!("  {} {}", text(&step["step_id"]), text(&step["status"]));
            for (name, value) in [("output", output), ("error", error)] {
                if !value.is_null() {
                    line.push_str(&format!(", {name} {value}"));
                }
            }
            lines.push(line);
        }
        let trace = self.trace.as_ref().map(Trace::plan).unwrap_or_default();
        lines.extend(trace);
        self.masked(&lines.join("\n"))
    }

    /// Returns what was said on standard error, masked.
    pub(crate) fn said(&self) -> String {
        self.masked(&self.stderr)
    }

    /// Returns `text` with ids, times and the folder's path masked.
    pub(crate) fn masked(&self, text: &str) -> String {
        let text = text.replace(&*self.root.to_string_lossy(), "[space]");
        let text = masked_ids(&text);
        masked_durations(&text)
    }

    /// What every run must show, whatever it is about (rulings 28 to 30; issue: the session).
    fn holds_together(&self) {
        let sessions = self.root.join("home/sessions");
        if let Ok(mut left) = fs::read_dir(&sessions) {
            assert!(
                left.next().is_none(),
                "a session folder was left in {}",
                sessions.display()
            );
        }
        private(&self.root.join("home"));
        if let Some(trace) = &self.trace {
            assert_eq!(trace.violations(), "", "{}", trace.text);
        }
        let (Some(trace), Ok(report)) = (&self.trace, serde_json::from_str::<Value>(&self.stdout))
        else {
            return;
        };
        if report["plan_id"].is_string() && self.status != Some(2) {
            trace.agrees_with(&report);
        }
    }
}

/// Returns a JSON string's text.
pub(crate) fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_else(|| panic!("no text: {value}"))
}

fn find(folder: &Path, traces: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else {
        return;
    };
    for entry in entries {
        let path = entry.expect("the folder can be read").path();
        if path.ends_with("trace.jsonl") {
            traces.push(path);
        } else if path.is_dir() {
            find(&path, traces);
        }
    }
}

/// Every folder down to the sessions' is for its owner alone.
fn private(folder: &Path) {
    let Ok(metadata) = fs::metadata(folder) else {
        return;
    };
    let mode = metadata.permissions().mode() & 0o777;
    assert_eq!(mode, 0o700, "the mode of {}", folder.display());
    let is_session = folder
        .file_name()
        .is_some_and(|name| name.to_string_lossy().starts_with("ses_"));
    if is_session {
        return;
    }
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        if path.is_dir() {
            private(&path);
        }
    }
}

fn masked_ids(text: &str) -> String {
    let mut masked = text.to_owned();
    for prefix in ["ses_", "evt_", "ctx_", "tsk_"] {
        let mut from = 0;
        while let Some(at) = masked[from..].find(prefix) {
            let start = from + at + prefix.len();
            let digits = masked[start..]
                .bytes()
                .take_while(|byte| byte.is_ascii_hexdigit())
                .count();
            if digits == 32 {
                masked.replace_range(start..start + digits, "[..]");
            }
            from = start;
        }
    }
    masked
}

/// Masks ` in 0.1 s`, which tells how long something took, and the column of times in the table.
fn masked_durations(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(" s") {
        let (before, after) = rest.split_at(at);
        let digits = before
            .bytes()
            .rev()
            .take_while(|byte| byte.is_ascii_digit() || *byte == b'.')
            .count();
        let number = &before[before.len() - digits..];
        let is_time = number.contains('.') && !after[2..].starts_with(char::is_alphanumeric);
        let kept = if is_time {
            before.len() - digits
        } else {
            before.len()
        };
        masked.push_str(&before[..kept]);
        masked.push_str(if is_time { "[..] s" } else { " s" });
        rest = &after[2..];
    }
    masked.push_str(rest);
    masked
}
