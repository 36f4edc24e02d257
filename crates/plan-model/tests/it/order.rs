//! The warning of references that nothing makes a step wait for, against plain reachability (ruling 10).

use proptest::prelude::*;

use crate::cycle::{graph, reach};
use crate::page::{check, steps};

/// Makes a plan where step `n` depends on `graph[n]` and reads every step, in input and condition.
fn plan_of(graph: &[Vec<usize>], reads: &[Vec<usize>]) -> String {
    let one = |n: usize| {
        let on: Vec<String> = graph[n].iter().map(|n| format!("\"s{n}\"")).collect();
        let input: Vec<String> = reads[n]
            .iter()
            .map(|n| format!("\"$s{n}.output\""))
            .collect();
        let cond: Vec<String> = reads[n]
            .iter()
            .map(|n| format!("$s{n}.status == 'x'"))
            .collect();
        format!(
            "{{\"id\": \"s{n}\", \"tool\": \"notes\", \"depends_on\": [{}], \"input\": {{\"x\": [{}]}}, \"if\": \"{}\"}}",
            on.join(","),
            input.join(","),
            cond.join(" || ")
        )
    };
    steps(&(0..graph.len()).map(one).collect::<Vec<_>>().join(","))
}

/// Turns every edge downwards, so that there is no cycle.
fn acyclic(graph: Vec<Vec<usize>>) -> Vec<Vec<usize>> {
    let down = |(n, on): (usize, Vec<usize>)| on.into_iter().filter(|other| *other < n).collect();
    graph.into_iter().enumerate().map(down).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// ruling 10.
    #[test]
    fn a_reference_is_warned_about_unless_its_step_is_an_ancestor(
        (graph, reads) in (graph(9).prop_map(acyclic)).prop_flat_map(|graph| {
            let steps = graph.len();
            (Just(graph), prop::collection::vec(prop::collection::vec(0..steps, 0..4), steps))
        })
    ) {
        let checked = check(&plan_of(&graph, &reads));
        prop_assert!(checked.plan.is_ok());
        let mut found: Vec<(usize, String, bool)> = checked.warnings.iter().map(|warning| {
            assert_eq!(warning.code, "unordered-reference");
            let step = warning.step.as_ref().unwrap().index.get();
            let read = warning.message.split('`').nth(1).unwrap().to_owned();
            let waits = warning.message.contains("which waits for this step");
            assert_eq!(waits, warning.hint.as_deref() == Some("read an earlier step") && read != format!("s{step}"));
            (step, read, waits)
        }).collect();
        let ancestors = reach(&graph);
        let mut expected: Vec<(usize, String, bool)> = Vec::new();
        for (n, reads) in reads.iter().enumerate() {
            for read in reads.iter().filter(|read| !ancestors[n].contains(read)) {
                // Once for the input, once for the condition.
                let one = (n, format!("s{read}"), *read != n && ancestors[*read].contains(&n));
                expected.extend([one.clone(), one]);
            }
        }
        found.sort();
        expected.sort();
        let own = found.iter().filter(|(_, name, _)| name.contains('\'')).count();
        prop_assert_eq!(own, 0);
        prop_assert_eq!(found, expected);
    }
}

/// ruling 10: the search gives up, without a warning, after 10 million edge visits.
#[test]
fn the_search_for_ancestors_ends() {
    // A chain in which every step reads the first: each search walks all the way.
    let chain = 20_000;
    let one = |n: usize| {
        let on = n
            .checked_sub(1)
            .map(|n| format!("\"s{n}\""))
            .unwrap_or_default();
        let input = if n > 1 { "$s0.output" } else { "x" };
        format!(
            "{{\"id\": \"s{n}\", \"tool\": \"notes\", \"depends_on\": [{on}], \"input\": \"{input}\"}}"
        )
    };
    let mut all: Vec<String> = (0..chain).map(one).collect();
    // After that nothing is looked for, neither among what a step waits for nor among what waits for it.
    all.push(
        r#"{"id": "root", "shell": "true"},
        {"id": "late", "tool": "notes", "depends_on": ["s19999"], "input": "$root.output"},
        {"id": "soon", "tool": "notes", "depends_on": ["s9"], "input": "$s5000.output"},
        {"id": "end", "shell": "true", "depends_on": ["soon"]}"#
            .to_owned(),
    );
    let checked = check(&steps(&all.join(",")));
    assert!(checked.plan.is_ok());
    assert_eq!(checked.warnings, []);
}
