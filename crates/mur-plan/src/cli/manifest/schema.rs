//! `input_schema` of a tool: YAML as the JSON it stands for. What it says is for the gate to read.

use serde_json::{Map, Number, Value as Json};

use super::fields::{Fields, Section};
use super::node::{Node, Tree, Value};

/// Reads a tool's `input_schema`, any mapping; `None` where it is absent or empty.
pub(super) fn input_schema<'t>(fields: &mut Fields<'t>, tool: &Section<'t>) -> Option<Json> {
    let schema = fields.section(tool, "input_schema");
    let node = schema.node()?;
    Some(json(fields.tree, node))
}

/// Returns the JSON that `node` stands for. Recurses as deep as the manifest, whose depth was bounded when it
/// was read.
fn json(tree: &Tree<'_>, node: &Node) -> Json {
    match &node.value {
        Value::Null => Json::Null,
        Value::Bool(flag) => Json::Bool(*flag),
        Value::Whole(number) => Json::Number(Number::from(*number)),
        Value::Number => {
            let spelling = tree.spelling(node);
            // `.inf` and the like are no JSON; no schema needs them.
            serde_json::from_str(spelling)
                .map_or_else(|_| Json::String(spelling.to_owned()), Json::Number)
        }
        Value::Text(text) => Json::String(text.clone()),
        Value::List(items) => items.iter().map(|item| json(tree, item)).collect(),
        Value::Map(entries) => {
            let entry = |(key, value): &(Node, Node)| {
                let name = match &key.value {
                    Value::Text(name) => name.clone(),
                    Value::Null
                    | Value::Bool(_)
                    | Value::Whole(_)
                    | Value::Number
                    | Value::List(_)
                    | Value::Map(_) => tree.spelling(key).to_owned(),
                };
                (name, json(tree, value))
            };
            Json::Object(entries.iter().map(entry).collect::<Map<_, _>>())
        }
    }
}
