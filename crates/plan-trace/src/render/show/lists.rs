//! The sections after the plans: delegations, refused calls, protected paths, cancels.

use std::{fmt::Write as _, io};

use super::{
    super::{
        columns::{elapsed_exactly, visible},
        style::{BAD, outcome_style},
    },
    MOST_NAMED, REASON_INDENT,
    page::Page,
};
use crate::{
    pair::{First, Run},
    text::Text,
};

impl Page<'_> {
    pub(super) fn delegations(&mut self, run: &Run) -> io::Result<()> {
        if run.delegations.is_empty() {
            return Ok(());
        }
        self.heading("Delegations")?;
        for delegation in &run.delegations.kept {
            let child = format!("{} {}", delegation.capsule(), delegation.version());
            let _ = write!(self.line, "  {}  ", visible(&child));
            match &delegation.end {
                Some(end) => {
                    let word = end.outcome.name();
                    self.look
                        .push(&mut self.line, &visible(word), outcome_style(word));
                    let _ = write!(self.line, " in {}", elapsed_exactly(end.duration_ms));
                }
                None if self.is_going_on => self.push("still going on"),
                None => self.look.push(&mut self.line, "no end", BAD),
            }
            match delegation.child_session() {
                Some(session) => {
                    let _ = write!(self.line, ", session {}", visible(session));
                }
                None => self.push(", no session was started"),
            }
            self.end_line()?;
            let reason = delegation
                .end
                .as_ref()
                .and_then(|end| end.reason.as_deref());
            if let Some(reason) = reason {
                self.text(reason, REASON_INDENT)?;
            }
        }
        self.left_out(&run.delegations)
    }

    pub(super) fn denials(&mut self, run: &Run) -> io::Result<()> {
        if run.denials.is_empty() {
            return Ok(());
        }
        self.heading("Denied calls")?;
        for denial in &run.denials.kept {
            let denied = &denial.record;
            let (target, hook, event) = (
                visible(&denied.target),
                visible(&denied.hook_name),
                visible(denied.event.name()),
            );
            let _ = write!(self.line, "  {target}  by hook `{hook}` ({event})");
            self.end_line()?;
            self.text(&denied.reason, REASON_INDENT)?;
        }
        self.left_out(&run.denials)
    }

    pub(super) fn protections(&mut self, run: &Run) -> io::Result<()> {
        if run.protections.is_empty() {
            return Ok(());
        }
        self.heading("Protected paths")?;
        for protection in &run.protections.kept {
            let denied = &protection.record;
            let (path, rule) = (visible(&denied.path), visible(&denied.rule));
            let (call, target) = (visible(denied.call.name()), visible(&denied.target));
            let signal = visible(&denied.signal);
            let _ = write!(
                self.line,
                "  {path}  declared `{rule}`, by {call} {target} ({signal})"
            );
            self.end_line()?;
            self.text(&denied.reason, REASON_INDENT)?;
        }
        self.left_out(&run.protections)
    }

    pub(super) fn canceled(&mut self, run: &Run) -> io::Result<()> {
        if run.canceled.is_empty() {
            return Ok(());
        }
        self.heading("Cancelled")?;
        for canceled in &run.canceled.kept {
            let record = &canceled.record;
            let (task, phase) = (visible(&record.task_id), visible(&record.phase));
            let _ = write!(self.line, "  task {task}, in phase `{phase}`");
            self.ids("; ended ", &record.delegation_ids);
            self.ids("; goes on detached: ", &record.detached_work_ids);
            self.end_line()?;
        }
        self.left_out(&run.canceled)
    }

    fn ids(&mut self, before: &str, ids: &[Text<'_>]) {
        for (at, id) in ids.iter().take(MOST_NAMED).enumerate() {
            let before = if at == 0 { before } else { ", " };
            // Writing to a string cannot fail.
            let _ = write!(self.line, "{before}{}", visible(id));
        }
        if ids.len() > MOST_NAMED {
            let _ = write!(self.line, " and {} more", ids.len() - MOST_NAMED);
        }
    }

    fn left_out<T>(&mut self, list: &First<T>) -> io::Result<()> {
        if list.left_out > 0 {
            let _ = write!(self.line, "  … and {} more", list.left_out);
            self.end_line()?;
        }
        Ok(())
    }
}
