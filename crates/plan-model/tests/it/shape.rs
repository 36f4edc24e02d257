//! The shape of a plan, against a plain serde reading of it (ruling 1).

use plan_model::PlanDoc;
use proptest::prelude::*;
use serde::Deserialize;
use serde_json::Value;

/// What serde makes of a plan. Unknown keys are let pass and keys given twice are not, as here.
#[derive(Deserialize)]
#[expect(dead_code, reason = "only whether it reads is of interest")]
struct TypedPlan {
    id: String,
    steps: Vec<TypedStep>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "only whether it reads is of interest")]
struct TypedStep {
    id: String,
    #[serde(default)]
    tool: String,
    #[serde(default)]
    shell: String,
    #[serde(default)]
    capsule: String,
    #[serde(default)]
    input: Value,
    #[serde(default)]
    depends_on: Vec<String>,
    #[serde(default, rename = "if")]
    condition: String,
    #[serde(default)]
    on_error: String,
    #[serde(default)]
    retries: u32,
}

/// Makes a value that is mostly of the right type.
fn value() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => prop::sample::select(vec![
            "\"a\"", "\"\\ud83d\\ude00\"", "\"\"", "[]", "[\"a\"]", "0", "3", "{}", "{\"a\": [1, null]}",
        ]),
        1 => prop::sample::select(vec![
            "null", "true", "-1", "-0", "1.0", "1e2", "4294967295", "4294967296", "[1]", "[[]]", "\"\\ud800\"", "[\"a\", 1]", "{\"a\": \"\\udc00\"}",
        ]),
    ]
    .prop_map(str::to_owned)
}

/// Makes a value that fits a key, or not.
fn member() -> impl Strategy<Value = String> {
    let fitting = prop::sample::select(vec![
        "\"id\": \"x\"",
        "\"tool\": \"x\"",
        "\"shell\": \"true\"",
        "\"capsule\": \"x\"",
        "\"input\": 7",
        "\"depends_on\": [\"x\"]",
        "\"if\": \"\"",
        "\"on_error\": \"skip\"",
        "\"retries\": 2",
        "\"other\": 1",
    ]);
    let key = prop::sample::select(vec![
        "id",
        "tool",
        "shell",
        "capsule",
        "input",
        "depends_on",
        "if",
        "on_error",
        "retries",
        "other",
        "i\\u0064",
    ]);
    prop_oneof![
        5 => fitting.prop_map(str::to_owned),
        1 => (key, value()).prop_map(|(key, value)| format!("\"{key}\": {value}")),
    ]
}

fn step() -> impl Strategy<Value = String> {
    let object = prop::collection::vec(member(), 0..5)
        .prop_map(|members| format!("{{{}}}", members.join(", ")));
    let named = prop::collection::vec(member(), 0..3).prop_map(|members| {
        let members = members
            .iter()
            .filter(|member| !member.starts_with("\"id\""))
            .cloned();
        let members: Vec<String> = std::iter::once("\"id\": \"x\"".to_owned())
            .chain(members)
            .collect();
        format!("{{{}}}", members.join(", "))
    });
    prop_oneof![8 => named, 2 => object, 1 => value()]
}

fn plan() -> impl Strategy<Value = String> {
    let steps =
        || prop::collection::vec(step(), 0..3).prop_map(|steps| format!("[{}]", steps.join(", ")));
    let members = prop_oneof![
        8 => steps().prop_map(|steps| format!("\"id\": \"p\", \"steps\": {steps}")),
        1 => (steps(), value()).prop_map(|(steps, value)| format!("\"steps\": {steps}, \"id\": {value}")),
        1 => (value(), value()).prop_map(|(steps, other)| format!("\"steps\": {steps}, \"id\": \"p\", \"x\": {other}")),
        1 => Just("\"id\": \"p\"".to_owned()),
    ];
    prop_oneof![12 => members.prop_map(|members| format!("{{{members}}}")), 1 => value()]
}

/// Returns whether serde reads it, and every string in it is text.
fn typed(text: &str) -> bool {
    // serde only skips the values of unknown keys; reading the whole as a tree looks at their strings as well.
    let whole = serde_json::from_str::<Value>(text).is_ok();
    let object = text.starts_with('{');
    // serde reads a struct out of a list as well, field by field.
    let steps = |value: &Value| {
        value["steps"]
            .as_array()
            .is_none_or(|steps| steps.iter().all(Value::is_object))
    };
    whole
        && object
        && serde_json::from_str::<TypedPlan>(text).is_ok()
        && serde_json::from_str(text).is_ok_and(|whole| steps(&whole))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// ruling 1: a text has a plan's shape exactly where a plain typed reading accepts it.
    #[test]
    fn a_text_has_the_shape_that_serde_accepts(text in plan()) {
        // serde lets an unknown key be given twice, this project does not.
        let unknown_twice = text.matches("\"other\"").count() > 1 || text.contains("i\\u0064");
        let shape = PlanDoc::read(text.clone().into_bytes()).has_shape();
        if !unknown_twice {
            prop_assert_eq!(shape, typed(&text), "{}", text);
        }
    }

    /// ruling 1: keys are the same however they are spelt.
    #[test]
    fn a_key_given_twice_is_found_however_many_there_are(count in 2_usize..40, twice in 0_usize..40, escaped in any::<bool>()) {
        let key = |n: usize| if escaped { format!("\"\\u006b{n}\"") } else { format!("\"k{n}\"") };
        let mut members: Vec<String> = (0..count).map(|n| format!("\"k{n}\": 0")).collect();
        let has_it = twice < count;
        members.push(format!("{}: 1", key(twice)));
        for place in ["{\"id\": \"p\", \"steps\": [], \"x\": [{", "{\"id\": \"p\", \"steps\": [{\"id\": \"a\", \"tool\": \"x\", \"input\": {"] {
            let close = if place.contains("[]") { "}]}" } else { "}}]}" };
            let text = format!("{place}{}{close}", members.join(", "));
            let doc = PlanDoc::read(text.into_bytes());
            prop_assert_eq!(doc.has_shape(), !has_it);
        }
    }
}
