//! Lists of texts, each item with its own faults.

use super::fields::{Fields, Section};
use super::node::{Node, brief};

/// A text of a list.
#[derive(Debug)]
pub(super) struct Item<'t> {
    pub(super) text: String,
    /// Where it stands.
    pub(super) node: &'t Node,
    /// The path of keys that leads to it.
    pub(super) path: String,
}

impl<'t> Fields<'t> {
    /// Reads `key` as a list of texts that are not blank and have no NUL; `hint` says what to write for a blank one.
    pub(super) fn items(&mut self, of: &Section<'t>, key: &str, hint: &str) -> Vec<Item<'t>> {
        let list = of.path(key);
        let items = self.list(of, key).iter().enumerate();
        items
            .filter_map(|(at, node)| {
                let path = format!("{list}[{at}]");
                let text = self.text(node, &path)?;
                let text = self.filled(node, &path, text, hint)?;
                Some(Item { text, node, path })
            })
            .collect()
    }

    /// Reads `key` as a list of names.
    pub(super) fn texts(&mut self, of: &Section<'t>, key: &str) -> Vec<String> {
        let items = self.items(of, key, BLANK_HINT).into_iter();
        items.map(|item| item.text).collect()
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
        let items = self.items(of, key, BLANK_HINT);
        for Item { text, node, path } in &items {
            if text.contains('*') {
                let message = format!("`{path}` is the pattern `{}`", brief(text));
                let hint = format!("`{key}` names variables exactly; write each name out");
                self.fault(node, path, message, hint);
            }
        }
        items.into_iter().map(|item| item.text).collect()
    }
}

const BLANK_HINT: &str = "write a name, or leave the item out";
