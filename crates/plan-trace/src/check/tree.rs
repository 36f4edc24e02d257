//! The tree of a trace: ids, parents, the session, and what hangs off what.

use std::collections::HashMap;

use super::Findings;
use crate::{read::Envelope, record::Event};

/// The lines seen so far, by id.
pub(super) struct Tree {
    rooted: bool,
    session: Option<String>,
    last_id: Option<String>,
    ended: bool,
    /// The kind of each line, `None` for one we do not know.
    kinds: HashMap<String, Option<Event>>,
}

impl Tree {
    /// `text` is the whole trace: whether it has a `session_start` decides what its first lines may be.
    pub(super) fn new(text: &str) -> Self {
        Self {
            rooted: text
                .lines()
                .any(|line| line.starts_with("{\"event_type\":\"session_start\"")),
            session: None,
            last_id: None,
            ended: false,
            kinds: HashMap::new(),
        }
    }

    pub(super) fn see(
        &mut self,
        event: Option<Event>,
        envelope: &Envelope<'_>,
        found: &mut Findings,
    ) {
        self.check_order(event, found);
        self.check_parent(event, envelope, found);
        self.check_session(envelope, found);
        self.check_id(event, envelope, found);
    }

    pub(super) fn end(&self, found: &mut Findings) {
        if self.kinds.is_empty() && found.found.is_empty() {
            found.add_at(1, "the trace has no line");
        }
        if self.rooted && !self.ended {
            found.add_at(1, "the session has no `session_end`");
        }
    }

    fn check_order(&mut self, event: Option<Event>, found: &mut Findings) {
        if event == Some(Event::SessionStart) && !self.kinds.is_empty() {
            found.add("`session_start` is not the first line");
        }
        if self.ended {
            found.add("a line follows `session_end`");
        }
        self.ended |= event == Some(Event::SessionEnd);
    }

    fn check_parent(&self, event: Option<Event>, envelope: &Envelope<'_>, found: &mut Findings) {
        let needs_none = !self.rooted || event == Some(Event::SessionStart);
        let parent = match (&envelope.parent_id, needs_none) {
            (None, true) => return,
            (None, false) => return found.add("`parent_id` is null"),
            (Some(_), true) if self.rooted => {
                return found.add("`session_start` hangs off a line");
            }
            (Some(_), true) => {
                return found.add("`parent_id` is not null in a trace without a `session_start`");
            }
            (Some(parent), false) => parent.as_str(),
        };
        let Some(kind) = self.kinds.get(parent) else {
            return found.add(format!("the parent `{parent}` is no earlier line"));
        };
        if let Some(event) = event
            && !hangs_off(event, *kind)
        {
            let kind = kind.map_or_else(
                || "a line of another kind".to_owned(),
                |kind| format!("a `{}`", kind.name()),
            );
            found.add(format!("`{}` hangs off {kind}", event.name()));
        }
    }

    fn check_session(&mut self, envelope: &Envelope<'_>, found: &mut Findings) {
        let Some(session) = envelope.session_id.as_deref() else {
            return;
        };
        match &self.session {
            None => self.session = Some(session.to_owned()),
            Some(first) if first != session => {
                found.add(format!(
                    "the session is `{session}`, before it was `{first}`"
                ));
            }
            Some(_) => {}
        }
    }

    fn check_id(&mut self, event: Option<Event>, envelope: &Envelope<'_>, found: &mut Findings) {
        let Some(id) = envelope.event_id.as_deref() else {
            return;
        };
        if self.kinds.insert(id.to_owned(), event).is_some() {
            found.add(format!("the id `{id}` is used twice"));
        } else if self.last_id.as_deref().is_some_and(|last| last > id) {
            found.add(format!(
                "the id `{id}` sorts before that of the line before"
            ));
        }
        self.last_id = Some(id.to_owned());
    }
}

/// Returns whether a line of kind `event` may hang off one of kind `parent` (trace.md, "hangs off").
fn hangs_off(event: Event, parent: Option<Event>) -> bool {
    match event {
        Event::SessionStart => false,
        Event::TaskStart
        | Event::PlanStart
        | Event::DelegationStart
        | Event::Delegation
        | Event::SpawnerEnded
        | Event::SessionEnd => parent == Some(Event::SessionStart),
        Event::PlanStepStart | Event::PlanStep => parent == Some(Event::PlanStart),
        Event::PlanEnd => matches!(parent, Some(Event::PlanStart | Event::SessionStart)),
        Event::TaskCanceled | Event::TaskEnd => parent == Some(Event::TaskStart),
        // A turn is a line of the runtime's own, which is not known here.
        Event::CallDenied | Event::ProtectedPathDenied => {
            matches!(parent, None | Some(Event::TaskStart | Event::SessionStart))
        }
    }
}
