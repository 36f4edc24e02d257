//! Checks a plan as a whole: every rule on every step, then the graph, then the words for what was found.

mod action;
mod cycle;
mod ids;
mod names;
mod order;
mod render;

use std::collections::HashSet;
use std::ops::Range;

use foldhash::fast::RandomState;
use plan_cond::Cond;

use crate::doc::PlanDoc;
use crate::plan::{Hole, Lists, Row};
use crate::problem::{Name, Problem, ProblemKind, Problems};
use crate::{Diagnostic, Grants, Plan, Ref, Refused, StepIdx};

use ids::Ids;
use order::Unproven;
use render::Rendered;

/// What checking gave.
#[derive(Debug)]
pub struct Checked {
    /// The plan, or every fault in document order, up to 100,000 (decision D14).
    pub plan: Result<Plan, Refused>,
    /// What does not refuse the plan but deserves a look, in document order, up to 100,000 likewise.
    pub warnings: Vec<Diagnostic>,
}

/// Checks a plan. Without grants, the faults that need them are left out.
pub(crate) fn check(mut doc: PlanDoc, grants: Option<&Grants>) -> Checked {
    let problems = std::mem::take(&mut doc.problems);
    let mut checker = Checker::new(&doc, grants, problems);
    checker.steps();
    let dependents = checker.graph();
    let Checker {
        problems,
        dependencies,
        holes,
        holes_ends,
        conditions,
        condition_of,
        ..
    } = checker;
    let Rendered {
        faults,
        faults_left_out,
        warnings,
    } = render::render(&doc, grants, problems);
    if !faults.is_empty() {
        let plan = Err(Refused {
            plan_id: doc.plan_id().map(str::to_owned),
            declared: doc.declared(),
            faults,
            left_out: faults_left_out,
        });
        return Checked { plan, warnings };
    }
    let id = doc.id.expect("a plan without faults has an id");
    let rows = doc.steps.into_iter().enumerate().map(|(n, step)| Row {
        id: step.id.expect("a step without faults has an id"),
        action: step.action.expect("a step without faults has one kind"),
        input: step.input,
        retries: step.retries,
        on_error: step.on_error,
        condition: condition_of.get(n).copied().flatten(),
        holes_end: holes_ends[n],
    });
    let plan = Plan {
        id,
        steps: rows.collect(),
        text: doc.text,
        dependencies,
        dependents,
        holes,
        conditions,
    };
    Checked {
        plan: Ok(plan),
        warnings,
    }
}

/// What checking has found so far.
struct Checker<'d> {
    doc: &'d PlanDoc,
    tools: Option<HashSet<&'d str, RandomState>>,
    shell_allow: Option<HashSet<&'d str, RandomState>>,
    ids: Ids<'d>,
    problems: Problems,
    /// Each step's dependencies that exist, each once.
    dependencies: Lists,
    holes: Vec<Hole>,
    holes_ends: Vec<u32>,
    conditions: Vec<Cond<Ref>>,
    /// Each step's place in `conditions`; as long as the last step that has one.
    condition_of: Vec<Option<u32>>,
    /// For each step, the number of the last one that was seen to depend on it directly.
    waits_for: Vec<u32>,
    /// Steps with a dependency that could not be read or does not exist.
    broken: Vec<StepIdx>,
    /// References to steps that are no direct dependencies.
    unproven: Vec<Unproven>,
}

impl<'d> Checker<'d> {
    fn new(doc: &'d PlanDoc, grants: Option<&'d Grants>, problems: Problems) -> Self {
        let steps = doc.steps.len();
        let set = |names: fn(&Grants) -> &[String]| {
            grants.map(|grants| names(grants).iter().map(String::as_str).collect())
        };
        Self {
            doc,
            tools: set(|grants| &grants.tools),
            shell_allow: set(|grants| &grants.shell_allow),
            ids: Ids::default(),
            problems,
            dependencies: Lists::with_capacity(steps, doc.depends_on.len()),
            holes: Vec::with_capacity(doc.dollars.len()),
            holes_ends: Vec::with_capacity(steps),
            conditions: Vec::new(),
            condition_of: Vec::new(),
            waits_for: vec![u32::MAX; steps],
            broken: Vec::new(),
            unproven: Vec::new(),
        }
    }

    fn steps(&mut self) {
        self.ids = Ids::with_capacity(self.doc.steps.len());
        for n in 0..self.doc.steps.len() {
            self.id(StepIdx::new(n));
        }
        for n in 0..self.doc.steps.len() {
            let step = StepIdx::new(n);
            self.action(step);
            self.names(step);
        }
    }

    /// Takes a step's id in; the first declaration wins.
    fn id(&mut self, step: StepIdx) {
        let Some(piece) = self.doc.steps[step.get()].id else {
            return;
        };
        let id = self.doc.text.get(piece);
        if let Some(first) = self.ids.insert(id, step) {
            let place = self.doc.text.written(piece);
            let id = Name::new(id);
            let first = StepIdx::from_u32(self.doc.steps[first.get()].place);
            self.problem(
                step,
                place.start,
                place,
                ProblemKind::DuplicateId { id, first },
            );
        }
    }

    /// Checks the graph; returns what waits for each step.
    fn graph(&mut self) -> Lists {
        let dependents = self.dependencies.reversed();
        match cycle::sort(&self.dependencies, &dependents) {
            Ok(places) => self.order(&places, &dependents),
            Err(cycles) => {
                for cycle in cycles {
                    self.cycle(&cycle);
                }
            }
        }
        dependents
    }

    fn problem(&mut self, step: StepIdx, target: u32, span: Range<u32>, kind: ProblemKind) {
        self.problems.push(Problem {
            step: Some(step),
            target,
            span,
            kind,
        });
    }
}
