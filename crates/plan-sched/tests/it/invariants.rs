//! What holds in every run, stated without the oracle: each rule is a function of what was seen so far.

use crate::world::World;
use plan_model::{Kind, OnError, Report, Status};

/// One thing seen at the boundary of the scheduler.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Moment {
    /// `Effect::Ask`.
    Asked(usize),
    /// `Effect::Dispatch`.
    Dispatched(usize),
    /// `Effect::EndCapsule`.
    EndedCapsule(usize),
    /// `Effect::Settled`.
    Settled(usize, Status),
    /// `Effect::Idle`.
    Idle,
    /// `Effect::Finished`.
    Finished,
    /// `Input::Admitted`.
    Admitted(usize),
    /// `Input::Refused`.
    Refused(usize),
    /// `Input::Finished`.
    Ended(usize),
    /// `Input::Cancel`.
    Canceled,
}

/// What one run has shown so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Seen {
    /// Asked about or dispatched, and not refused or ended since.
    in_flight: Set,
    dispatched: Set,
    settled: Set,
    stopped: bool,
    canceled: bool,
}

impl Seen {
    /// Takes in a moment and checks every rule it touches.
    pub(crate) fn see(&mut self, world: &World, moment: Moment) {
        match moment {
            Moment::Asked(step) => {
                self.in_flight.insert(step);
                at_most_one_tool_in_flight(world, self);
                no_kind_exceeds_its_limit(world, self);
                nothing_dispatched_before_its_dependencies_settled(world, self, step);
                nothing_dispatched_after_a_stop(world, self, step);
                nothing_dispatched_after_a_cancel(world, self, step);
            }
            Moment::Dispatched(step) => {
                assert!(
                    self.in_flight.has(step),
                    "{} is dispatched without having been asked about",
                    world.ids[step]
                );
                self.dispatched.insert(step);
                nothing_dispatched_before_its_dependencies_settled(world, self, step);
                nothing_dispatched_after_a_stop(world, self, step);
                nothing_dispatched_after_a_cancel(world, self, step);
            }
            Moment::Settled(step, status) => {
                each_step_settles_at_most_once(world, self, step);
                self.settled.insert(step);
                let stops = status == Status::Failed && world.steps[step].on_error == OnError::Fail;
                self.stopped |= stops && !self.canceled;
            }
            Moment::Idle | Moment::Finished => a_free_slot_and_a_ready_step_never_wait(world, self),
            Moment::Refused(step) | Moment::Ended(step) => self.in_flight.remove(step),
            Moment::Canceled => self.canceled = true,
            Moment::EndedCapsule(step) => only_running_capsules_are_ended(world, self, step),
            Moment::Admitted(_) => {}
        }
    }

    fn in_flight_of(&self, world: &World, kind: Kind) -> usize {
        let of_kind = |step: &usize| world.steps[*step].kind == kind && self.in_flight.has(*step);
        (0..world.steps.len()).filter(of_kind).count()
    }
}

/// Ruling 19.
fn at_most_one_tool_in_flight(world: &World, seen: &Seen) {
    let tools = seen.in_flight_of(world, Kind::Tool);
    assert!(tools <= 1, "{tools} tool steps are in flight");
}

/// Ruling 19.
fn no_kind_exceeds_its_limit(world: &World, seen: &Seen) {
    for kind in [Kind::Shell, Kind::Capsule] {
        let count = seen.in_flight_of(world, kind);
        assert!(
            count <= world.limit(kind),
            "{count} {kind:?} steps are in flight"
        );
    }
}

/// Rulings 17 and 18.
fn nothing_dispatched_before_its_dependencies_settled(world: &World, seen: &Seen, step: usize) {
    let ready = world.steps[step]
        .depends_on
        .iter()
        .all(|&on| seen.settled.has(on));
    assert!(
        ready,
        "{} goes before its dependencies have settled",
        world.ids[step]
    );
}

/// Ruling 21.
fn nothing_dispatched_after_a_stop(world: &World, seen: &Seen, step: usize) {
    assert!(!seen.stopped, "{} goes after a stop", world.ids[step]);
}

/// Ruling 27.
fn nothing_dispatched_after_a_cancel(world: &World, seen: &Seen, step: usize) {
    assert!(!seen.canceled, "{} goes after a cancel", world.ids[step]);
}

/// Ruling 17.
fn a_free_slot_and_a_ready_step_never_wait(world: &World, seen: &Seen) {
    if seen.stopped || seen.canceled {
        return;
    }
    for (step, shape) in world.steps.iter().enumerate() {
        let ready = !seen.settled.has(step)
            && !seen.in_flight.has(step)
            && shape.depends_on.iter().all(|&on| seen.settled.has(on));
        assert!(
            !ready || seen.in_flight_of(world, shape.kind) >= world.limit(shape.kind),
            "{} waits although a slot is free",
            world.ids[step]
        );
    }
}

/// spec: The report. The other half of `each_step_settles_exactly_once`, which catches a second time as it
/// happens.
fn each_step_settles_at_most_once(world: &World, seen: &Seen, step: usize) {
    assert!(
        !seen.settled.has(step),
        "{} settles a second time",
        world.ids[step]
    );
}

/// spec: The report. Without a step that stopped the plan every step settles, with one those that were
/// dispatched do, and none twice.
pub(crate) fn each_step_settles_exactly_once(world: &World, seen: &Seen, report: &Report) {
    for step in 0..world.steps.len() {
        let must = report.failed_step.is_none() || seen.dispatched.has(step);
        assert!(
            !must || seen.settled.has(step),
            "{} has not settled at the end",
            world.ids[step]
        );
    }
    assert_eq!(report.steps.len(), seen.settled.len());
}

/// spec: When the task is cancelled.
fn only_running_capsules_are_ended(world: &World, seen: &Seen, step: usize) {
    let fits = world.steps[step].kind == Kind::Capsule
        && seen.dispatched.has(step)
        && seen.in_flight.has(step)
        && seen.canceled;
    assert!(fits, "{} is ended", world.ids[step]);
}

/// spec: The report.
pub(crate) fn report_order_is_settle_order(
    world: &World,
    report: &Report,
    settled: &[(usize, Status)],
) {
    assert_eq!(
        report.steps.len(),
        settled.len(),
        "the report has another length"
    );
    for (entry, &(step, status)) in report.steps.iter().zip(settled) {
        assert_eq!(
            (&entry.step_id, entry.status),
            (&world.ids[step], status),
            "the report has another order"
        );
    }
}

/// A set of step numbers under 256.
#[derive(Debug, Clone, Copy, Default)]
struct Set([u64; 4]);

impl Set {
    fn has(&self, step: usize) -> bool {
        self.0[step / 64] >> (step % 64) & 1 == 1
    }

    fn insert(&mut self, step: usize) {
        self.0[step / 64] |= 1 << (step % 64);
    }

    fn remove(&mut self, step: usize) {
        self.0[step / 64] &= !(1 << (step % 64));
    }

    fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}
