//! The table of tool inputs.

use serde_json::json;

use super::{Place, rows, verdict};

/// spec: What a plan may reach.
#[test]
fn every_tool_input_of_the_table_is_judged_as_it_says() {
    let mut place = Place::new();
    place.gate.declare_tool(
        "marked",
        &json!({
            "type": "object",
            "properties": {
                "where": {"type": "string", "format": "murmur-destination"},
                "places": {"type": "array", "items": {"format": "murmur-destination"}},
                "lists": {"type": "array", "format": "murmur-destination"},
                "deep": {"properties": {"where": {"format": "murmur-destination"}}},
                "other": {"$ref": "#/$defs/place"},
                "tree": {"$ref": "#/$defs/tree"},
                "any": {"anyOf": [{"type": "null"}, {"format": "murmur-destination"}]},
                "message": {
                    "format": "murmur-opaque",
                    "properties": {"real": {"format": "murmur-destination"}}
                },
                "to": {"type": "string", "format": "murmur-opaque"},
            },
            "patternProperties": {"^x-": {"format": "murmur-destination"}},
            "$defs": {
                "place": {"format": "murmur-destination"},
                "tree": {"properties": {
                    "at": {"format": "murmur-destination"},
                    "kids": {"items": {"$ref": "#/$defs/tree"}}
                }}
            }
        }),
    );
    let mut wrong = Vec::new();
    let mut inputs = 0;
    for (input, expected, why) in rows(include_str!("tools.txt")) {
        let (tool, text) = match input.strip_prefix("marked ") {
            Some(text) => ("marked", text),
            None => ("plain", input),
        };
        let text = text.replace("{W}", place.workdir.to_str().unwrap());
        let judged = verdict(place.tool(tool, &text));
        if judged != expected {
            wrong.push(format!(
                "{input}\n    expected {expected}: {why}\n    judged   {judged}"
            ));
        }
        inputs += 1;
    }
    assert!(
        wrong.is_empty(),
        "{} of {inputs} are judged otherwise:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
    assert!(inputs >= 60, "{inputs} inputs");
}

/// spec: What a plan may reach.
#[test]
fn a_schema_that_is_none_marks_nothing() {
    let mut place = Place::new();
    for schema in [
        json!(null),
        json!([]),
        json!("x"),
        json!({"properties": 5}),
        json!({"$ref": "#"}),
        json!({"items": [{"$ref": "#"}]}),
    ] {
        place.gate.declare_tool("odd", &schema);
        assert_eq!(
            verdict(place.tool("odd", r#"{"where": ["tests/a"]}"#)),
            "passes",
            "{schema}"
        );
        assert_eq!(
            verdict(place.tool("odd", r#"{"to": "tests/a"}"#)),
            "tests/a (key `to`)",
            "{schema}"
        );
    }
}
