//! The views of a trace, drawn for every kind of run.

mod big;
mod data;
mod joining;
mod pictures;
mod show;
mod steps;
mod timeline;
mod width;

use std::path::Path;

use plan_trace::{
    Reader,
    pair::Run,
    render::{self, Look, Writer},
};

/// Every fixture of a run, and whether a checker finds it whole: those cut short have no end.
const RUNS: [(&str, bool); 14] = [
    ("completed", true),
    ("failed", true),
    ("refused", true),
    ("canceled", true),
    ("retried", true),
    ("skipped", true),
    ("delegations", true),
    ("denied", true),
    ("torn", false),
    ("empty", true),
    ("no-plan", false),
    ("no-end", false),
    ("several", true),
    ("hostile", true),
];

fn text(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/trace")
        .join(format!("{name}.jsonl"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn of_text(text: &str) -> Run {
    Run::read(&mut Reader::new(text.as_bytes(), "t.jsonl")).unwrap()
}

fn run(name: &str) -> Run {
    of_text(&text(name))
}

const PLAIN: Look = Look {
    width: None,
    colour: false,
};

/// `trace show` of a fixture, as it is written to a file.
fn shown(name: &str) -> String {
    drawn_show(&run(name), Writer::NotSeen, PLAIN)
}

/// `trace steps` of a fixture, as it is written to a file.
fn stepped(name: &str) -> String {
    drawn_steps(&run(name), Writer::NotSeen, PLAIN)
}

fn drawn_show(run: &Run, writer: Writer, look: Look) -> String {
    let mut out = Vec::new();
    render::show(&mut out, run, writer, look).unwrap();
    String::from_utf8(out).unwrap()
}

fn drawn_steps(run: &Run, writer: Writer, look: Look) -> String {
    let mut out = Vec::new();
    render::steps(&mut out, run, writer, look).unwrap();
    String::from_utf8(out).unwrap()
}

/// spec: In the trace
#[test]
fn the_fixtures_are_traces_by_the_rules() {
    for (name, is_whole) in RUNS {
        let broken = plan_trace::check::check(&text(&format!("views/{name}")));
        assert_eq!(broken.is_empty(), is_whole, "{name}: {broken:?}");
    }
}
