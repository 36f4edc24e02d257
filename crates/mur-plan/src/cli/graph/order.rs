//! In which order the steps of a column stand below each other: near what they are connected with.

/// What stands in the columns: steps, and the places where a dependency passes through a column.
pub(super) struct Columns {
    /// Per column, what stands in it, from the top.
    pub(super) columns: Vec<Vec<usize>>,
    /// Per item, what it is connected with in the column before.
    pub(super) before: Vec<Vec<usize>>,
    /// Per item, what it is connected with in the column after.
    pub(super) after: Vec<Vec<usize>>,
}

/// Puts every item at the mean height of its neighbours, to and fro a few times.
pub(super) fn order(columns: &mut Columns) {
    let mut heights = vec![0.0; columns.before.len()];
    for column in &columns.columns {
        number(column, &mut heights);
    }
    for _ in 0..SWEEPS {
        for column in &mut columns.columns {
            sort(column, &columns.before, &mut heights);
        }
        for column in columns.columns.iter_mut().rev() {
            sort(column, &columns.after, &mut heights);
        }
    }
    for column in &mut columns.columns {
        sort(column, &columns.before, &mut heights);
    }
}

fn sort(column: &mut [usize], neighbours: &[Vec<usize>], heights: &mut [f64]) {
    let mut wanted: Vec<(f64, usize)> = column
        .iter()
        .map(|&item| {
            let near = &neighbours[item];
            let sum: f64 = near.iter().map(|&near| heights[near]).sum();
            let wanted = if near.is_empty() {
                heights[item]
            } else {
                sum / near.len() as f64
            };
            (wanted, item)
        })
        .collect();
    // Stable: what wants the same place stays in order.
    wanted.sort_by(|one, other| one.0.total_cmp(&other.0));
    for (place, (_, item)) in column.iter_mut().zip(wanted) {
        *place = item;
    }
    number(column, heights);
}

/// Heights from 0 to 1, so that columns of different lengths compare.
fn number(column: &[usize], heights: &mut [f64]) {
    let step = 1.0 / column.len().max(1) as f64;
    for (place, &item) in column.iter().enumerate() {
        heights[item] = (place as f64 + 0.5) * step;
    }
}

/// After a few more nothing gets better.
const SWEEPS: usize = 6;
