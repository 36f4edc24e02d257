//! Reads typed values out of a manifest's tree, and keeps a fault for each that has another type.

use plan_model::nearest;

use super::fault::Fault;
use super::node::{Node, Tree, Value, brief};

/// Reads a tree and collects what is wrong with it.
#[derive(Debug)]
pub(super) struct Fields<'t> {
    pub(super) tree: &'t Tree<'t>,
    pub(super) faults: Vec<Fault>,
}

/// A mapping, with the path of keys that leads to it.
#[derive(Debug, Clone)]
pub(super) struct Section<'t> {
    node: Option<&'t Node>,
    path: String,
}

impl<'t> Section<'t> {
    /// Returns the path of `key` in this mapping.
    pub(super) fn path(&self, key: &str) -> String {
        match self.path.as_str() {
            "" => key.to_owned(),
            path => format!("{path}.{key}"),
        }
    }

    /// Returns the mapping itself, where there is one.
    pub(super) fn node(&self) -> Option<&'t Node> {
        self.node
    }

    /// Returns the value of `key` where it has one.
    pub(super) fn get(&self, key: &str) -> Option<&'t Node> {
        self.node?.value.get(key)
    }
}

impl<'t> Fields<'t> {
    /// Keeps a fault at `node`.
    pub(super) fn fault(
        &mut self,
        node: &Node,
        path: &str,
        message: String,
        hint: impl Into<String>,
    ) {
        let fault = self.tree.fault(node, path, message, Some(hint.into()));
        self.faults.push(fault);
    }

    /// Keeps the fault of a value of another type.
    fn wrong_type(&mut self, node: &Node, path: &str, wanted: &str, hint: impl Into<String>) {
        let found = self.tree.describe(node);
        self.fault(
            node,
            path,
            format!("`{path}` must be {wanted}, not {found}"),
            hint,
        );
    }

    /// Reads the whole manifest as a mapping.
    pub(super) fn root(&mut self) -> Section<'t> {
        let node = &self.tree.root;
        let path = String::new();
        if let Value::Map(_) = node.value {
            return Section {
                node: Some(node),
                path,
            };
        }
        let found = self.tree.describe(node);
        let hint = "write `name`, `version` and `capabilities` as keys";
        self.fault(
            node,
            "",
            format!("the manifest must be a mapping, not {found}"),
            hint,
        );
        Section { node: None, path }
    }

    /// Reads `key` as a mapping; one that is absent or empty grants nothing.
    pub(super) fn section(&mut self, of: &Section<'t>, key: &str) -> Section<'t> {
        let path = of.path(key);
        let node = of.get(key).filter(|node| match &node.value {
            Value::Map(_) => true,
            Value::Null => false,
            Value::Bool(_) | Value::Whole(_) | Value::Number | Value::Text(_) | Value::List(_) => {
                self.wrong_type(
                    node,
                    &path,
                    "a mapping",
                    format!("write its keys under `{key}:`"),
                );
                false
            }
        });
        Section { node, path }
    }

    /// Reads one item of a list as a mapping.
    pub(super) fn item_section(
        &mut self,
        node: &'t Node,
        path: String,
        hint: &str,
    ) -> Option<Section<'t>> {
        if let Value::Map(_) = node.value {
            return Some(Section {
                node: Some(node),
                path,
            });
        }
        self.wrong_type(node, &path, "a mapping", hint);
        None
    }

    /// Reads `key` as a list; one that is absent or empty has no items.
    pub(super) fn list(&mut self, of: &Section<'t>, key: &str) -> &'t [Node] {
        let Some(node) = of.get(key) else { return &[] };
        match &node.value {
            Value::List(items) => items,
            Value::Null => &[],
            Value::Bool(_) | Value::Whole(_) | Value::Number | Value::Text(_) | Value::Map(_) => {
                let hint = format!("write `{key}: [first, second]`");
                self.wrong_type(node, &of.path(key), "a list", hint);
                &[]
            }
        }
    }

    /// Reads `key` as one of the words `allowed`, and returns which; it must be there.
    pub(super) fn choice(
        &mut self,
        of: &Section<'t>,
        key: &str,
        allowed: &[&str],
    ) -> Option<usize> {
        let path = of.path(key);
        let holder = of.node?;
        let written: Vec<_> = allowed
            .iter()
            .map(|word| format!("`{key}: {word}`"))
            .collect();
        let hint = format!("write {}", written.join(" or "));
        let Some(node) = of.get(key) else {
            self.fault(holder, &path, format!("`{path}` is missing"), hint);
            return None;
        };
        let Value::Text(word) = &node.value else {
            self.wrong_type(node, &path, "a string", hint);
            return None;
        };
        let found = allowed.iter().position(|allowed| allowed == word);
        if found.is_none() {
            let quoted: Vec<_> = allowed.iter().map(|word| format!("`{word}`")).collect();
            let message = format!(
                "`{path}` must be {}, not `{}`",
                quoted.join(" or "),
                brief(word)
            );
            let hint = match nearest(word, allowed.iter().copied()) {
                Some(near) => format!("did you mean `{key}: {near}`?"),
                None => hint,
            };
            self.fault(node, &path, message, hint);
        }
        found
    }

    /// Reads `key` as a text that is not blank and has no NUL, and must be there.
    pub(super) fn required_text(&mut self, of: &Section<'t>, key: &str, example: &str) -> String {
        let path = of.path(key);
        let Some(holder) = of.node else {
            return String::new();
        };
        let Some(node) = of.get(key) else {
            let message = format!("`{path}` is missing");
            self.fault(holder, &path, message, format!("write `{key}: {example}`"));
            return String::new();
        };
        match &node.value {
            Value::Text(text) => {
                let hint = format!("write `{key}: {example}`");
                self.filled(node, &path, text.clone(), hint)
                    .unwrap_or_default()
            }
            Value::Bool(_) | Value::Whole(_) | Value::Number => {
                let hint = format!(
                    "write it in quotes: `{key}: \"{}\"`",
                    brief(self.tree.spelling(node))
                );
                self.wrong_type(node, &path, "a string", hint);
                String::new()
            }
            Value::Null | Value::List(_) | Value::Map(_) => {
                self.wrong_type(node, &path, "a string", format!("write `{key}: {example}`"));
                String::new()
            }
        }
    }

    /// Reads `node` as a text without a NUL; it may be empty.
    ///
    /// `true` and `false` without quotes are the names of the programs, as they are to Murmur.
    pub(super) fn text(&mut self, node: &Node, path: &str) -> Option<String> {
        let text = match &node.value {
            Value::Text(text) => text.clone(),
            Value::Bool(_) => self.tree.spelling(node).to_owned(),
            Value::Whole(_) | Value::Number => {
                let hint = format!(
                    "write it in quotes: `\"{}\"`",
                    brief(self.tree.spelling(node))
                );
                self.wrong_type(node, path, "a string", hint);
                return None;
            }
            Value::Null | Value::List(_) | Value::Map(_) => {
                self.wrong_type(
                    node,
                    path,
                    "a string",
                    "write a string, or leave the item out",
                );
                return None;
            }
        };
        self.without_nul(node, path, text)
    }

    /// Returns `text`, the value of `node`, when it is not blank and has no NUL.
    pub(super) fn filled(
        &mut self,
        node: &Node,
        path: &str,
        text: String,
        hint: impl Into<String>,
    ) -> Option<String> {
        if text.trim().is_empty() {
            self.fault(node, path, format!("`{path}` is blank"), hint);
            return None;
        }
        self.without_nul(node, path, text)
    }

    fn without_nul(&mut self, node: &Node, path: &str, text: String) -> Option<String> {
        if text.contains('\0') {
            let message = format!("`{path}` has a NUL character in it");
            self.fault(node, path, message, "leave the `\\0` out");
            return None;
        }
        Some(text)
    }

    /// Reads `key` as `true` or `false`; `false` where it is absent.
    pub(super) fn flag(&mut self, of: &Section<'t>, key: &str) -> bool {
        let Some(node) = of.get(key) else {
            return false;
        };
        let Value::Bool(flag) = node.value else {
            let hint = format!("write `{key}: true` or `{key}: false`, without quotes");
            self.wrong_type(node, &of.path(key), "`true` or `false`", hint);
            return false;
        };
        flag
    }

    /// Reads `key` as a whole number from 1.
    pub(super) fn positive(&mut self, of: &Section<'t>, key: &str) -> Option<u64> {
        let node = of.get(key)?;
        if let Value::Whole(number @ 1..) = node.value {
            return Some(number);
        }
        let hint = "write a number without quotes, or leave the key out for the default";
        self.wrong_type(node, &of.path(key), "a whole number from 1", hint);
        None
    }
}
