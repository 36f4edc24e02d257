//! A timeline as one self-contained SVG: no font, no script, no reference to anything outside.

mod row;

use std::io::{self, Write};

use super::{
    axis::Axis,
    bar::Delegated,
    chart::{Chart, Section},
    words::{self, Fill},
};
use crate::render::{
    columns::{fit, visible},
    markup::escaped,
    style::plan_name,
    when::utc,
};
use row::{bar, delegation, x};

/// Writes `chart` as a picture.
///
/// # Errors
///
/// Faults of writing to `out`.
pub fn svg(out: &mut dyn Write, chart: &Chart<'_>) -> io::Result<()> {
    let session = chart.run.session_id.as_deref().unwrap_or("a plan");
    let session = escaped(&fit(&visible(session), words::WIDEST_ID));
    let height = height(chart);
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
         viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-labelledby=\"title desc\">\n\
         <title id=\"title\">Timeline of {session}</title>\n<desc id=\"desc\">{}</desc>\n<style>\n{}{}</style>",
        escaped(&sentence(chart)),
        include_str!("../palette.css"),
        include_str!("picture.css")
    )?;
    patterns(out)?;
    writeln!(
        out,
        "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n\
         <text class=\"name\" x=\"{MARGIN}\" y=\"30\">Timeline of {session}</text>\n\
         <text class=\"soft\" x=\"{MARGIN}\" y=\"50\">{}</text>",
        escaped(&fit(&facts(chart), WIDEST_LINE))
    )?;
    out.write_all(LEGEND.as_bytes())?;
    let mut y = HEAD;
    for section in &chart.sections {
        y = plan(out, chart, section, y)?;
    }
    strays(out, chart, &chart.strays, y)?;
    writeln!(out, "</svg>")
}

fn plan(
    out: &mut dyn Write,
    chart: &Chart<'_>,
    section: &Section<'_>,
    top: u64,
) -> io::Result<u64> {
    let name = format!("Plan {}", visible(plan_name(section.plan)));
    writeln!(
        out,
        "<text class=\"name\" x=\"{MARGIN}\" y=\"{}\">{}</text>",
        top + 22,
        escaped(&fit(&name, WIDEST_NAME))
    )?;
    let outcome = words::outcome(section, chart.is_going_on());
    let reason = words::reason(section);
    let reason = reason.map(|reason| reason.replace('\n', " "));
    let lines = [Some(outcome), reason.or_else(|| words::path(section))];
    let mut y = top + 42;
    for line in lines.into_iter().flatten() {
        let line = escaped(&fit(&line, WIDEST_LINE));
        writeln!(
            out,
            "<text class=\"soft\" x=\"{MARGIN}\" y=\"{y}\">{line}</text>"
        )?;
        y += 20;
    }
    let first = top + SECTION;
    let rows = (section.bars.len() + section.delegations.len()) as u64;
    if let Some(axis) = section.axis {
        grid(out, axis, first, first + rows * ROW)?;
        path(out, section, axis, first)?;
    }
    let mut y = first;
    for step in &section.bars {
        bar(out, step, section, chart.is_going_on(), y)?;
        y += ROW;
    }
    for delegated in &section.delegations {
        delegation(out, delegated, section.axis, chart.is_going_on(), y)?;
        y += ROW;
    }
    Ok(y + GAP)
}

fn strays(
    out: &mut dyn Write,
    chart: &Chart<'_>,
    strays: &[Delegated<'_>],
    top: u64,
) -> io::Result<()> {
    if strays.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<text class=\"name\" x=\"{MARGIN}\" y=\"{}\">Delegations outside of a plan</text>",
        top + 22
    )?;
    for (delegated, row) in strays.iter().zip(0..) {
        delegation(
            out,
            delegated,
            None,
            chart.is_going_on(),
            top + 32 + row * ROW,
        )?;
    }
    Ok(())
}

/// The marks of the axis, and a line through the rows at each.
fn grid(out: &mut dyn Write, axis: Axis, top: u64, bottom: u64) -> io::Result<()> {
    for tick in axis.ticks(MOST_TICKS) {
        let x = x(axis, tick.at_ms);
        writeln!(
            out,
            "<path class=\"grid\" d=\"M{x} {}V{bottom}\"/><text class=\"mark\" x=\"{x}\" y=\"{}\">{}</text>",
            top - 4,
            top - 8,
            tick.label
        )?;
    }
    Ok(())
}

/// The critical path, from the end of each step to the beginning of the next.
fn path(out: &mut dyn Write, section: &Section<'_>, axis: Axis, top: u64) -> io::Result<()> {
    for pair in section.critical.windows(2) {
        let [one, other] = pair else { continue };
        let ends = section.bars[*one]
            .stretch()
            .zip(section.bars[*other].stretch());
        let Some(((_, end), (begin, _))) = ends else {
            continue;
        };
        let middle = |row: usize| top + row as u64 * ROW + ROW / 2;
        let (from, to) = (x(axis, end), x(axis, begin));
        writeln!(
            out,
            "<path class=\"path\" d=\"M{from} {}V{}H{to}\"/>",
            middle(*one),
            middle(*other)
        )?;
    }
    Ok(())
}

/// The patterns that tell kinds apart without their colours.
fn patterns(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "<defs>")?;
    for fill in [Fill::Shell, Fill::Capsule] {
        let name = fill.name();
        for (suffix, colour) in [("", name), ("-bad", "bad"), ("-skip", "skip")] {
            let (one, two) = (format!("one-{colour}"), format!("two-{colour}"));
            let drawn = match fill {
                Fill::Capsule => format!("<circle class=\"{two}\" cx=\"3\" cy=\"3\" r=\"1\"/>"),
                Fill::Tool | Fill::Shell | Fill::Other => {
                    format!(
                        "<path class=\"{two}\" stroke-width=\"2.5\" d=\"M-1 7L7 -1M-1 1L1 -1M5 7L7 5\"/>"
                    )
                }
            };
            writeln!(
                out,
                "<pattern id=\"{name}{suffix}\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">\
                 <rect class=\"{one}\" width=\"6\" height=\"6\"/>{drawn}</pattern>"
            )?;
        }
    }
    writeln!(out, "</defs>")
}

fn facts(chart: &Chart<'_>) -> String {
    let started = chart.run.started_ms.map(utc);
    let ended = chart.run.end.as_ref();
    let ended = ended.map(|end| visible(end.exit_status.name()).into_owned());
    let facts = [started, ended.or_else(|| words::no_end(chart))];
    facts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

fn sentence(chart: &Chart<'_>) -> String {
    let mut plans = Vec::new();
    for section in chart.sections.iter().take(MOST_TOLD) {
        let name = visible(plan_name(section.plan)).into_owned();
        let outcome = words::outcome(section, chart.is_going_on());
        plans.push(format!("Plan {}: {outcome}.", fit(&name, words::WIDEST_ID)));
    }
    plans.join(" ")
}

fn height(chart: &Chart<'_>) -> u64 {
    let rows = |section: &Section<'_>| (section.bars.len() + section.delegations.len()) as u64;
    let sections = chart.sections.iter().map(rows);
    let sections = sections.map(|rows| SECTION + rows * ROW + GAP);
    let strays = match chart.strays.len() as u64 {
        0 => 0,
        rows => 32 + rows * ROW + GAP,
    };
    HEAD + sections.sum::<u64>() + strays
}

const WIDTH: u64 = 1100;
const MARGIN: u64 = 16;
/// What stands above the first plan.
const HEAD: u64 = 112;
/// What stands above a plan's rows.
const SECTION: u64 = 90;
const ROW: u64 = 22;
const GAP: u64 = 16;
const MOST_TICKS: u64 = 6;
/// As many columns as fit the width.
const WIDEST_LINE: usize = 134;
const WIDEST_NAME: usize = 100;
/// More plans than this are too long a sentence to listen to.
const MOST_TOLD: usize = 10;
/// What shapes and patterns mean.
const LEGEND: &str = "\
<g transform=\"translate(16 64)\">
<rect class=\"b tool\" width=\"30\" height=\"12\" rx=\"1\"/><text class=\"mark\" x=\"36\" y=\"10\">tool</text>
<rect class=\"b shell\" x=\"80\" width=\"30\" height=\"12\" rx=\"6\"/><text class=\"mark\" x=\"116\" y=\"10\">shell</text>
<rect class=\"b capsule\" x=\"166\" width=\"30\" height=\"12\" rx=\"1\"/><text class=\"mark\" x=\"202\" y=\"10\">capsule</text>
<g class=\"failed\"><rect class=\"b tool\" x=\"266\" width=\"30\" height=\"12\" rx=\"1\"/><path class=\"cross\" d=\"M300 2l8 8m0 -8l-8 8\"/></g><text class=\"mark\" x=\"314\" y=\"10\">failed</text>
<g class=\"skipped\"><rect class=\"b tool\" x=\"372\" width=\"30\" height=\"12\" rx=\"1\"/></g><text class=\"mark\" x=\"408\" y=\"10\">skipped after it ran</text>
<path class=\"p\" d=\"M564 0l6 6l-6 6l-6 -6z\"/><text class=\"mark\" x=\"576\" y=\"10\">settled without being dispatched</text>
<path class=\"l\" d=\"M808 4h30v4h-30z\"/><text class=\"mark\" x=\"844\" y=\"10\">delegation</text>
<rect class=\"w\" y=\"24\" width=\"30\" height=\"6\"/><text class=\"mark\" x=\"36\" y=\"31\">ready and waiting to be dispatched</text>
<rect class=\"b tool\" x=\"282\" y=\"21\" width=\"30\" height=\"12\" rx=\"1\"/><path class=\"part\" d=\"M292 20v14m10 -14v14\"/><text class=\"mark\" x=\"318\" y=\"31\">attempts, in equal parts: the trace does not say when one ended</text>
<text class=\"mark\" x=\"758\" y=\"31\">◆ critical path: what the end waited for</text>
</g>
";
