//! Cycles, against a search that tries every path.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::page::{check, steps};

/// Makes a plan whose step `n` depends on the steps of `graph[n]`.
pub(crate) fn plan_of(graph: &[Vec<usize>]) -> String {
    let one = |(n, on): (usize, &Vec<usize>)| {
        let on: Vec<String> = on.iter().map(|n| format!("\"s{n}\"")).collect();
        format!(
            "{{\"id\": \"s{n}\", \"shell\": \"true\", \"depends_on\": [{}]}}",
            on.join(",")
        )
    };
    steps(
        &graph
            .iter()
            .enumerate()
            .map(one)
            .collect::<Vec<_>>()
            .join(","),
    )
}

/// Returns the steps that each step reaches along at least one edge.
pub(crate) fn reach(graph: &[Vec<usize>]) -> Vec<BTreeSet<usize>> {
    let mut reach: Vec<BTreeSet<usize>> = graph
        .iter()
        .map(|on| on.iter().copied().collect())
        .collect();
    loop {
        let next: Vec<BTreeSet<usize>> = reach
            .iter()
            .map(|known| {
                known
                    .iter()
                    .flat_map(|n| &reach[*n])
                    .chain(known)
                    .copied()
                    .collect()
            })
            .collect();
        if next == reach {
            return reach;
        }
        reach = next;
    }
}

/// Returns every shortest path from a step back to itself.
fn shortest(graph: &[Vec<usize>], start: usize) -> Option<Vec<usize>> {
    let mut paths = vec![vec![start]];
    for _ in 0..graph.len() {
        let mut longer = Vec::new();
        for path in &paths {
            let last = path[path.len() - 1];
            for next in &graph[last] {
                let mut path = path.clone();
                path.push(*next);
                // Paths are grown in the order of `depends_on`, so the first to close is the one to name.
                if *next == start {
                    return Some(path);
                }
                longer.push(path);
            }
        }
        paths = longer;
    }
    None
}

/// ruling 20, in full and slowly: for each set of steps that reach one another, a cycle from its first.
fn brute(graph: &[Vec<usize>]) -> Vec<String> {
    let reach = reach(graph);
    let mut named = BTreeSet::new();
    let mut cycles = Vec::new();
    for n in 0..graph.len() {
        if reach[n].contains(&n) && !named.contains(&n) {
            named.extend(
                reach[n]
                    .iter()
                    .copied()
                    .filter(|other| reach[*other].contains(&n)),
            );
            let path: Vec<String> = shortest(graph, n)
                .expect("the step reaches itself")
                .iter()
                .map(|n| format!("s{n}"))
                .collect();
            cycles.push(path.join(" -> "));
        }
    }
    cycles
}

fn found(graph: &[Vec<usize>]) -> Vec<String> {
    let faults = check(&plan_of(graph))
        .plan
        .map_or_else(|refused| refused.faults, |_| Vec::new());
    faults
        .into_iter()
        .map(|fault| {
            assert_eq!(fault.code, "cycle");
            fault
                .message
                .rsplit(": ")
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

/// Makes a graph of up to `steps` steps, entries in any order and repeated.
pub(crate) fn graph(steps: usize) -> impl Strategy<Value = Vec<Vec<usize>>> {
    (1..=steps)
        .prop_flat_map(|steps| prop::collection::vec(prop::collection::vec(0..steps, 0..4), steps))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// ruling 20.
    #[test]
    fn the_cycles_are_those_of_a_slow_search(graph in graph(6)) {
        prop_assert_eq!(found(&graph), brute(&graph));
    }
}

/// ruling 20: a shortest cycle that is very long has its middle left out.
#[test]
fn a_very_long_cycle_has_its_middle_left_out() {
    let steps = 5000;
    let graph: Vec<Vec<usize>> = (0..steps).map(|n| vec![(n + 1) % steps]).collect();
    let found = found(&graph);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("s0 -> s1 -> "));
    assert!(
        found[0].contains("s499 -> … (4001 more) … -> s4501"),
        "{}",
        found[0]
    );
    assert!(found[0].ends_with("s4999 -> s0"));
}
