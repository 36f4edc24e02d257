//! The views as JSON.

use plan_trace::render::{Writer, data};

use super::run;

fn json(
    name: &str,
    view: fn(&mut dyn std::io::Write, &plan_trace::pair::Run, Writer) -> std::io::Result<()>,
) -> String {
    let mut out = Vec::new();
    view(&mut out, &run(name), Writer::NotSeen).unwrap();
    let text = String::from_utf8(out).unwrap();
    assert!(
        text.ends_with("}\n") && text.matches('\n').count() == 1,
        "one line"
    );
    // As a tree, for the eye.
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    serde_json::to_string_pretty(&value).unwrap()
}

/// spec: In the trace
#[test]
fn a_whole_session_is_one_object() {
    insta::assert_snapshot!(json("views/canceled", data::show));
}

/// spec: In the trace
#[test]
fn rows_are_what_hangs_off_the_session() {
    insta::assert_snapshot!(json("views/denied", data::steps));
}

/// spec: In the trace; a run that was killed has no end, no counts of an end, and says what came last
#[test]
fn a_trace_without_an_end_says_so() {
    insta::assert_snapshot!(json("views/torn", data::show));
}
