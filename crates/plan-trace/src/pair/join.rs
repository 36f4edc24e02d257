//! Reading a trace once, line by line, into a [`Run`].

use std::{collections::HashMap, io::BufRead};

use super::{
    delegation::DelegationRun,
    error_text::ErrorRoom,
    plan::PlanRun,
    run::{Canceled, Denial, LastLine, Protection, Run},
};
use crate::{
    read::{Line, ReadError, Reader},
    record::{Delegation, DelegationStart, Event, PlanEnd, PlanStart, Record},
    text::Text,
};

impl Run {
    /// Reads the rest of a trace.
    ///
    /// # Errors
    ///
    /// What keeps the trace from being read. A torn last line and a missing end do not.
    pub fn read<R: BufRead>(reader: &mut Reader<R>) -> Result<Self, ReadError> {
        let mut join = Join::default();
        while let Some(line) = reader.next_line()? {
            join.see(&line);
        }
        join.run.torn = reader.torn();
        if let Some((event, number, at_ms)) = join.last {
            join.run.last = Some(LastLine {
                line: number,
                event,
                at_ms,
                step_id: (!join.last_step.is_empty()).then_some(join.last_step),
            });
        }
        Ok(join.run)
    }
}

/// What has been read so far.
#[derive(Default)]
struct Join {
    run: Run,
    room: ErrorRoom,
    /// Plans under way, by the id of their `plan_start`; where there is none, by what their lines hang off.
    by_line: HashMap<String, usize>,
    /// The latest plan under way of each id, for lines that hang off nothing.
    by_id: HashMap<String, usize>,
    /// Delegations under way, by their ids.
    delegations: HashMap<String, usize>,
    last: Option<(Event, u64, Option<u64>)>,
    /// The step the last line is about, `""` for none: one buffer for all lines.
    last_step: String,
}

impl Join {
    fn see(&mut self, line: &Line<'_>) {
        let at_ms = line.envelope.timestamp;
        if self.last.is_none() {
            self.run.started_ms = at_ms;
        }
        if self.run.session_id.is_none() {
            let id = line.envelope.session_id.as_ref();
            self.run.session_id = id.map(|id| id.clone().into_owned());
        }
        self.last = Some((line.record.event(), line.number, at_ms));
        self.last_step.clear();
        match &line.record {
            Record::SessionStart(start) => {
                let start = || start.clone().into_owned();
                self.run.start.get_or_insert_with(start);
            }
            Record::SessionEnd(end) => self.run.end = Some(end.clone().into_owned()),
            Record::SpawnerEnded(_) => self.run.has_lost_spawner = true,
            Record::TaskStart(_) | Record::TaskEnd(_) => {}
            Record::PlanStart(start) => self.plan_start(start, line),
            Record::PlanStepStart(start) => {
                self.last_step.push_str(&start.step_id);
                let place = self.plan_of(&start.plan_id, line);
                self.run.plans[place].see_start(start, at_ms);
            }
            Record::PlanStep(step) => {
                self.last_step.push_str(&step.step_id);
                let place = self.plan_of(&step.plan_id, line);
                self.run.plans[place].see_step(step, line.number, at_ms, &mut self.room);
            }
            Record::PlanEnd(end) => self.plan_end(end, line),
            Record::DelegationStart(start) => self.delegation_start(start, line),
            Record::Delegation(end) => self.delegation_end(end, line),
            Record::CallDenied(denied) => {
                self.run.denials.push(Denial {
                    line: line.number,
                    at_ms,
                    record: denied.clone().into_owned(),
                });
            }
            Record::ProtectedPathDenied(denied) => {
                self.run.protections.push(Protection {
                    line: line.number,
                    at_ms,
                    record: denied.clone().into_owned(),
                });
            }
            Record::TaskCanceled(canceled) => {
                self.run.canceled.push(Canceled {
                    line: line.number,
                    at_ms,
                    record: canceled.clone().into_owned(),
                });
            }
        }
    }

    fn plan_start(&mut self, start: &PlanStart<'_>, line: &Line<'_>) {
        let plan = PlanRun::declared(start, line.number, line.envelope.timestamp);
        let place = self.run.plans.len();
        self.run.plans.push(plan);
        if let Some(id) = &line.envelope.event_id {
            self.by_line.insert(id.to_string(), place);
        }
        self.by_id.insert(start.plan_id.to_string(), place);
    }

    fn plan_end(&mut self, end: &PlanEnd<'_>, line: &Line<'_>) {
        let place = match self.find(&end.plan_id, line) {
            Some(place) => place,
            None => self.unknown(&end.plan_id, line),
        };
        self.run.plans[place].see_end(end);
        if let Some(parent) = line.envelope.parent_id.as_deref()
            && self.by_line.get(parent) == Some(&place)
        {
            self.by_line.remove(parent);
        }
        if self.by_id.get(end.plan_id.as_str()) == Some(&place) {
            self.by_id.remove(end.plan_id.as_str());
        }
    }

    /// Returns the plan a step's line belongs to. One that no `plan_start` declared is made up.
    fn plan_of(&mut self, plan_id: &str, line: &Line<'_>) -> usize {
        if let Some(place) = self.find(plan_id, line) {
            return place;
        }
        // A `plan_step_start` need not name its plan.
        let latest = self.run.plans.len().checked_sub(1);
        let latest = latest.filter(|&latest| self.run.plans[latest].end.is_none());
        match latest {
            Some(latest) if plan_id.is_empty() => latest,
            _ => {
                let place = self.unknown(plan_id, line);
                if let Some(parent) = &line.envelope.parent_id {
                    self.by_line.insert(parent.to_string(), place);
                }
                place
            }
        }
    }

    fn find(&self, plan_id: &str, line: &Line<'_>) -> Option<usize> {
        let parent = line.envelope.parent_id.as_deref();
        let by_line = parent.and_then(|parent| self.by_line.get(parent));
        by_line.or_else(|| self.by_id.get(plan_id)).copied()
    }

    fn unknown(&mut self, plan_id: &str, line: &Line<'_>) -> usize {
        let plan = PlanRun::unknown(plan_id, line.number, line.envelope.timestamp);
        let place = self.run.plans.len();
        self.run.plans.push(plan);
        self.by_id.insert(plan_id.to_owned(), place);
        place
    }

    fn delegation_start(&mut self, start: &DelegationStart<'_>, line: &Line<'_>) {
        let place = self.run.delegations.push(DelegationRun {
            line: line.number,
            at_ms: line.envelope.timestamp,
            start: Some(start.clone().into_owned()),
            end: None,
            ended_ms: None,
        });
        if let Some(place) = place {
            let id = start.delegation_id.to_string();
            self.delegations.insert(id, place);
        }
    }

    fn delegation_end(&mut self, end: &Delegation<'_>, line: &Line<'_>) {
        let id = end.delegation_id.as_ref().map(Text::as_str);
        let place = id.and_then(|id| self.delegations.remove(id));
        let ended = end.clone().into_owned();
        match place {
            Some(place) => {
                let kept = &mut self.run.delegations.kept[place];
                kept.end = Some(ended);
                kept.ended_ms = line.envelope.timestamp;
            }
            // Refused, or counted and not kept when it began.
            None if id.is_some() && self.run.delegations.left_out > 0 => {}
            None => {
                self.run.delegations.push(DelegationRun {
                    line: line.number,
                    at_ms: line.envelope.timestamp,
                    start: None,
                    end: Some(ended),
                    ended_ms: line.envelope.timestamp,
                });
            }
        }
    }
}
