//! The layout of a timeline as data: what stands in which row, from when to when. Drawing it is left to the writers.

use super::{
    axis::Axis,
    bar::{Bar, Delegated, Drawn},
    critical::critical_path,
    ranks::Ranks,
};
use crate::{
    pair::{PlanRun, Run, Standing, StepRun},
    render::ending::{Ending, Writer},
};

/// A run laid out on axes of time, one for each plan.
#[derive(Debug)]
pub struct Chart<'r> {
    pub(super) run: &'r Run,
    pub(super) ending: Ending,
    /// The plans, in the order they began.
    pub(super) sections: Vec<Section<'r>>,
    /// Delegations that no plan's time holds.
    pub(super) strays: Vec<Delegated<'r>>,
}

/// A plan on its axis.
#[derive(Debug)]
pub(super) struct Section<'r> {
    pub(super) plan: &'r PlanRun,
    /// None when nothing ran, or nothing says when.
    pub(super) axis: Option<Axis>,
    /// The steps, in the order they began; those that never did last, in file order.
    pub(super) bars: Vec<Bar<'r>>,
    /// The rows of the steps on the critical path, the first one first.
    pub(super) critical: Vec<usize>,
    /// The delegations that began while it ran, in that order.
    pub(super) delegations: Vec<Delegated<'r>>,
}

impl<'r> Chart<'r> {
    /// Lays out `run`. `now_ms` is the time, in unix milliseconds, up to which a run still going on is drawn; without
    /// it that is its last line's.
    pub fn of(run: &'r Run, writer: Writer, now_ms: Option<u64>) -> Self {
        let ending = Ending::of(run, writer);
        let last_ms = run.last.as_ref().and_then(|last| last.at_ms);
        let seen_ms = match ending {
            Ending::GoingOn => last_ms.max(now_ms),
            Ending::Ended | Ending::Killed | Ending::NoEnd | Ending::NoSession => last_ms,
        };
        let mut sections = Vec::with_capacity(run.plans.len());
        for (at, plan) in run.plans.iter().enumerate() {
            // Only the last plan can still be running at the end.
            let is_last = at + 1 == run.plans.len();
            let until_ms = seen_ms.filter(|_| is_last && plan.end.is_none());
            let is_going_on = until_ms.is_some() && ending == Ending::GoingOn;
            sections.push(Section::of(plan, until_ms, is_going_on));
        }
        let mut strays = Vec::new();
        for delegation in &run.delegations.kept {
            let delegated = Delegated::of(delegation);
            let after = sections.partition_point(|section| section.plan.line < delegation.line);
            let section = after.checked_sub(1).map(|at| &mut sections[at]);
            match section.filter(|section| section.holds(&delegated)) {
                Some(section) => section.delegations.push(delegated),
                None => strays.push(delegated),
            }
        }
        for section in &mut sections {
            section.lengthen(ending == Ending::GoingOn);
        }
        Self {
            run,
            ending,
            sections,
            strays,
        }
    }

    /// Returns how many rows it has.
    pub fn rows(&self) -> usize {
        let rows = |section: &Section<'_>| 1 + section.bars.len() + section.delegations.len();
        self.strays.len() + self.sections.iter().map(rows).sum::<usize>()
    }

    pub(super) fn is_going_on(&self) -> bool {
        self.ending == Ending::GoingOn
    }
}

impl<'r> Section<'r> {
    fn of(plan: &'r PlanRun, until_ms: Option<u64>, is_going_on: bool) -> Self {
        let ranks = Ranks::of_plan(plan);
        let mut bars = Vec::with_capacity(plan.steps().len());
        for step in plan.steps() {
            bars.push(Bar {
                step,
                ready_ms: ready_ms(plan, step, &ranks),
                drawn: Drawn::Nothing,
                is_critical: false,
            });
        }
        let mut start_ms = plan.started_ms.unwrap_or(u64::MAX);
        let ended = plan.end.as_ref().zip(plan.started_ms);
        let ended_ms = ended.map(|(end, started_ms)| started_ms.saturating_add(end.duration_ms));
        let mut end_ms = until_ms.max(ended_ms).unwrap_or(0);
        for bar in &mut bars {
            let (begin, end) = told(bar.step);
            start_ms = start_ms.min(begin.or(end).unwrap_or(u64::MAX));
            end_ms = end_ms.max(end.or(begin).unwrap_or(0));
        }
        for bar in &mut bars {
            bar.drawn = drawn(bar.step, end_ms);
            if is_going_on && bar.step.standing() == Standing::NotRun && bar.ready_ms.is_some() {
                bar.drawn = Drawn::Waits { until_ms: end_ms };
            }
        }
        for &place in &critical_path(plan, &ranks) {
            bars[place].is_critical = true;
        }
        bars.sort_by_key(Bar::order);
        let mut critical: Vec<usize> = (0..bars.len())
            .filter(|&row| bars[row].is_critical)
            .collect();
        // As the path goes: what settles later waited for what settled before.
        critical.sort_by_key(|&row| {
            ranks
                .of(bars[row].step.index())
                .map_or((1, None), |it| (0, Some(it)))
        });
        let is_drawn = bars.iter().any(|bar| bar.drawn != Drawn::Nothing);
        Self {
            plan,
            axis: (is_drawn && start_ms <= end_ms).then_some(Axis { start_ms, end_ms }),
            bars,
            critical,
            delegations: Vec::new(),
        }
    }

    /// Whether a delegation began while the plan ran.
    fn holds(&self, delegated: &Delegated<'_>) -> bool {
        let begin = delegated.stretch.map(|(begin, _)| begin);
        let axis = self.axis;
        begin
            .zip(axis)
            .is_some_and(|(begin, axis)| begin <= axis.end_ms)
    }

    /// Draws delegations without an end up to the end of the axis.
    fn lengthen(&mut self, is_going_on: bool) {
        let Some(axis) = self.axis else { return };
        for delegated in &mut self.delegations {
            if let (None, Some((begin, _))) = (&delegated.run.end, delegated.stretch)
                && (is_going_on || self.plan.end.is_none())
            {
                delegated.stretch = Some((begin, axis.end_ms.max(begin)));
            }
        }
    }
}

/// When a step became ready: when the last of its dependencies settled, or the plan began.
fn ready_ms(plan: &PlanRun, step: StepRun<'_>, ranks: &Ranks) -> Option<u64> {
    let waits_for = step.depends_on().len();
    let (mut count, mut latest) = (0, plan.started_ms);
    for place in step.dependencies() {
        count += 1;
        latest = latest.max(Some(ranks.of(place)?.at_ms));
    }
    // One that the plan does not declare never settles.
    latest.filter(|_| count == waits_for)
}

/// When a step was first dispatched and when it settled, as far as the lines say.
fn told(step: StepRun<'_>) -> (Option<u64>, Option<u64>) {
    let started_ms = step.started_ms();
    match step.standing() {
        Standing::Settled(settled) => {
            // Where no line tells of the dispatch, its time was this long at least.
            let began = settled
                .at_ms
                .map(|at| at.saturating_sub(settled.duration_ms));
            let began = began.filter(|_| settled.attempts > 0);
            (started_ms.or(began), settled.at_ms)
        }
        Standing::Unsettled | Standing::NotRun => (started_ms, None),
    }
}

fn drawn(step: StepRun<'_>, until_ms: u64) -> Drawn {
    let (begin, end) = told(step);
    match (step.standing(), begin, end) {
        (Standing::Settled(_), Some(begin_ms), Some(end_ms)) => Drawn::Ran {
            begin_ms,
            // A clock may be set back.
            end_ms: end_ms.max(begin_ms),
        },
        (Standing::Settled(_), None, Some(at_ms)) => Drawn::Settled { at_ms },
        (Standing::Unsettled, Some(begin_ms), _) => Drawn::Open {
            begin_ms,
            end_ms: until_ms.max(begin_ms),
        },
        (Standing::Settled(_) | Standing::Unsettled | Standing::NotRun, _, _) => Drawn::Nothing,
    }
}
