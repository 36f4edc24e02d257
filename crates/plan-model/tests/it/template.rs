//! References inside an input, against a reference implementation on `serde_json`'s tree (rulings 5 to 8).

use plan_model::{Field, compact};
use proptest::prelude::*;
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

use crate::page::{faults, plan, resolved, steps};

/// JSON with the order of its keys.
#[derive(Debug, Clone)]
enum Json {
    Other(serde_json::Value),
    Text(String),
    List(Vec<Self>),
    Object(Vec<(String, Self)>),
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Tree;
        impl<'de> Visitor<'de> for Tree {
            type Value = Json;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("JSON")
            }
            fn visit_str<E>(self, text: &str) -> Result<Json, E> {
                Ok(Json::Text(text.to_owned()))
            }
            fn visit_unit<E>(self) -> Result<Json, E> {
                Ok(Json::Other(serde_json::Value::Null))
            }
            fn visit_bool<E>(self, value: bool) -> Result<Json, E> {
                Ok(Json::Other(value.into()))
            }
            fn visit_u64<E>(self, value: u64) -> Result<Json, E> {
                Ok(Json::Other(value.into()))
            }
            fn visit_i64<E>(self, value: i64) -> Result<Json, E> {
                Ok(Json::Other(value.into()))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
                let mut list = Vec::new();
                while let Some(value) = seq.next_element()? {
                    list.push(value);
                }
                Ok(Json::List(list))
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
                let mut object = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    object.push(entry);
                }
                Ok(Json::Object(object))
            }
        }
        from.deserialize_any(Tree)
    }
}

impl Json {
    /// Writes it with every string replaced by what it stands for.
    fn write(&self, out: &mut String) {
        let quoted = |text: &str| serde_json::to_string(text).expect("a string is JSON");
        let joined = |parts: Vec<String>| parts.join(",");
        let shown = |json: &Self| {
            let mut out = String::new();
            json.write(&mut out);
            out
        };
        match self {
            Self::Other(value) => *out += &value.to_string(),
            Self::Text(text) => *out += &quoted(&stands_for(text)),
            Self::List(list) => *out += &format!("[{}]", joined(list.iter().map(shown).collect())),
            Self::Object(object) => {
                let parts = object
                    .iter()
                    .map(|(key, value)| format!("{}:{}", quoted(key), shown(value)));
                *out += &format!("{{{}}}", joined(parts.collect()));
            }
        }
    }
}

/// The steps that the generated inputs may read.
const IDS: [&str; 3] = ["a", "b.c", "$d"];

/// Says what a string stands for, by spelling out every reference there is.
fn stands_for(text: &str) -> String {
    for id in IDS {
        for field in ["output", "status"] {
            if text == format!("${id}.{field}") && !text.starts_with("$$") {
                return format!("<{id}.{field}>");
            }
        }
    }
    let Some(rest) = text.strip_prefix('$').filter(|rest| rest.starts_with('$')) else {
        return text.to_owned();
    };
    let name = &rest[1..];
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    let variable =
        name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') && name.chars().all(word);
    let field = |field: &str| {
        field.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && field.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    let reference = name
        .rsplit_once('.')
        .is_some_and(|(id, name)| !id.is_empty() && field(name));
    if variable || reference || IDS.contains(&name) {
        rest.to_owned()
    } else {
        text.to_owned()
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        prop::sample::select(vec![
            "$a.output",
            "$b.c.status",
            "$$a.output",
            "$$b.c",
            "$$$d",
            "$$$d.output",
            "$$HOME",
            "$$5",
            "$$5.00",
            "$$",
            "$",
            "$5.00",
            "x $a.output",
            "$a.output ",
            "",
            "\"\\\n",
            "é😀",
            "$$x.y",
            "$$ a.b",
        ])
        .prop_map(str::to_owned),
        "[ -#%-~é]{0,6}",
    ]
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        text().prop_map(serde_json::Value::from),
        any::<i64>().prop_map(serde_json::Value::from),
        any::<bool>().prop_map(serde_json::Value::from),
        Just(serde_json::Value::Null),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(serde_json::Value::from),
            prop::collection::btree_map(text(), inner, 0..4)
                .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
        ]
    })
}

/// Writes JSON in one of several spellings: spaced out, or with characters as escapes.
fn spelled(json: &serde_json::Value, spelling: u8) -> String {
    match spelling {
        0 => json.to_string(),
        1 => serde_json::to_string_pretty(json).expect("a tree is JSON"),
        _ => json
            .to_string()
            .replace('$', "\\u0024")
            .replace('a', "\\u0061")
            .replace("f\\u0061lse", "false"),
    }
}

fn with_input(kind: &str, input: &str) -> String {
    steps(&format!(
        r#"{{"id": "a", "shell": "true"}}, {{"id": "b.c", "shell": "true"}}, {{"id": "$d", "shell": "true"}},
        {{"id": "here", {kind}, "depends_on": ["a", "b.c", "$d"], "input": {input}}}"#
    ))
}

/// Resolves the input of a tool step that may read `a`, `b.c` and `$d`.
fn resolve(kind: &str, input: &str) -> String {
    let plan = plan(&with_input(kind, input));
    resolved(&plan, plan.indices().last().expect("there are steps"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    /// rulings 5 to 8: every spelling of an input resolves to what the slow way gives.
    #[test]
    fn an_input_resolves_as_the_slow_way_does(json in json(), spelling in 0_u8..3) {
        let input = spelled(&json, spelling);
        let resolved = resolve(r#""tool": "notes""#, &input);
        let mut slow = String::new();
        serde_json::from_str::<Json>(&input).unwrap().write(&mut slow);
        // The fast way keeps the spelling of what it does not replace; compare what is spelt.
        let mut again = String::new();
        serde_json::from_str::<Same>(&resolved).unwrap().0.write_plain(&mut again);
        let mut expected = String::new();
        serde_json::from_str::<Same>(&slow).unwrap().0.write_plain(&mut expected);
        prop_assert_eq!(again, expected);
        if spelling < 2 {
            prop_assert_eq!(resolved, slow);
        }
    }

    /// decision: input is handed over as written without insignificant white space.
    #[test]
    fn compact_only_takes_white_space_away(json in json()) {
        let pretty = serde_json::to_string_pretty(&json).unwrap();
        prop_assert_eq!(compact(&pretty), json.to_string());
        prop_assert_eq!(compact(&json.to_string()), json.to_string());
    }
}

/// JSON that is compared as it is, strings untouched.
struct Same(Json);

impl<'de> Deserialize<'de> for Same {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        Json::deserialize(from).map(Same)
    }
}

impl Json {
    fn write_plain(&self, out: &mut String) {
        *out += &format!("{self:?}");
    }
}

/// ruling 1: numbers and the order of keys are handed over as written.
#[test]
fn numbers_and_keys_stay_as_written() {
    let input = "{ \"z\" : 1.10 , \"a\" : [ 1e999 , -0 , 123456789012345678901234567890 , \"\\u0061\\/ \" ] }";
    let compacted = r#"{"z":1.10,"a":[1e999,-0,123456789012345678901234567890,"\u0061\/ "]}"#;
    assert_eq!(resolve(r#""tool": "notes""#, input), compacted);
}

/// ruling 7: an escape is handed over without its first `$`, however that was spelt.
#[test]
fn an_escape_loses_its_first_dollar() {
    let resolve = |input| resolve(r#""tool": "notes""#, input);
    assert_eq!(
        resolve(r#"["$$a.output", "\u0024$a.output", "$\u0024a.output"]"#),
        r#"["$a.output","$a.output","\u0024a.output"]"#
    );
    assert_eq!(resolve(r#""$$$a.output""#), r#""$$a.output""#);
    assert_eq!(
        resolve(r#"["$$5", "$$", "$$ghost", "$$a"]"#),
        r#"["$$5","$$","$ghost","$a"]"#
    );
}

/// ruling 5; ruling 7: `$$` escapes only what would be a reference without it. `$.output` is none, since it names no
/// step, so `$$.output` is read as a reference to a step of the id `$`.
#[test]
fn a_double_dollar_that_escapes_nothing_may_be_a_reference() {
    let faults = faults(&with_input(r#""tool": "notes""#, r#"["$$.output"]"#));
    assert!(
        faults.contains("`$`") && faults.contains("unknown-step"),
        "{faults}"
    );
}

/// ruling 5: object keys are never references, and the whole of a string must be one.
#[test]
fn keys_and_longer_texts_are_no_references() {
    assert_eq!(
        resolve(r#""tool": "notes""#, r#"{"$a.output": "see $a.output"}"#),
        r#"{"$a.output":"see $a.output"}"#
    );
}

/// spec: Step; rulings 5 to 8 hold for a capsule's task, which is text.
#[test]
fn a_task_is_text() {
    let resolve = |input| resolve(r#""capsule": "worker""#, input);
    assert_eq!(resolve(r#""$a.output""#), "<a.output>");
    assert_eq!(
        resolve(r#"{ "objective" : "$b.c.status" }"#),
        "<b.c.status>"
    );
    assert_eq!(resolve(r#"{"objective": "\u0024$a.output"}"#), "$a.output");
    assert_eq!(resolve(r#""a \"b\"\n\ud83d\ude00""#), "a \"b\"\n😀");
}

/// spec: References; an error of the lookup is the caller's, and ends the writing.
#[test]
fn the_first_reference_that_cannot_be_read_is_told() {
    let plan = plan(&with_input(
        r#""tool": "notes""#,
        r#"["$a.output", "$b.c.status", "$a.status"]"#,
    ));
    let last = plan.step(plan.indices().last().unwrap());
    let mut read = Vec::new();
    let result = last.resolve_input(&mut |reference| {
        read.push((plan.step(reference.step).id(), reference.field));
        if reference.field == Field::Status {
            Err("not settled")
        } else {
            Ok("x")
        }
    });
    assert_eq!(result, Err("not settled"));
    assert_eq!(read, [("a", Field::Output), ("b.c", Field::Status)]);
}

/// ruling 6: refused inputs do not become plans.
#[test]
fn a_bare_reference_is_refused_in_a_task_too() {
    assert!(
        faults(&with_input(
            r#""capsule": "worker""#,
            r#"{"objective": "$a"}"#
        ))
        .contains("no-field")
    );
}
