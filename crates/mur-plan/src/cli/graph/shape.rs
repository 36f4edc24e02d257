//! What is drawn of a plan: its steps, what each waits for, and how each went.

use std::collections::HashMap;

use plan_model::{Kind, PlanDoc};
use plan_trace::{
    StepStatus,
    pair::{Run, Standing},
};

use crate::cli::{
    refusal::Refusal,
    visible::{elapsed, visible},
};

/// A plan as a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The plan's id.
    pub id: String,
    /// Its steps, in file order.
    pub nodes: Vec<Node>,
    /// Who waits for whom: the places of a step that is waited for and of the one that waits, without repeats.
    pub edges: Vec<(usize, usize)>,
    /// Whether the steps have outcomes.
    pub is_coloured: bool,
}

/// A step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Node {
    /// Its id, fit to be shown.
    pub id: String,
    /// What carries it out; `None` for none or several.
    pub kind: Option<Kind>,
    /// Whether it has an `if`.
    pub is_conditional: bool,
    /// How it went.
    pub outcome: Outcome,
    /// How long it took, in words; `""` when it never ran.
    pub took: String,
}

/// How a step went.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Nobody asked.
    Unknown,
    /// It settled `success`.
    Success,
    /// It settled `failed`.
    Failed,
    /// It settled `skipped`.
    Skipped,
    /// It was dispatched, and nothing says how it settled.
    Unsettled,
    /// It never ran.
    NotRun,
}

impl Shape {
    /// Returns the shape of a plan. Of two steps with one id the first is the one waited for; a dependency that
    /// no step has is left out.
    pub fn of(doc: &PlanDoc) -> Self {
        let mut nodes = Vec::new();
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut waits = Vec::new();
        for step in doc.outline() {
            places.entry(step.id).or_insert(nodes.len());
            nodes.push(Node {
                id: visible(step.id).into_owned(),
                kind: step.kind,
                is_conditional: step.has_condition,
                outcome: Outcome::Unknown,
                took: String::new(),
            });
            waits.push(step.depends_on);
        }
        let mut edges = Vec::new();
        for (to, depends_on) in waits.iter().enumerate() {
            let from = depends_on.iter().filter_map(|id| places.get(id));
            let mut from: Vec<usize> = from.copied().collect();
            from.sort_unstable();
            from.dedup();
            edges.extend(from.into_iter().map(|from| (from, to)));
        }
        Self {
            id: visible(doc.plan_id().unwrap_or_default()).into_owned(),
            nodes,
            edges,
            is_coloured: false,
        }
    }

    /// Gives each step its outcome in the last plan of `run` that has this plan's id.
    pub(crate) fn colour(&mut self, run: &Run) -> Result<(), Refusal> {
        let plan = run
            .plans
            .iter()
            .rev()
            .find(|plan| visible(&plan.id) == self.id);
        let Some(plan) = plan else {
            let mut ids: Vec<String> = Vec::new();
            for plan in run.plans.iter().take(MOST_NAMED) {
                ids.push(format!("`{}`", visible(&plan.id)));
            }
            let hint = match ids.as_slice() {
                [] => "no plan ran in that session".to_owned(),
                ids => format!("the plans of that session are {}", ids.join(", ")),
            };
            let message = format!("the trace has no plan `{}`", self.id);
            return Err(Refusal::new(message, hint));
        };
        let mut outcomes: HashMap<String, (Outcome, String)> = HashMap::new();
        for step in plan.steps() {
            let (outcome, took) = match step.standing() {
                Standing::NotRun => (Outcome::NotRun, String::new()),
                Standing::Unsettled => (Outcome::Unsettled, String::new()),
                Standing::Settled(settled) => {
                    let outcome = match settled.status {
                        StepStatus::Success => Outcome::Success,
                        StepStatus::Failed => Outcome::Failed,
                        StepStatus::Skipped => Outcome::Skipped,
                        StepStatus::Other(_) => Outcome::Unknown,
                    };
                    let took = match settled.attempts {
                        0 => String::new(),
                        _ => elapsed(settled.duration_ms),
                    };
                    (outcome, took)
                }
            };
            let id = visible(step.id()).into_owned();
            outcomes.entry(id).or_insert((outcome, took));
        }
        for node in &mut self.nodes {
            let went = outcomes.get(&node.id).cloned();
            (node.outcome, node.took) = went.unwrap_or((Outcome::NotRun, String::new()));
        }
        self.is_coloured = true;
        Ok(())
    }
}

impl Node {
    /// Returns the kind in a word.
    pub(super) fn kind_name(&self) -> &'static str {
        self.kind.map_or("unknown", Kind::name)
    }

    /// Returns the second line of a node: kind, condition, outcome, time.
    pub(super) fn caption(&self) -> String {
        let mut words = vec![self.kind_name()];
        if self.is_conditional {
            words.push("if");
        }
        words.extend(self.outcome.name());
        if !self.took.is_empty() {
            words.push(&self.took);
        }
        words.join(" · ")
    }
}

impl Outcome {
    /// Every outcome that has a colour.
    pub(super) const COLOURED: [Self; 5] = [
        Self::Success,
        Self::Failed,
        Self::Skipped,
        Self::Unsettled,
        Self::NotRun,
    ];

    /// Returns the outcome in words; none when nobody asked.
    pub(super) const fn name(self) -> Option<&'static str> {
        match self {
            Self::Unknown => None,
            Self::Success => Some("success"),
            Self::Failed => Some("failed"),
            Self::Skipped => Some("skipped"),
            Self::Unsettled => Some("unsettled"),
            Self::NotRun => Some("not run"),
        }
    }

    /// Returns the name of its class in a picture; `""` when nobody asked.
    pub(super) const fn class(self) -> &'static str {
        match self {
            Self::Unknown => "",
            Self::Success => "success",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
            Self::Unsettled => "unsettled",
            Self::NotRun => "not-run",
        }
    }
}

/// More names than this are no help.
const MOST_NAMED: usize = 5;
