//! A fault or a warning as callers see it: flat, with its place and its words worked out.

use std::ops::Range;

use crate::StepIdx;

/// A fault or a warning, with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Fault or warning.
    pub severity: Severity,
    /// A stable code, such as `unknown-tool`; [`CODES`](crate::CODES) lists them.
    pub code: &'static str,
    /// The step it belongs to; `None` when it is the plan's, or the step's id could not be read.
    pub step: Option<FaultyStep>,
    /// The JSON Pointer of the place.
    pub pointer: String,
    /// The bytes of the text at fault: offsets into what was given, a byte-order mark included.
    pub span: Range<usize>,
    /// Where `span` starts, line from 1.
    pub line: usize,
    /// Where `span` starts, column in characters from 1. A byte-order mark takes no column.
    pub column: usize,
    /// What is wrong: lower case, no full stop, names in backticks.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

/// The step a diagnostic belongs to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FaultyStep {
    /// Its place in the plan.
    pub index: StepIdx,
    /// Its id.
    pub id: String,
}

/// Whether a diagnostic refuses the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    /// It refuses the plan.
    Error,
    /// It does not.
    Warning,
}
