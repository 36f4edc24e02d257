//! `mur-plan graph`: a plan's shape for a picture, coloured by how a run of it went where a trace is given.

mod dot;
mod layers;
mod layout;
mod mermaid;
mod order;
mod paint;
mod shape;
mod svg;

pub use shape::{Node, Outcome, Shape};

use std::{io, path::Path};

use plan_model::{PlanDoc, Refused, Severity};

use super::{
    args::{self, GraphFormat},
    input::PlanInput,
    manifest, print,
    refusal::Refusal,
    shown::in_text,
    trace::{Asked, Found},
};
use crate::exit::Exit;

/// Draws a plan.
///
/// # Errors
/// When standard output cannot be written.
pub(crate) fn graph(args: &args::Graph) -> io::Result<Exit> {
    let input = match PlanInput::read(&args.plan) {
        Ok(input) => input,
        Err(error) => return Ok(refused(&Refusal::from(error))),
    };
    let doc = PlanDoc::read(input.text.clone());
    if !doc.has_shape() {
        let mut found = doc
            .check(None)
            .plan
            .err()
            .map_or(Vec::new(), |it| it.faults);
        found.retain(|fault| fault.severity == Severity::Error);
        print::talk(&in_text(&input, &found));
        print::error(
            "a plan with these faults has no shape that could be drawn",
            None,
        );
        return Ok(Exit::Refused);
    }
    let mut shape = Shape::of(&doc);
    if let Some(session) = &args.trace {
        let workdir = args.workdir.clone().or_else(|| workdir(&input));
        let asked = Asked {
            session,
            workdir: workdir.as_deref(),
            home: args.home.as_deref(),
        };
        let coloured = Found::read(asked).and_then(|found| shape.colour(&found.run));
        if let Err(refusal) = coloured {
            return Ok(refused(&refusal));
        }
    }
    if args.format == GraphFormat::Svg
        && let Err(refusal) = svg::can_draw(&shape)
    {
        return Ok(refused(&refusal));
    }
    let faults = doc
        .check(None)
        .plan
        .err()
        .as_ref()
        .map_or(0, Refused::count);
    if faults > 0 {
        print::warning(
            "the plan has faults: it is drawn as far as it goes",
            Some("`mur-plan check` shows them"),
        );
    }
    if args.format == GraphFormat::Mermaid && shape.edges.len() > MERMAID_EDGES {
        print::warning(
            &format!(
                "Mermaid draws {MERMAID_EDGES} dependencies unless its `maxEdges` says more, and these are {}",
                shape.edges.len()
            ),
            Some("`--format svg` is drawn here"),
        );
    }
    print::plain_data_with(|out| draw(out, &shape, args.format))?;
    Ok(Exit::Completed)
}

/// Writes the picture of `shape`.
///
/// # Errors
/// Faults of writing to `out`.
pub fn draw(out: &mut dyn io::Write, shape: &Shape, format: GraphFormat) -> io::Result<()> {
    match format {
        GraphFormat::Mermaid => mermaid::write(out, shape),
        GraphFormat::Dot => dot::write(out, shape),
        GraphFormat::Svg => svg::write(out, shape),
    }
}

/// Returns where `run` would have run the plan.
fn workdir(input: &PlanInput) -> Option<std::path::PathBuf> {
    let manifest = manifest::find_manifest(input.path.as_deref(), None)?;
    let folder = manifest.parent().filter(|folder| *folder != Path::new(""));
    folder.map(Path::to_owned)
}

fn refused(refusal: &Refusal) -> Exit {
    refusal.show();
    Exit::Refused
}

/// What Mermaid draws at most by default.
const MERMAID_EDGES: usize = 500;
