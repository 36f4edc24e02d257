//! `hooks`: the operator's own programs that may refuse a step.

use std::collections::BTreeSet;

use plan_exec::HookEvent;

use super::command::{Program, command};
use super::fields::{Fields, Section};
use super::names::own_name;

/// A hook that may refuse: its `commit_policy` is `deny`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hook {
    /// The name that refusals give.
    pub name: String,
    /// `on`: the calls it is asked about.
    pub on: HookEvent,
    /// What is started to ask it.
    pub command: Program,
}

/// Reads every hook, in the order in which they are asked.
pub(super) fn hooks<'t>(fields: &mut Fields<'t>, root: &Section<'t>) -> Vec<Hook> {
    let mut names = BTreeSet::new();
    let mut hooks = Vec::new();
    for (at, item) in fields.list(root, "hooks").iter().enumerate() {
        let Some(section) = fields.item_section(item, format!("hooks[{at}]"), HINT) else {
            continue;
        };
        let name = fields.required_text(&section, "name", "my-hook");
        own_name(fields, &mut names, &section, "hook", &name, item);
        let events = HookEvent::ALL.map(HookEvent::name);
        let on = fields.choice(&section, "on", &events);
        // A hook that may not refuse has nothing to do here, and one that was meant to must not be passed over.
        fields.choice(&section, "commit_policy", &["deny"]);
        let command = command(fields, &section, item);
        if let (Some(on), Some(command)) = (on, command) {
            let on = HookEvent::ALL[on];
            hooks.push(Hook { name, on, command });
        }
    }
    hooks
}

const HINT: &str =
    "write `- name: my-hook` and under it `on:`, `commit_policy: deny` and `command:`";
