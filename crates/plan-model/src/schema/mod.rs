//! The format as JSON Schema (2020-12), for editors and for models that write plans. The rules a schema cannot
//! tell are `check`'s.
//!
//! Two forms: [`plan`] is exact and says that a step is one of three; [`submit_input`] is what `submit-plan` takes,
//! without `oneOf` and `$ref`, which several interfaces of models refuse in the input of a tool.

mod shape;

use schemars::{
    Schema,
    generate::{SchemaGenerator, SchemaSettings},
    transform::{Transform, transform_subschemas},
};
use serde_json::{Value, json};

/// Returns the schema of a plan.
pub fn plan() -> Value {
    let mut schema = generator().into_root_schema_for::<shape::Plan>();
    if let Some(step) = schema.pointer_mut("/properties/steps/items") {
        step["oneOf"] = json!([
            {"required": ["tool"], "title": "a tool step"},
            {"required": ["shell"], "title": "a shell step"},
            {
                "required": ["capsule", "input"],
                "title": "a capsule step",
                "properties": {"input": {"anyOf": [
                    {"type": "string"},
                    {
                        "type": "object",
                        "properties": {"objective": {"type": "string"}},
                        "required": ["objective"],
                        "additionalProperties": false,
                    },
                ]}},
            },
        ]);
    }
    schema.to_value()
}

/// Returns the schema of what `submit-plan` takes.
pub fn submit_input() -> Value {
    let schema = generator().into_root_schema_for::<shape::SubmitInput>();
    schema.to_value()
}

/// Makes a generator of schemas that refer to nothing and say what the format says.
fn generator() -> SchemaGenerator {
    let mut settings = SchemaSettings::draft2020_12();
    settings.inline_subschemas = true;
    settings.with_transform(AsTheFormat).into_generator()
}

/// Takes out that an optional key may be `null`, which the format refuses, and line ends within sentences.
#[derive(Clone)]
struct AsTheFormat;

impl Transform for AsTheFormat {
    fn transform(&mut self, schema: &mut Schema) {
        transform_subschemas(self, schema);
        let Some(object) = schema.as_object_mut() else {
            return;
        };
        if let Some(Value::Array(types)) = object.get_mut("type") {
            types.retain(|name| name != "null");
            if let [only] = types.as_slice() {
                let only = only.clone();
                object.insert("type".to_owned(), only);
            }
        }
        if let Some(Value::Array(choices)) = object.get_mut("anyOf") {
            choices.retain(|choice| choice["type"] != "null");
            if let [Value::Object(only)] = choices.as_slice() {
                let only = only.clone();
                object.remove("anyOf");
                for (key, value) in only {
                    object.entry(key).or_insert(value);
                }
            }
        }
        if let Some(Value::Array(words)) = object.get_mut("enum") {
            words.retain(|word| !word.is_null());
        }
        if let Some(Value::String(description)) = object.get_mut("description") {
            *description = description.replace('\n', " ");
        }
        // The range says it, and a validator need not know Rust's numbers.
        object.remove("format");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use crate::doc::{PLAN_KEYS, STEP_KEYS};

    fn keys(schema: &Value) -> Vec<&str> {
        let properties = schema["properties"].as_object().expect("an object");
        let mut keys: Vec<_> = properties.keys().map(String::as_str).collect();
        keys.sort_unstable();
        keys
    }

    fn sorted<const N: usize>(mut keys: [&str; N]) -> [&str; N] {
        keys.sort_unstable();
        keys
    }

    /// spec: Step: the schema has the keys that the reader knows, each with a description
    #[test]
    fn the_schema_has_the_keys_of_the_format() {
        let plan = super::plan();
        let step = &plan["properties"]["steps"]["items"];
        assert_eq!(keys(&plan), sorted(PLAN_KEYS));
        assert_eq!(keys(step), sorted(STEP_KEYS));
        for object in [&plan, step] {
            for (key, schema) in object["properties"].as_object().expect("an object") {
                let description = schema["description"].as_str().unwrap_or_default();
                assert!(description.len() > 20, "{key}: {description}");
            }
        }
    }
}
