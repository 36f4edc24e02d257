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
    /// The schemas of every element, or of properties not named.
    elements: Vec<usize>,
    /// The schemas that hold for the same value: `anyOf`, `oneOf`, `allOf`, `$ref` and their like.
    same: Vec<usize>,
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
        self.closed(
            nodes
                .iter()
                .flat_map(|index| match self.nodes[*index].properties.get(name) {
                    Some(property) => std::slice::from_ref(property),
                    None => &self.nodes[*index].elements,
                })
                .copied()
                .collect(),
        )
    }

    /// Returns the nodes of an element of a value that has `nodes`.
    pub(super) fn element(&self, nodes: &Nodes) -> Nodes {
        self.closed(
            nodes
                .iter()
                .flat_map(|index| self.nodes[*index].elements.iter().copied())
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
        let elements = [
            "items",
            "prefixItems",
            "additionalItems",
            "contains",
            "additionalProperties",
            "patternProperties",
        ];
        for key in elements {
            match schema.get(key) {
                Some(Value::Object(patterns)) if key == "patternProperties" => {
                    node.elements
                        .extend(patterns.values().map(|one| self.node(one)));
                }
                Some(one @ Value::Object(_)) => node.elements.push(self.node(one)),
                Some(Value::Array(several)) => node
                    .elements
                    .extend(several.iter().map(|one| self.node(one))),
                _ => {}
            }
        }
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
