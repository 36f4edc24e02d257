//! The session's own facts, above everything.

use std::{borrow::Cow, fmt::Write as _, io};

use super::{
    super::{
        columns::{elapsed_exactly, fit, push_padded, visible},
        ending::Ending,
        style::{BAD, STOPPED, outcome_style},
        when::utc,
    },
    WIDEST_ID,
    page::{LABEL, Page},
};
use crate::pair::Run;

impl Page<'_> {
    pub(super) fn header(&mut self, run: &Run, ending: Ending) -> io::Result<()> {
        if let Some(id) = &run.session_id {
            self.fact("session", &visible(id))?;
        }
        if let Some(start) = &run.start {
            let capsule = format!("{} {}", start.capsule_name, start.capsule_version);
            self.fact("capsule", &visible(capsule.trim_end()))?;
            if !start.model.is_empty() {
                self.fact("model", &visible(&start.model))?;
            }
            if let Some(bounding) = &start.bounding_achieved {
                self.fact("bounding", &visible(bounding))?;
            }
            if let Some(parent) = &start.spawned_by {
                let mut spawned = visible(parent).into_owned();
                if let Some(id) = &start.delegation_id {
                    // Writing to a string cannot fail.
                    let _ = write!(spawned, " as {}", visible(id));
                }
                if run.has_lost_spawner {
                    spawned.push_str(", which went away first");
                }
                self.fact("spawned by", &spawned)?;
            }
        }
        if let Some(started) = run.started_ms {
            self.fact("started", &utc(started))?;
        }
        if let Some(duration) = run.duration_ms() {
            self.fact("took", &elapsed_exactly(duration))?;
        }
        self.ended(run, ending)?;
        if let Some(line) = run.torn {
            self.fact(
                "torn",
                &format!("line {line}, the last, was cut off and is left out"),
            )?;
        }
        Ok(())
    }

    fn ended(&mut self, run: &Run, ending: Ending) -> io::Result<()> {
        let (word, style) = match (&run.end, ending) {
            (Some(end), _) => {
                let word = end.exit_status.name();
                (visible(word), outcome_style(word))
            }
            (None, Ending::Ended | Ending::NoEnd) => {
                (Cow::Borrowed("no end: still going on, or killed"), BAD)
            }
            (None, Ending::NoSession) => return Ok(()),
            (None, Ending::GoingOn) => (Cow::Borrowed("still going on"), STOPPED),
            (None, Ending::Killed) => (Cow::Borrowed("no end: killed"), BAD),
        };
        push_padded(&mut self.line, "outcome", LABEL);
        self.look.push(&mut self.line, &word, style);
        if let (None, Some(last)) = (&run.end, &run.last) {
            // Writing to a string cannot fail, here and below.
            let _ = write!(self.line, "; last event `{}`", last.event.name());
            if let Some(step) = &last.step_id {
                let _ = write!(self.line, " of `{}`", fit(&visible(step), WIDEST_ID));
            }
            let _ = write!(self.line, ", line {}", last.line);
            if let Some(at_ms) = last.at_ms {
                let _ = write!(self.line, ", {}", utc(at_ms));
            }
        }
        self.end_line()
    }
}
