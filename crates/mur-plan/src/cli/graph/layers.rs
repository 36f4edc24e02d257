//! Which column each step stands in: one past the last of what it waits for.

use super::shape::Shape;

/// The columns of a graph.
pub(super) struct Layers {
    /// The column of each node, from 0.
    pub(super) of: Vec<usize>,
    /// How many columns there are.
    pub(super) count: usize,
}

/// Returns the columns of `shape`, by the longest path to each node. A circle is cut at its first step in file
/// order. Linear in steps and dependencies.
pub(super) fn layers(shape: &Shape) -> Layers {
    let steps = shape.nodes.len();
    let mut waiting = vec![0_usize; steps];
    let mut dependents: Vec<Vec<usize>> = vec![Vec::new(); steps];
    for &(from, to) in &shape.edges {
        waiting[to] += 1;
        dependents[from].push(to);
    }
    let mut of = vec![0; steps];
    let mut is_placed = vec![false; steps];
    let mut ready: Vec<usize> = (0..steps).filter(|&step| waiting[step] == 0).collect();
    let mut next_cut = 0;
    loop {
        while let Some(step) = ready.pop() {
            if std::mem::replace(&mut is_placed[step], true) {
                continue;
            }
            for &dependent in &dependents[step] {
                waiting[dependent] = waiting[dependent].saturating_sub(1);
                if is_placed[dependent] {
                    continue;
                }
                of[dependent] = of[dependent].max(of[step] + 1);
                if waiting[dependent] == 0 {
                    ready.push(dependent);
                }
            }
        }
        while next_cut < steps && is_placed[next_cut] {
            next_cut += 1;
        }
        if next_cut == steps {
            break;
        }
        ready.push(next_cut);
    }
    let count = of.iter().max().map_or(0, |last| last + 1);
    Layers { of, count }
}
