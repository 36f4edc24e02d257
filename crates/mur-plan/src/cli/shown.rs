//! What a run shows when it is over: faults and warnings as talk, the report as data.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use plan_model::{Diagnostic, Report};

use super::{
    diagnose,
    home::FolderError,
    input::PlanInput,
    print,
    refusal::PLAIN_WIDTH,
    snippet::Sheet,
    table::{self, Kept, Look, RunFacts},
};
use crate::{
    result::{PlanResult, Warning},
    sink::TraceFailed,
};

/// A run's end.
pub(super) struct Shown<'r> {
    pub(super) input: &'r PlanInput,
    pub(super) result: &'r PlanResult,
    /// Why the trace has no end, if so.
    pub(super) closed: Option<TraceFailed>,
    pub(super) duration: Duration,
    /// What was kept whole, or why the session's folders are still there.
    pub(super) kept: Result<Vec<PathBuf>, FolderError>,
}

impl Shown<'_> {
    /// Prints it: faults, warnings and what went wrong as talk, the report for a program or as a table.
    pub(super) fn print(&self, as_json: bool) -> io::Result<()> {
        self.talk();
        let kept = self.kept.as_deref().unwrap_or_default();
        if as_json {
            for path in kept {
                print::talk(&format!("kept whole: {}\n", path.display()));
            }
            return print::data(&json(&self.result.report));
        }
        if self.result.refused {
            // The faults are on standard error already; a table of the same words would only repeat them.
            return print::data(&format!("{}\n", self.result.summary));
        }
        let kept: Vec<Kept> = kept.iter().map(|path| self.kept_of(path)).collect();
        let facts = RunFacts {
            steps: &self.result.facts,
            summary: &self.result.summary,
            duration_ms: u64::try_from(self.duration.as_millis()).unwrap_or(u64::MAX),
            kept: &kept,
        };
        let look = Look {
            width: print::data_columns(),
            colour: print::data_has_colour(),
        };
        print::data_with(|out| table::write(out, &self.result.report, &facts, look))
    }

    fn talk(&self) {
        // The warnings of a plan that ran were told before it did.
        if self.result.refused {
            let mut found = self.result.faults.clone();
            for warning in &self.result.warnings {
                match warning {
                    Warning::Plan(diagnostic) => found.push(diagnostic.clone()),
                    Warning::Bounds(message) => print::warning(message, None),
                    Warning::Call { message, hint } => print::warning(message, Some(hint)),
                }
            }
            print::talk(&in_text(self.input, &found));
        }
        if self.result.refused && self.result.faults.is_empty() {
            let first = self.result.report.steps.first();
            let error = first.and_then(|step| step.error.as_deref());
            let error = error.unwrap_or(&self.result.summary);
            print::error(error, None);
        }
        if let Err(error) = &self.kept {
            let hint = "what was kept whole is still in the runtime directory";
            print::warning(&error.to_string(), Some(hint));
        }
        if let Some(failed) = &self.closed {
            print::error(
                &failed.to_string(),
                Some("the trace of this run has no end"),
            );
        }
    }

    /// Finds the step whose output was cut and says so by the file's name.
    fn kept_of(&self, path: &Path) -> Kept {
        let from_end: Vec<_> = path.iter().rev().take(PARTS_NAMED).collect();
        let named: PathBuf = from_end.into_iter().rev().collect();
        let named = named.to_string_lossy();
        let mut steps = self.result.report.steps.iter();
        let step = steps.find(|step| {
            let output = step.output.as_deref().unwrap_or_default();
            output
                .lines()
                .next_back()
                .is_some_and(|note| note.contains(&*named))
        });
        Kept {
            step_id: step.map_or_else(String::new, |step| step.step_id.clone()),
            path: path.to_owned(),
        }
    }
}

/// Returns what was found in the plan's text, drawn there for standard error.
pub(super) fn in_text(input: &PlanInput, found: &[Diagnostic]) -> String {
    let name = input.name();
    let sheet = Sheet {
        name: &name,
        text: &input.text,
        width: print::talk_columns().unwrap_or(PLAIN_WIDTH),
        colour: print::talk_has_colour(),
    };
    diagnose::listing(&sheet, found)
}

/// Returns the report as one line of JSON.
pub(super) fn json(report: &Report) -> String {
    let mut text = report.to_json();
    text.push('\n');
    text
}

/// How a cut output names its file: `outputs/plan-<n>/<k>.txt`.
const PARTS_NAMED: usize = 3;
