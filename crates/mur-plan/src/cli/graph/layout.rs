//! Where everything stands in a picture: steps in columns from left to right, dependencies as lines between them.
//!
//! The work is bounded by steps, dependencies, and [`MOST_PASSINGS`].

use super::{
    layers::layers,
    order::{Columns, order},
    shape::Shape,
};
use crate::cli::visible::columns;

/// A picture's places, in pixels.
pub(super) struct Layout {
    pub(super) width: i64,
    pub(super) height: i64,
    /// Where each step stands.
    pub(super) boxes: Vec<Place>,
    /// The line of each dependency.
    pub(super) lines: Vec<Line>,
}

/// A line from a step to one that waits for it.
pub(super) enum Line {
    /// Onward, to the right, through these points.
    Onward(Vec<Point>),
    /// Back, below the steps: it closes a circle.
    Back(Point, Point),
}

/// Where a step stands: its upper left corner and its width.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place {
    pub(super) x: i64,
    pub(super) y: i64,
    pub(super) width: i64,
}

/// A point of a line.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    pub(super) x: i64,
    pub(super) y: i64,
}

/// Lays `shape` out.
pub(super) fn layout(shape: &Shape) -> Layout {
    let steps = shape.nodes.len();
    let layers = layers(shape);
    let mut items = Columns {
        columns: vec![Vec::new(); layers.count],
        before: vec![Vec::new(); steps],
        after: vec![Vec::new(); steps],
    };
    for (step, &layer) in layers.of.iter().enumerate() {
        items.columns[layer].push(step);
    }
    let passings = pass_through(shape, &layers.of, &mut items);
    order(&mut items);
    let widths: Vec<i64> = shape.nodes.iter().map(width_of).collect();
    let mut heights = vec![0_i64; items.before.len()];
    let mut boxes = vec![Place::default(); steps];
    let mut spans = Vec::new();
    let mut x = MARGIN;
    for column in &items.columns {
        let is_step = |item: &usize| *item < steps;
        let widest = column.iter().filter(|item| is_step(item));
        let widest = widest.map(|&step| widths[step]).max().unwrap_or(0);
        let count = column.iter().filter(|item| is_step(item)).count();
        let across = count.div_ceil(rows(count)).max(1);
        if across > 1 {
            in_a_grid(column, steps, rows(count), &mut heights);
        } else {
            in_a_row(column, steps, &items.before, &mut heights);
        }
        let (rows, mut nth) = (rows(count), 0);
        for &step in column.iter().filter(|item| is_step(item)) {
            let sub = i64::try_from(nth / rows).unwrap_or(0);
            boxes[step] = Place {
                x: x + sub * (widest + GRID_GAP),
                y: heights[step],
                width: widths[step],
            };
            nth += 1;
        }
        let across = i64::try_from(across).unwrap_or(1);
        let width = across * widest + (across - 1) * GRID_GAP;
        spans.push((x, x + width));
        x += width + COLUMN_GAP;
    }
    let top = heights.iter().copied().min().unwrap_or(0);
    for place in &mut boxes {
        place.y += TOP - top;
    }
    let bottom = heights.iter().copied().max().unwrap_or(0) - top + TOP + BOX;
    let lines = shape.edges.iter().zip(&passings);
    let lines = lines.map(|(&(from, to), passed)| {
        if layers.of[to] <= layers.of[from] {
            return back(boxes[from], boxes[to]);
        }
        let mut line = vec![Point {
            x: boxes[from].x + boxes[from].width,
            y: boxes[from].y + BOX / 2,
        }];
        for &(item, layer) in passed {
            let y = heights[item] + TOP - top + PASSING / 2;
            let (left, right) = spans[layer];
            line.push(Point { x: left, y });
            line.push(Point { x: right, y });
        }
        line.push(Point {
            x: boxes[to].x,
            y: boxes[to].y + BOX / 2,
        });
        Line::Onward(line)
    });
    let lines: Vec<Line> = lines.collect();
    let leads_back = lines.iter().any(|line| matches!(line, Line::Back(_, _)));
    Layout {
        lines,
        width: (x - COLUMN_GAP + MARGIN).max(LEAST_WIDTH),
        height: bottom + MARGIN + if leads_back { DIP } else { 0 },
        boxes,
    }
}

/// From the lower side of one step to the lower side of another, or of the same.
fn back(from: Place, to: Place) -> Line {
    let below = |place: Place, aside: i64| Point {
        x: place.x + place.width / 2 + aside,
        y: place.y + BOX,
    };
    Line::Back(below(from, ASIDE), below(to, -ASIDE))
}

/// Connects neighbours, and gives each dependency that spans more than one column a place in those between, as
/// long as there are few enough. Returns, for each dependency, those places and their columns.
fn pass_through(
    shape: &Shape,
    layer_of: &[usize],
    items: &mut Columns,
) -> Vec<Vec<(usize, usize)>> {
    let between = |&(from, to): &(usize, usize)| {
        layer_of[to]
            .saturating_sub(layer_of[from])
            .saturating_sub(1)
    };
    let all: usize = shape.edges.iter().map(between).sum();
    let passes = all <= MOST_PASSINGS;
    let mut passings = Vec::with_capacity(shape.edges.len());
    for &(from, to) in &shape.edges {
        let mut passed = Vec::new();
        let mut last = from;
        if passes {
            for layer in layer_of[from] + 1..layer_of[to].max(layer_of[from] + 1) {
                let item = items.before.len();
                items.before.push(vec![last]);
                items.after.push(Vec::new());
                items.after[last].push(item);
                items.columns[layer].push(item);
                passed.push((item, layer));
                last = item;
            }
        }
        // One that leads back is part of a circle, and does not say where anything should stand.
        if layer_of[to] > layer_of[from] {
            items.after[last].push(to);
            items.before[to].push(last);
        }
        passings.push(passed);
    }
    passings
}

/// Places a column's items below each other, each as near to what it waits for as the one above lets it.
fn in_a_row(column: &[usize], steps: usize, before: &[Vec<usize>], heights: &mut [i64]) {
    let mut next = i64::MIN;
    let (mut off, mut wanting) = (0, 0);
    for &item in column {
        let near = &before[item];
        let middle = |item: usize| heights[item] + size(item, steps) / 2;
        let wanted = match i64::try_from(near.len()) {
            Ok(0) | Err(_) => None,
            Ok(count) => {
                let sum: i64 = near.iter().map(|&near| middle(near)).sum();
                Some(sum / count - size(item, steps) / 2)
            }
        };
        let y = match wanted {
            Some(wanted) => wanted.max(next),
            None => next.max(0),
        };
        if let Some(wanted) = wanted {
            off += y - wanted;
            wanting += 1;
        }
        heights[item] = y;
        next = y + size(item, steps) + gap(item, steps);
    }
    // What was pushed down is pushed up again by the mean, so that a column stands beside what it waits for.
    let up = if wanting > 0 { off / wanting } else { 0 };
    for &item in column {
        heights[item] -= up;
    }
}

/// Places a long column's steps in several columns of `rows`, and what passes through below them.
fn in_a_grid(column: &[usize], steps: usize, rows: usize, heights: &mut [i64]) {
    let row = BOX + BOX_GAP;
    let mut nth = 0;
    let mut below = i64::try_from(rows).unwrap_or(0) * row;
    for &item in column {
        if item < steps {
            heights[item] = i64::try_from(nth % rows).unwrap_or(0) * row;
            nth += 1;
        } else {
            heights[item] = below;
            below += PASSING;
        }
    }
}

/// How many steps stand below each other: a column longer than [`LONGEST_COLUMN`] becomes about as wide as high.
fn rows(count: usize) -> usize {
    if count <= LONGEST_COLUMN {
        count.max(1)
    } else {
        (count * 4).isqrt().max(LONGEST_COLUMN)
    }
}

const fn size(item: usize, steps: usize) -> i64 {
    if item < steps { BOX } else { PASSING }
}

const fn gap(item: usize, steps: usize) -> i64 {
    if item < steps { BOX_GAP } else { 0 }
}

fn width_of(node: &super::Node) -> i64 {
    let id = columns(&node.id).min(WIDEST_ID);
    let caption = columns(&node.caption());
    // Both fonts are a little narrower than this in every family a browser has.
    let id = i64::try_from(id).unwrap_or(0) * ID_COLUMN;
    let caption = i64::try_from(caption).unwrap_or(0) * CAPTION_COLUMN;
    id.max(caption) + 2 * PADDING
}

/// Longer ids are cut; the whole is in the step's title.
pub(super) const WIDEST_ID: usize = 32;
/// The height of a step.
pub(super) const BOX: i64 = 40;
/// Space inside a step, left and right.
pub(super) const PADDING: i64 = 10;
/// Space around everything.
pub(super) const MARGIN: i64 = 24;
/// Where the first step begins: above is the heading.
const TOP: i64 = 72;
/// A heading needs as much.
const LEAST_WIDTH: i64 = 360;
const BOX_GAP: i64 = 14;
const COLUMN_GAP: i64 = 64;
const GRID_GAP: i64 = 24;
/// The height of a line that passes through a column.
const PASSING: i64 = 12;
/// How far a line that leads back goes below the steps it connects.
pub(super) const DIP: i64 = 56;
/// How far from the middle it leaves and arrives, so that one from a step to itself is seen.
const ASIDE: i64 = 12;
/// A column of a monospaced font of 13 and of 11 pixels.
const ID_COLUMN: i64 = 8;
const CAPTION_COLUMN: i64 = 7;
/// The most steps that stand below each other in one column.
const LONGEST_COLUMN: usize = 60;
/// The most places where lines pass through columns: with more, lines go straight.
const MOST_PASSINGS: usize = 40_000;
