//! `tools`: this command's own, programs that a step calls by name.

use std::collections::BTreeSet;

use super::command::{Program, command};
use super::fields::{Fields, Section};
use super::names::own_name;
use super::schema;
use crate::PlanTool;

/// A tool that is a program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// The name a step calls it by.
    pub name: String,
    /// What is started.
    pub command: Program,
    /// `input_schema`: the JSON Schema of its input. Only what it says about write targets is used.
    pub input_schema: Option<serde_json::Value>,
}

/// Reads every tool, in file order.
pub(super) fn tools<'t>(fields: &mut Fields<'t>, root: &Section<'t>) -> Vec<Tool> {
    let mut names = BTreeSet::new();
    let mut tools = Vec::new();
    for (at, item) in fields.list(root, "tools").iter().enumerate() {
        let path = format!("tools[{at}]");
        let Some(section) = fields.item_section(item, path, HINT) else {
            continue;
        };
        let name = fields.required_text(&section, "name", "my-tool");
        if name == PlanTool::NAME {
            let path = section.path("name");
            let message = format!("`{path}` is `submit-plan`, the runtime's own tool");
            let named = section.get("name").unwrap_or(item);
            fields.fault(named, &path, message, "give the tool another name");
        } else {
            own_name(fields, &mut names, &section, "tool", &name, item);
        }
        let input_schema = schema::input_schema(fields, &section);
        if let Some(command) = command(fields, &section, item) {
            tools.push(Tool {
                name,
                command,
                input_schema,
            });
        }
    }
    tools
}

const HINT: &str = "write `- name: my-tool` and under it `command: [program, argument]`";
