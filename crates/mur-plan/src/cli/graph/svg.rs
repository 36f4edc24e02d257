//! A plan as one self-contained SVG: no font, no script, no reference to anything outside.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use plan_model::Kind;
use plan_trace::render::markup::escaped;

use super::{
    layout::{BOX, DIP, Layout, Line, MARGIN, PADDING, Place, Point, WIDEST_ID, layout},
    paint::{self, Paint},
    shape::{Node, Outcome, Shape},
};
use crate::cli::{refusal::Refusal, visible::fit};

/// Returns why `shape` cannot be drawn, if it is too large.
pub(super) fn can_draw(shape: &Shape) -> Result<(), Refusal> {
    let (steps, edges) = (shape.nodes.len(), shape.edges.len());
    if steps <= MOST_STEPS && edges <= MOST_EDGES {
        return Ok(());
    }
    let message = format!(
        "{steps} steps with {edges} dependencies are too many for one picture, which holds {MOST_STEPS} with \
         {MOST_EDGES}"
    );
    let hint = "write `--format dot` or `--format mermaid`, which have no such bound";
    Err(Refusal::new(message, hint))
}

/// Writes `shape`, which [`can_draw`] has let through.
pub(super) fn write(out: &mut dyn Write, shape: &Shape) -> io::Result<()> {
    let layout = layout(shape);
    let Layout { width, height, .. } = layout;
    writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" aria-labelledby=\"title desc\">"
    )?;
    let id = escaped(&shape.id);
    writeln!(out, "<title id=\"title\">Plan {id}</title>")?;
    writeln!(
        out,
        "<desc id=\"desc\">{}</desc>",
        escaped(&sentence(shape))
    )?;
    style(out, shape)?;
    writeln!(
        out,
        "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>"
    )?;
    let heading = fit(&shape.id, WIDEST_HEADING);
    writeln!(
        out,
        "<text class=\"heading\" x=\"{MARGIN}\" y=\"32\">{}</text>",
        escaped(&heading)
    )?;
    writeln!(
        out,
        "<text class=\"caption\" x=\"{MARGIN}\" y=\"52\">{}</text>",
        escaped(&counts(shape))
    )?;
    for (&(from, to), line) in shape.edges.iter().zip(&layout.lines) {
        let (class, path) = match line {
            Line::Back(from, to) => ("back", back(*from, *to)),
            Line::Onward(points) if shape.nodes[to].is_conditional => ("edge if", onward(points)),
            Line::Onward(points) => ("edge", onward(points)),
        };
        writeln!(
            out,
            "<path class=\"{class}\" d=\"{path}\"><title>{} waits for {}</title></path>",
            escaped(&shape.nodes[to].id),
            escaped(&shape.nodes[from].id)
        )?;
    }
    for (node, place) in shape.nodes.iter().zip(&layout.boxes) {
        step(out, node, *place)?;
    }
    writeln!(out, "</svg>")
}

fn step(out: &mut dyn Write, node: &Node, place: Place) -> io::Result<()> {
    let Place { x, y, width } = place;
    let id = escaped(&node.id);
    let caption = node.caption();
    writeln!(
        out,
        "<g class=\"{}\"><title>{id}: {caption}</title>",
        format!("step {}", node.outcome.class()).trim_end()
    )?;
    let corner = match node.kind {
        Some(Kind::Shell) => 12,
        Some(Kind::Tool | Kind::Capsule) | None => 2,
    };
    writeln!(
        out,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{BOX}\" rx=\"{corner}\"/>"
    )?;
    if node.kind == Some(Kind::Capsule) {
        let (x, y, width, height) = (x + 3, y + 3, width - 6, BOX - 6);
        writeln!(
            out,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"1\"/>"
        )?;
    }
    let x = x + PADDING;
    writeln!(
        out,
        "<text x=\"{x}\" y=\"{}\">{}</text><text class=\"caption\" x=\"{x}\" y=\"{}\">{caption}</text></g>",
        y + 17,
        escaped(&fit(&node.id, WIDEST_ID)),
        y + 32
    )
}

/// A line through its points, each stretch leaving and arriving level.
fn onward(line: &[Point]) -> String {
    let mut path = String::new();
    let Some(first) = line.first() else {
        return path;
    };
    // Writing to a string cannot fail, here and below.
    let _ = write!(path, "M{} {}", first.x, first.y);
    for pair in line.windows(2) {
        let [from, to] = pair else { continue };
        if from.y == to.y && from.x <= to.x {
            let _ = write!(path, "H{}", to.x);
        } else {
            let reach = ((to.x - from.x).abs() / 2).clamp(24, 160);
            let (one, other) = (from.x + reach, to.x - reach);
            let _ = write!(path, "C{one} {} {other} {} {} {}", from.y, to.y, to.x, to.y);
        }
    }
    path
}

/// A line below everything between its ends.
fn back(from: Point, to: Point) -> String {
    let y = from.y.max(to.y) + DIP;
    format!(
        "M{} {}C{} {y} {} {y} {} {}",
        from.x, from.y, from.x, to.x, to.x, to.y
    )
}

fn counts(shape: &Shape) -> String {
    let mut counts = match shape.nodes.len() {
        1 => "1 step".to_owned(),
        steps => format!("{steps} steps"),
    };
    let mut before = ": ";
    for outcome in Outcome::COLOURED {
        let nodes = shape.nodes.iter();
        let count = nodes.filter(|node| node.outcome == outcome).count();
        if let (1.., Some(name)) = (count, outcome.name()) {
            let _ = write!(counts, "{before}{count} {name}");
            before = ", ";
        }
    }
    counts
}

fn sentence(shape: &Shape) -> String {
    format!(
        "{}. Each step stands right of the steps it waits for. Rounded: shell; double border: capsule; dashed line: \
         the step has a condition.",
        counts(shape)
    )
}

/// The styles: light, and dark where that is wanted. On paper nothing but the light ones is readable.
fn style(out: &mut dyn Write, shape: &Shape) -> io::Result<()> {
    writeln!(
        out,
        "<style>\n\
         text{{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,\"DejaVu Sans Mono\",monospace;fill:#1f2328}}\n\
         .heading{{font-size:16px;font-weight:bold}}\n\
         .caption{{font-size:11px;fill:#4d555e}}\n\
         .ground{{fill:#ffffff}}\n\
         .edge,.back{{fill:none;stroke:#6e7781;stroke-width:1.25}}\n\
         .edge:hover,.back:hover{{stroke-width:3}}\n\
         .if{{stroke-dasharray:5 4}}\n\
         .back{{stroke:#cf222e;stroke-width:2;stroke-dasharray:2 3}}\n\
         .step rect{{stroke-width:1.25}}"
    )?;
    if shape.is_coloured {
        writeln!(out, ".not-run rect{{stroke-dasharray:4 3}}")?;
    }
    if shape.edges.len() > MANY_EDGES {
        writeln!(out, ".edge{{stroke-opacity:.35}}")?;
    }
    rules(out, shape, paint::light)?;
    writeln!(
        out,
        "@media screen and (prefers-color-scheme:dark){{\n\
         text{{fill:#e6edf3}}\n\
         .caption{{fill:#a9b1ba}}\n\
         .ground{{fill:#0d1117}}\n\
         .edge{{stroke:#8b949e}}\n\
         .back{{stroke:#f85149}}"
    )?;
    rules(out, shape, paint::dark)?;
    writeln!(out, "}}\n</style>")
}

fn rules(out: &mut dyn Write, shape: &Shape, paint: fn(Outcome) -> Paint) -> io::Result<()> {
    let Paint { fill, border } = paint(Outcome::Unknown);
    writeln!(out, ".step rect{{fill:{fill};stroke:{border}}}")?;
    if shape.is_coloured {
        for outcome in Outcome::COLOURED {
            let Paint { fill, border } = paint(outcome);
            let class = outcome.class();
            writeln!(out, ".{class} rect{{fill:{fill};stroke:{border}}}")?;
        }
    }
    Ok(())
}

/// More steps do not fit a window in any size that can be read, and take a browser seconds.
const MOST_STEPS: usize = 20_000;
/// More lines are a surface.
const MOST_EDGES: usize = 100_000;
/// Past this lines cover each other, and what is below them should be seen.
const MANY_EDGES: usize = 500;
const WIDEST_HEADING: usize = 60;
