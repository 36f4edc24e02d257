//! What is wrong with a trace that can be read: every rule of the format that one file shows kept or broken.
//!
//! The reader is lenient, since it must read what others wrote. This is not: it is for whoever writes traces and
//! wants to know that they are right. Lines and keys of kinds it does not know are only held to the common keys.

mod delegations;
mod keys;
mod plan;
mod plans;
mod schema;
mod tasks;
mod tree;

use std::fmt;

use crate::{
    read::{Envelope, event_of, read_known},
    record::{Event, Record},
};

/// One broken rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Returns every violation of the format in a whole trace, in the order of the lines at fault.
pub fn check(text: &str) -> Vec<Violation> {
    let mut found = Findings::default();
    let mut tree = tree::Tree::new(text);
    let mut plans = plans::Plans::default();
    let mut delegations = delegations::Delegations::default();
    let mut tasks = tasks::Tasks::default();
    for (index, line) in text.split_inclusive('\n').enumerate() {
        found.line = index + 1;
        let Some(line) = line.strip_suffix('\n') else {
            found.add("the line does not end with a newline");
            continue;
        };
        let Some(envelope) = keys::check(line, &mut found) else {
            continue;
        };
        let event = event_of(line).ok().flatten();
        tree.see(event, &envelope, &mut found);
        let Some(event) = event else {
            continue;
        };
        let record = match read_known(event, line) {
            Ok((_, record)) => record,
            Err(fault) => {
                found.add(format!("the line cannot be read: {fault}"));
                continue;
            }
        };
        let seen = Seen {
            line: found.line,
            event,
            envelope: &envelope,
            record: &record,
        };
        plans.see(&seen, &mut found);
        delegations.see(&seen, &mut found);
        tasks.see(&seen, &plans, &delegations, &mut found);
    }
    tree.end(&mut found);
    plans.end(&mut found);
    delegations.end(&mut found);
    tasks.end(&mut found);
    found.found.sort_by_key(|violation| violation.line);
    found.found
}

/// A known line that was read.
struct Seen<'a> {
    line: usize,
    event: Event,
    envelope: &'a Envelope<'a>,
    record: &'a Record<'a>,
}

/// What was found so far, and the line that is looked at.
#[derive(Default)]
struct Findings {
    line: usize,
    found: Vec<Violation>,
}

impl Findings {
    fn add(&mut self, message: impl Into<String>) {
        self.add_at(self.line, message);
    }

    fn add_at(&mut self, line: usize, message: impl Into<String>) {
        let message = message.into();
        self.found.push(Violation { line, message });
    }
}
