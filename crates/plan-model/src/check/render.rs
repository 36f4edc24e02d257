//! From problems to diagnostics: document order, places and words, worked out only when there is something to say.

use crate::diagnostic::FaultyStep;
use crate::doc::{PlanDoc, start};
use crate::json::{pointers, positions};
use crate::nearest::{closest, nearest};
use crate::problem::{Listed, Near, Problem, ProblemKind, Problems, Wanted};
use crate::{Diagnostic, Grants, Severity, StepIdx};

/// For how many problems a near name is looked for (ruling 6).
const SUGGESTIONS: usize = 100;

/// Among how many names it is looked for: those of the steps around the one at fault. More would make a big plan
/// with many misspelt names slow to refuse.
const CANDIDATES: usize = 4096;

/// Up to how many names are all listed when none is near.
const FEW: usize = 12;

/// How many bytes of step ids the diagnostics repeat. Only a text made to be awkward comes near it.
const IDS: usize = 256 << 20;

/// What there is to say of a plan. A list that leaves some out ends with how many.
#[derive(Default)]
pub(super) struct Rendered {
    pub(super) faults: Vec<Diagnostic>,
    pub(super) faults_left_out: usize,
    pub(super) warnings: Vec<Diagnostic>,
}

/// Returns the faults and the warnings, each in document order.
pub(super) fn render(doc: &PlanDoc, grants: Option<&Grants>, problems: Problems) -> Rendered {
    let Listed {
        problems,
        faults_left_out: mut faults_left,
        warnings_left_out: mut warnings_left,
    } = problems.listed();
    if problems.is_empty() {
        return Rendered::default();
    }
    let places = places(doc, &problems);
    let mut renderer = Renderer {
        doc,
        grants,
        suggestions_left: SUGGESTIONS,
        id_bytes_left: IDS,
    };
    let (mut faults, mut warnings) = (Vec::new(), Vec::new());
    let mut pointers = pointers_of(doc, &problems).into_iter();
    for (problem, place) in problems.iter().zip(places) {
        let rendered = pointers
            .next()
            .and_then(|pointer| renderer.diagnostic(problem, pointer, place));
        match (problem.kind.severity(), rendered) {
            (Severity::Error, Some(fault)) => faults.push(fault),
            (Severity::Warning, Some(warning)) => warnings.push(warning),
            (Severity::Error, None) => faults_left += 1,
            (Severity::Warning, None) => warnings_left += 1,
        }
    }
    let more = [
        (
            faults_left,
            &mut faults,
            ProblemKind::MoreFaults {
                left_out: faults_left,
            },
        ),
        (
            warnings_left,
            &mut warnings,
            ProblemKind::MoreWarnings {
                left_out: warnings_left,
            },
        ),
    ];
    for (left_out, list, kind) in more {
        if left_out > 0 {
            list.push(flat(&kind, None, None, String::new(), 0..0, (1, 1)));
        }
    }
    Rendered {
        faults,
        faults_left_out: faults_left,
        warnings,
    }
}

/// Returns the line and column of each problem.
fn places(doc: &PlanDoc, problems: &[Problem]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..problems.len()).collect();
    order.sort_by_key(|n| problems[*n].span.start);
    let offsets: Vec<u32> = order.iter().map(|n| problems[*n].span.start).collect();
    let mut places = vec![(1, 1); problems.len()];
    for (n, place) in order
        .into_iter()
        .zip(positions(doc.text.source(), &offsets))
    {
        places[n] = place;
    }
    places
}

/// Returns the pointer of each problem; fewer when they would take too much room.
fn pointers_of(doc: &PlanDoc, problems: &[Problem]) -> Vec<String> {
    if let [Problem { kind, .. }] = problems
        && let Some(pointer) = kind.pointer()
    {
        return vec![pointer.to_owned()];
    }
    let source = doc.text.source();
    let targets: Vec<u32> = problems.iter().map(|problem| problem.target).collect();
    pointers(source, start(source), &targets)
}

struct Renderer<'d> {
    doc: &'d PlanDoc,
    grants: Option<&'d Grants>,
    suggestions_left: usize,
    id_bytes_left: usize,
}

impl<'d> Renderer<'d> {
    fn diagnostic(
        &mut self,
        problem: &Problem,
        pointer: String,
        place: (usize, usize),
    ) -> Option<Diagnostic> {
        let step = problem.step.and_then(|step| {
            let declared = &self.doc.steps[step.get()];
            let id = self.doc.text.get(declared.id?).to_owned();
            let index = StepIdx::from_u32(declared.place);
            Some(FaultyStep { index, id })
        });
        let id_bytes = step.as_ref().map_or(0, |step| step.id.len());
        self.id_bytes_left = self.id_bytes_left.checked_sub(id_bytes)?;
        let nearest = self.nearest(problem);
        let span = problem.span.start as usize..problem.span.end as usize;
        Some(flat(
            &problem.kind,
            nearest.as_ref(),
            step,
            pointer,
            span,
            place,
        ))
    }

    fn nearest(&mut self, problem: &Problem) -> Option<Near<'d>> {
        let (name, wanted) = problem.kind.wanted()?;
        if wanted == Wanted::Tool && self.grants?.tools.is_empty() {
            return Some(Near::Nothing);
        }
        let name = name.whole()?;
        self.suggestions_left = self.suggestions_left.checked_sub(1)?;
        let granted = |names: &'d [String]| {
            let names = || names.iter().take(CANDIDATES).map(String::as_str);
            let near = nearest(name, names()).map(Near::One);
            let few = (1..=FEW).contains(&names().count());
            near.or_else(|| few.then(|| Near::Among(names().collect())))
        };
        match wanted {
            // Ruling 6 names the nearest id even where it is not near.
            Wanted::Step => nearest(name, self.ids_around(problem.step))
                .map(Near::One)
                .or_else(|| closest(name, self.ids_around(problem.step)).map(Near::Far)),
            Wanted::Tool => granted(&self.grants?.tools),
            Wanted::Binary => {
                // `/bin/bash` is nearest to `bash`.
                let last = name.rsplit('/').next().unwrap_or(name);
                let allowed = &self.grants?.shell_allow;
                let same = allowed
                    .iter()
                    .take(CANDIDATES)
                    .find(|allowed| *allowed == last);
                same.map(|same| Near::One(same))
                    .or_else(|| granted(allowed))
            }
        }
    }

    /// Returns the ids a misspelt one is looked for among, the step's own left out.
    fn ids_around(&self, step: Option<StepIdx>) -> impl Iterator<Item = &'d str> + use<'d> {
        let doc = self.doc;
        let here = step.map(StepIdx::get);
        let from = here.unwrap_or(0).saturating_sub(CANDIDATES / 2);
        let steps = doc.steps.iter().enumerate().skip(from).take(CANDIDATES);
        steps
            .filter(move |(n, _)| Some(*n) != here)
            .filter_map(|(_, step)| step.id)
            .map(|id| doc.text.get(id))
    }
}

fn flat(
    kind: &ProblemKind,
    near: Option<&Near<'_>>,
    step: Option<FaultyStep>,
    pointer: String,
    span: std::ops::Range<usize>,
    (line, column): (usize, usize),
) -> Diagnostic {
    let code = kind.code();
    Diagnostic {
        severity: code.severity,
        code: code.name,
        step,
        pointer,
        span,
        line,
        column,
        message: kind.to_string(),
        hint: kind.hint(near),
    }
}
