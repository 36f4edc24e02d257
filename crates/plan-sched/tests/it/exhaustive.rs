//! Every small plan, in every way it can go, against the oracle and the invariants. Each test counts its runs
//! and knows how many there are, so that it cannot shrink unseen.

use crate::{
    walk::{Choices, Ending, Gate, walk},
    world::{Condition, InputShape, Reading, Side, StepShape, World, default_limits, limits},
};
use plan_model::{Kind, OnError};
use plan_sched::Limits;
use std::{
    num::NonZeroUsize,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

const ALL_KINDS: &[Kind] = &[Kind::Tool, Kind::Shell, Kind::Capsule];
const PASS: Ending = Ending::Pass { output: None };
const PASS_SAYING: Ending = Ending::Pass { output: Some("x") };
/// An empty text costs no allocation, which halves the time of the longest tests.
const FAIL: Ending = Ending::Fail {
    output: None,
    error: "",
};
const FAIL_SAYING: Ending = Ending::Fail {
    output: Some("x"),
    error: "bad",
};
const OPEN: Choices = Choices {
    gate: Gate::Open,
    outcomes: &[PASS, FAIL],
    bursts: false,
};

/// ruling 16 to ruling 22, ruling 27; spec: Failure, When the task is cancelled.
#[test]
fn every_run_of_up_to_three_steps_of_all_kinds_agrees() {
    let runs = [0, 1, 2, 3].map(|steps| walk_all(&Family::new(steps, ALL_KINDS, 1), OPEN));
    assert_eq!(runs, [2, 126, 33_345, 24_474_699]);
}

/// ruling 17 to ruling 21, ruling 27; spec: Failure.
#[test]
fn every_run_of_four_tool_and_shell_steps_agrees() {
    let runs = walk_all(&Family::new(4, &[Kind::Tool, Kind::Shell], 0), OPEN);
    assert_eq!(runs, 59_619_105);
}

/// ruling 8 to ruling 11, ruling 14, ruling 16; ruling 22 for refusals.
#[test]
fn every_run_of_two_steps_with_conditions_and_references_agrees() {
    let family = Family {
        conditions: CONDITIONS,
        inputs: INPUTS,
        ..Family::new(2, ALL_KINDS, 1)
    };
    let choices = Choices {
        outcomes: &[PASS, PASS_SAYING, FAIL, FAIL_SAYING],
        ..OPEN
    };
    assert_eq!(walk_all(&family, choices), 1_747_968);
}

/// ruling 22: a refused step is not tried again; decision: late answers are dropped.
#[test]
fn every_run_of_two_steps_with_a_gate_that_refuses_or_is_late_agrees() {
    let strict = Choices {
        gate: Gate::Strict,
        ..OPEN
    };
    let with_conditions = Family {
        conditions: CONDITIONS,
        inputs: INPUTS,
        ..Family::new(2, ALL_KINDS, 1)
    };
    let saying_strict = Choices {
        outcomes: &[PASS, PASS_SAYING, FAIL_SAYING],
        ..strict
    };
    let runs = [
        walk_all(&Family::new(2, ALL_KINDS, 1), strict),
        walk_all(&with_conditions, saying_strict),
    ];
    assert_eq!(runs, [205_287, 1_935_039]);
}

/// decision: a step being asked about when the plan stops or is cancelled was never dispatched.
#[test]
fn every_run_of_three_steps_with_a_late_gate_agrees() {
    let slow = Choices {
        gate: Gate::Slow,
        ..OPEN
    };
    assert_eq!(walk_all(&Family::new(3, ALL_KINDS, 0), slow), 4_054_431);
}

/// ruling 19: limits; decision: several inputs may be handled between two polls.
#[test]
fn every_run_with_one_slot_and_with_bursts_of_inputs_agrees() {
    let bursts = Choices {
        bursts: true,
        ..OPEN
    };
    let late_bursts = Choices {
        gate: Gate::Strict,
        ..bursts
    };
    let one_slot = Family {
        limits: limits(1, 1),
        ..Family::new(3, &[Kind::Shell, Kind::Capsule], 1)
    };
    let two_slots = Family {
        limits: limits(2, 1),
        ..Family::new(3, &[Kind::Shell], 1)
    };
    let runs = [
        walk_all(&Family::new(2, ALL_KINDS, 1), bursts),
        walk_all(&Family::new(2, ALL_KINDS, 1), late_bursts),
        walk_all(&one_slot, OPEN),
        walk_all(&two_slots, bursts),
    ];
    assert_eq!(runs, [136_395, 3_186_567, 4_028_841, 4_332_636]);
}

const CONDITIONS: &[fn(usize) -> Condition] = &[
    |_| Condition::Absent,
    |_| Condition::All(vec![Side::False]),
    |step| Condition::All(vec![Side::Status(1 - step, "success")]),
    |step| Condition::Any(vec![Side::Output(1 - step, "x"), Side::True]),
];
const INPUTS: &[fn(usize) -> InputShape] = &[
    |_| InputShape::Plain,
    |step| InputShape::Reference(Reading::Output(1 - step)),
    |step| InputShape::Object(vec![Reading::Status(1 - step), Reading::Output(step)]),
];

/// All plans of a number of steps whose steps vary in the given ways.
#[derive(Debug, Clone)]
struct Family {
    steps: usize,
    kinds: &'static [Kind],
    max_retries: u32,
    conditions: &'static [fn(usize) -> Condition],
    inputs: &'static [fn(usize) -> InputShape],
    limits: Limits,
}

impl Family {
    fn new(steps: usize, kinds: &'static [Kind], max_retries: u32) -> Self {
        Self {
            steps,
            kinds,
            max_retries,
            conditions: &[|_| Condition::Absent],
            inputs: &[|_| InputShape::Plain],
            limits: default_limits(),
        }
    }

    /// How many ways a single step can be, its dependencies aside.
    fn ways(&self) -> usize {
        let policies = 3;
        let retries = self.max_retries as usize + 1;
        self.kinds.len() * policies * retries * self.conditions.len() * self.inputs.len()
    }

    fn plans(&self, graphs: usize) -> usize {
        graphs
            * self
                .ways()
                .pow(u32::try_from(self.steps).expect("few steps"))
    }

    /// Makes the plan of a number: the digits of the number say which way each step is.
    fn plan(&self, graphs: &[Vec<Vec<usize>>], number: usize) -> World {
        let mut digits = Digits(number);
        let graph = &graphs[digits.take(graphs.len())];
        let steps = graph
            .iter()
            .enumerate()
            .map(|(step, depends_on)| StepShape {
                kind: self.kinds[digits.take(self.kinds.len())],
                depends_on: depends_on.clone(),
                on_error: [OnError::Fail, OnError::Skip, OnError::Continue][digits.take(3)],
                retries: u32::try_from(digits.take(self.max_retries as usize + 1)).expect("few"),
                condition: self.conditions[digits.take(self.conditions.len())](step),
                input: self.inputs[digits.take(self.inputs.len())](step),
            })
            .collect();
        World::new(steps, self.limits)
    }
}

struct Digits(usize);

impl Digits {
    fn take(&mut self, base: usize) -> usize {
        let digit = self.0 % base;
        self.0 /= base;
        digit
    }
}

/// Walks every run of every plan of a family, on every processor, and returns how many runs there are.
fn walk_all(family: &Family, choices: Choices) -> u64 {
    let graphs = acyclic_graphs(family.steps);
    let plans = family.plans(graphs.len());
    let next = AtomicUsize::new(0);
    let work = || {
        let mut runs = 0;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= plans {
                return runs;
            }
            runs += walk(&family.plan(&graphs, number), choices);
        }
    };
    let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().expect("a run disagrees; see above"))
            .sum()
    })
}

/// Makes every acyclic graph over numbered steps: for each step, the steps it depends on.
fn acyclic_graphs(steps: usize) -> Vec<Vec<Vec<usize>>> {
    let pairs: Vec<_> = (0..steps)
        .flat_map(|from| {
            (0..steps)
                .filter(move |&to| to != from)
                .map(move |to| (from, to))
        })
        .collect();
    (0..1_usize << pairs.len())
        .map(|chosen| {
            let mut graph = vec![Vec::new(); steps];
            for (bit, &(from, to)) in pairs.iter().enumerate() {
                if chosen >> bit & 1 == 1 {
                    graph[from].push(to);
                }
            }
            graph
        })
        .filter(|graph| is_acyclic(graph))
        .collect()
}

fn is_acyclic(graph: &[Vec<usize>]) -> bool {
    let mut settled = vec![false; graph.len()];
    for _ in graph {
        for (step, depends_on) in graph.iter().enumerate() {
            settled[step] |= depends_on.iter().all(|&on| settled[on]);
        }
    }
    settled.iter().all(|&settled| settled)
}

/// decision: the exhaustive tests leave no graph out. The numbers of labelled acyclic graphs are known.
#[test]
fn every_acyclic_graph_is_made() {
    assert_eq!(
        [0, 1, 2, 3, 4].map(|steps| acyclic_graphs(steps).len()),
        [1, 1, 3, 25, 543]
    );
}
