//! A row of the picture: the step's id, its bar, how it came out.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use super::super::{
    axis::Axis,
    bar::{Bar, Delegated, Drawn},
    chart::Section,
    words::{self, Fill},
};
use super::{MARGIN, ROW, WIDTH};
use crate::render::{
    columns::{elapsed_exactly, fit, visible},
    markup::escaped,
};

/// Writes a step's row, its upper side at `y`.
pub(super) fn bar(
    out: &mut dyn Write,
    bar: &Bar<'_>,
    section: &Section<'_>,
    is_going_on: bool,
    y: u64,
) -> io::Result<()> {
    let class = words::class(bar);
    let critical = if bar.is_critical { " critical" } else { "" };
    let details = words::details(bar, section, is_going_on);
    begin(
        out,
        &format!("row {class}{critical}"),
        bar.step.id(),
        &details,
        y,
    )?;
    if bar.is_critical {
        let baseline = y + BASELINE;
        write!(
            out,
            "<text class=\"mark\" x=\"{MARGIN}\" y=\"{baseline}\">◆</text>"
        )?;
    }
    if let Some(axis) = section.axis {
        out.write_all(shapes(bar, axis, y).as_bytes())?;
    }
    end(out, &words::status(bar, is_going_on), &words::took(bar), y)
}

/// Writes a delegation's row.
pub(super) fn delegation(
    out: &mut dyn Write,
    delegated: &Delegated<'_>,
    axis: Option<Axis>,
    is_going_on: bool,
    y: u64,
) -> io::Result<()> {
    let outcome = delegated.outcome(is_going_on);
    let class = match outcome {
        "completed" | "in flight" => "row",
        _ => "row bad",
    };
    let details = words::delegated(delegated, is_going_on);
    begin(out, class, delegated.run.capsule(), &details, y)?;
    if let (Some(axis), Some((begin, end))) = (axis, delegated.stretch) {
        let (x, width) = place(axis, begin, end);
        let y = y + ROW / 2 - 2;
        write!(
            out,
            "<rect class=\"l\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"4\"/>"
        )?;
    }
    let took = delegated.run.end.as_ref();
    let took = took.map_or(String::new(), |end| elapsed_exactly(end.duration_ms));
    end(out, &visible(outcome), &took, y)
}

/// Returns where a moment lies across the picture.
pub(super) fn x(axis: Axis, at_ms: u64) -> u64 {
    LEFT + axis.place(at_ms, LENGTH)
}

fn begin(out: &mut dyn Write, class: &str, id: &str, details: &str, y: u64) -> io::Result<()> {
    let id = visible(id);
    write!(
        out,
        "<g class=\"{class}\"><title>{}\n{}</title><rect class=\"hit\" y=\"{y}\" width=\"{WIDTH}\" height=\"{ROW}\"/>\
         <text class=\"id\" x=\"{}\" y=\"{}\">{}</text>",
        escaped(&fit(&id, WIDEST_TITLE)),
        escaped(details),
        MARGIN + 16,
        y + BASELINE,
        escaped(&fit(&id, WIDEST_ID))
    )
}

fn end(out: &mut dyn Write, status: &str, took: &str, y: u64) -> io::Result<()> {
    let y = y + BASELINE;
    write!(
        out,
        "<text class=\"s\" x=\"{STATUS}\" y=\"{y}\">{}</text>",
        escaped(&fit(status, WIDEST_STATUS))
    )?;
    if !took.is_empty() {
        let x = WIDTH - MARGIN;
        write!(
            out,
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">{took}</text>"
        )?;
    }
    writeln!(out, "</g>")
}

/// The shapes of a step's bar.
fn shapes(bar: &Bar<'_>, axis: Axis, y: u64) -> String {
    let mut shapes = String::new();
    let middle = y + ROW / 2;
    if let Some((from, to)) = bar.waited() {
        let (from, to) = (x(axis, from), x(axis, to));
        if from < to {
            // Writing to a string cannot fail, here and below.
            let _ = write!(
                shapes,
                "<rect class=\"w\" x=\"{from}\" y=\"{}\" width=\"{}\" height=\"6\"/>",
                middle - 3,
                to - from
            );
        }
    }
    let Some((begin, end)) = bar.stretch() else {
        return shapes;
    };
    let (left, width) = place(axis, begin, end);
    if let Drawn::Settled { .. } = bar.drawn {
        let _ = write!(
            shapes,
            "<path class=\"p\" d=\"M{left} {}l5 5l-5 5l-5 -5z\"/>",
            middle - 5
        );
        return shapes;
    }
    let fill = Fill::of(bar);
    let corner = match fill {
        Fill::Shell => 6,
        Fill::Tool | Fill::Capsule | Fill::Other => 1,
    };
    let _ = write!(
        shapes,
        "<rect class=\"b {}\" x=\"{left}\" y=\"{}\" width=\"{width}\" height=\"12\" rx=\"{corner}\"/>",
        fill.name(),
        middle - 6
    );
    let attempts = bar.attempts();
    if (2..=MOST_PARTS).contains(&attempts) && width >= 6 * attempts {
        let _ = write!(shapes, "<path class=\"part\" d=\"");
        for part in 1..attempts {
            let at = left + part * width / attempts;
            let _ = write!(shapes, "M{at} {}v14", middle - 7);
        }
        shapes.push_str("\"/>");
    }
    if bar.is_critical {
        let _ = write!(
            shapes,
            "<path class=\"under\" d=\"M{left} {}h{width}\"/>",
            middle + 9
        );
    }
    let after = left + width + 5;
    match (bar.drawn, words::class(bar)) {
        (Drawn::Open { .. }, _) => {
            let _ = write!(
                shapes,
                "<path class=\"arrow\" d=\"M{after} {}l8 5l-8 5z\"/>",
                middle - 5
            );
        }
        (_, "failed") => {
            let _ = write!(
                shapes,
                "<path class=\"cross\" d=\"M{after} {}l8 8m0 -8l-8 8\"/>",
                middle - 4
            );
        }
        _ => {}
    }
    shapes
}

/// Returns the left side and the width of a stretch of time, which is seen however short it is.
fn place(axis: Axis, begin: u64, end: u64) -> (u64, u64) {
    let (left, right) = (x(axis, begin), x(axis, end));
    (left, (right - left).max(SHORTEST))
}

/// Where bars begin.
const LEFT: u64 = 270;
/// How long the axis is.
const LENGTH: u64 = 590;
/// Where the word of an outcome stands: behind the mark of a bar that ends last.
const STATUS: u64 = LEFT + LENGTH + 28;
const BASELINE: u64 = 15;
const SHORTEST: u64 = 3;
/// What fits before the bars.
const WIDEST_ID: usize = 28;
const WIDEST_STATUS: usize = 12;
const WIDEST_TITLE: usize = 200;
/// More attempts than this are a comb; the title says how many they were.
const MOST_PARTS: u64 = 20;
