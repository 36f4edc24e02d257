//! What a tool's input schema says of its paths.

use std::collections::HashMap;

use serde_json::Value;

/// The marks of an input schema, as a graph: a schema that refers to itself is a cycle in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct ToolSchema {
    nodes: Vec<Node>,
}

/// One schema within a schema.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Node {
    /// `"format": "murmur-destination"`.
    destination: bool,
    /// `"format": "murmur-opaque"`.
    opaque: bool,
    properties: HashMap<String, usize>,
    /// The schemas of properties whose names begin so, or are so.
    patterns: Vec<(NamePattern, usize)>,
    /// The schema of properties that nothing else is said of.
    other_properties: Option<usize>,
    /// The schemas of the first elements.
    first_elements: Vec<usize>,
    /// The schema of the other elements.
    elements: Option<usize>,
    /// The schemas that hold for the same value: `anyOf`, `oneOf`, `allOf`, `$ref` and their like.
    same: Vec<usize>,
}

/// What the name of a property is like.
#[derive(Debug, Clone, PartialEq, Eq)]
struct NamePattern {
    begins: String,
    /// Whether the name is over then.
    ends: bool,
}

/// The nodes that hold for one value of the input.
pub(super) type Nodes = Vec<usize>;

impl ToolSchema {
    /// Reads the marks of `schema`. What is no schema marks nothing.
    pub(super) fn read(schema: &Value) -> Self {
        let mut reading = Reading {
            nodes: Vec::new(),
            known: HashMap::new(),
            ahead: Vec::new(),
        };
        reading.node(schema);
        while let Some((value, index)) = reading.ahead.pop() {
            reading.fill(schema, value, index);
        }
        Self {
            nodes: reading.nodes,
        }
    }

    /// Returns the nodes of the whole input.
    pub(super) fn root(&self) -> Nodes {
        self.closed(if self.nodes.is_empty() {
            Vec::new()
        } else {
            vec![0]
        })
    }

    /// Returns the nodes of the property `name` of a value that has `nodes`.
    pub(super) fn property(&self, nodes: &Nodes, name: &str) -> Nodes {
        let mut found = Vec::new();
        for node in nodes.iter().map(|index| &self.nodes[*index]) {
            let before = found.len();
            found.extend(node.properties.get(name));
            found.extend(
                node.patterns
                    .iter()
                    .filter(|(pattern, _)| pattern.fits(name))
                    .map(|(_, index)| index),
            );
            if found.len() == before {
                found.extend(node.other_properties);
            }
        }
        self.closed(found)
    }

    /// Returns the nodes of the element at `position` of a value that has `nodes`.
    pub(super) fn element(&self, nodes: &Nodes, position: usize) -> Nodes {
        self.closed(
            nodes
                .iter()
                .filter_map(|index| {
                    let node = &self.nodes[*index];
                    node.first_elements.get(position).copied().or(node.elements)
                })
                .collect(),
        )
    }

    /// Returns whether a value with `nodes` is declared a write target.
    pub(super) fn is_destination(&self, nodes: &Nodes) -> bool {
        nodes.iter().any(|index| self.nodes[*index].destination)
    }

    /// Returns whether keys inside a value with `nodes` say nothing.
    pub(super) fn is_opaque(&self, nodes: &Nodes) -> bool {
        nodes.iter().any(|index| self.nodes[*index].opaque)
    }

    /// Adds what holds for the same value, each once.
    fn closed(&self, mut nodes: Nodes) -> Nodes {
        nodes.sort_unstable();
        nodes.dedup();
        let mut at = 0;
        while let Some(index) = nodes.get(at) {
            for same in &self.nodes[*index].same.clone() {
                if !nodes.contains(same) {
                    nodes.push(*same);
                }
            }
            at += 1;
        }
        nodes
    }
}

impl NamePattern {
    /// Reads a pattern that is text, anchored at its beginning. Others are no patterns here: they mark nothing.
    fn read(pattern: &str) -> Option<Self> {
        let text = pattern.strip_prefix('^')?;
        let (begins, ends) = match text.strip_suffix('$') {
            Some(begins) => (begins, true),
            None => (text, false),
        };
        let is_text = begins
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        is_text.then(|| Self {
            begins: begins.to_owned(),
            ends,
        })
    }

    fn fits(&self, name: &str) -> bool {
        name.strip_prefix(self.begins.as_str())
            .is_some_and(|rest| !self.ends || rest.is_empty())
    }
}

/// A schema half read.
struct Reading<'v> {
    nodes: Vec<Node>,
    /// The node of a schema, by where it lies in memory: a `$ref` leads back to it.
    known: HashMap<*const Value, usize>,
    ahead: Vec<(&'v Value, usize)>,
}

impl<'v> Reading<'v> {
    /// Returns the node of `value`, to be filled later when it is new.
    fn node(&mut self, value: &'v Value) -> usize {
        let next = self.nodes.len();
        let index = *self.known.entry(value).or_insert(next);
        if index == next {
            self.nodes.push(Node::default());
            self.ahead.push((value, index));
        }
        index
    }

    fn fill(&mut self, root: &'v Value, value: &'v Value, index: usize) {
        let Value::Object(schema) = value else { return };
        let mut node = Node::default();
        match schema.get("format").and_then(Value::as_str) {
            Some("murmur-destination") => node.destination = true,
            Some("murmur-opaque") => node.opaque = true,
            _ => {}
        }
        if let Some(Value::Object(properties)) = schema.get("properties") {
            for (name, property) in properties {
                node.properties.insert(name.clone(), self.node(property));
            }
        }
        if let Some(Value::Object(patterns)) = schema.get("patternProperties") {
            for (pattern, property) in patterns {
                if let Some(pattern) = NamePattern::read(pattern) {
                    node.patterns.push((pattern, self.node(property)));
                }
            }
        }
        node.other_properties = schema.get("additionalProperties").map(|one| self.node(one));
        // Before 2020-12 the first elements stood in `items`, and the others in `additionalItems`.
        let (first, others) = match schema.get("items") {
            Some(Value::Array(first)) => (Some(first), schema.get("additionalItems")),
            others => (schema.get("prefixItems").and_then(Value::as_array), others),
        };
        node.first_elements = first
            .into_iter()
            .flatten()
            .map(|one| self.node(one))
            .collect();
        node.elements = others.map(|one| self.node(one));
        for key in ["anyOf", "oneOf", "allOf"] {
            if let Some(Value::Array(several)) = schema.get(key) {
                node.same.extend(several.iter().map(|one| self.node(one)));
            }
        }
        for key in ["if", "then", "else"] {
            node.same.extend(schema.get(key).map(|one| self.node(one)));
        }
        let target = schema
            .get("$ref")
            .and_then(Value::as_str)
            .and_then(|reference| root.pointer(reference.strip_prefix('#')?));
        node.same.extend(target.map(|one| self.node(one)));
        self.nodes[index] = node;
    }
}
