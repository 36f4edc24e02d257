//! A plan in Graphviz's language.

use std::io::{self, Write};

use plan_model::Kind;

use super::{
    paint,
    shape::{Node, Outcome, Shape},
};

/// Writes `shape`. Nodes are numbered, so that no id can be read as syntax.
pub(super) fn write(out: &mut dyn Write, shape: &Shape) -> io::Result<()> {
    writeln!(out, "digraph {} {{", quoted(&shape.id))?;
    writeln!(out, "  rankdir=LR;")?;
    writeln!(
        out,
        "  node [fontname=\"monospace\", style=\"filled\", fillcolor=\"#f6f8fa\"];"
    )?;
    for (place, node) in shape.nodes.iter().enumerate() {
        write!(
            out,
            "  s{place} [label={}, {}",
            label(node),
            form(node.kind)
        )?;
        if node.outcome != Outcome::Unknown {
            let paint = paint::light(node.outcome);
            write!(
                out,
                ", fillcolor=\"{}\", color=\"{}\"",
                paint.fill, paint.border
            )?;
        }
        writeln!(out, "];")?;
    }
    for &(from, to) in &shape.edges {
        let style = if shape.nodes[to].is_conditional {
            " [style=dashed]"
        } else {
            ""
        };
        writeln!(out, "  s{from} -> s{to}{style};")?;
    }
    writeln!(out, "}}")
}

const fn form(kind: Option<Kind>) -> &'static str {
    match kind {
        Some(Kind::Tool) => "shape=box",
        Some(Kind::Shell) => "shape=box, style=\"filled,rounded\"",
        Some(Kind::Capsule) => "shape=box, peripheries=2",
        None => "shape=hexagon",
    }
}

fn label(node: &Node) -> String {
    let id = quoted(&node.id);
    let id = id.strip_suffix('"').unwrap_or(&id);
    format!("{id}\\n{}\"", node.caption())
}

/// Returns `text`, which holds no line break, as a string of the language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
