//! The gate itself: what it is made from, and its answer.

use std::{
    collections::BTreeMap,
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::{
    arg::Arg,
    finding::Finding,
    judge::{Judge, Reach},
    resolve::existing_prefix,
    script::Walk,
    subtree::{ReadOnlyError, Subtree},
    tool_input::written,
    tool_schema::ToolSchema,
};
use crate::{
    executor::BoxFuture,
    gate::{Gate, GateCall, Refusal, shown::ShellShown},
};

/// What protected paths are made from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOnlySpec {
    /// The session's working directory.
    pub workdir: PathBuf,
    /// `capabilities.filesystem.read_only`, as declared.
    pub entries: Vec<String>,
    /// The `PATH` of the session's commands.
    pub path: OsString,
    /// The `HOME` of the session's commands.
    pub home: PathBuf,
}

/// The gate of `capabilities.filesystem.read_only` (spec: What a plan may reach).
#[derive(Debug, Clone)]
pub struct ProtectedPaths {
    workdir: PathBuf,
    path: OsString,
    home: PathBuf,
    subtrees: Vec<Subtree>,
    tools: BTreeMap<String, ToolSchema>,
}

impl ProtectedPaths {
    /// Resolves the entries of `spec` as they lie now.
    ///
    /// # Errors
    /// When an entry is absolute, empty, not below the workdir or cannot be looked at; the first one in order.
    pub fn new(spec: ReadOnlySpec) -> Result<Self, ReadOnlyError> {
        let workdir = existing_prefix(&spec.workdir);
        Ok(Self {
            subtrees: spec
                .entries
                .iter()
                .map(|entry| Subtree::declared(entry, &workdir))
                .collect::<Result<_, _>>()?,
            workdir,
            path: spec.path,
            home: spec.home,
            tools: BTreeMap::new(),
        })
    }

    /// Takes in the input schema of a tool, which may mark properties `murmur-destination` or `murmur-opaque`.
    pub fn declare_tool(&mut self, name: &str, schema: &serde_json::Value) {
        self.tools.insert(name.to_owned(), ToolSchema::read(schema));
    }

    /// Protects `path` as well, which is absolute, as a part of `what`: words that a refusal gives as its rule, such
    /// as "the policy hook `guard`".
    pub fn protect_part(&mut self, path: &Path, what: String) {
        self.subtrees.push(Subtree::part_of(what, path));
    }

    /// Returns whether nothing is protected.
    pub fn is_empty(&self) -> bool {
        self.subtrees.is_empty()
    }

    /// Returns the protected subtrees, absolute and resolved, in the order declared.
    pub fn subtrees(&self) -> impl Iterator<Item = &Path> {
        self.subtrees.iter().map(|subtree| &*subtree.resolved)
    }

    /// Lets `call` pass or refuses it. Looks at the file system only to see where a path leads.
    ///
    /// # Errors
    /// When the call is seen to write a protected path.
    #[expect(
        clippy::result_large_err,
        reason = "it is the gate's answer, made once for a step that then ends"
    )]
    pub fn judge(&self, call: &GateCall<'_>) -> Result<(), Refusal> {
        match call {
            GateCall::Tool { name, input } => self
                .tool(name, input)
                .map_err(|finding| finding.refusal((*name).to_owned(), &self.workdir)),
            GateCall::Shell { line, words } => self.shell(words).map_err(|finding| {
                let shown = ShellShown::of(line, words, &self.path, &self.workdir);
                finding.refusal(shown.program, &self.workdir)
            }),
        }
    }

    fn tool(&self, name: &str, input: &str) -> Result<(), Finding> {
        let unmarked = ToolSchema::default();
        let schema = self.tools.get(name).unwrap_or(&unmarked);
        let mut judge = Judge::new(&self.subtrees);
        for write in written(input, schema) {
            let path = Arg::plain(write.path);
            judge.write(
                std::slice::from_ref(&self.workdir),
                &path,
                Reach::Path,
                &write.signal,
            )?;
        }
        Ok(())
    }

    fn shell(&self, words: &[String]) -> Result<(), Finding> {
        let words: Vec<Arg> = words.iter().map(Arg::plain).collect();
        let judge = Judge::new(&self.subtrees);
        // What reads a script from standard input gets none: a step's is empty.
        Walk::new(judge, &self.workdir, &self.home)
            .run(&words)
            .map(|_| ())
    }
}

impl Gate for ProtectedPaths {
    fn ask<'a>(&'a self, call: GateCall<'a>) -> BoxFuture<'a, Result<(), Refusal>> {
        Box::pin(async move { self.judge(&call) })
    }
}
