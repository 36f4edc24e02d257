//! The JSON Schema: it agrees with what is accepted and refused, as far as a schema can tell.

use plan_model::{CODES, PlanDoc, schema};
use serde_json::{Value, json};

use crate::page::grants;

/// Plans that a check accepts, warnings or not.
const ACCEPTED: [&str; 8] = [
    r#"{"id": "", "steps": []}"#,
    r#"{"id": "p", "steps": [{"id": "a", "tool": "notes"}]}"#,
    r#"{"id": "p", "steps": [{"id": "a", "tool": "notes", "input": null}]}"#,
    r#"{"id": "p", "steps": [{"id": "a", "tool": "notes", "input": [1, {"x": "y"}]}]}"#,
    r#"{"id": "p", "steps": [{"id": "a", "shell": "true", "retries": 4294967295, "on_error": "skip"}]}"#,
    r#"{"id": "p", "steps": [{"id": "a", "capsule": "w", "input": "do it"}]}"#,
    r#"{"id": "p", "steps": [{"id": "a", "capsule": "w", "input": {"objective": "do it"}}]}"#,
    r#"{"id": "p", "note": 1, "steps": [{"id": "a", "shell": "true", "dependsOn": [], "if": ""}]}"#,
];

/// Plans with a fault of a kind that a schema can tell, the code first.
const REFUSED: [(&str, &str); 17] = [
    ("not-an-object", "[]"),
    ("missing-key", r#"{"id": "p"}"#),
    ("missing-key", r#"{"steps": []}"#),
    (
        "missing-key",
        r#"{"id": "p", "steps": [{"shell": "true"}]}"#,
    ),
    ("wrong-type", r#"{"id": 1, "steps": []}"#),
    ("wrong-type", r#"{"id": "p", "steps": {}}"#),
    (
        "wrong-type",
        r#"{"id": "p", "steps": [{"id": "a", "shell": "true", "if": null}]}"#,
    ),
    (
        "wrong-type",
        r#"{"id": "p", "steps": [{"id": "a", "shell": "true", "depends_on": "b"}]}"#,
    ),
    ("step-not-an-object", r#"{"id": "p", "steps": ["a"]}"#),
    (
        "bad-retries",
        r#"{"id": "p", "steps": [{"id": "a", "shell": "true", "retries": -1}]}"#,
    ),
    (
        "bad-retries",
        r#"{"id": "p", "steps": [{"id": "a", "shell": "true", "retries": 1.5}]}"#,
    ),
    (
        "bad-retries",
        r#"{"id": "p", "steps": [{"id": "a", "shell": "true", "retries": 4294967296}]}"#,
    ),
    ("no-kind", r#"{"id": "p", "steps": [{"id": "a"}]}"#),
    (
        "several-kinds",
        r#"{"id": "p", "steps": [{"id": "a", "shell": "true", "tool": "notes"}]}"#,
    ),
    (
        "bad-on-error",
        r#"{"id": "p", "steps": [{"id": "a", "shell": "true", "on_error": "retry"}]}"#,
    ),
    (
        "capsule-input",
        r#"{"id": "p", "steps": [{"id": "a", "capsule": "w"}]}"#,
    ),
    (
        "capsule-input",
        r#"{"id": "p", "steps": [{"id": "a", "capsule": "w", "input": {"objective": "x", "y": 1}}]}"#,
    ),
];

/// Codes of faults that no schema can tell: they are about names, places and the text itself.
const BEYOND: [&str; 18] = [
    "too-long",
    "invalid-utf8",
    "syntax",
    "duplicate-key",
    "too-deep",
    "lone-surrogate",
    "nul-in-shell",
    "duplicate-id",
    "unknown-tool",
    "nested-plan",
    "binary-not-allowed",
    "unsplittable-command",
    "unknown-dependency",
    "unknown-step",
    "unknown-field",
    "no-field",
    "bad-condition",
    "cycle",
];

fn codes(text: &str) -> Vec<&'static str> {
    let checked = PlanDoc::read(text.as_bytes().to_vec()).check(Some(&grants()));
    let refused = checked.plan.err();
    let faults = refused.into_iter().flat_map(|refused| refused.faults);
    faults.map(|fault| fault.code).collect()
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).expect("it is JSON")
}

/// spec: Step; the schema lets through what the check accepts, and no fault it can tell
#[test]
fn the_schema_says_what_the_check_says() {
    let schema = schema::plan();
    for text in ACCEPTED {
        assert_eq!(codes(text), [""; 0], "{text}");
        assert_eq!(faults(&schema, &value(text)), [""; 0], "{text}");
    }
    for (code, text) in REFUSED {
        assert_eq!(codes(text), [code], "{text}");
        assert_ne!(faults(&schema, &value(text)), [""; 0], "{text}");
    }
}

/// spec: What is refused before anything runs; every code is one the schema tells or one it cannot
#[test]
fn every_fault_is_told_by_the_schema_or_is_beyond_it() {
    for code in CODES {
        let is_fault = code.severity == plan_model::Severity::Error && code.name != "more-faults";
        let is_told = REFUSED.iter().any(|(told, _)| *told == code.name);
        let is_beyond = BEYOND.contains(&code.name);
        assert_eq!(is_fault, is_told != is_beyond, "{}", code.name);
    }
}

/// spec: Shape; the examples in a schema are plans it lets through, and plans that would run
#[test]
fn the_examples_are_valid() {
    for (schema, plan_at) in [(schema::plan(), ""), (schema::submit_input(), "/plan")] {
        let examples = schema["examples"].as_array().expect("there are examples");
        assert!(!examples.is_empty());
        for example in examples {
            assert_eq!(faults(&schema, example), [""; 0]);
            let plan = example.pointer(plan_at).expect("the plan is there");
            assert_eq!(codes(&plan.to_string()), [""; 0]);
            let doc = PlanDoc::read(plan.to_string().into_bytes());
            assert_eq!(
                doc.check(Some(&grants())).warnings,
                [],
                "and without a warning"
            );
        }
    }
}

/// decision: what a model is given has neither `oneOf` nor `$ref`, which interfaces of models refuse
#[test]
fn the_input_of_the_tool_is_plain() {
    let text = schema::submit_input().to_string();
    for word in ["oneOf", "anyOf", "allOf", "$ref", "$defs", "null"] {
        assert!(!text.contains(&format!("\"{word}\"")), "{word} in {text}");
    }
    let input = schema::submit_input();
    assert_eq!(input["required"], json!(["plan"]));
    assert_eq!(
        input["$schema"],
        "https://json-schema.org/draft/2020-12/schema"
    );
    // The same plan but for what only `oneOf` can say.
    let mut plan = schema::plan();
    let step = plan
        .pointer_mut("/properties/steps/items")
        .expect("a list has items");
    step.as_object_mut().expect("an object").remove("oneOf");
    assert_eq!(
        input["properties"]["plan"]["properties"],
        plan["properties"]
    );
}

/// decision: the words of the schema are read by people and models, so they are looked at whenever they change
#[test]
fn the_schema_of_a_plan_reads_well() {
    let schema = schema::plan();
    insta::assert_snapshot!(serde_json::to_string_pretty(&schema).expect("it is JSON"));
}

/// What is wrong with `value` by `schema`: the part of JSON Schema that ours uses, and nothing else of it.
fn faults(schema: &Value, value: &Value) -> Vec<String> {
    let mut found = Vec::new();
    check(schema, value, "", &mut found);
    found
}

fn check(schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    let Value::Object(rules) = schema else {
        assert_eq!(
            schema,
            &Value::Bool(true),
            "a schema is an object or `true`"
        );
        return;
    };
    for (rule, wanted) in rules {
        let holds = match rule.as_str() {
            "$schema" | "title" | "description" | "examples" => true,
            "type" => is_of(wanted.as_str().expect("one type"), value),
            "enum" => wanted.as_array().expect("a list").contains(value),
            "minimum" => value.as_f64().is_none_or(|it| Some(it) >= wanted.as_f64()),
            "maximum" => value.as_f64().is_none_or(|it| Some(it) <= wanted.as_f64()),
            "required" => wanted.as_array().expect("a list").iter().all(|key| {
                let key = key.as_str().expect("a key");
                value
                    .as_object()
                    .is_none_or(|object| object.contains_key(key))
            }),
            "properties" => {
                for (key, schema) in wanted.as_object().expect("schemas by key") {
                    if let Some(value) = value.get(key) {
                        check(schema, value, &format!("{at}/{key}"), found);
                    }
                }
                true
            }
            "additionalProperties" => {
                assert_eq!(wanted, &Value::Bool(false));
                let known = rules["properties"].as_object().expect("schemas by key");
                let object = value.as_object();
                object.is_none_or(|object| object.keys().all(|key| known.contains_key(key)))
            }
            "items" => {
                for (place, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(wanted, item, &format!("{at}/{place}"), found);
                }
                true
            }
            "oneOf" | "anyOf" => {
                let choices = wanted.as_array().expect("a list").iter();
                let fit = choices
                    .filter(|choice| faults(choice, value).is_empty())
                    .count();
                if rule == "oneOf" { fit == 1 } else { fit > 0 }
            }
            _ => panic!("the checker does not know `{rule}`"),
        };
        if !holds {
            found.push(format!("{at}: {rule} {wanted}"));
        }
    }
}

fn is_of(name: &str, value: &Value) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "integer" => value.is_u64() || value.is_i64(),
        _ => panic!("the checker does not know the type `{name}`"),
    }
}
