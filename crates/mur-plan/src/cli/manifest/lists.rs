//! Lists of texts, each item with its own faults.

use super::fields::{Fields, Section};
use super::node::{Node, brief};

impl<'t> Fields<'t> {
    /// Reads an item of a list as a text that is not blank and has no NUL; `hint` says what to write for a blank one.
    pub(super) fn item_text(&mut self, node: &Node, path: &str, hint: &str) -> Option<String> {
        let text = self.text(node, path)?;
        self.filled(node, path, text, hint)
    }

    /// Reads `key` as a list of names.
    pub(super) fn texts(&mut self, of: &Section<'t>, key: &str) -> Vec<String> {
        let list = of.path(key);
        let items = self.list(of, key).iter().enumerate();
        items
            .filter_map(|(at, item)| self.item_text(item, &format!("{list}[{at}]"), BLANK_HINT))
            .collect()
    }

    /// Reads `key` as a list of names in which a `*` at either end stands for anything (ruling 32).
    pub(super) fn patterns(&mut self, of: &Section<'t>, key: &str) -> Vec<String> {
        let path = of.path(key);
        let patterns = self.texts(of, key);
        for pattern in &patterns {
            let inside = pattern.strip_prefix('*').unwrap_or(pattern);
            if inside.strip_suffix('*').unwrap_or(inside).contains('*') {
                let message =
                    format!("`{path}` has the pattern `{pattern}`, with a `*` in its middle");
                let hint =
                    "a `*` stands only at the start or the end; write `A*` and `*B` as two entries";
                let node = of.get(key).expect("a list with a pattern in it is there");
                self.fault(node, &path, message, hint);
            }
        }
        patterns
    }

    /// Reads `key` as a list of names that mean themselves: a `*` in one would stand for nothing.
    pub(super) fn exact_names(&mut self, of: &Section<'t>, key: &str) -> Vec<String> {
        let list = of.path(key);
        let mut names = Vec::new();
        for (at, item) in self.list(of, key).iter().enumerate() {
            let path = format!("{list}[{at}]");
            let Some(name) = self.item_text(item, &path, BLANK_HINT) else {
                continue;
            };
            if name.contains('*') {
                let message = format!("`{path}` is the pattern `{}`", brief(&name));
                let hint = format!("`{key}` names variables exactly; write each name out");
                self.fault(item, &path, message, hint);
            }
            names.push(name);
        }
        names
    }
}

const BLANK_HINT: &str = "write a name, or leave the item out";
