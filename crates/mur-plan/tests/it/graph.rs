//! A plan's shape, in every language of pictures.

use mur_plan::cli::args::GraphFormat;
use mur_plan::cli::graph::{Outcome, Shape, draw};
use plan_model::PlanDoc;

fn shape(steps: &str) -> Shape {
    let text = format!(r#"{{"id": "p <&> \"q\"", "steps": [{steps}]}}"#);
    Shape::of(&PlanDoc::read(text.into_bytes()))
}

fn drawn(shape: &Shape, format: GraphFormat) -> String {
    let mut out = Vec::new();
    draw(&mut out, shape, format).expect("a vector takes everything");
    String::from_utf8(out).expect("a picture is text")
}

/// Every kind, a condition, a dependency that spans a column, one written twice, and ids that look like syntax.
const STEPS: &str = r#"
    {"id": "a", "tool": "t"},
    {"id": "b]\"; x", "shell": "s", "depends_on": ["a", "a"]},
    {"id": "c", "capsule": "w", "depends_on": ["b]\"; x", "a"], "if": "$a.status == 'success'"},
    {"id": "<d>\u001b[31m\n", "depends_on": ["nobody"]}"#;

/// The same, as a run of it went.
fn coloured() -> Shape {
    let mut shape = shape(STEPS);
    shape.is_coloured = true;
    let outcomes = [
        Outcome::Success,
        Outcome::Failed,
        Outcome::Skipped,
        Outcome::NotRun,
    ];
    for (node, outcome) in shape.nodes.iter_mut().zip(outcomes) {
        node.outcome = outcome;
        node.took = "0.4 s".to_owned();
    }
    shape
}

/// spec: The command
#[test]
fn a_mermaid_flowchart_escapes_what_it_would_read_as_syntax() {
    insta::assert_snapshot!(drawn(&coloured(), GraphFormat::Mermaid), @r##"
    ---
    title: "p <&> \"q\""
    ---
    flowchart LR
      s0["a<br/>tool · success · 0.4 s"]:::success
      s1("b#93;#34;#59; x<br/>shell · failed · 0.4 s"):::failed
      s2[["c<br/>capsule · if · skipped · 0.4 s"]]:::skipped
      s3{{"#60;d#62;#9243;#91;31m#9226;<br/>unknown · not run · 0.4 s"}}:::not-run
      s0 --> s1
      s0 -.-> s2
      s1 -.-> s2
      classDef success fill:#dafbe1,stroke:#1a7f37,color:#1f2328
      classDef failed fill:#ffebe9,stroke:#cf222e,color:#1f2328
      classDef skipped fill:#fff8c5,stroke:#9a6700,color:#1f2328
      classDef unsettled fill:#ddf4ff,stroke:#0969da,color:#1f2328
      classDef not-run fill:#ffffff,stroke:#8c959f,color:#1f2328,stroke-dasharray:4 3
    "##);
}

/// spec: The command
#[test]
fn a_digraph_escapes_what_it_would_read_as_syntax() {
    insta::assert_snapshot!(drawn(&coloured(), GraphFormat::Dot), @r##"
    digraph "p <&> \"q\"" {
      rankdir=LR;
      node [fontname="monospace", style="filled", fillcolor="#f6f8fa"];
      s0 [label="a\ntool · success · 0.4 s", shape=box, fillcolor="#dafbe1", color="#1a7f37"];
      s1 [label="b]\"; x\nshell · failed · 0.4 s", shape=box, style="filled,rounded", fillcolor="#ffebe9", color="#cf222e"];
      s2 [label="c\ncapsule · if · skipped · 0.4 s", shape=box, peripheries=2, fillcolor="#fff8c5", color="#9a6700"];
      s3 [label="<d>␛[31m␊\nunknown · not run · 0.4 s", shape=hexagon, fillcolor="#ffffff", color="#8c959f"];
      s0 -> s1;
      s0 -> s2 [style=dashed];
      s1 -> s2 [style=dashed];
    }
    "##);
}

/// spec: The command
#[test]
fn an_svg_stands_alone_in_light_and_dark() {
    let svg = drawn(&coloured(), GraphFormat::Svg);
    insta::assert_snapshot!(svg);
    let outside = [
        "href",
        "url(",
        "<script",
        "@import",
        "http://www.w3.org/1999",
    ];
    for word in outside {
        assert!(!svg.contains(word), "{word}");
    }
}

/// spec: The command: without a trace nothing has a colour
#[test]
fn without_a_trace_nothing_is_said_of_outcomes() {
    let plain = shape(STEPS);
    for format in [GraphFormat::Mermaid, GraphFormat::Dot, GraphFormat::Svg] {
        let drawn = drawn(&plain, format);
        for word in ["success", "failed", "not-run", "classDef"] {
            assert!(!drawn.contains(word), "{word} in {drawn}");
        }
    }
}

/// spec: Running: a step is ready when its last dependency has settled, so it stands right of all of them
#[test]
fn steps_stand_right_of_what_they_wait_for_and_on_nobody() {
    for (name, steps) in [
        ("ladder", ladder(200)),
        ("wide", wide(700)),
        ("chain", chain(300)),
    ] {
        let shape = shape(&steps);
        let boxes = boxes(&drawn(&shape, GraphFormat::Svg));
        assert_eq!(boxes.len(), shape.nodes.len(), "{name}");
        for &(from, to) in &shape.edges {
            let (from, to) = (boxes[from], boxes[to]);
            assert!(from.0 + from.2 < to.0, "{name}: {from:?} {to:?}");
        }
        let mut sorted = boxes.clone();
        sorted.sort_unstable();
        // Columns do not overlap, so only boxes with one left side could.
        for pair in sorted.windows(2) {
            let [one, other] = pair else { continue };
            assert!(
                one.0 != other.0 || one.1 + 40 <= other.1,
                "{name}: {one:?} {other:?}"
            );
        }
    }
}

/// spec: What is refused before anything runs: a circle; it is drawn all the same, the line that closes it marked
#[test]
fn a_circle_is_drawn_with_the_line_that_closes_it() {
    let shape = shape(
        r#"{"id": "a", "shell": "s", "depends_on": ["c"]},
           {"id": "b", "shell": "s", "depends_on": ["a", "b"]},
           {"id": "c", "shell": "s", "depends_on": ["b"]}"#,
    );
    let svg = drawn(&shape, GraphFormat::Svg);
    assert_eq!(svg.matches("class=\"back\"").count(), 2, "{svg}");
    assert_eq!(svg.matches("class=\"edge\"").count(), 2, "{svg}");
}

/// spec: The command; decision: the work of a layout is bounded
#[test]
fn five_thousand_steps_are_drawn_in_no_time() {
    let began = std::time::Instant::now();
    for steps in [ladder(5000), wide(5000), chain(5000), far(5000)] {
        let svg = drawn(&shape(&steps), GraphFormat::Svg);
        assert_eq!(boxes(&svg).len(), 5000);
    }
    // Far more than it takes, far less than anything quadratic would.
    assert!(began.elapsed().as_secs() < 30, "{:?}", began.elapsed());
}

fn step(number: usize, depends_on: &[usize]) -> String {
    let depends_on: Vec<_> = depends_on.iter().map(|on| format!("\"s{on}\"")).collect();
    format!(
        r#"{{"id": "s{number}", "shell": "s", "depends_on": [{}]}}"#,
        depends_on.join(", ")
    )
}

fn plan(steps: usize, depends_on: impl Fn(usize) -> Vec<usize>) -> String {
    let steps: Vec<_> = (0..steps).map(|at| step(at, &depends_on(at))).collect();
    steps.join(",\n")
}

/// Rows of ten, each step waiting for two of the row before.
fn ladder(steps: usize) -> String {
    plan(steps, |at| match at {
        0..10 => vec![],
        _ => vec![at - 10, (at / 10 - 1) * 10 + (at + 1) % 10],
    })
}

/// One step that all wait for.
fn wide(steps: usize) -> String {
    plan(steps, |at| if at == 0 { vec![] } else { vec![0] })
}

fn chain(steps: usize) -> String {
    plan(steps, |at| if at == 0 { vec![] } else { vec![at - 1] })
}

/// A chain whose every step also waits for the first: lines through thousands of columns.
fn far(steps: usize) -> String {
    plan(steps, |at| match at {
        0 => vec![],
        1 => vec![0],
        _ => vec![0, at - 1],
    })
}

/// Left side, upper side and width of every step.
fn boxes(svg: &str) -> Vec<(i64, i64, i64)> {
    let number = |line: &str, key: &str| -> i64 {
        let (_, rest) = line
            .split_once(&format!(" {key}=\""))
            .expect("a rectangle has it");
        let (number, _) = rest.split_once('"').expect("a value ends");
        number.parse().expect("a whole number")
    };
    let lines: Vec<_> = svg.lines().collect();
    let of = lines.windows(2).filter(|pair| pair[0].starts_with("<g "));
    of.map(|pair| {
        (
            number(pair[1], "x"),
            number(pair[1], "y"),
            number(pair[1], "width"),
        )
    })
    .collect()
}
