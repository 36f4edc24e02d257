//! A plan as a Mermaid flowchart.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use plan_model::Kind;

use super::{
    paint,
    shape::{Node, Outcome, Shape},
};

/// Writes `shape`. Nodes are numbered, so that no id can be read as syntax.
pub(super) fn write(out: &mut dyn Write, shape: &Shape) -> io::Result<()> {
    writeln!(out, "---")?;
    // A JSON string is a YAML one.
    let title = serde_json::to_string(&shape.id).map_err(io::Error::other)?;
    writeln!(out, "title: {title}")?;
    writeln!(out, "---")?;
    writeln!(out, "flowchart LR")?;
    for (place, node) in shape.nodes.iter().enumerate() {
        let (open, close) = brackets(node.kind);
        write!(out, "  s{place}{open}\"{}\"{close}", label(node))?;
        match node.outcome.class() {
            "" => writeln!(out)?,
            class => writeln!(out, ":::{class}")?,
        }
    }
    for &(from, to) in &shape.edges {
        // A step with a condition may not run, whatever it waits for does.
        let arrow = if shape.nodes[to].is_conditional {
            "-.->"
        } else {
            "-->"
        };
        writeln!(out, "  s{from} {arrow} s{to}")?;
    }
    if shape.is_coloured {
        for outcome in Outcome::COLOURED {
            let paint = paint::light(outcome);
            writeln!(
                out,
                "  classDef {} fill:{},stroke:{},color:#1f2328{}",
                outcome.class(),
                paint.fill,
                paint.border,
                if outcome == Outcome::NotRun {
                    ",stroke-dasharray:4 3"
                } else {
                    ""
                }
            )?;
        }
    }
    Ok(())
}

const fn brackets(kind: Option<Kind>) -> (&'static str, &'static str) {
    match kind {
        Some(Kind::Tool) => ("[", "]"),
        Some(Kind::Shell) => ("(", ")"),
        Some(Kind::Capsule) => ("[[", "]]"),
        None => ("{{", "}}"),
    }
}

fn label(node: &Node) -> String {
    let mut label = String::new();
    for character in node.id.chars() {
        if character.is_alphanumeric() || matches!(character, ' ' | '-' | '_' | '.' | '/') {
            label.push(character);
        } else {
            // Mermaid's own escape: a character by its number. Writing to a string cannot fail.
            let _ = write!(label, "#{};", u32::from(character));
        }
    }
    // As HTML, which labels are.
    let _ = write!(label, "<br/>{}", node.caption());
    label
}
